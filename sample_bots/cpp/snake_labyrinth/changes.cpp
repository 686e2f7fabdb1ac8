#include "sample_bots/cpp/snake_labyrinth/changes.h"

#include <algorithm>
#include <limits>

namespace bots::snake_labyrinth {
namespace {

namespace rules_of = engines::snake_labyrinth;
namespace cell = rules_of::cell;

constexpr std::size_t waypoint_squares_max = 2048;  // boards on which any square has a table
constexpr std::int64_t lookups_a_square = 8;        // that take as long as looking at a square

bool is_in(const Order& order, Square target) {
    return std::any_of(order.begin(), order.end(),
                       [&](const Errand& errand) { return errand.target == target; });
}

}  // namespace

bool is_thing(char object) {
    return object == cell::coin || object == cell::drill || object == cell::mishap;
}

Changes::Changes(const Position& from, const Grid& grid, Atlas& atlas, std::uint64_t seed)
    : from_(from),
      grid_(grid),
      atlas_(atlas),
      random_(seed),
      has_drills_(from.walk.drill_uses() > 0) {
    for (Square square = 0; square < from.walk.cells().size(); ++square) {
        const char object = from.walk.cells()[square];
        if (is_thing(object)) things_.push_back(square);
        has_drills_ = has_drills_ || object == cell::drill;
    }
}

LegStyle Changes::random_style() {
    constexpr std::uint64_t drilling_percent = 40;
    constexpr std::uint64_t crossing_percent = 25;
    LegStyle style;
    style.turn_order = static_cast<std::uint8_t>(random_.below(LegStyle::turn_orders));
    if (has_drills_ && random_.chance(drilling_percent))
        style.walls = static_cast<std::uint8_t>(1 + random_.below(Atlas::walls_limit));
    if (from_.walk.has_body()) style.may_cross = random_.chance(crossing_percent);
    return style;
}

bool Changes::make(Order& order, const WalkedOrder& now) {
    // Of a hundred changes so many are of each kind; the rest are waypoints.
    struct Kind {
        std::uint64_t percent;
        bool (Changes::*apply)(Order&);
    };
    static constexpr Kind kinds[] = {
        {24, &Changes::put_in},      {14, &Changes::take_out}, {18, &Changes::move},
        {14, &Changes::turn_around}, {14, &Changes::restyle},  {10, &Changes::rebuild},
    };
    auto chosen = random_.below(100);
    for (const auto& kind : kinds) {
        if (chosen < kind.percent) return (this->*kind.apply)(order);
        chosen -= kind.percent;
    }
    return put_in_waypoint(order, now);
}

bool Changes::put_in(Order& order) {
    const auto target = things_[index(things_.size())];
    if (is_in(order, target)) return false;
    const Errand errand{target, random_style(), false};
    constexpr std::uint64_t anywhere_percent = 20;
    if (random_.chance(anywhere_percent)) {
        const auto place = static_cast<std::ptrdiff_t>(index(order.size() + 1));
        order.insert(order.begin() + place, errand);
    } else {
        put_in_best(order, errand);
    }
    return true;
}

void Changes::put_in_best(Order& order, const Errand& errand) {
    auto best = std::numeric_limits<std::int64_t>::max();
    std::size_t place = 0;
    for (std::size_t i = 0; i <= order.size(); ++i) {
        auto longer = distance(before(order, i), errand);
        if (i < order.size()) {
            longer += distance(errand.target, order[i]) - distance(before(order, i), order[i]);
        } else {
            longer += distance_out(errand.target) - distance_out(before(order, i));
        }
        if (longer >= best) continue;
        best = longer;
        place = i;
    }
    work_ += 3 * static_cast<std::int64_t>(order.size()) / lookups_a_square;
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), errand);
}

// Somewhere beside the way.
bool Changes::put_in_waypoint(Order& order, const WalkedOrder& now) {
    if (grid_.size() > waypoint_squares_max || now.squares.empty()) return false;
    constexpr std::uint64_t aside_max = 4;
    const auto step = index(now.squares.size());
    auto square = now.squares[step];
    for (auto aside = random_.below(aside_max); aside > 0; --aside) {
        const auto next = grid_.around(square)[index(rules_of::all_directions.size())];
        if (next != no_square && from_.walk.cells()[next] == cell::empty) square = next;
    }
    if (from_.walk.cells()[square] != cell::empty) return false;
    // Before the errand that the step was made for.
    const auto after = std::upper_bound(now.begins.begin(), now.begins.end(), step);
    const auto place = after - now.begins.begin() - 1;
    order.insert(order.begin() + place, {square, random_style(), true});
    return true;
}

bool Changes::take_out(Order& order) {
    if (order.empty()) return false;
    constexpr std::uint64_t more_percent = 25;
    constexpr std::size_t more_max = 4;
    const auto at = index(order.size());
    std::size_t count = 1;
    if (random_.chance(more_percent)) count += index(more_max);
    count = std::min(count, order.size() - at);
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(at);
    order.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
    return true;
}

bool Changes::move(Order& order) {
    if (order.size() < 2) return false;
    constexpr std::size_t run_max = 4;
    const auto at = index(order.size());
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(at);
    if (random_.chance(50)) {
        const auto errand = *begin;
        order.erase(begin);
        put_in_best(order, errand);
        return true;
    }
    const auto count = std::min(1 + index(run_max), order.size() - at);
    Order moved(begin, begin + static_cast<std::ptrdiff_t>(count));
    if (random_.chance(50)) std::reverse(moved.begin(), moved.end());
    order.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
    const auto place = static_cast<std::ptrdiff_t>(index(order.size() + 1));
    order.insert(order.begin() + place, moved.begin(), moved.end());
    return true;
}

bool Changes::turn_around(Order& order) {
    if (order.size() < 2) return false;
    auto a = index(order.size());
    auto b = index(order.size());
    if (a > b) std::swap(a, b);
    std::reverse(order.begin() + static_cast<std::ptrdiff_t>(a),
                 order.begin() + static_cast<std::ptrdiff_t>(b) + 1);
    return true;
}

bool Changes::restyle(Order& order) {
    if (order.empty()) return false;
    order[index(order.size())].style = random_style();
    return true;
}

// A few errands are left out, and a few others put in where they fit best.
bool Changes::rebuild(Order& order) {
    constexpr std::size_t others_max = 3;
    if (!take_out(order)) return false;
    for (auto others = 1 + index(others_max); others > 0; --others) {
        const auto target = things_[index(things_.size())];
        if (!is_in(order, target)) put_in_best(order, {target, random_style(), false});
    }
    return true;
}

std::int64_t Changes::distance(Square from, const Errand& to) {
    return atlas_.steps_to(to.target)[Atlas::at(from, to.style.walls)];
}

std::int64_t Changes::distance_out(Square from) {
    const auto walls = has_drills_ ? Atlas::walls_limit : 0;
    return atlas_.steps_to(Atlas::exits)[Atlas::at(from, walls)];
}

void Changes::expect(const Order& order, std::vector<std::int64_t>& points_from) {
    points_from.resize(order.size() + 1);
    auto points = -distance_out(before(order, order.size()));
    points_from.back() = points;
    for (auto i = order.size(); i > 0; --i) {
        const auto& errand = order[i - 1];
        points -= distance(before(order, i - 1), errand);
        if (from_.walk.cells()[errand.target] == cell::coin) points += rules_of::points_a_coin;
        points_from[i - 1] = points;
    }
    work_ += static_cast<std::int64_t>(order.size()) / lookups_a_square;
}

}  // namespace bots::snake_labyrinth
