#include "tests/sim/simulated_bot.h"

#include <algorithm>

#include "tests/sim/bad_lines.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t line_bytes_too_many = 70'000;
constexpr std::size_t flood_bytes = 1'200'000;
// Records, stalls and slow links take less; the referee closes a forgotten login only after more.
constexpr Duration login_answered_within = 4s;

const GameCase* case_of(std::string_view id) {
    static const auto cases = game_cases();
    const auto found = std::ranges::find(cases, id, &GameCase::id);
    return found == cases.end() ? nullptr : &*found;
}

}  // namespace

class SimulatedBot::Connection final : public Link::Peer {
 public:
    explicit Connection(SimulatedBot& bot) : bot_(bot) {}
    void on_bytes(Link& /*link*/, std::string_view bytes) override {
        lines_.add(bytes, [this](const std::string& line) { bot_.on_line(*this, line); });
    }
    void on_closed(Link& /*link*/) override {
        if (!done_) bot_.reconnect(200ms);
    }
    void send(std::string_view line) { link_->send(std::string(line) + "\n"); }

    SimulatedBot& bot_;
    std::shared_ptr<Link> link_;
    LineCutter lines_;
    bool done_ = false;                // when it ends, the bot makes no other one
    Mistake mistake_ = Mistake::none;  // of its login
    bool refused_as_it_should_ = false;
    bool answered_ = false;  // its login
};

SimulatedBot::SimulatedBot(World& world, BotPlan plan, Random random, Dial dial, Witness& witness)
    : world_(world),
      plan_(std::move(plan)),
      random_(random),
      dial_(std::move(dial)),
      witness_(witness) {}

SimulatedBot::~SimulatedBot() {
    kill();
}

void SimulatedBot::later(Duration after, std::function<void()> call) {
    world_.later(after, [life = std::weak_ptr(life_), call = std::move(call)] {
        if (!life.expired()) call();
    });
}

bool SimulatedBot::connected() const {
    return std::ranges::any_of(connections_,
                               [](const auto& one) { return one->link_->open_for_bot(); });
}

void SimulatedBot::connect() {
    if (retired_) return;
    auto& connection = *connections_.emplace_back(std::make_unique<Connection>(*this));
    connection.link_ = dial_(plan_, connection);
}

void SimulatedBot::reconnect(Duration after) {
    if (retired_ || plan_.launched) return;
    later(after, [this] {
        if (!retired_ && !connected()) connect();
    });
}

void SimulatedBot::launch(std::string token) {
    plan_.token = std::move(token);
    process_ = {};
    if (plan_.freezes) process_.freezes = true;
}

void SimulatedBot::kill() {
    for (const auto& connection : connections_) {
        connection->done_ = true;
        connection->link_->close();
    }
    games_.clear();
}

void SimulatedBot::log_in(Connection& connection) {
    const auto& habits = plan_.habits;
    if (habits.never_logs_in) return;
    // A stranger's wrong line ends the connection; the next one logs in.
    if (habits.talks_before_login && mistakes_made_.insert(Mistake::talk).second)
        return connection.send(bad_lines()[random_.below(bad_lines().size())]);
    connection.mistake_ = next_mistake();
    const auto token = connection.mistake_ == Mistake::token         ? "guessed token"
                       : connection.mistake_ == Mistake::short_token ? "short"
                                                                     : plan_.token;
    Json login{{"type", "login"},
               {"name", plan_.name},
               {"token", token},
               {"games", plan_.games},
               {"parallel", plan_.parallel}};
    if (plan_.registers)
        login["password"] =
            connection.mistake_ == Mistake::password ? "guessed" : std::string(class_password);
    if (plan_.delta) login["state"] = "delta";
    connection.send(login.dump());
    // Where an older connection of the bot may still be there, the login waits for that.
    if (!habits.stays()) return;
    later(login_answered_within, [this, &connection] {
        if (!connection.answered_ && connection.link_->open_for_bot())
            witness_.complaint(plan_.name + " has logged in, and nobody answers");
    });
}

// Each mistake is made once. A wrong token would get the name of a bot that registers, so such a
// bot sends one only when the name is its own.
SimulatedBot::Mistake SimulatedBot::next_mistake() {
    const auto& habits = plan_.habits;
    const bool registered = !plan_.registers || welcomed_;
    if (habits.wrong_password_first && !registered &&
        mistakes_made_.insert(Mistake::password).second)
        return Mistake::password;
    if (habits.short_token_first && !registered &&
        mistakes_made_.insert(Mistake::short_token).second)
        return Mistake::short_token;
    if (habits.wrong_token_first && registered && mistakes_made_.insert(Mistake::token).second)
        return Mistake::token;
    return Mistake::none;
}

