#include "sample_bots/cpp/snake_labyrinth/annealing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace bots::snake_labyrinth {
namespace {

namespace rules_of = engines::snake_labyrinth;
namespace cell = rules_of::cell;

constexpr std::size_t atlas_entries_max = 24'000'000;  // two bytes each
constexpr std::size_t waypoint_squares_max = 2048;     // boards on which any square has a table
constexpr double coldest_points = 0.25;
constexpr std::int64_t no_way_out_points = -1'000'000;
// So much may be gained beyond what the atlas says: walls that are open by then, things on the way.
constexpr std::int64_t slack_points = 6;
// So many of each take as long as looking at a square in a search.
constexpr std::int64_t lookups_a_square = 8;
constexpr std::int64_t new_steps_a_square = 2;
constexpr std::int64_t old_steps_a_square = 4;  // gone again, their way is known

bool is_thing(char object) {
    return object == cell::coin || object == cell::drill || object == cell::mishap;
}

bool is_in(const Order& order, Square target) {
    return std::ranges::find(order, target, &Errand::target) != order.end();
}

auto place(Order& order, std::size_t i) {
    return order.begin() + static_cast<std::ptrdiff_t>(i);
}

}  // namespace

Annealing::Annealing(const Position& from, const Grid& grid, std::function<bool()> is_late)
    : from_(from),
      grid_(grid),
      is_late_(std::move(is_late)),
      atlas_(from.walk.board(), grid),
      scout_(grid, atlas_),
      trail_(from.walk, grid),
      has_drills_(from.walk.drill_uses() > 0) {
    const auto& board = from_.walk.board();
    const auto& cells = from_.walk.cells();
    for (Square square = 0; square < cells.size(); ++square) {
        if (is_thing(cells[square])) things_.push_back(square);
        has_drills_ = has_drills_ || cells[square] == cell::drill;
    }
    // One table is for the exits.
    const auto things_max = atlas_entries_max / (cells.size() * Atlas::layers) - 1;
    if (things_.size() <= things_max) return;
    const auto head = from_.walk.head();
    const auto apart = [](std::size_t a, std::size_t b) {
        return static_cast<std::int64_t>(std::max(a, b) - std::min(a, b));
    };
    std::ranges::stable_sort(things_, {}, [&](Square thing) {
        return apart(board.row_of(head), board.row_of(thing)) +
               apart(board.column_of(head), board.column_of(thing)) + distance_out(thing);
    });
    things_.resize(things_max);
}

Order Annealing::run(const Run& run) {
    constexpr std::uint64_t rounds_a_look = 256;  // at the heat and the clock
    const auto work_end = work() + run.work;
    random_ = base::SplitMix(run.seed);
    trail_.take_back(0);
    now_ = {};
    now_.begins = {0};
    now_.points = best_points_ = no_way_out_points;
    best_order_.clear();
    expected_.clear();
    walk(run.order, 0, 2 * no_way_out_points);
    take_over(0);
    const auto work_begin = work();
    double heat = run.hot_points;
    for (std::uint64_t round = 0; work() < work_end && !things_.empty(); ++round) {
        if (round % rounds_a_look == 0) {
            if (is_late_ && is_late_()) break;
            const auto done = static_cast<double>(work() - work_begin) /
                              static_cast<double>(work_end - work_begin);
            heat = run.hot_points * std::pow(coldest_points / run.hot_points, done);
        }
        Order changed = now_.order;
        ++work_;
        if (!change(changed)) continue;
        const auto first = static_cast<std::size_t>(std::ranges::mismatch(changed, now_.order).in1 -
                                                    changed.begin());
        if (first == changed.size() && first == now_.order.size()) continue;
        const auto points_min =
            now_.points + static_cast<std::int64_t>(std::ceil(heat * std::log(random_unit())));
        expect(changed);
        if (now_.points + expected_.front() - expected_now_ + slack_points < points_min) continue;
        if (walk(changed, first, points_min)) {
            take_over(first);
            continue;
        }
        const auto begin = now_.begins[first];
        trail_.take_back(begin);
        for (auto step = begin; step < now_.squares.size(); ++step)
            trail_.step_to(now_.squares[step]);
        work_ += static_cast<std::int64_t>(now_.squares.size() - begin) / old_steps_a_square;
    }
    return best_order_;
}

