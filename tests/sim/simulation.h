#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "referee/tournament/referee.h"
#include "tests/referee/tournament/plain_tokens.h"
#include "tests/sim/cuts.h"
#include "tests/sim/early_moves.h"
#include "tests/sim/instructor.h"
#include "tests/sim/liveness.h"
#include "tests/sim/reloads.h"
#include "tests/sim/run_plan.h"
#include "tests/sim/run_report.h"
#include "tests/sim/simulated_journal.h"
#include "tests/sim/simulated_supply.h"

namespace tests::sim {

// A turn of a bot that stays, as seen on the wire: when it was handed over, and when the first
// answer to it arrived.
struct SeenTurn {
    Instant sent{};
    std::optional<Instant> answered;
    Duration round_trip{};
};

// One tournament on simulated time: the whole production referee, with a simulated clock, network,
// disk and bots. All checks are made at the end, except for what can be seen only during the run.
class Simulation final : public referee::tournament::RefereeObserver,
                         public Link::Wire,
                         public Witness {
 public:
    // `order_seed`: decides the order of events at the same instant.
    Simulation(RunPlan plan, std::uint64_t order_seed);
    ~Simulation() override;

    RunReport run();

 private:
    // RefereeObserver
    void on_game_started(const std::string& tournament,
                         const referee::table::Table& table) override;
    void on_game(const std::shared_ptr<const referee::records::GameRecord>& game,
                 const referee::table::Table* table) override;
    void on_match(const std::string& tournament,
                  const referee::formats::MatchResult& match) override;
    // Wire
    void to_bot(const Link& link, std::string_view line) override;
    void from_bot(const Link& link, std::string_view line) override;
    // Witness
    void told_end(const std::string& bot, const std::string& game_id) override;
    void thinks() override;
    void saw_state(const std::string& game_id, std::int64_t turns, const Json& state) override;
    void complaint(const std::string& text) override;

    void add_bots(Random& random);
    void add_bot(const BotPlan& plan, Random random);
    void add_guest(const referee::config::BotConfig& bot);
    void make_referee();
    void start();
    void plan_cut();
    void cut_off(const PlannedCut& cut);
    void go_on();
    void stop(Duration grace);
    std::shared_ptr<Link> dial(const BotPlan& plan, Link::Peer& peer);
    void knock(const std::shared_ptr<Link>& link);
    void plan_stalls(Random& random);
    void read_records();
    void look_again();
    void close_down();
    void check_all();
    void check(const referee::config::TournamentConfig& tournament);
    // Checks of what is recorded of bots that register.
    void check_welcome(const std::string& bot);
    void check_registrations();
    void ended(referee::scheduler::SchedulerEnding ending);

    RunPlan plan_;
    Random random_;
    World world_;
    SimulatedJournal journal_;
    InstantBackground background_{world_};
    referee::tournament::PlainTokens tokens_;
    std::unique_ptr<referee::tournament::Referee> referee_;
    std::unique_ptr<SimulatedSupply> supply_;
    std::unique_ptr<Reloads> reloads_;        // where the plan has orders
    std::unique_ptr<Instructor> instructor_;  // the same
    std::unique_ptr<Liveness> liveness_;
    std::size_t cuts_planned_ = 0;
    std::optional<Duration> stopped_within_;  // the grace, once somebody has stopped it
    ToldMatches told_;
    std::size_t records_seen_ = 0;  // of those that are committed
    std::vector<std::unique_ptr<SimulatedBot>> bots_;
    std::map<const Link*, std::string> owners_;  // of the links of bots that stay
    std::vector<std::shared_ptr<Link>> links_;
    RunReport report_;
    std::set<std::string> started_;        // game ids
    std::set<std::string> with_launched_;  // games that run, with a bot that is launched
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
    EarlyMoves early_;
};

// Of its connection's link. Requires: it is connected.
std::uint64_t number_of_link(const referee::lobby::Bot& bot);

RunReport simulate(std::uint64_t seed, std::uint64_t order_seed = 0);

}  // namespace tests::sim
