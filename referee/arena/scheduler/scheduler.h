#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "referee/arena/scheduler/contest.h"
#include "referee/arena/scheduler/waiting.h"
#include "referee/arena/table/table.h"
#include "referee/config/config.h"
#include "referee/connections/lobby/lobby.h"
#include "referee/connections/runtime/background.h"
#include "referee/memory/journal/journal.h"

namespace referee::scheduler {

// Brings bots that the referee launches itself.
class BotSupply {
 public:
    virtual ~BotSupply() = default;
    // Whether the bot is one of those.
    virtual bool launches(const lobby::Bot& bot) const = 0;
    // A game waits for it and it is away: see that it comes.
    virtual void want(lobby::Bot& bot) = 0;
    // Whether it stays after a game. One that doesn't begins no other before game_over() was told.
    virtual bool stays(const lobby::Bot& bot) const {
        static_cast<void>(bot);
        return true;
    }
    // What is known of a bot that is away; nothing of one that isn't launched by this.
    struct Coming {
        std::optional<Instant> until;  // it is being started, and has so long to log in
        play::Absence absence;         // why it isn't there yet, where something went wrong
        std::string launch;            // what follows "who": "is being launched"
        bool failing = false;          // its launch was tried, and failed
    };
    virtual Coming coming(const lobby::Bot& bot) const {
        static_cast<void>(bot);
        return {};
    }
    // A game of it, or its match, is over.
    virtual void game_over(lobby::Bot& bot, bool match_over) = 0;
};

// Whom the scheduler tells how things go. All of it is recorded already. Whoever listens picks what
// concerns it.
class Observer {
 public:
    virtual ~Observer() = default;
    // All that does not go on at present, when it is something else or somebody else that is waited
    // for than when it was told last; not more often than each second.
    virtual void on_waiting(const std::vector<Waiting>& /*waiting*/) {}
    virtual void on_game_started(const std::string& /*tournament*/, const table::Table& /*table*/) {
    }
    // `game` may be kept: it is never changed.
    virtual void on_game(const std::string& /*tournament*/, const table::Table& /*table*/,
                         const std::shared_ptr<const journal::GameRecord>& /*game*/) {}
    virtual void on_match(const std::string& /*tournament*/,
                          const tournament::MatchResult& /*match*/) {}
    // A match of a ladder is not played, and why.
    virtual void on_dropped(const std::string& /*tournament*/, const std::string& /*reason*/) {}
    // It is over, paused, resumed, aborted.
    virtual void on_state(const std::string& /*tournament*/, journal::TournamentState /*state*/,
                          const std::string& /*reason*/) {}
    // A game of it is set aside, because it was annulled again and again; people are told as of
    // all that waits.
    virtual void on_set_aside(const std::string& /*tournament*/) {}
    // Somebody is out of it, or in it again (then `out` is false).
    virtual void on_attendance(const std::string& /*tournament*/, const std::string& /*bot*/,
                               bool /*out*/, const std::string& /*reason*/) {}
    // Nothing can be recorded for now, and no game begins; empty: it goes on.
    virtual void on_strain(const std::string& /*trouble*/) {}
};

// How everything ended.
struct Ending {
    enum class Kind : std::uint8_t {
        finished,      // every tournament is over
        stopped,       // stop() was called
        stuck,         // all is played but games that were annulled too often
        not_recorded,  // the journal failed
    };
    Kind kind = Kind::finished;
    std::string message;
};

// What the scheduler works with; all of it outlives it.
struct Surroundings {
    runtime::Timers& timers;
    lobby::Lobby& lobby;
    journal::Journal& journal;
    BotSupply& supply;
    const runtime::StallSource& stalls;
    table::Cores& cores;
    runtime::Background& background;
};

// Plays tournaments: finds games whose bots are free, seats them, records what they came to, and
// tells. Runs on the loop's thread, on the timers' clock; the same in production and in simulation.
class Scheduler {
 public:
    struct Settings {
        std::size_t games_at_once = 1;
        Duration
            join_within{};   // how long a tournament's first games wait for all bots to be there
        bool stays = false;  // goes on when every tournament is over: more may come
    };
    using OnEnded = std::function<void(const Ending&)>;

    // The observer outlives the scheduler.
    Scheduler(Settings settings, Surroundings with, Observer& observer, OnEnded on_ended);
    ~Scheduler();
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;
    Scheduler(Scheduler&&) = delete;
    Scheduler& operator=(Scheduler&&) = delete;