bool Annealing::change(Order& order) {
    // Of a hundred changes so many are of each kind; the rest are waypoints.
    struct Kind {
        std::uint64_t percent;
        bool (Annealing::*apply)(Order&);
    };
    static constexpr Kind kinds[] = {
        {24, &Annealing::put_in},      {14, &Annealing::take_out}, {18, &Annealing::move},
        {14, &Annealing::turn_around}, {14, &Annealing::restyle},  {10, &Annealing::rebuild},
    };
    auto chosen = random_.below(100);
    for (const auto& kind : kinds) {
        if (chosen < kind.percent) return (this->*kind.apply)(order);
        chosen -= kind.percent;
    }
    return put_in_waypoint(order);
}

bool Annealing::put_in(Order& order) {
    const auto target = things_[index(things_.size())];
    if (is_in(order, target)) return false;
    const Errand errand{target, random_style(), false};
    constexpr std::uint64_t anywhere_percent = 20;
    if (random_.chance(anywhere_percent)) {
        order.insert(place(order, index(order.size() + 1)), errand);
    } else {
        put_in_best(order, errand);
    }
    return true;
}

void Annealing::put_in_best(Order& order, const Errand& errand) {
    auto best = std::numeric_limits<std::int64_t>::max();
    std::size_t best_place = 0;
    for (std::size_t i = 0; i <= order.size(); ++i) {
        auto longer = distance(before(order, i), errand);
        if (i < order.size()) {
            longer += distance(errand.target, order[i]) - distance(before(order, i), order[i]);
        } else {
            longer += distance_out(errand.target) - distance_out(before(order, i));
        }
        if (longer >= best) continue;
        best = longer;
        best_place = i;
    }
    work_ += 3 * static_cast<std::int64_t>(order.size()) / lookups_a_square;
    order.insert(place(order, best_place), errand);
}

// Somewhere beside the way.
bool Annealing::put_in_waypoint(Order& order) {
    if (grid_.size() > waypoint_squares_max || now_.squares.empty()) return false;
    constexpr std::uint64_t aside_max = 4;
    const auto step = index(now_.squares.size());
    auto square = now_.squares[step];
    for (auto aside = random_.below(aside_max); aside > 0; --aside) {
        const auto next = grid_.around(square)[index(rules_of::all_directions.size())];
        if (next != no_square && from_.walk.cells()[next] == cell::empty) square = next;
    }
    if (from_.walk.cells()[square] != cell::empty) return false;
    // Before the errand that the step was made for.
    const auto errand = std::ranges::upper_bound(now_.begins, step) - now_.begins.begin() - 1;
    order.insert(order.begin() + errand, {square, random_style(), true});
    return true;
}

bool Annealing::take_out(Order& order) {
    if (order.empty()) return false;
    constexpr std::uint64_t more_percent = 25;
    constexpr std::size_t more_max = 4;
    const auto at = index(order.size());
    std::size_t count = 1;
    if (random_.chance(more_percent)) count += index(more_max);
    order.erase(place(order, at), place(order, std::min(at + count, order.size())));
    return true;
}

bool Annealing::move(Order& order) {
    if (order.size() < 2) return false;
    constexpr std::size_t run_max = 4;
    const auto at = index(order.size());
    const auto begin = place(order, at);
    if (random_.chance(50)) {
        const auto errand = *begin;
        order.erase(begin);
        put_in_best(order, errand);
        return true;
    }
    const auto end = place(order, std::min(at + 1 + index(run_max), order.size()));
    Order moved(begin, end);
    if (random_.chance(50)) std::ranges::reverse(moved);
    order.erase(begin, end);
    order.insert(place(order, index(order.size() + 1)), moved.begin(), moved.end());
    return true;
}

bool Annealing::turn_around(Order& order) {
    if (order.size() < 2) return false;
    auto a = index(order.size());
    auto b = index(order.size());
    if (a > b) std::swap(a, b);
    std::reverse(place(order, a), place(order, b + 1));
    return true;
}

bool Annealing::restyle(Order& order) {
    if (order.empty()) return false;
    order[index(order.size())].style = random_style();
    return true;
}

// A few errands are left out, and a few others put in where they fit best.
bool Annealing::rebuild(Order& order) {
    constexpr std::size_t others_max = 3;
    if (!take_out(order)) return false;
    for (auto others = 1 + index(others_max); others > 0; --others) {
        const auto target = things_[index(things_.size())];
        if (!is_in(order, target)) put_in_best(order, {target, random_style(), false});
    }
    return true;
}

