#include "sample_bots/cpp/snake_labyrinth/ways.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace bots::snake_labyrinth {
namespace {

namespace rules = engines::snake_labyrinth;
namespace cell = rules::cell;

constexpr std::size_t directions = 4;

// All four directions, begun with another one and gone through either way round.
std::size_t turned(std::size_t i, std::uint8_t turn_order) {
    const auto shifted = (i + turn_order) % directions;
    return turn_order < directions ? shifted : directions - 1 - shifted;
}

}  // namespace

Route walk_route(const Position& from, std::string_view letters) {
    Walk walk = from.walk;
    Route route;
    for (const char letter : letters) {
        if (walk.has_left() || walk.steps() >= from.steps_max) break;
        const auto direction = engines::snake_labyrinth::direction_of(letter);
        if (!direction) break;
        const auto step = walk.step(*direction);
        if (step == Walk::Step::wall || step == Walk::Step::edge) break;
        route.letters += letter;
    }
    route.is_out = walk.has_left();
    route.score = walk.score();
    route.steps = walk.steps();
    return route;
}

Grid::Grid(const Board& board) : around_(board.size()) {
    for (Square square = 0; square < board.size(); ++square) {
        for (const auto direction : rules::all_directions) {
            around_[square][static_cast<std::size_t>(direction)] =
                board.neighbour(square, direction).value_or(no_square);
        }
    }
}

Trail::Trail(const Walk& walk, const Grid& grid)
    : grid_(grid),
      cells_(walk.cells()),
      visits_(grid.size(), never),
      path_(walk.body()),
      now_{static_cast<std::int64_t>(walk.body_length()), walk.coins(), walk.drill_uses()},
      has_body_(walk.has_body()),
      steps_before_(walk.steps()) {
    std::ranges::reverse(path_);
    path_.push_back(walk.head());
    auto ago = static_cast<std::int64_t>(path_.size());
    for (const auto square : path_) visits_[square] = -(--ago);
}

void Trail::step_to(Square square) {
    const char object = cells_[square];
    log_.push_back({object, visits_[square], now_});
    path_.push_back(square);
    visits_[square] = static_cast<std::int64_t>(log_.size());
    auto& [body_length, coins, drill_uses] = now_;
    switch (object) {
        case cell::empty: {
            // The segments lie where the head was last, so a visit tells which one is met.
            const auto segment = visits_[square] - 1 - log_.back().visit;
            if (has_body_ && segment < body_length) body_length = coins = segment;
            return;
        }
        case cell::coin:
            ++coins;
            if (has_body_) ++body_length;
            break;
        case cell::mishap:
            coins /= 2;
            body_length /= 2;
            break;
        case cell::drill:
            drill_uses += rules::uses_a_drill;
            break;
        case cell::wall:
            --drill_uses;
            break;
        default:
            return;  // an exit stays
    }
    cells_[square] = cell::empty;
}

void Trail::take_back(std::size_t length) {
    while (log_.size() > length) {
        const auto& step = log_.back();
        cells_[head()] = step.object;
        visits_[head()] = step.visit;
        now_ = step.before;
        log_.pop_back();
        path_.pop_back();
    }
}

bool Trail::has_left() const {
    return !log_.empty() && log_.back().object == cell::exit;
}

std::int64_t Trail::score() const {
    return rules::points_at_start + rules::points_a_coin * coins() - steps();
}

std::string Trail::letters() const {
    std::string letters;
    for (auto at = path_.size() - log_.size(); at < path_.size(); ++at) {
        const auto& around = grid_.around(path_[at - 1]);
        const auto way = std::ranges::find(around, path_[at]) - around.begin();
        letters += rules::letter_of(rules::all_directions[static_cast<std::size_t>(way)]);
    }
    return letters;
}

Atlas::Atlas(const Board& board, const Grid& grid)
    : board_(board), grid_(grid), by_target_(grid.size() + 1) {}

const std::vector<Atlas::Steps>& Atlas::steps_to(Square target) {
    auto& known = by_target_[target == exits ? grid_.size() : target];
    if (known.empty()) known = spread(target);
    return known;
}

