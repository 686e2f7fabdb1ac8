#include "sample_bots/cpp/e7_planets/players.h"

#include <algorithm>

#include "engines/e7_planets/state.h"
#include "engines/e7_planets/travel.h"
#include "protocol/base/split_mix.h"
#include "sample_bots/cpp/e7_planets/plan.h"
#include "sample_bots/cpp/e7_planets/reading.h"
#include "sample_bots/cpp/e7_planets/ways.h"

namespace bots::e7_planets {
namespace {

namespace rules = engines::e7_planets;
using rules::Direction;

// About 50 ms on one core of a common machine, of a turn's second.
constexpr std::size_t steps_max = 100'000;

std::string move_text(Direction direction) {
    std::string text = "\"";
    text += rules::letter(direction);
    return text + "\"";
}

// The same seed for the same id (FNV-1a).
std::uint64_t seed_of(std::string_view game_id) {
    std::uint64_t seed = 0xCBF29CE484222325ULL;
    for (const char c : game_id) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return seed;
}

class RandomPlayer final : public kit::Player {
 public:
    explicit RandomPlayer(std::uint64_t seed) : random_(seed) {}
    std::string move(const kit::Turn& /*turn*/) override {
        return move_text(rules::four_directions[random_.below(rules::four_directions.size())]);
    }

 private:
    base::SplitMix random_;
};

// Players that know the map. Where they can't read the state, they stay.
class MapPlayer : public kit::Player {
 public:
    explicit MapPlayer(rules::Map map) : map_(std::move(map)) {}
    std::string move(const kit::Turn& turn) final {
        const auto position = read_position(map_, turn.state);
        if (!position || rules::over(*position)) return move_text(Direction::stay);
        return move_text(choose(*position));
    }

 protected:
    const rules::Map& map() const { return map_; }

 private:
    virtual Direction choose(const rules::Position& position) = 0;

    const rules::Map map_;
};

Direction greedy_step(const rules::Map& map, const Ways& ways, const rules::Position& position) {
    const auto nearest = *std::min_element(
        position.scraps_left.begin(), position.scraps_left.end(), [&](auto a, auto b) {
            return ways.turns(position.ship, a) < ways.turns(position.ship, b);
        });
    const auto step = ways.first_step(position.ship.cell, nearest);
    return rules::judge(map, position, step) == rules::Verdict::carried_out ? step
                                                                            : Direction::stay;
}

class GreedyPlayer final : public MapPlayer {
 public:
    explicit GreedyPlayer(rules::Map own) : MapPlayer(std::move(own)), ways_(map()) {}

 private:
    Direction choose(const rules::Position& position) override {
        return greedy_step(map(), ways_, position);
    }

    const Ways ways_;
};

// The ways of the whole map are found once, for all games on it.
class GreedyInside final : public kit::InsidePlayer {
 public:
    explicit GreedyInside(rules::Map map) : map_(std::move(map)), ways_(map_) {}
    std::string move(const engines::State& state, engines::Seat /*seat*/) const override {
        const auto* planets = dynamic_cast<const rules::PlanetsState*>(&state);
        if (planets == nullptr || rules::over(planets->position()))
            return move_text(Direction::stay);
        return move_text(greedy_step(map_, ways_, planets->position()));
    }

 private:
    const rules::Map map_;
    const Ways ways_;
};

class PlannerPlayer final : public MapPlayer {
 public:
    explicit PlannerPlayer(rules::Map own) : MapPlayer(std::move(own)), search_(map()) {}

 private:
    Direction choose(const rules::Position& position) override {
        // A move that came too late wasn't played: then the plan is about another game.
        if (position != expected_) plan_ = Plan();
        const auto goals = search_.goals(position);
        const bool is_perfect = plan_.prospect.score == goals.score && plan_.prospect.not_caught;
        if (!is_perfect) {
            auto plan = search_.search(position, goals, steps_max);
            if (plan.prospect > plan_.prospect) plan_ = std::move(plan);
        }
        const auto move = plan_.moves.front();
        plan_.moves.pop_front();
        expected_ = position;
        rules::TurnEvents events;
        rules::play_turn(map(), expected_, move, events);
        return move;
    }

    const PlanSearch search_;
    Plan plan_;
    rules::Position expected_;
};

template <typename MapPlayerKind>
std::unique_ptr<kit::Player> make(const kit::GameStart& start) {
    auto map = read_map(start.state);
    if (!map) return make_random(start);
    return std::make_unique<MapPlayerKind>(std::move(*map));
}

}  // namespace

std::unique_ptr<kit::Player> make_random(const kit::GameStart& start) {
    return std::make_unique<RandomPlayer>(seed_of(start.game_id));
}

std::unique_ptr<kit::Player> make_greedy(const kit::GameStart& start) {
    return make<GreedyPlayer>(start);
}

std::unique_ptr<kit::InsidePlayer> make_greedy_inside(const engines::State& state) {
    const auto* planets = dynamic_cast<const rules::PlanetsState*>(&state);
    return planets == nullptr ? nullptr : std::make_unique<GreedyInside>(planets->map());
}

std::unique_ptr<kit::Player> make_planner(const kit::GameStart& start) {
    return make<PlannerPlayer>(start);
}

}  // namespace bots::e7_planets