    // A tournament to play, as its records left it; `opening` is recorded first (what begin() gave,
    // where it is new). One that waits is begun by begin().
    void add(std::unique_ptr<Contest> contest, std::vector<journal::Record> opening);
    void start();
    // From now on; games that run are played to their end.
    void set_settings(const Settings& settings) { settings_ = settings; }
    // No new games; those that run are played to their end or, when the grace time is over, ended
    // as interrupted and recorded; then `on_ended`. A second call can only shorten the time.
    void stop(const std::string& reason, Duration grace);
    // No new games, those that run are played to their end; then `on_ended`.
    void drain(const std::string& reason);

    // A bot has come or has become free, or a while has gone by: look for games to begin.
    void pump();

    // A bot has logged in: games may begin that waited for it, and where it was withdrawn for
    // having been away or silent it plays again. Bots that the referee launches come back by order
    // only.
    void welcome_back(const lobby::Bot& bot);

    // Orders for a tournament, by its id. `on_ordered` is told once what was ordered is recorded,
    // or why it was refused; perhaps from inside the call.
    using OnOrdered = std::function<void(const std::optional<std::string>& refused)>;
    void begin(const std::string& tournament, std::vector<tournament::Entry> field,
               std::string config_text, std::string version, OnOrdered on_ordered);
    // The first games wait no longer for bots that have not come.
    void start_now(const std::string& tournament, OnOrdered on_ordered);
    void pause(const std::string& tournament, const std::string& reason, OnOrdered on_ordered);
    // Also one that was aborted. Whoever is away is waited for anew, as long as at first.
    void resume(const std::string& tournament, const std::string& reason, OnOrdered on_ordered);
    void abort(const std::string& tournament, const std::string& reason, OnOrdered on_ordered);
    void withdraw(const std::string& tournament, const std::string& bot, const std::string& reason,
                  OnOrdered on_ordered);
    void admit(const std::string& tournament, const tournament::Entry& entry, OnOrdered on_ordered);
    // A play of the tournament that the key names.
    void annul(const GameKey& key, const std::string& reason, OnOrdered on_ordered);

    // All that does not go on at present, tournament by tournament.
    std::vector<Waiting> waiting();
    // How the tournaments stand, in the order in which they were added.
    std::vector<ContestStatus> statuses() const;
    // Of one of them; nothing where there is none of that id.
    std::optional<ContestStatus> status_of(std::string_view tournament) const;
    // With its matches: what its files are written from. Requires: it is there.
    ContestSnapshot snapshot_of(std::string_view tournament) const;
    // Its games that wait to be begun, in their order. Requires: it is there.
    std::vector<GamePlan> games_waiting(std::string_view tournament) const;
    // What its bots play, for checks of a field. Requires: it is there.
    const engines::Game& game_of(std::string_view tournament) const;
    std::size_t games_running() const { return tables_.size(); }
    std::size_t games_running(std::string_view tournament) const;
    bool stopping() const { return stopping_; }
    const std::string& strain() const { return strain_; }