// Backwards from the target, ring by ring. A walk from the square beside enters this one, so that
// this one's wall is to be drilled.
std::vector<Atlas::Steps> Atlas::spread(Square target) {
    std::vector<Steps> steps(grid_.size() * layers, unreachable);
    std::vector<std::pair<Square, unsigned>> queue;  // and through so many walls
    const auto reach = [&](Square square, unsigned walls, Steps now) {
        if (steps[at(square, walls)] <= now) return;
        // Who may drill more needs no more steps.
        for (auto more = walls; more < layers && steps[at(square, more)] > now; ++more)
            steps[at(square, more)] = now;
        queue.emplace_back(square, walls);
    };
    for (Square square = 0; square < grid_.size(); ++square) {
        if (target == exits ? board_.at(square) == cell::exit : square == target)
            reach(square, 0, 0);
    }
    for (std::size_t next = 0; next < queue.size(); ++next) {
        const auto [here, walls_before] = queue[next];
        const char object = board_.at(here);
        const auto now = steps[at(here, walls_before)];
        if (now > 0 && (object == cell::mishap || object == cell::exit)) continue;
        const auto walls = walls_before + (object == cell::wall ? 1U : 0U);
        if (walls >= layers) continue;
        for (const auto beside : grid_.around(here)) {
            if (beside != no_square) reach(beside, walls, static_cast<Steps>(now + 1));
        }
    }
    work_ += static_cast<std::int64_t>(queue.size());
    return steps;
}

LegScout::LegScout(const Grid& grid, Atlas& atlas)
    : grid_(grid), atlas_(atlas), reached_(grid.size() * Atlas::layers) {}

const std::vector<Square>& LegScout::find(const Trail& trail, Square target,
                                          const LegStyle& style) {
    way_.clear();
    const auto& distances = atlas_.steps_to(target);
    const auto walls_max =
        static_cast<unsigned>(std::min<std::int64_t>(style.walls, trail.drill_uses()));
    const std::int32_t straight = distances[Atlas::at(trail.head(), walls_max)];
    if (straight == Atlas::unreachable || straight == 0) return way_;
    ++stamp_;
    nodes_.clear();
    for (auto& bucket : open_) bucket.clear();
    std::size_t best_open = 0;
    const auto reach = [&](const Node& node, std::int32_t worse) {
        reached_[Atlas::at(node.square, node.walls)] = {stamp_, node.cost};
        const auto place = static_cast<std::size_t>(worse);
        open_[place].push_back(static_cast<std::uint32_t>(nodes_.size()));
        nodes_.push_back(node);
        best_open = std::min(best_open, place);
    };
    const auto visit = [&](std::uint32_t from, Square square) {
        const auto& before = nodes_[from];
        const char object = trail.object(square);
        const unsigned walls = before.walls + (object == cell::wall ? 1U : 0U);
        if (walls > walls_max) return;
        const auto left = distances[Atlas::at(square, walls_max - walls)];
        if (left == Atlas::unreachable) return;
        if (left > 0 && (object == cell::mishap || object == cell::exit)) return;
        const auto steps = before.steps + 1;
        auto cost = before.cost + 1;
        if (object == cell::empty) {
            const auto loss = trail.loss_on(square, steps);
            if (loss > 0 && !style.may_cross) return;
            cost += static_cast<std::int32_t>(loss * rules::points_a_coin);
        }
        const auto& reached = reached_[Atlas::at(square, walls)];
        if (reached.stamp == stamp_ && reached.cost <= cost) return;
        // Walls that were opened since the atlas was drawn make some ways shorter than it says.
        const auto worse = std::max(cost + left - straight, 0);
        if (worse < detour_max)
            reach({from, square, steps, cost, static_cast<std::uint8_t>(walls)}, worse);
    };
    reach({0, trail.head(), 0, 0, 0}, 0);
    while (best_open < open_.size()) {
        auto& bucket = open_[best_open];
        if (bucket.empty()) {
            ++best_open;
            continue;
        }
        auto node = bucket.back();
        bucket.pop_back();
        const auto here = nodes_[node];
        if (reached_[Atlas::at(here.square, here.walls)].cost < here.cost) continue;
        ++work_;
        if (node != 0 && distances[Atlas::at(here.square, 0)] == 0) {
            for (; node != 0; node = nodes_[node].before) way_.push_back(nodes_[node].square);
            std::ranges::reverse(way_);
            break;
        }
        for (std::size_t i = 0; i < directions; ++i) {
            const auto square = grid_.around(here.square)[turned(i, style.turn_order)];
            if (square != no_square) visit(node, square);
        }
    }
    return way_;
}

}  // namespace bots::snake_labyrinth