std::int64_t Annealing::distance(Square from, const Errand& to) {
    return atlas_.steps_to(to.target)[Atlas::at(from, to.style.walls)];
}

std::int64_t Annealing::distance_out(Square from) {
    const auto walls = has_drills_ ? Atlas::walls_limit : 0;
    return atlas_.steps_to(Atlas::exits)[Atlas::at(from, walls)];
}

LegStyle Annealing::random_style() {
    constexpr std::uint64_t drilling_percent = 40;
    constexpr std::uint64_t crossing_percent = 25;
    LegStyle style;
    style.turn_order = static_cast<std::uint8_t>(random_.below(LegStyle::turn_orders));
    if (has_drills_ && random_.chance(drilling_percent))
        style.walls = static_cast<std::uint8_t>(1 + random_.below(Atlas::walls_limit));
    if (from_.walk.has_body()) style.may_cross = random_.chance(crossing_percent);
    return style;
}

double Annealing::random_unit() {
    constexpr std::uint64_t parts = 1ULL << 32U;
    return (static_cast<double>(random_.below(parts)) + 1) / static_cast<double>(parts);
}

void Annealing::expect(const Order& order) {
    expected_.resize(order.size() + 1);
    auto points = -distance_out(before(order, order.size()));
    expected_.back() = points;
    for (auto i = order.size(); i > 0; --i) {
        const auto& errand = order[i - 1];
        points -= distance(before(order, i - 1), errand);
        if (from_.walk.cells()[errand.target] == cell::coin) points += rules_of::points_a_coin;
        expected_[i - 1] = points;
    }
    work_ += static_cast<std::int64_t>(order.size()) / lookups_a_square;
}

// Walks the order from errand `first` on; those before it must be as they are now. False where the
// walk doesn't come to `points_min`.
bool Annealing::walk(const Order& order, std::size_t first, std::int64_t points_min) {
    trail_.take_back(now_.begins[first]);
    const auto kept = static_cast<std::ptrdiff_t>(first);
    tried_.order.assign(order.begin(), order.begin() + kept);
    tried_.begins.assign(now_.begins.begin(), now_.begins.begin() + kept);
    for (auto i = first; i < order.size(); ++i) {
        if (!expected_.empty() && trail_.score() + expected_[i] + slack_points < points_min)
            return false;
        go(order[i]);
    }
    tried_.begins.push_back(trail_.length());
    const LegStyle leaving{Atlas::walls_limit, true, 0};
    for (const auto square : scout_.find(trail_, Atlas::exits, leaving)) trail_.step_to(square);
    const bool is_out = trail_.has_left() && trail_.steps() <= from_.steps_max;
    tried_.points = is_out ? trail_.score() : no_way_out_points;
    return tried_.points >= points_min;
}

void Annealing::go(const Errand& errand) {
    if (!errand.is_waypoint && trail_.object(errand.target) == cell::empty) return;
    const auto& way = scout_.find(trail_, errand.target, errand.style);
    auto begin = trail_.length();
    for (const auto square : way) {
        const bool is_met = is_thing(trail_.object(square)) && square != errand.target;
        trail_.step_to(square);
        if (!is_met) continue;
        tried_.order.push_back({square, errand.style, false});
        tried_.begins.push_back(begin);
        begin = trail_.length();
    }
    if (way.empty()) return;
    tried_.order.push_back(errand);
    tried_.begins.push_back(begin);
    work_ += static_cast<std::int64_t>(way.size()) / new_steps_a_square;
}

void Annealing::take_over(std::size_t first) {
    const auto kept = now_.begins[first];
    std::swap(now_.order, tried_.order);
    std::swap(now_.begins, tried_.begins);
    now_.points = tried_.points;
    now_.squares.resize(kept);
    for (auto step = kept; step < trail_.length(); ++step)
        now_.squares.push_back(trail_.square_after(step));
    expect(now_.order);
    expected_now_ = expected_.front();
    if (now_.points <= best_points_) return;
    best_points_ = now_.points;
    best_order_ = now_.order;
    const Route route{{}, true, trail_.score(), trail_.steps()};
    if (!route.is_better_than(best_)) return;
    best_ = route;
    best_.letters = trail_.letters();
}

}  // namespace bots::snake_labyrinth
