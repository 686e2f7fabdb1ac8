#include "sample_bots/cpp/snake_labyrinth/ways.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engines/snake_labyrinth/maze.h"

namespace bots::snake_labyrinth {
namespace {

namespace json = protocol::json;
namespace rules = engines::snake_labyrinth;

struct Place {
    std::size_t row = 0, column = 0;
};

std::optional<Place> read_place(json::View view) {
    const auto row = view.at(0).unsigned_integer();
    const auto column = view.at(1).unsigned_integer();
    if (!row || !column || *row >= rules::side_max || *column >= rules::side_max)
        return std::nullopt;
    return Place{*row, *column};
}

// The board with the start where the head is now. A head on an exit makes no board.
std::optional<Board> read_board(json::View rows, Place head) {
    std::vector<std::string> texts;
    for (const auto row : rows.elements()) {
        const auto text = row.string();
        if (!text) return std::nullopt;
        texts.emplace_back(*text);
    }
    if (head.row >= texts.size() || head.column >= texts[head.row].size()) return std::nullopt;
    texts[head.row][head.column] = rules::cell::start;
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    auto board = Board::from_rows(views);
    if (!board) return std::nullopt;
    return *std::move(board);
}

// From the tail to the head, as Walk wants it.
std::optional<std::vector<Direction>> read_body(json::View body, const Board& board) {
    std::vector<Direction> directions;
    auto ahead = board.start();
    for (const auto segment : body.elements()) {
        const auto place = read_place(segment);
        if (!place || place->row >= board.rows() || place->column >= board.columns())
            return std::nullopt;
        const auto here = board.square(place->row, place->column);
        const auto before = directions.size();
        for (const auto direction : rules::all_directions) {
            if (board.neighbour(here, direction) == ahead) directions.push_back(direction);
        }
        if (directions.size() != before + 1) return std::nullopt;
        ahead = here;
    }
    std::reverse(directions.begin(), directions.end());
    return directions;
}

namespace cell = rules::cell;

// Where a spreading atlas has come to.
struct Front {
    Square square;
    unsigned walls;
};

constexpr std::size_t directions = 4;

// All four directions, begun with another one and gone through either way round.
std::size_t turned(std::size_t i, std::uint8_t turn_order) {
    const auto shifted = (i + turn_order) % directions;
    return turn_order < directions ? shifted : directions - 1 - shifted;
}

}  // namespace

std::optional<Position> read_position(json::View params, json::View state) {
    const auto name = params.find("level").string();
    const auto level = name ? rules::level_named(*name) : std::nullopt;
    const auto steps_max = params.find("max_steps").integer();
    const auto head = read_place(state.find("head"));
    const auto coins = state.find("coins").integer();
    const auto drill = state.find("drill").integer();
    const auto steps = state.find("steps").integer();
    if (!level || !steps_max || !head || !coins || !drill || !steps) return std::nullopt;
    const auto board = read_board(state.find("board"), *head);
    if (!board) return std::nullopt;
    const bool has_body = rules::plays_with_body(*level);
    auto body = read_body(state.find("body"), *board);
    if (!body || (!has_body && !body->empty())) return std::nullopt;
    return Position{Walk(*board, has_body, {std::move(*body), *coins, *drill, *steps}), *steps_max};
}

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
      first_body_(walk.body()),
      start_(walk.head()),
      head_(walk.head()),
      has_body_(walk.has_body()),
      body_length_(static_cast<std::int64_t>(walk.body_length())),
      coins_(walk.coins()),
      drill_uses_(walk.drill_uses()),
      steps_before_(walk.steps()) {
    for (auto i = first_body_.size(); i > 0; --i)
        visits_[first_body_[i - 1]] = -static_cast<std::int64_t>(i);
    visits_[head_] = 0;
}

void Trail::step_to(Square square) {
    const char object = cells_[square];
    log_.push_back({square, object, visits_[square], body_length_, coins_, drill_uses_});
    head_ = square;
    visits_[square] = static_cast<std::int64_t>(log_.size());
    switch (object) {
        case cell::empty: {
            // The segments lie where the head was last, so a visit tells which one is met.
            const auto segment = visits_[square] - 1 - log_.back().visit;
            if (has_body_ && segment < body_length_) body_length_ = coins_ = segment;
            return;
        }
        case cell::coin:
            ++coins_;
            if (has_body_) ++body_length_;
            break;
        case cell::mishap:
            coins_ /= 2;
            body_length_ /= 2;
            break;
        case cell::drill:
            drill_uses_ += rules::uses_a_drill;
            break;
        case cell::wall:
            --drill_uses_;
            break;
        default:
            return;  // an exit stays
    }
    cells_[square] = cell::empty;
}

void Trail::take_back(std::size_t length) {
    while (log_.size() > length) {
        const auto& step = log_.back();
        cells_[step.square] = step.object;
        visits_[step.square] = step.visit;
        body_length_ = step.body_length;
        coins_ = step.coins;
        drill_uses_ = step.drill_uses;
        log_.pop_back();
    }
    head_ = log_.empty() ? start_ : log_.back().square;
}

Square Trail::segment(std::int64_t i) const {
    const auto steps = static_cast<std::int64_t>(log_.size()) - 1 - i;
    if (steps < 0) return first_body_[static_cast<std::size_t>(-steps - 1)];
    return steps == 0 ? start_ : log_[static_cast<std::size_t>(steps - 1)].square;
}

bool Trail::has_left() const {
    return !log_.empty() && log_.back().object == cell::exit;
}

std::int64_t Trail::score() const {
    return rules::points_at_start + rules::points_a_coin * coins_ - steps();
}

std::string Trail::letters() const {
    std::string letters;
    auto here = start_;
    for (const auto& step : log_) {
        const auto& around = grid_.around(here);
        const auto at = std::find(around.begin(), around.end(), step.square) - around.begin();
        letters += rules::letter_of(rules::all_directions[static_cast<std::size_t>(at)]);
        here = step.square;
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
    std::vector<Front> queue;
    const auto reach = [&](Square square, unsigned walls, Steps now) {
        if (steps[at(square, walls)] <= now) return;
        // Who may drill more needs no more steps.
        for (auto more = walls; more < layers && steps[at(square, more)] > now; ++more)
            steps[at(square, more)] = now;
        queue.push_back({square, walls});
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
    walls_max_ = static_cast<unsigned>(std::min<std::int64_t>(style.walls, trail.drill_uses()));
    const auto straight = distances[Atlas::at(trail.head(), walls_max_)];
    if (straight == Atlas::unreachable || straight == 0) return way_;
    ++stamp_;
    nodes_.clear();
    for (auto& bucket : open_) bucket.clear();
    cost_begin_ = straight;
    nodes_.push_back({0, trail.head(), 0, 0, 0});
    reached_[Atlas::at(trail.head(), 0)] = {stamp_, 0};
    open_[0].push_back(0);
    best_open_ = 0;
    while (best_open_ < detour_max) {
        auto& bucket = open_[best_open_];
        if (bucket.empty()) {
            ++best_open_;
            continue;
        }
        const auto node = bucket.back();
        bucket.pop_back();
        const auto here = nodes_[node];
        if (reached_[Atlas::at(here.square, here.walls)].cost < here.cost) continue;
        ++work_;
        if (node != 0 && distances[Atlas::at(here.square, 0)] == 0) {
            trace(node);
            return way_;
        }
        for (std::size_t i = 0; i < directions; ++i) {
            const auto square = grid_.around(here.square)[turned(i, style.turn_order)];
            if (square != no_square) visit(trail, node, square, style, distances);
        }
    }
    return way_;
}

void LegScout::visit(const Trail& trail, std::uint32_t from, Square square, const LegStyle& style,
                     const std::vector<Atlas::Steps>& distances) {
    const auto& before = nodes_[from];
    const char object = trail.object(square);
    const unsigned walls = before.walls + (object == cell::wall ? 1U : 0U);
    if (walls > walls_max_) return;
    const auto left = distances[Atlas::at(square, walls_max_ - walls)];
    if (left == Atlas::unreachable) return;
    if (left > 0 && (object == cell::mishap || object == cell::exit)) return;
    const auto steps = before.steps + 1;
    auto cost = before.cost + 1;
    if (object == cell::empty) {
        const auto loss = trail.loss_on(square, steps);
        if (loss > 0 && !style.may_cross) return;
        cost += static_cast<std::int32_t>(loss * rules::points_a_coin);
    }
    auto& reached = reached_[Atlas::at(square, walls)];
    if (reached.stamp == stamp_ && reached.cost <= cost) return;
    // Walls that were opened since the atlas was drawn make some ways shorter than it says.
    const auto worse = std::max(cost + left - cost_begin_, 0);
    if (static_cast<std::size_t>(worse) >= detour_max) return;
    reached = {stamp_, cost};
    const auto node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({from, square, steps, cost, static_cast<std::uint8_t>(walls)});
    const auto place = static_cast<std::size_t>(worse);
    open_[place].push_back(node);
    best_open_ = std::min(best_open_, place);
}

void LegScout::trace(std::uint32_t node) {
    for (; node != 0; node = nodes_[node].before) way_.push_back(nodes_[node].square);
    std::reverse(way_.begin(), way_.end());
}

}  // namespace bots::snake_labyrinth
