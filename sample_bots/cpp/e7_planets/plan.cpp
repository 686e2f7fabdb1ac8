#include "sample_bots/cpp/e7_planets/plan.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engines/e7_planets/map.h"

namespace bots::e7_planets {

namespace rules = engines::e7_planets;

Ways::Ways(const rules::Map& map) : map_(map) {
    for (const auto& scrap : map.scraps) {
        landing_.push_back(rules::landing_turns(map, scrap.cell, rules::Sense::toward,
                                                rules::Edges::wrap, rules::turns_max));
    }
}

std::int64_t Ways::turns(const rules::Mover& ship, std::size_t scrap) const {
    const auto turns = landing_[scrap][map_.index(ship.cell)];
    if (turns == rules::never || turns == 0) return turns;
    return turns - map_.at(ship.cell) + std::max<std::int64_t>(ship.wait, 0);
}

std::int64_t Ways::between(std::size_t from, std::size_t to) const {
    return landing_[to][map_.index(map_.scraps[from].cell)];
}

rules::Direction Ways::first_step(rules::Cell from, std::size_t scrap) const {
    auto best = rules::Direction::stay;
    auto best_turns = rules::never;
    for (const auto direction : rules::four_directions) {
        const auto turns = landing_[scrap][map_.index(map_.wrapped(from, direction))];
        if (turns >= best_turns) continue;
        best = direction;
        best_turns = turns;
    }
    return best;
}

namespace {

using rules::Direction;
using rules::Position;

constexpr std::size_t goals_max = 12;  // every subset of them has its rest worked out
constexpr std::size_t beam_width_min = 8;
constexpr std::size_t beam_width_max = 1500;
constexpr std::size_t alike_max = 4;  // positions kept of one ship's cell and scraps
constexpr std::size_t moves_each_turn = 5;

// How many turns it takes to collect all of a set of goals, ghosts aside.
class Rest {
 public:
    Rest(const Ways& ways, const std::vector<std::size_t>& goals)
        : ways_(ways), goals_(goals), turns_((std::size_t{1} << goals.size()) * goals.size(), 0) {
        for (std::size_t set = 1; set < (std::size_t{1} << goals_.size()); ++set) {
            for (std::size_t from = 0; from < goals_.size(); ++from)
                turns_[set * goals_.size() + from] = after(set, from);
        }
    }

    std::int64_t turns(const Position& position) const {
        std::size_t set = 0;
        for (std::size_t i = 0; i < goals_.size(); ++i) {
            const auto& left = position.scraps_left;
            if (std::binary_search(left.begin(), left.end(), goals_[i])) set |= std::size_t{1} << i;
        }
        auto best = set == 0 ? 0 : rules::never;
        for (std::size_t next = 0; next < goals_.size(); ++next) {
            if ((set >> next & 1U) == 0) continue;
            best = std::min(best, with(ways_.turns(position.ship, goals_[next]), set, next));
        }
        return best;
    }

 private:
    // From landing on `from`, which isn't in the set.
    std::int64_t after(std::size_t set, std::size_t from) const {
        auto best = rules::never;
        for (std::size_t next = 0; next < goals_.size(); ++next) {
            if ((set >> next & 1U) == 0) continue;
            best = std::min(best, with(ways_.between(goals_[from], goals_[next]), set, next));
        }
        return best;
    }

    std::int64_t with(std::int64_t leg, std::size_t set, std::size_t next) const {
        const auto rest = turns_[(set & ~(std::size_t{1} << next)) * goals_.size() + next];
        return leg == rules::never || rest == rules::never ? rules::never : leg + rest;
    }

    const Ways& ways_;
    const std::vector<std::size_t>& goals_;
    std::vector<std::int64_t> turns_;
};

struct Node {
    Position position;
    std::size_t parent = 0;
    Direction move = Direction::stay;
    std::int64_t rest = 0;
    std::uint64_t place = 0;  // the ship's cell and the scraps
};

// How a position of the turn before was reached.
struct Step {
    std::size_t parent;
    Direction move;
};

std::uint64_t mixed(std::uint64_t key, std::uint64_t value) {
    constexpr std::uint64_t prime = 0x9E3779B97F4A7C15ULL;
    key = (key ^ value) * prime;
    return key ^ (key >> 29U);
}

std::uint64_t mover_key(const rules::Map& map, const rules::Mover& mover, std::uint64_t key) {
    key = mixed(key, map.index(mover.cell));
    key = mixed(key, static_cast<std::uint64_t>(std::max<std::int64_t>(mover.wait, 0)));
    return mixed(key, static_cast<std::uint64_t>(mover.heading));
}

std::uint64_t place_key(const rules::Map& map, const Position& position) {
    std::uint64_t key = map.index(position.ship.cell);
    for (const auto scrap : position.scraps_left) key = mixed(key, scrap + 1);
    return key;
}

std::uint64_t position_key(const rules::Map& map, const Position& position, std::uint64_t place) {
    auto key = mover_key(map, position.ship, place);
    for (const auto& ghost : position.ghosts) key = mover_key(map, ghost, key);
    return key;
}

class Beam {
 public:
    Beam(const rules::Map& map, const Rest& rest, std::size_t width)
        : map_(map), rest_(rest), width_(width) {}

