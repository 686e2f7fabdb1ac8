#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "referee/net/lobby/bot.h"
#include "tests/engines/conformance/games.h"
#include "tests/sim/link.h"

namespace tests::sim {

using Json = nlohmann::json;

enum class Pace : std::uint8_t {
    quick,   // a small part of the budget
    racing,  // as long as it can be, and now and then a little more
    slow,    // often far beyond the budget
};

// What a bot does wrong, and how often: in percent of its turns, unless a member says otherwise.
struct Habits {
    Pace pace = Pace::quick;
    bool wrong_token_first = false;
    bool wrong_password_first = false;  // those who register only
    bool short_token_first = false;
    bool talks_before_login = false;
    bool never_logs_in = false;
    bool never_ready = false;
    bool answers_pings = true;
    std::size_t keeps_silent = 0;  // gives no answer
    std::size_t bad_lines = 0;     // sends some before its answer
    std::size_t half_lines = 0;    // begins an answer and never ends it
    std::size_t long_lines = 0;
    std::size_t strays = 0;  // old and future turns, other games, twice
    std::size_t bad_moves = 0;
    std::size_t drops = 0;     // closes, and connects again
    std::size_t breaks = 0;    // the link breaks; connects again
    std::size_t vanishes = 0;  // the link goes dead, and nobody tells the referee; connects again
    std::size_t twins = 0;     // a second login beside the first
    std::size_t floods = 0;
    std::size_t stops_reading = 0;
    std::size_t byes = 0;     // leaves in the middle, for good
    std::size_t crashes = 0;  // launched bots only
    // How long it is there at most, and away at most, each time. Zero: it stays.
    Duration visit_most{};
    Duration away_most{};
    // Never leaves and never floods: then the stamps alone decide what becomes of its moves.
    bool stays() const {
        return drops + breaks + vanishes + twins + floods + stops_reading + byes + crashes +
                       long_lines + half_lines ==
                   0 &&
               visit_most == Duration::zero();
    }
};

struct BotPlan {
    std::string name;
    std::string token;
    Habits habits;
    LinkTraits link;
    bool delta = false;
    std::int64_t parallel = 1;
    Duration arrives{};  // after the beginning
    bool comes = true;
    bool registers = false;  // the config doesn't name it: it brings the class password
    bool launched = false;   // by the simulated supply
    bool freezes = false;    // between its turns
    std::vector<std::string> games;
};

// The password with which bots register, where the config has it.
inline constexpr std::string_view class_password = "open sesame";

// Bots tell this to whoever checks.
class Witness {
 public:
    virtual ~Witness() = default;
    // Also of one that is annulled.
    virtual void told_end(const std::string& bot, const std::string& game_id) = 0;
    // A launched bot begins to think: about a turn, or to get ready.
    virtual void thinks() = 0;
    // The whole state of the game that the bot has in mind after so many turns.
    virtual void saw_state(const std::string& game_id, std::int64_t turns, const Json& state) = 0;
    virtual void complaint(const std::string& text) = 0;
};

// The process of a bot that the simulated supply has "launched".
class SimulatedProcess final : public referee::lobby::Process {
 public:
    std::optional<Duration> cpu_time() override { return used; }
    std::string_view cpu_means() const override { return "simulated cpu"; }
    void begin_turn() override { waited = Duration::zero(); }
    Duration core_wait_min(Duration wall) override { return std::min(waited, wall); }
    Duration core_wait_max(Duration wall) override {
        return std::min(std::max(waited, may_wait), wall);
    }
    bool freeze() override {
        frozen = !refuses_to_freeze;
        return frozen;
    }
    void thaw() override { frozen = false; }
    std::optional<bool> freezes_between_turns() const override { return freezes; }
    std::optional<Exit> exited() const override { return exit; }
    referee::LaunchedProgram program() const override { return launched; }

    Duration used{};
    Duration waited{};    // for a core, in its present turn
    Duration may_wait{};  // what it may have waited as long as it has not answered
    std::optional<Exit> exit;
    referee::LaunchedProgram launched;
    bool frozen = false;
    std::optional<bool> freezes;
    bool refuses_to_freeze = false;
    // The starts (turn 0) and turns that it was sent and has not answered yet, by game and turn.
    std::set<std::pair<std::string, std::int64_t>> thoughts{};
};

// A bot on a simulated link, good or bad. Events drive it.
class SimulatedBot final {
 public:
    using Dial = std::function<std::shared_ptr<Link>(const BotPlan& plan, Link::Peer& peer)>;

    SimulatedBot(World& world, BotPlan plan, Random random, Dial dial, Witness& witness);
    ~SimulatedBot();
    SimulatedBot(const SimulatedBot&) = delete;
    SimulatedBot& operator=(const SimulatedBot&) = delete;

    const BotPlan& plan() const { return plan_; }
    void connect();
    // It makes no new connections any more.
    void retire() { retired_ = true; }
    // Starts a new process, which is given its token.
    void launch(std::string token);
    // Ends all connections; the bot forgets what it was about to do.
    void kill();
    SimulatedProcess& process() { return process_; }
    bool connected() const;

 private:
    class Connection;
    struct Playing {
        const GameCase* game = nullptr;
        std::size_t seat = 0;
        Json params;
        Json state;
        std::int64_t turn = 0;
        Duration budget{};
    };

    void on_line(Connection& connection, std::string_view line);
    void log_in(Connection& connection);
    // What is wrong with the login that it sends next, if anything.
    enum class Mistake : std::uint8_t { none, token, password, short_token, talk };
    Mistake next_mistake();
    void on_error(Connection& connection, const std::string& code);
    void on_bye(Connection& connection, const std::string& reason);
    void on_start(Connection& connection, const Json& message);
    void tell_ready(Connection& connection, const std::string& game_id);
    void on_turn(Connection& connection, const Json& message);
    void begin_thinking(const std::string& game_id, std::int64_t turn);
    void forget(const std::string& game_id);
    void think(Connection& connection, const std::string& game_id, const Playing& playing);
    void answer(Connection& connection, const std::string& game_id, std::int64_t turn,
                Duration thought);
    // Whether it did something that leaves the turn without an answer.
    bool misbehave(Connection& connection, const std::string& game_id, const Playing& playing);
    bool leave(Connection& connection);
    void visit(Connection& connection);
    std::string move_line(const std::string& game_id, std::int64_t turn, const Playing& playing);
    void reconnect(Duration after);
    void later(Duration after, std::function<void()> call);

    World& world_;
    BotPlan plan_;
    Random random_;
    Dial dial_;
    Witness& witness_;
    std::vector<std::unique_ptr<Connection>> connections_;
    std::map<std::string, Playing> games_;
    SimulatedProcess process_;
    bool retired_ = false;
    // Turns that it has sent a move for before they began.
    std::set<std::pair<std::string, std::int64_t>> answered_ahead_;
    bool welcomed_ = false;  // once or more
    std::set<Mistake> mistakes_made_;
    std::shared_ptr<bool> life_ = std::make_shared<bool>(true);
};

}  // namespace tests::sim
