#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "referee/arena/scheduler/scheduler.h"
#include "tests/sim/liveness.h"
#include "tests/sim/plan.h"
#include "tests/sim/simulated_journal.h"

namespace tests::sim {

// What was seen of a turn on the wire of a bot that stays: when it was handed over, and when the
// first answer to it arrived.
struct SeenTurn {
    Instant sent{};
    std::optional<Instant> answered;
    Duration round_trip{};
};

// What a run came to, for the checks and for the summary.
struct RunReport {
    std::optional<referee::scheduler::Ending> ending;
    std::vector<std::string> complaints;  // empty: every invariant held
    std::string journal;                  // bytes
    std::size_t games = 0;                // that count
    std::size_t annulled = 0;
    std::size_t forfeited = 0;
    std::size_t turns = 0;
    std::size_t faults = 0;
    std::size_t races = 0;   // answers that were recomputed from their stamps
    std::size_t states = 0;  // bots' own states that were compared
    std::size_t connections = 0;
    std::size_t orders = 0;  // that were taken
    std::size_t rounds_of_admitted = 0;
    std::size_t matches = 0;    // that ended
    std::size_t dropped = 0;    // of a ladder
    std::size_t withdrawn = 0;  // as idle
    std::set<std::string> out;  // bots that were withdrawn as idle, once or more
};

// One tournament on simulated time: the production lobby, sessions, tables and scheduler with a
// simulated clock, network, disk and bots. All checks are made at the end, but for what can only
// be seen on the way.
class Simulation final : public referee::lobby::Roster,
                         public referee::lobby::LobbyEvents,
                         public referee::scheduler::BotSupply,
                         public referee::scheduler::Observer,
                         public Link::Wire,
                         public Witness {
 public:
    // `order_seed`: the order of what happens at the same instant.
    Simulation(RunPlan plan, std::uint64_t order_seed);
    ~Simulation() override;

    RunReport run();

 private:
    // Roster
    Verdict check(const protocol::Login& login) override;
    // LobbyEvents
    void on_arrived(referee::lobby::Bot& bot) override;
    void on_left(referee::lobby::Bot& bot, referee::session::CloseCause cause) override;
    // BotSupply
    bool launches(const referee::lobby::Bot& bot) const override;
    void want(referee::lobby::Bot& bot) override;
    void game_over(referee::lobby::Bot& bot, bool match_over) override;
    // Observer
    void on_waiting(const std::vector<referee::scheduler::Waiting>& /*waiting*/) override {}
    void on_game_started(const std::string& tournament,
                         const referee::table::Table& table) override;
    void on_game(const std::string& tournament, const referee::table::Table& table,
                 const std::shared_ptr<const referee::journal::GameRecord>& game) override;
    void on_match(const std::string& tournament,
                  const referee::tournament::MatchResult& match) override;
    void on_state(const std::string& /*tournament*/, referee::journal::TournamentState state,
                  const std::string& /*reason*/) override {
        if (state == referee::journal::TournamentState::finished) ++contests_over_;
    }
    void on_strain(const std::string& /*trouble*/) override {}
    // Wire
    void to_bot(const Link& link, std::string_view line) override;
    void from_bot(const Link& link, std::string_view line) override;
    // Witness
    void told_end(const std::string& bot, const Link& link, const std::string& game_id) override;
    void told_annulled(const std::string& bot, const Link& link,
                       const std::string& game_id) override;
    void thinks() override;
    void saw_state(const std::string& game_id, std::int64_t turns, const Json& state) override;
    void complaint(const std::string& text) override;

    void add_bots(Random& random);
    std::shared_ptr<Link> dial(const BotPlan& plan, Link::Peer& peer);
    void release(std::size_t bot);
    void plan_stalls(Random& random);
    void look_again();
    void close_down();
    void check_all();
    void ended(referee::scheduler::Ending ending);
    SimulatedBot* bot_named(std::string_view name);

    RunPlan plan_;
    Random random_;
    World world_;
    referee::table::Cores cores_;
    SimulatedJournal journal_;
    InstantBackground background_{world_};
    std::unique_ptr<referee::lobby::Lobby> lobby_;
    std::unique_ptr<referee::scheduler::Scheduler> scheduler_;
    std::unique_ptr<Instructor> instructor_;  // where the plan has orders
    std::unique_ptr<Liveness> liveness_;
    std::size_t records_seen_ = 0;  // by it
    std::vector<std::unique_ptr<SimulatedBot>> bots_;
    std::map<const Link*, std::string> owners_;  // of the links of bots that stay
    std::vector<std::shared_ptr<Link>> links_;
    std::vector<std::string> launching_;
    RunReport report_;
    std::size_t contests_over_ = 0;
    std::set<std::string> started_;                                         // game ids
    std::map<std::pair<std::string, std::string>, std::size_t> ends_told_;  // game, bot
    struct Promise {
        std::string game_id;
        std::string bot;
        std::uint64_t link = 0;
        bool counts = true;
    };
    std::vector<Promise> promises_;  // connected when a game was announced
    std::map<std::pair<std::string, std::int64_t>, std::vector<Json>> states_;
    std::map<std::tuple<std::string, std::string, std::int64_t>, SeenTurn>
        seen_;  // bot, game, turn
};

RunReport simulate(std::uint64_t seed, std::uint64_t order_seed = 0);

}  // namespace tests::sim
