#include "tests/sim/timing/timed_bot.h"

#include "tests/json.h"

namespace tests::sim::timing {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t games_at_once = 64;
constexpr std::int64_t turns_ahead = 2;

}  // namespace

TimedBot::TimedBot(World& world, std::string name, LineTraits line, Answering answering,
                   Random random, Truths& truths)
    : world_(world),
      name_(std::move(name)),
      answering_(answering),
      random_(random),
      truths_(truths),
      line_(std::make_shared<Line>(world, std::move(line), Random(random_.next()))) {
    listen();
}

void TimedBot::listen() {
    line_->on_bytes([this](std::string_view bytes, Line::Left left) {
        lines_.add(bytes, [&](const std::string& line) { on_line(line, left); });
    });
}

TimedBot::~TimedBot() {
    line_->close();
}

void TimedBot::on_line(std::string_view line, Line::Left left) {
    if (line.starts_with(R"({"type":"turn")")) return on_turn(line, left);
    if (line.starts_with(R"({"type":"hello")")) {
        const Json login{{"type", "login"},
                         {"name", name_},
                         {"token", "secret"},
                         {"games", {"counting"}},
                         {"parallel", games_at_once}};
        line_->send(login.dump() + "\n");
    } else if (line.starts_with(R"({"type":"start")")) {
        const auto start = Json::parse(line);
        line_->send(Json{{"type", "ready"}, {"game_id", start["game_id"]}}.dump() + "\n");
    }
}

void TimedBot::later(Duration after, std::function<void()> call) {
    const auto* stops = line_->traits().stops;
    const bool stands_still_too = stops != nullptr && line_->traits().from_this_machine;
    const auto at = stands_still_too ? stops->after(world_.now(), after) : world_.now() + after;
    world_.outside().schedule(at, [life = std::weak_ptr(life_), call = std::move(call)] {
        if (!life.expired()) call();
    });
}

std::string TimedBot::move_of(const Key& key, std::int64_t ahead) const {
    return R"({"type":"move","game_id":")" + std::get<0>(key) + R"(","turn":)" +
           std::to_string(std::get<1>(key) + ahead) + ",\"move\":1}\n";
}

void TimedBot::on_turn(std::string_view line, Line::Left left) {
    const auto turn = Json::parse(line);
    const Key key{turn["game_id"], turn["turn"], name_};
    const auto budget = std::chrono::microseconds(turn["budget_us"].get<std::int64_t>());
    auto& truth = truths_[key];
    if (reconnected_.contains(key)) {
        truth.thought = std::max(truth.thought, world_.now() - truth.reached);
        return later(truth.reached + truth.thought - world_.now(), [this, key] { answer(key); });
    }
    truth.line = line_;
    truth.left = left.at;
    truth.end = left.end;
    truth.reached = world_.now();
    truth.segment = line_->delivered();
    const auto share = static_cast<Duration::rep>(
        random_.between(answering_.thinks_least, answering_.thinks_most));
    truth.thought = Duration(budget) * share / 1000 + answering_.adds;
    truth.ahead = ahead_.contains(key);
    auto& rest = begun_lines_[key];
    rest = move_of(key);
    if (answering_.early_first_bytes) {
        line_->send(rest.substr(0, rest.size() / 2));
        rest.erase(0, rest.size() / 2);
    }
    if (answering_.reconnects) {
        // The end of the old connection, the handshake of the new one, hello and login, the turn.
        const auto& way = line_->traits().way;
        const auto takes = 3 * (way.round_trip + way.jitter);
        return later(std::max(truth.thought - takes, Duration::zero()),
                     [this, key] { reconnect(key); });
    }
    later(takes_(truth.thought), [this, key] { answer(key); });
}

void TimedBot::reconnect(const Key& key) {
    reconnected_.insert(key);
    if (std::exchange(dialling_, true)) return;
    line_->hang_up();
    lines_.clear();
    const auto& way = line_->traits().way;
    later(way.round_trip + way.jitter, [this] {
        line_ = std::make_shared<Line>(world_, line_->traits(), Random(random_.next()));
        listen();
        dials_(line_);
        dialling_ = false;
    });
}

void TimedBot::answer(const Key& key) {
    auto text = begun_lines_.extract(key).mapped();
    for (std::size_t i = 0; i < answering_.floods; ++i) line_->send(std::string(ping_line));
    for (std::int64_t ahead = 1; answering_.answers_ahead && ahead <= turns_ahead; ++ahead) {
        text += move_of(key, ahead);
        const Key next{std::get<0>(key), std::get<1>(key) + ahead, name_};
        ahead_.insert(next);
        // It may be asked already, where the answer before is late.
        if (const auto asked = truths_.find(next); asked != truths_.end())
            asked->second.ahead = true;
    }
    auto& truth = truths_[key];
    for (auto left = answering_.pieces; left > 1; --left) {
        line_->send(text.substr(0, text.size() / left));
        text.erase(0, text.size() / left);
    }
    const auto end = [this, key, text] {
        auto& done = truths_[key];
        done.answered = world_.now();
        const auto tell = [this, life = std::weak_ptr(life_), key](Instant Truth::*what) {
            return [this, life, key, what](Instant at) {
                if (life.expired()) return;
                auto& told = truths_[key];
                told.*what = at;
                if (what == &Truth::arrived) told.least_measured = line_->least_measured();
            };
        };
        line_->send(text, {tell(&Truth::arrived), tell(&Truth::read)});
        if (answering_.behind.empty()) return;
        later(answering_.behind_after, [this] { line_->send(std::string(answering_.behind)); });
    };
    truth.answered = world_.now();
    if (answering_.piece_gap > Duration::zero()) {
        later(answering_.piece_gap, end);
    } else {
        end();
    }
}

}  // namespace tests::sim::timing