 private:
    using Seat = engines::Seat;
    // Who left a match of a ladder before it came to a turn.
    struct Leaver {
        Instant waits_until{};
        bool told = false;  // on its present connection
    };
    struct Slot {
        std::unique_ptr<Contest> contest;
        std::optional<Instant> called_at;  // when its bots were first looked for
        bool gathered = false;
        Instant resumed_at{};                       // absences before it don't count
        bool preparing = false;                     // its next round is being drawn beside the loop
        bool ending = false;                        // its end is being recorded
        std::map<GameKey, Instant> tries_alone_at;  // of games that are set aside
        std::vector<std::string> back;              // were withdrawn as idle, and have come again
        // Of a ladder.
        std::map<std::string, Instant> rests_until;  // by bot
        std::map<Entrant, Instant> free_since;       // who could have been paired, from when on
        std::map<Entrant, Leaver> leavers;           // who waits for having left
        std::set<Entrant> seen;                      // who was there since the scheduler began
        std::map<std::uint64_t, std::vector<Entrant>> deserted;  // matches to drop, who left them
        std::vector<lobby::Bot*> bots;  // by entrant, as far as they were asked for
    };
    struct Running {
        Slot* slot = nullptr;
        GamePlan plan;
        std::vector<Seat> absent;
        std::unique_ptr<table::Table> table;
        std::optional<tournament::MatchResult> match;  // that ended with this game
    };
    lobby::Bot& bot_of(Slot& slot, Entrant entrant);
    void cut_off(Slot& slot);
    void pump_contest(Slot& slot, bool only_alone);
    bool draw(Slot& slot);
    std::size_t drawn_ahead(Slot& slot);
    void offer(Slot& slot);
    bool waits_for_having_left(Slot& slot, Entrant entrant);
    void end_deserted_games(Slot& slot);
    // Drops the match of the i-th waiting game where bots of it are gone.
    bool drop_deserted(Slot& slot, std::size_t i);
    bool others_are_awaited(Slot& slot, const std::vector<Entrant>& free);
    std::set<const lobby::Bot*> awaiting_records() const;
    void rest(Slot& slot, const tournament::MatchResult& match);
    std::vector<std::string> missing(Slot& slot);
    bool gathered(Slot& slot);
    // Begins the game where it can be begun now.
    bool try_begin(Slot& slot, std::size_t i);
    void seat(Slot& slot, GamePlan plan, const std::vector<lobby::Bot*>& bots,
              std::vector<Seat> absent);
    void on_started(std::uint64_t id);
    // Writes down, and goes on with `then` once it stands and the contest shows it.
    void record(Slot* slot, std::vector<journal::Record> records, std::function<void()> then);
    void on_finished(std::uint64_t id);
    void on_recorded(std::uint64_t id, const std::shared_ptr<const journal::GameRecord>& game);
    void on_strain(const journal::JournalStrain& strain);
    void tell_withdrawn(const Contest& contest, const journal::WithdrawalRecord& withdrawal);
    void tell_admitted(const Contest& contest, const std::string& bot);
    void let_back_in(Slot& slot);
    void tell_match(const Contest& contest, const tournament::MatchResult& match);
    void stop_games(const Slot* slot, const std::string& reason);
    bool plays_alone() const;
    bool is_set_aside(Slot& slot, const GamePlan& plan);
    bool is_given_up(const GamePlan& plan) const;
    void note_tries(Slot& slot);
    bool is_calm() const;
    bool may_try_alone(const Slot& slot, const GamePlan& plan);
    bool can_be_played(Slot& slot, const GamePlan& plan);
    bool holds_others_back();
    bool hopeless(Slot& slot);
    void finish(Slot& slot);
    bool failed(const journal::Committed& told);
    void end(Ending::Kind kind, std::string message);
    void check_over();
    // Sees to it that somebody looks again, at the latest then. The earliest time is kept: whoever
    // still waits asks again at each look.
    void pump_later(Instant at);
    bool awaits_record(const lobby::Bot& bot) const;
    void tell_waiting();
    void add_waits(Slot& slot, std::vector<Waiting>& found);
    void add_absences(Slot& slot, std::vector<Waiting>& found);
    void add_asides(Slot& slot, std::vector<Waiting>& found);
    void add_routine_waits(Slot& slot, std::vector<Waiting>& found);
    void add_ladder_waits(Slot& slot, std::vector<Waiting>& found);
    void add_leavers(const Slot& slot, std::vector<Waiting>& found) const;
    void add_returns(const Running& running, std::vector<Waiting>& found) const;
    std::optional<Instant> awaited_until(Slot& slot, Entrant entrant);
    Instant given_up_at(const Slot& slot, const lobby::Bot& bot, Instant away_since) const;
    // Null where there is none.
    Slot* slot_named(std::string_view tournament) const;
    // Where an order for it can't be taken now, says so to `on_ordered` and gives null.
    Slot* slot_for_order(const std::string& tournament, const OnOrdered& on_ordered) const;
    void tell_state(const Slot& slot, const std::string& reason);
    void order(Slot& slot, Contest::Ordered ordered, OnOrdered on_ordered,
               std::function<void()> then = {});
    bool refuse_for_now(const Slot& slot, const OnOrdered& on_ordered) const;

    Settings settings_;
    Surroundings with_;
    Observer& observer_;
    OnEnded on_ended_;
    std::vector<std::unique_ptr<Slot>> slots_;
    std::map<std::uint64_t, Running> tables_;
    // Bots that a game waits for: name and game.
    std::map<std::pair<std::string, std::string>, Instant> away_since_;
    std::uint64_t last_table_ = 0;
    std::size_t commits_due_ = 0;
    std::shared_ptr<const bool> life_ = std::make_shared<const bool>(true);
    runtime::Timers::Id timer_ = 0;
    Instant timer_at_{};
    runtime::Timers::Id grace_timer_ = 0;
    Instant grace_ends_{};
    runtime::Timers::Id waiting_timer_ = 0;
    std::optional<Instant> waiting_looked_at_;
    std::vector<Waiting> waiting_told_;
    bool started_ = false;
    bool stopping_ = false;
    bool ended_ = false;
    bool pumping_ = false;
    std::string stop_reason_;
    std::string strain_;
};

}  // namespace referee::scheduler
