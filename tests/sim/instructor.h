#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "referee/tournament/contests/arbiter.h"
#include "referee/tournament/referee.h"
#include "tests/sim/reloads.h"
#include "tests/sim/run_plan.h"
#include "tests/sim/world.h"

namespace tests::sim {

// Gives the orders of a plan to a referee. Complains where an order was taken and has no effect:
// where something could go on and does not, or goes on and should not. What can go on is judged
// only by the lobby and the contest, not by what the scheduler says that it waits for.
//
// The referee may be gone for a while. Then the instructor waits for the next one, and gives again
// what the last one did not answer.
class Instructor {
 public:
    using Complain = std::function<void(const std::string& text)>;

    // Told of each bot that a config brings: from now on it may come.
    using OnBot = std::function<void(const referee::config::BotConfig& bot)>;

    // All of it outlives this. The plan's tournament is the referee's first one. The report counts
    // orders.
    Instructor(World& world, Reloads& reloads, const RunPlan& plan, RunReport& report,
               Complain complain, OnBot on_bot);

    // The beginning of the run.
    void begin();
    // A referee has begun to play, the first one or another one after a cut.
    void on_referee(referee::tournament::Referee& referee);
    // The referee's process is gone.
    void on_cut();
    // The run is over: nothing more is ordered.
    void end() { over_ = true; }

    void on_game_started(const std::string& tournament, const std::string& game_id);
    // When the run is over: what was recorded shows what the orders led to. Requires a referee.
    void check(const std::vector<referee::records::Record>& committed);

 private:
    using Orders = referee::scheduler::TournamentOrders;
    using OnOrdered = Orders::OnOrdered;
    using Order = std::function<void(OnOrdered on_ordered)>;
    // An order about the plan's tournament.
    using OwnOrder = std::function<void(Orders& orders, const referee::scheduler::OrderCall& call,
                                        OnOrdered on_ordered)>;
    using OnTaken = std::function<void()>;

    referee::scheduler::Scheduler& scheduler() const { return referee_->scheduler(); }
    referee::contests::ContestStatus status() const { return scheduler().statuses().front(); }
    void plan_orders(bool in_play);
    void give(const PlannedOrder& order);
    void give_about_tournament(const PlannedOrder& order);
    void ask(
        Order order, OnTaken on_taken = [] {});
    // While the tournament has no end: that stays the last record, for all other checks.
    void ask_before_end(
        OwnOrder order, OnTaken on_taken = [] {});
    void ask_again(std::size_t number);
    void resume_after(const PlannedOrder& order);
    void resume(bool reopens);
    void annul(const PlannedOrder& order);
    void take_back();
    void set_result(const PlannedOrder& order);
    void rule(std::uint64_t match, const referee::contests::BotsByPlace& places);
    void wish(const Orders::Order& wish);
    void take_result_back();
    void forbid(const PlannedOrder& order);
    void grant_bye(const PlannedOrder& order);
    void pair_by_hand(const PlannedOrder& order);
    void reload(Duration lasts);
    void use(const Reloads::Brought& brought);
    bool is_launched(const std::string& bot) const;
    bool all_is_played() const;
    void look();
    void look_at_referee();
    std::map<std::string, std::string> could_go_on() const;
    bool all_are_there() const;
    bool could_begin(const referee::contests::GamePlan& game) const;
    void check_annulment(const std::vector<referee::records::Record>& committed, std::size_t i);
    bool sits_out(const std::string& bot, std::uint32_t round) const;
    void check_admission(const std::vector<referee::records::Record>& committed, std::size_t i);

    World& world_;
    Reloads& reloads_;
    const RunPlan& plan_;
    RunReport& report_;
    Complain complain_;
    OnBot on_bot_;
    referee::tournament::Referee* referee_ = nullptr;  // null while there is none
    std::vector<const PlannedOrder*> due_;  // orders whose time came while there was none
    struct Asked {
        Order order;
        OnTaken on_taken;
    };
    std::map<std::size_t, Asked> unanswered_;  // in the order in which they were given
    std::size_t asked_ = 0;
    std::size_t orders_left_ = 0;
    bool over_ = false;
    bool games_begun_ = false;
    bool held_ = false;           // a pause or an abort is in force
    bool does_not_wait_ = false;  // start_now was taken
    std::optional<Instant> aborted_at_;
    std::optional<Instant> limited_since_;  // when the limit of games at once was changed
    // What could go on, and since when it stands still.
    std::map<std::string, Instant> still_since_;
    std::size_t stalls_seen_ = 0;
};

}  // namespace tests::sim
