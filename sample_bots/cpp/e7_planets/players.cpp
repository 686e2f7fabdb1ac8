#include "sample_bots/cpp/e7_planets/players.h"

#include <algorithm>

#include "engines/e7_planets/e7_planets.h"
#include "engines/e7_planets/map.h"
#include "protocol/base/split_mix.h"
#include "sample_bots/cpp/e7_planets/plan.h"

namespace bots::e7_planets {
namespace {

namespace rules = engines::e7_planets;
namespace json = protocol::json;
using rules::Cell;
using rules::Direction;

std::optional<Cell> read_cell(json::View pair) {
    const auto row = pair.at(0).integer();
    const auto column = pair.at(1).integer();
    if (!row || !column) return std::nullopt;
    return Cell{static_cast<std::int32_t>(*row - 1), static_cast<std::int32_t>(*column - 1)};
}

std::int64_t number(json::View object, std::string_view name) {
    return object.find(name).integer().value_or(0);
}

struct History {
    Cell now;
    std::int64_t turns_here = 0;
    std::optional<Cell> before;  // the last different cell
};

std::optional<History> read_history(json::View owner) {
    std::optional<History> history;
    for (const auto row : owner.find("location").elements()) {
        const auto cell = read_cell(row);
        if (!cell) continue;  // [null, null], before the start
        if (!history) {
            history = History{*cell, 0, std::nullopt};
        } else if (history->now == *cell) {
            ++history->turns_here;
        } else {
            history = History{*cell, 0, history->now};
        }
    }
    return history;
}

// Of the direction in which a step leads from one cell to the other.
Direction direction_between(Cell from, Cell to) {
    for (const auto direction : rules::four_directions) {
        if (rules::Map::beside(from, direction) == to) return direction;
    }
    return Direction::stay;
}

std::optional<rules::Mover> read_mover(const rules::Map& map, json::View owner) {
    const auto history = read_history(owner);
    if (!history || !map.contains(history->now)) return std::nullopt;
    return rules::Mover{history->now, map.at(history->now) - history->turns_here, Direction::stay};
}

bool read_scraps(json::View scraps, std::vector<rules::Scrap>& out) {
    for (const auto scrap : scraps.elements()) {
        const auto cell = read_cell(scrap.find("location"));
        if (!cell) return false;
        out.push_back({*cell, number(scrap, "value")});
    }
    return true;
}

// About 50 ms on one core of a common machine, of a turn's second.
constexpr std::size_t steps_max = 100'000;

std::string move_text(Direction direction) {
    std::string text = "\"";
    text += rules::letter(direction);
    return text + "\"";
}

class RandomPlayer final : public Player {
 public:
    explicit RandomPlayer(std::uint64_t seed) : random_(seed) {}
    std::string move(const Turn& /*turn*/) override {
        return move_text(rules::four_directions[random_.below(rules::four_directions.size())]);
    }

 private:
    base::SplitMix random_;
};

// Players that know the map. Where they can't read the state, they stay.
class MapPlayer : public Player {
 public:
    explicit MapPlayer(rules::Map map) : map_(std::move(map)) {}
    std::string move(const Turn& turn) final {
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
class GreedyInside final : public InsidePlayer {
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
std::unique_ptr<Player> make(const GameStart& start) {
    auto map = read_map(start.state);
    if (!map) return make_random(start);
    return std::make_unique<MapPlayerKind>(std::move(*map));
}

}  // namespace

std::optional<rules::Map> read_map(json::View state) {
    rules::Map map;
    const auto grid = state.find("grid");
    map.rows = static_cast<std::int32_t>(grid.size());
    map.columns = static_cast<std::int32_t>(grid.at(0).size());
    for (const auto row : grid.elements()) {
        for (const auto cell : row.elements()) map.grid.push_back(cell.integer().value_or(0));
    }
    if (map.grid.empty() || map.grid.size() != grid.size() * grid.at(0).size()) return std::nullopt;
    for (const auto ghost : state.find("ghosts").elements()) {
        auto& start = map.ghosts.emplace_back();
        if (ghost.find("type").string() == rules::type_name(rules::GhostType::toward_player)) {
            start.type = rules::GhostType::toward_player;
        }
        start.transparency = static_cast<int>(number(ghost, "transparency"));
    }
    if (!read_scraps(state.find("scraps"), map.scraps)) return std::nullopt;
    map.turns = number(state, "remaining_turns");
    const auto ship = read_history(state.find("player"));
    if (!ship || !map.contains(ship->now)) return std::nullopt;
    map.ship = ship->now;
    return map;
}

std::optional<rules::Position> read_position(const rules::Map& map, json::View state) {
    rules::Position position;
    const auto ship = read_mover(map, state.find("player"));
    const auto ghosts = state.find("ghosts");
    if (!ship || ghosts.size() != map.ghosts.size()) return std::nullopt;
    position.ship = *ship;
    for (const auto ghost : ghosts.elements()) {
        auto mover = read_mover(map, ghost);
        if (!mover) return std::nullopt;
        const auto i = position.ghosts.size();
        const auto before = read_history(ghost)->before;
        if (map.ghosts[i].type == rules::GhostType::back_and_forth && before) {
            mover->heading = direction_between(*before, mover->cell);
        }
        position.ghosts.push_back(*mover);
    }
    std::vector<rules::Scrap> left;
    if (!read_scraps(state.find("scraps"), left)) return std::nullopt;
    for (std::size_t i = 0; i < map.scraps.size(); ++i) {
        if (std::find(left.begin(), left.end(), map.scraps[i]) != left.end()) {
            position.scraps_left.push_back(i);
        }
    }
    position.score = number(state.find("player"), "score");
    position.turns_left = number(state, "remaining_turns");
    return position;
}

std::unique_ptr<Player> make_random(const GameStart& start) {
    return std::make_unique<RandomPlayer>(seed_of(start.game_id));
}

std::unique_ptr<Player> make_greedy(const GameStart& start) {
    return make<GreedyPlayer>(start);
}

std::unique_ptr<InsidePlayer> make_greedy_inside(const engines::State& state) {
    const auto* planets = dynamic_cast<const rules::PlanetsState*>(&state);
    return planets == nullptr ? nullptr : std::make_unique<GreedyInside>(planets->map());
}

std::unique_ptr<Player> make_planner(const GameStart& start) {
    return make<PlannerPlayer>(start);
}

}  // namespace bots::e7_planets
