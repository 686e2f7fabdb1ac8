#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "referee/tournament/scheduler/scheduled_contest.h"
#include "referee/tournament/scheduler/tables.h"
#include "tests/sim/lobby_room.h"
#include "tests/sim/simulated_journal.h"

namespace tests::sim {

using namespace std::chrono_literals;
using referee::GameStatus;
using referee::contests::GamePlan;
using referee::formats::Entrant;
using referee::scheduler::Wait;

// A game that the contest knows nothing of: a bot sits in it as long as this lives.
class OtherGame final : public referee::lobby::SeatedGame {
 public:
    explicit OtherGame(referee::lobby::Bot& bot) : bot_(bot) { bot_.sit(*this, 0); }
    ~OtherGame() override { bot_.leave(*this); }
    OtherGame(const OtherGame&) = delete;
    OtherGame& operator=(const OtherGame&) = delete;

    const std::string& game_id() const override { return id_; }
    bool on_ready(engines::Seat /*seat*/) override { return false; }
    bool on_move(engines::Seat /*seat*/, const protocol::Move& /*move*/, std::string_view /*line*/,
                 referee::Stamp /*arrived*/) override {
        return false;
    }
    void on_bad_line(engines::Seat /*seat*/, const protocol::ProtocolError& /*error*/) override {}
    void on_connected(engines::Seat /*seat*/) override {}
    void on_disconnected(engines::Seat /*seat*/, referee::session::CloseCause /*cause*/) override {}

 private:
    referee::lobby::Bot& bot_;
    std::string id_ = "other/1.1";
};

// What a bot says in its login that plays other games than the tournament's.
inline const Json other_games{{"games", {"superball"}}};

// What tournaments need to be played by hand: a lobby, a disk, a config of walls, which is a round
// robin of one cycle, and a supply that launches whom the test names.
class TournamentRoom : public referee::scheduler::BotSupply {
 public:
    explicit TournamentRoom(std::size_t commits_good = 0)
        : journal(room.world, Random(1), 1ms, commits_good) {
        config.id = "t";
        config.game = "walls";
        config.setups = {R"({"size":3,"first":0})"};
        config.clock.budget = 1s;
        config.clock = referee::clock::completed(config.clock);
        config.no_show_after = 5s;
        config.match.seat_order = referee::formats::SeatOrder::same;
    }
    bool launches(const referee::lobby::Bot& bot) const override {
        return launched.contains(bot.name());
    }
    // All bots of these names log in.
    std::vector<ScriptedBot*> come(const std::vector<std::string>& names) {
        std::vector<ScriptedBot*> players;
        for (const auto& name : names) players.push_back(&room.log_in(name));
        return players;
    }

    std::set<std::string> launched;
    referee::config::TournamentConfig config;
    LobbyRoom room;
    referee::table::Cores cores{1};
    SimulatedJournal journal;
    InstantBackground background{room.world};
};

// A contest in its scheduled, and no scheduler: the test asks the parts of the scheduled itself,
// and says what becomes of games.
class ScheduledRoom final : public TournamentRoom {
 public:
    // The contest runs, with these entrants and by `config`. Nothing is drawn yet.
    void open(const std::vector<std::string>& names);
    // Draws what can be drawn.
    void draw();
    // All bots of these names log in.
    void log_in(const std::vector<std::string>& names, const Json& extra = Json::object());
    void log_out(const std::string& name);
    // The connection of that name, as it logged in last.
    ScriptedBot& player(const std::string& name) { return *players_.at(name); }
    // The first game that waits ends in this way, without having been played.
    void end_game(GameStatus status) { end(contest().take(0), status); }
    // The same of a game that was taken. The result of its match, where it was the last one.
    std::optional<referee::formats::MatchResult> end(const GamePlan& plan, GameStatus status,
                                                     const std::string& fingerprint = {});
    // Who would sit down at the first game that waits.
    std::optional<referee::scheduler::Seating> seating() {
        return scheduled->seating_for(first_game());
    }
    // Its bots sit down at a table, and it is told to begin. It ends by stop(), or by the table's
    // own will. For the tables it is a game of that tournament.
    referee::scheduler::Tables::Id sit(const std::string& tournament = "t");
    void order(const referee::contests::Ordered& ordered);
    void withdraw(const std::string& name) { order(contest().withdraw(name, "ill")); }
    void pass(Duration time) { room.pass(time); }

    Instant now() const { return room.world.now(); }
    referee::contests::Contest& contest() { return *scheduled->contest; }
    referee::lobby::Bot& bot(const std::string& name) { return room.lobby->bot(name); }
    const GamePlan& first_game() { return contest().waiting().front(); }

    void want(referee::lobby::Bot& bot) override { wanted.push_back(bot.name()); }
    bool stays(const referee::lobby::Bot& bot) const override {
        return !leaves_after_games.contains(bot.name());
    }
    Coming coming(const referee::lobby::Bot& bot) const override {
        const auto found = comings.find(bot.name());
        return found == comings.end() ? Coming{} : found->second;
    }

    std::set<std::string> leaves_after_games;
    std::map<std::string, Coming> comings;
    std::vector<std::string> wanted;
    int looked = 0;
    std::function<void()> on_finished = [] {};  // a game at a table has ended

    referee::scheduler::Settings settings{.games_at_once = 10, .join_within = 20s};
    referee::scheduler::SchedulerContext context{
        room.world.referee(), *room.lobby, journal, *this, room.world, cores, background};
    referee::scheduler::Absences absences;
    referee::scheduler::Tables tables;
    referee::loop::EarliestLook looks{room.world.referee(), [this] { ++looked; }};
    std::unique_ptr<referee::scheduler::ScheduledContest> scheduled;

 private:
    std::map<std::string, ScriptedBot*> players_;
};

// What the part adds to a list of waits.
template <typename Add>
std::vector<Wait> waits_of(Add add) {
    std::vector<Wait> found;
    add(found);
    return found;
}

// What people are told of these waits.
inline std::vector<std::string> told(const std::vector<Wait>& waits, Instant now) {
    std::vector<std::string> texts;
    for (const auto& wait : waits) texts.push_back(describe(wait, now));
    return texts;
}

}  // namespace tests::sim