// A login without a mistake is never refused; one with a mistake is refused for just that.
void SimulatedBot::on_error(Connection& connection, const std::string& code) {
    static const std::map<std::string, Mistake> about{{"wrong_token", Mistake::token},
                                                      {"wrong_password", Mistake::password},
                                                      {"token_needed", Mistake::short_token}};
    const auto found = about.find(code);
    // Nobody may register yet.
    const bool too_early = code == "unknown_name" && plan_.registers && !welcomed_;
    if (found == about.end() && code != "unknown_name") return;
    if (too_early || (found != about.end() && found->second == connection.mistake_)) {
        connection.refused_as_it_should_ = true;
    } else {
        witness_.complaint(plan_.name + " was refused for what it did not do: " + code);
    }
}

void SimulatedBot::on_bye(Connection& connection, const std::string& reason) {
    connection.answered_ = true;
    if (reason != "refused") {
        connection.done_ = true;
    } else if (connection.mistake_ != Mistake::none && !connection.refused_as_it_should_) {
        witness_.complaint(plan_.name + " was refused and not told its mistake");
    }
}

void SimulatedBot::on_line(Connection& connection, std::string_view line) {
    const auto message = Json::parse(line, nullptr, false);
    if (!message.is_object() || !message.contains("type")) {
        witness_.complaint(plan_.name + " got a line that is no message: " + std::string(line));
        return;
    }
    const auto type = message["type"].get<std::string>();
    if (type == "hello") {
        log_in(connection);
    } else if (type == "welcome") {
        if (connection.mistake_ != Mistake::none)
            witness_.complaint(plan_.name + " was welcomed with a login that was wrong");
        welcomed_ = true;
        connection.answered_ = true;
        visit(connection);
    } else if (type == "error") {
        on_error(connection, message["code"]);
    } else if (type == "start") {
        on_start(connection, message);
    } else if (type == "turn") {
        on_turn(connection, message);
    } else if (type == "ping") {
        if (plan_.habits.answers_pings)
            connection.send(Json{{"type", "pong"}, {"id", message["id"]}}.dump());
    } else if (type == "end") {
        witness_.told_end(plan_.name, message["game_id"]);
        forget(message["game_id"]);
    } else if (type == "note" && message.contains("game_id") &&
               (message["code"] == "annulled" || message["code"] == "interrupted")) {
        witness_.told_end(plan_.name, message["game_id"]);
        forget(message["game_id"]);
    } else if (type == "bye") {
        on_bye(connection, message["reason"]);
    }
}

void SimulatedBot::on_start(Connection& connection, const Json& message) {
    const auto id = message["game_id"].get<std::string>();
    auto& playing = games_[id];
    playing.game = case_of(message["game"].get<std::string>());
    playing.seat = message["seat"];
    playing.params = message["params"];
    playing.state = message["state"];
    witness_.saw_state(id, message["turn"], playing.state);
    // A process that was started anew in the middle of a game reads the game's past while it starts
    // up, and needs no core for that.
    if (!message.value("resumed", false)) begin_thinking(id, 0);
    if (plan_.habits.never_ready) return;
    later(random_up_to(random_, 300ms), [this, &connection, id] { tell_ready(connection, id); });
}

// The game is over: there is nothing left to think about. A frozen bot reads that only when it is
// thawed.
void SimulatedBot::forget(const std::string& game_id) {
    games_.erase(game_id);
    std::erase_if(process_.thoughts, [&](const auto& thought) { return thought.first == game_id; });
}

// Nobody asks any more for what it thought about in that game before.
void SimulatedBot::begin_thinking(const std::string& game_id, std::int64_t turn) {
    std::erase_if(process_.thoughts, [&](const auto& thought) { return thought.first == game_id; });
    // A move for this turn is on its way, and may be taken for the answer: nobody waits for
    // another.
    if (answered_ahead_.contains({game_id, turn})) return;
    process_.thoughts.emplace(game_id, turn);
    if (plan_.launched) witness_.thinks();
}

void SimulatedBot::tell_ready(Connection& connection, const std::string& game_id) {
    if (process_.frozen && connection.link_->open_for_bot()) {
        later(1ms, [this, &connection, game_id] { tell_ready(connection, game_id); });
        return;
    }
    process_.thoughts.erase({game_id, 0});
    connection.send(Json{{"type", "ready"}, {"game_id", game_id}}.dump());
}

void SimulatedBot::on_turn(Connection& connection, const Json& message) {
    const auto id = message["game_id"].get<std::string>();
    const auto found = games_.find(id);
    if (found == games_.end()) {
        witness_.complaint(plan_.name + " got a turn of game " + id + ", which it is not in");
        return;
    }
    auto& playing = found->second;
    playing.turn = message["turn"];
    playing.budget = std::chrono::microseconds(message["budget_us"].get<std::int64_t>());
    if (message.contains("delta")) {
        playing.state.patch_inplace(message["delta"]);
        witness_.saw_state(id, playing.turn - 1, playing.state);
    } else {
        playing.state = message["state"];
    }
    think(connection, id, playing);
}

