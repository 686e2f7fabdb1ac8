#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "referee/config/config.h"
#include "referee/journal/journal.h"
#include "referee/lobby/lobby.h"
#include "referee/scheduler/contest.h"
#include "referee/table/table.h"

namespace referee::scheduler {

// Brings bots that the referee launches itself.
class BotSupply {
 public:
    virtual ~BotSupply() = default;
    // Whether the bot is one of those.
    virtual bool launches(const lobby::Bot& bot) const = 0;
    // A game waits for it and it is away: see that it comes.
    virtual void want(lobby::Bot& bot) = 0;
    // A game of it, or its match, is over.
    virtual void game_over(lobby::Bot& bot, bool match_over) = 0;
};

// Whom the scheduler tells how things go. All of it is recorded already.
class Observer {
 public:
    virtual ~Observer() = default;
    virtual void on_waiting(const std::vector<std::string>& missing) = 0;
    virtual void on_game_started(const Contest& contest, const table::Table& table) = 0;
    virtual void on_game(const Contest& contest, const table::Table& table, const journal::GameRecord& game) = 0;
    virtual void on_match(const Contest& contest, const tournament::MatchResult& match) = 0;
    virtual void on_contest_over(const Contest& contest) = 0;
};

// How everything ended.
struct Ending {
    enum class Kind : std::uint8_t {
        finished,     // every tournament is over
        stopped,      // stop() was called
        stuck,        // a game was annulled too often
        not_recorded, // the journal failed
    };
    Kind kind = Kind::finished;
    std::string message;
};

// Plays tournaments: finds games whose bots are free, seats them, records what they came to, and
// tells. Runs on the loop's thread, on the timers' clock; the same in production and in simulation.
class Scheduler {
 public:
    struct Settings {
        std::size_t games_at_once = 1;
        Duration join_within{};  // how long the first games wait for all bots to be there
    };
    using OnEnded = std::function<void(const Ending&)>;

    // All references outlive the scheduler.
    Scheduler(Settings settings, runtime::Timers& timers, lobby::Lobby& lobby, journal::Journal& journal,
              BotSupply& supply, const table::StallSource& stalls, table::Cores& cores, Observer& observer,
              OnEnded on_ended);
    ~Scheduler();
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;
    Scheduler(Scheduler&&) = delete;
    Scheduler& operator=(Scheduler&&) = delete;

    // Before start(). `bots` is the config's list that the tournament's indices mean.
    void add(const config::TournamentConfig& config, const std::vector<config::BotConfig>& bots,
             const engines::Game& game);
    void start();
    // No new games; those that run are ended as interrupted and recorded; then `on_ended`.
    void stop(std::string reason);

    // A bot has come or has become free, or a while has gone by: look for games to begin.
    void pump();

    const std::vector<std::unique_ptr<Contest>>& contests() const { return contests_; }
    std::size_t games_running() const { return tables_.size(); }

 private:
    struct Running {
        Contest* contest = nullptr;
        GamePlan plan;
        std::unique_ptr<table::Table> table;
    };

    void pump_contest(Contest& contest);
    bool gathered();
    // Begins the game where it can be begun now.
    bool try_begin(Contest& contest, std::size_t i);
    void begin(Contest& contest, GamePlan plan, const std::vector<lobby::Bot*>& bots,
               const std::vector<engines::Seat>& absent);
    // Writes down, and goes on with `then` once it stands.
    void record(std::vector<journal::Record> records, std::function<void()> then);
    void on_finished(std::uint64_t id);
    void on_recorded(std::uint64_t id, const journal::GameRecord& record);
    void tell_match(const Contest& contest, const GamePlan& plan, const tournament::MatchResult& match);
    bool failed(const std::optional<journal::JournalFailure>& failure);
    void end(Ending::Kind kind, std::string message);
    void check_over();
    void pump_later(Instant at);

    Settings settings_;
    runtime::Timers& timers_;
    lobby::Lobby& lobby_;
    journal::Journal& journal_;
    BotSupply& supply_;
    const table::StallSource& stalls_;
    table::Cores& cores_;
    Observer& observer_;
    OnEnded on_ended_;
    std::vector<std::unique_ptr<Contest>> contests_;
    std::map<std::uint64_t, Running> tables_;
    // Bots that a game waits for: name and game.
    std::map<std::pair<std::string, std::string>, Instant> away_since_;
    std::uint64_t last_table_ = 0;
    std::size_t commits_due_ = 0;
    std::shared_ptr<const bool> life_ = std::make_shared<const bool>(true);
    std::map<const Contest*, bool> told_over_;
    Instant started_at_{};
    runtime::Timers::Id timer_ = 0;
    Instant timer_at_{};
    bool started_ = false;
    bool gathered_ = false;
    bool stopping_ = false;
    bool ended_ = false;
    bool pumping_ = false;
    std::string stop_reason_;
};

}  // namespace referee::scheduler