    Plan run(const Position& start) {
        layer_ = {{start, 0, Direction::stay, rest_.turns(start), 0}};
        while (!layer_.empty()) {
            expand();
            select();
        }
        return {std::move(best_moves_), best_};
    }

 private:
    void expand() {
        next_.clear();
        seen_.clear();
        for (std::size_t i = 0; i < layer_.size(); ++i) {
            step(i, Direction::stay);
            for (const auto move : rules::four_directions) {
                // A move that isn't carried out is the same as staying.
                if (rules::judge(map_, layer_[i].position, move) == rules::Verdict::carried_out)
                    step(i, move);
            }
        }
    }

    void step(std::size_t parent, Direction move) {
        Node node{layer_[parent].position, parent, move, 0, 0};
        rules::play_turn(map_, node.position, move, events_);
        if (rules::over(node.position)) {
            finish(node);
            return;
        }
        node.place = place_key(map_, node.position);
        if (!seen_.insert(position_key(map_, node.position, node.place)).second) return;
        node.rest = rest_.turns(node.position);
        next_.push_back(std::move(node));
    }

    void finish(const Node& node) {
        const auto& position = node.position;
        const Prospect prospect{position.score, rules::won(position), !position.caught,
                                position.turns_left};
        if (prospect <= best_) return;
        best_ = prospect;
        best_moves_.clear();
        best_moves_.push_front(node.move);
        auto at = node.parent;
        for (auto turn = steps_.size(); turn > 0; --turn) {
            const auto& step = steps_[turn - 1][at];
            best_moves_.push_front(step.move);
            at = step.parent;
        }
    }

    // Nearest to the goals first; more score where that is equal.
    static bool is_better(const Node& a, const Node& b) {
        if (a.rest != b.rest) return a.rest < b.rest;
        return a.position.score > b.position.score;
    }

    void select() {
        std::stable_sort(next_.begin(), next_.end(), is_better);
        layer_.clear();
        std::unordered_map<std::uint64_t, std::size_t> alike;
        auto& steps = steps_.emplace_back();
        for (auto& node : next_) {
            if (layer_.size() == width_) break;
            if (++alike[node.place] > alike_max) continue;
            steps.push_back({node.parent, node.move});
            layer_.push_back(std::move(node));
        }
    }

    const rules::Map& map_;
    const Rest& rest_;
    const std::size_t width_;
    rules::TurnEvents events_;
    std::vector<Node> layer_;
    std::vector<Node> next_;
    std::unordered_set<std::uint64_t> seen_;
    std::vector<std::vector<Step>> steps_;  // of each turn's layer
    Prospect best_;
    std::deque<Direction> best_moves_;
};

}  // namespace

PlanSearch::Goals PlanSearch::goals(const Position& position) const {
    rules::TourProblem problem;
    problem.limit = position.turns_left;
    std::vector<std::size_t> stops;
    for (const auto scrap : position.scraps_left) {
        if (ways_.turns(position.ship, scrap) <= position.turns_left) stops.push_back(scrap);
    }
    for (const auto from : stops) {
        problem.values.push_back(map_.scraps[from].value);
        problem.first.push_back(ways_.turns(position.ship, from));
        auto& legs = problem.between.emplace_back();
        for (const auto to : stops) legs.push_back(ways_.between(from, to));
    }
    const auto answer = rules::solve_tour(problem);
    Goals goals;
    goals.score = position.score + answer.bound;
    for (const auto stop : answer.tour.order) {
        if (goals.scraps.size() < goals_max) goals.scraps.push_back(stops[stop]);
    }
    return goals;
}

Plan PlanSearch::search(const Position& position, const Goals& goals, std::size_t steps_max) const {
    const Rest rest(ways_, goals.scraps);
    const auto steps_of_one = moves_each_turn * static_cast<std::size_t>(position.turns_left);
    const auto width = std::clamp(steps_max / steps_of_one, beam_width_min, beam_width_max);
    return Beam(map_, rest, width).run(position);
}

}  // namespace bots::e7_planets