void SimulatedBot::think(Connection& connection, const std::string& game_id,
                         const Playing& playing) {
    const auto budget = playing.budget > Duration::zero() ? playing.budget : Duration(200ms);
    Duration thought{};
    switch (plan_.habits.pace) {
        case Pace::quick:
            thought = random_up_to(random_, budget / 8);
            break;
        case Pace::racing: {
            const auto path = plan_.link.tells_round_trip ? Duration::zero() : 2 * plan_.link.delay;
            thought = std::max<Duration>(budget - path - 2ms + random_up_to(random_, 3ms),
                                         Duration::zero());
            // Sometimes it answers exactly at the deadline, to the nanosecond.
            if (random_.chance(20)) thought = std::max<Duration>(budget - path, Duration::zero());
            break;
        }
        case Pace::slow:
            thought = random_up_to(random_, budget + budget / 2);
            break;
    }
    begin_thinking(game_id, playing.turn);
    later(thought, [this, &connection, game_id, turn = playing.turn, thought] {
        answer(connection, game_id, turn, thought);
    });
}

void SimulatedBot::answer(Connection& connection, const std::string& game_id, std::int64_t turn,
                          Duration thought) {
    // A frozen bot goes on when it is thawed.
    if (process_.frozen && connection.link_->open_for_bot()) {
        later(1ms, [this, &connection, game_id, turn, thought] {
            answer(connection, game_id, turn, thought);
        });
        return;
    }
    process_.thoughts.erase({game_id, turn});
    const auto found = games_.find(game_id);
    if (found == games_.end() || found->second.turn != turn) return;
    process_.used += thought;
    if (random_.chance(plan_.habits.keeps_silent) || leave(connection)) return;
    if (misbehave(connection, game_id, found->second)) return;
    connection.send(move_line(game_id, turn, found->second));
}

std::string SimulatedBot::move_line(const std::string& game_id, std::int64_t turn,
                                    const Playing& playing) {
    auto move =
        random_.chance(plan_.habits.bad_moves)
            ? std::string(R"({"not":["a","move"]})")
            : shown_move(*playing.game, random_, playing.params, playing.state, playing.seat);
    return R"({"type":"move","game_id":)" + Json(game_id).dump() + R"(,"turn":)" +
           std::to_string(turn) + R"(,"move":)" + move + "}";
}

void SimulatedBot::visit(Connection& connection) {
    if (plan_.habits.visit_most == Duration::zero()) return;
    later(random_up_to(random_, plan_.habits.visit_most), [this, &connection] {
        if (!connection.link_->open_for_bot()) return;
        connection.done_ = true;
        connection.link_->close();
        reconnect(random_up_to(random_, plan_.habits.away_most));
    });
}

bool SimulatedBot::leave(Connection& connection) {
    const auto& habits = plan_.habits;
    auto& link = *connection.link_;
    if (random_.chance(habits.drops)) {
        link.close();
        reconnect(random_up_to(random_, 1s));
        return true;
    }
    if (random_.chance(habits.breaks)) {
        link.break_off();
        return true;
    }
    if (random_.chance(habits.vanishes)) {
        link.vanish();
        reconnect(random_up_to(random_, 3s));
        return true;
    }
    if (random_.chance(habits.byes)) {
        connection.done_ = true;
        connection.send(R"({"type":"bye"})");
        return true;
    }
    if (plan_.launched && random_.chance(habits.crashes)) {
        process_.exit = SimulatedProcess::Exit{1, std::nullopt, "it fell over\n"};
        link.break_off();
        return true;
    }
    return false;
}

bool SimulatedBot::misbehave(Connection& connection, const std::string& game_id,
                             const Playing& playing) {
    const auto& habits = plan_.habits;
    if (random_.chance(habits.twins) && !plan_.launched) connect();
    if (random_.chance(habits.stops_reading)) {
        connection.link_->read(false);
        return true;
    }
    if (random_.chance(habits.floods)) {
        const std::string line = R"({"type":"ping","id":1})";
        std::string flood;
        while (flood.size() < flood_bytes) flood += line + "\n";
        connection.link_->send(flood);
    }
    if (random_.chance(habits.long_lines)) connection.send(std::string(line_bytes_too_many, 'x'));
    if (random_.chance(habits.half_lines)) {
        connection.link_->send(R"({"type":"move","game_id":)");
        return true;
    }
    if (random_.chance(habits.bad_lines)) {
        for (std::size_t i = 0; i <= random_.below(3); ++i)
            connection.send(bad_lines()[random_.below(bad_lines().size())]);
    }
    if (random_.chance(habits.strays)) {
        connection.send(move_line("nobody/7.1", playing.turn, playing));
        const auto ahead = playing.turn + 2 + static_cast<std::int64_t>(random_.below(9));
        connection.send(move_line(game_id, ahead, playing));
        answered_ahead_.emplace(game_id, ahead);
        if (playing.turn > 1) connection.send(move_line(game_id, playing.turn - 1, playing));
        const auto twice = move_line(game_id, playing.turn, playing);
        connection.send(twice);
        connection.send(R"({"type":"ready","game_id":)" + Json(game_id).dump() + "}");
    }
    return false;
}

}  // namespace tests::sim
