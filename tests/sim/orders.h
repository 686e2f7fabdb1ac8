#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "referee/arena/house/referee.h"
#include "tests/sim/world.h"

namespace tests::sim {

struct RunPlan;
class Reloads;

// What an instructor is to order in a run, and when.
struct PlannedOrder {
    enum class Kind : std::uint8_t {
        withdraw,
        admit,
        pause,
        abort,
        annul,
        start_now,
        reload,
        reload_badly
    };
    Kind kind = Kind::pause;
    Duration at{};         // after the beginning, or after that of the first game
    bool in_play = false;  // the latter
    // Of a pause or an abort, until it is resumed; of a reload, until what it brought is begun.
    Duration lasts{};
    std::size_t bot = 0;  // of those that are about one
};

// Makes a run one with orders, by lot from its seed: now and then for bots that never come and
// would be waited for long.
void add_orders(RunPlan& plan);

// Gives the orders of a plan to a referee, and complains where one that was taken takes no
// effect: where something could go on that does not, or goes on that should not. What can go on it
// judges by the lobby and the contest alone, not by what the scheduler says that it waits for.
class Instructor {
 public:
    using Complain = std::function<void(const std::string& text)>;

    // Told of each bot that a config brings: from now on it may come.
    using OnBot = std::function<void(const referee::config::BotConfig& bot)>;

    // All of it outlives this. The plan's tournament is the referee's first one.
    Instructor(World& world, referee::house::Referee& referee, Reloads& reloads,
               const RunPlan& plan, Complain complain, OnBot on_bot);

    void begin();
    void on_game_started(const std::string& tournament, const std::string& game_id);
    // When the run is over: what was recorded shows what the orders led to.
    void check(const std::vector<referee::journal::Record>& committed);
    // Orders that were taken.
    std::size_t taken() const { return taken_; }
    // Rounds of a Swiss in which bots that were let in were looked for.
    std::size_t rounds_of_admitted() const { return rounds_of_admitted_; }

 private:
    using OnTaken = std::function<void()>;

    void plan_orders(bool in_play);
    void give(const PlannedOrder& order);
    void resume();
    void annul();
    void reload(Duration lasts);
    void begin(const referee::config::TournamentConfig& tournament);
    bool is_launched(const std::string& bot) const;
    bool all_is_played() const;
    referee::scheduler::Scheduler::OnOrdered when_taken(OnTaken then);
    void look();
    std::map<std::string, std::string> could_go_on();
    bool could_begin(const referee::scheduler::GamePlan& game);
    void check_annulment(const std::vector<referee::journal::Record>& committed, std::size_t i);
    bool sits_out(const std::string& bot, std::uint32_t round) const;
    void check_admission(const std::vector<referee::journal::Record>& committed, std::size_t i);

    World& world_;
    referee::house::Referee& referee_;
    Reloads& reloads_;
    referee::scheduler::Scheduler& scheduler_;
    referee::lobby::Lobby& lobby_;
    const RunPlan& plan_;
    Complain complain_;
    OnBot on_bot_;
    std::size_t orders_left_ = 0;
    std::size_t taken_ = 0;
    std::size_t rounds_of_admitted_ = 0;
    bool games_begun_ = false;
    bool held_ = false;           // a pause or an abort stands
    bool does_not_wait_ = false;  // start_now was taken
    std::optional<Instant> aborted_at_;
    std::size_t games_most_ = 0;            // that may run at once
    std::optional<Instant> limited_since_;  // that limit
    // What could go on, and since when it stands still.
    std::map<std::string, Instant> still_since_;
    std::size_t stalls_seen_ = 0;
};

}  // namespace tests::sim
