#include "engines/e7_planets/map.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <queue>
#include <utility>

namespace engines::e7_planets {

namespace {

// Saturating: `never` stays never.
std::int64_t plus(std::int64_t a, std::int64_t b) {
    return a == never || b == never ? never : a + b;
}

// Whether value a for turns a is a better bargain than value b for turns b. Exact, without
// overflow: turns are at most a million. Something that costs no turns is best.
bool better_bargain(std::int64_t value_a, std::int64_t turns_a, std::int64_t value_b,
                    std::int64_t turns_b) {
    if (turns_a == 0 || turns_b == 0) {
        return turns_a == turns_b ? value_a > value_b : turns_a == 0;
    }
    const auto whole_a = value_a / turns_a;
    const auto whole_b = value_b / turns_b;
    if (whole_a != whole_b) return whole_a > whole_b;
    return value_a % turns_a * turns_b > value_b % turns_b * turns_a;
}

// value * part / whole, rounded up. Requires part <= whole.
std::int64_t share(std::int64_t value, std::int64_t part, std::int64_t whole) {
    return value / whole * part + (value % whole * part + whole - 1) / whole;
}

// Turns of a whole tour; never where a leg has no way.
std::int64_t turns_of(const TourProblem& problem, const std::vector<std::size_t>& order) {
    if (order.empty()) return 0;
    auto turns = problem.first[order.front()];
    for (std::size_t i = 1; i < order.size(); ++i) {
        turns = plus(turns, problem.between[order[i - 1]][order[i]]);
    }
    return turns;
}

// Dynamic programming over (set of stops made, last stop): the least turns for each.
class ExactSearch {
 public:
    explicit ExactSearch(const TourProblem& problem)
        : problem_(problem),
          n_(problem.values.size()),
          turns_((std::size_t{1} << n_) * n_, never) {}

    Tour best() {
        for (std::size_t last = 0; last < n_; ++last)
            at(std::size_t{1} << last, last) = problem_.first[last];
        Tour best;
        std::size_t best_set = 0;
        std::size_t best_last = 0;
        for (std::size_t set = 1; set < (std::size_t{1} << n_); ++set) {
            const auto value = value_of(set);
            for (std::size_t last = 0; last < n_; ++last) {
                const auto turns = at(set, last);
                if (turns == never || turns > problem_.limit) continue;
                extend(set, last, turns);
                if (value > best.value || (value == best.value && turns < best.turns)) {
                    best.value = value;
                    best.turns = turns;
                    best_set = set;
                    best_last = last;
                }
            }
        }
        best.order = trace_back(best_set, best_last);
        return best;
    }

 private:
    std::int64_t& at(std::size_t set, std::size_t last) { return turns_[set * n_ + last]; }

    std::int64_t value_of(std::size_t set) const {
        std::int64_t value = 0;
        for (auto rest = set; rest != 0; rest &= rest - 1) {
            value += problem_.values[static_cast<std::size_t>(std::countr_zero(rest))];
        }
        return value;
    }

    void extend(std::size_t set, std::size_t last, std::int64_t turns) {
        for (std::size_t next = 0; next < n_; ++next) {
            if ((set >> next & 1U) != 0) continue;
            auto& known = at(set | std::size_t{1} << next, next);
            known = std::min(known, plus(turns, problem_.between[last][next]));
        }
    }

    std::vector<std::size_t> trace_back(std::size_t set, std::size_t last) {
        std::vector<std::size_t> order;
        while (set != 0) {
            order.push_back(last);
            const auto before = set & ~(std::size_t{1} << last);
            std::size_t from = 0;
            while (before != 0 &&
                   ((before >> from & 1U) == 0 ||
                    plus(at(before, from), problem_.between[from][last]) != at(set, last))) {
                ++from;
            }
            set = before;
            last = from;
        }
        std::reverse(order.begin(), order.end());
        return order;
    }

    const TourProblem& problem_;
    const std::size_t n_;
    std::vector<std::int64_t> turns_;
};

// For more stops than that: the cheapest insertion for its value, then stretches turned around or
// moved as long as that saves turns, and again.
class HeuristicSearch {
 public:
    explicit HeuristicSearch(const TourProblem& problem) : problem_(problem) {}

    Tour best() {
        do {
            insert_all();
        } while (shorten());
        Tour tour{order_, 0, turns_of(problem_, order_)};
        for (const auto stop : order_) tour.value += problem_.values[stop];
        return tour;
    }

 private:
    void insert_all() {
        while (insert_one()) {
        }
    }

    bool insert_one() {
        const auto base = turns_of(problem_, order_);
        std::optional<std::vector<std::size_t>> best;
        std::int64_t best_added = 0;
        std::int64_t best_value = 0;
        for (std::size_t stop = 0; stop < problem_.values.size(); ++stop) {
            if (std::find(order_.begin(), order_.end(), stop) != order_.end()) continue;
            for (std::size_t i = 0; i <= order_.size(); ++i) {
                const auto added = added_by(stop, i);
                if (added == never || base + added > problem_.limit) continue;
                const auto value = problem_.values[stop];
                if (best && !better_bargain(value, added, best_value, best_added)) continue;
                best = order_;
                best->insert(best->begin() + static_cast<std::ptrdiff_t>(i), stop);
                best_added = added;
                best_value = value;
            }
        }
        if (!best) return false;
        order_ = std::move(*best);
        return true;
    }

    // Turns that a stop adds when it becomes number i.
    std::int64_t added_by(std::size_t stop, std::size_t i) const {
        const auto to = leg(i, stop);
        if (i == order_.size() || to == never) return to;
        const auto on = plus(to, problem_.between[stop][order_[i]]);
        return on == never ? never : std::max<std::int64_t>(on - leg(i, order_[i]), 0);
    }

    // From whatever stands before number i to a stop.
    std::int64_t leg(std::size_t i, std::size_t stop) const {
        return i == 0 ? problem_.first[stop] : problem_.between[order_[i - 1]][stop];
    }

    // Whether some change saved turns.
    bool shorten() {
        bool shortened = false;
        for (std::size_t from = 0; from < order_.size(); ++from) {
            for (std::size_t to = from + 1; to < order_.size(); ++to) {
                shortened = try_change(from, to, Change::reverse) || shortened;
                shortened = try_change(from, to, Change::to_back) || shortened;
                shortened = try_change(from, to, Change::to_front) || shortened;
            }
        }
        return shortened;
    }

    enum class Change : std::uint8_t { reverse, to_back, to_front };

    bool try_change(std::size_t from, std::size_t to, Change change) {
        auto changed = order_;
        const auto first = changed.begin() + static_cast<std::ptrdiff_t>(from);
        const auto last = changed.begin() + static_cast<std::ptrdiff_t>(to) + 1;
        switch (change) {
            case Change::reverse:
                std::reverse(first, last);
                break;
            case Change::to_back:
                std::rotate(first, first + 1, last);
                break;
            case Change::to_front:
                std::rotate(first, last - 1, last);
                break;
        }
        if (turns_of(problem_, changed) >= turns_of(problem_, order_)) return false;
        order_ = std::move(changed);
        return true;
    }

    const TourProblem& problem_;
    std::vector<std::size_t> order_;
};

// A tour pays for each of its stops at least the shortest leg that ends there. So no tour has more
// value than the knapsack of those legs, with its last item cut to fit.
std::int64_t knapsack_bound(const TourProblem& problem) {
    struct Item {
        std::int64_t value;
        std::int64_t turns;
    };
    std::vector<Item> items;
    for (std::size_t to = 0; to < problem.values.size(); ++to) {
        if (problem.first[to] == never || problem.first[to] > problem.limit) continue;
        auto turns = problem.first[to];
        for (std::size_t from = 0; from < problem.values.size(); ++from) {
            if (from != to) turns = std::min(turns, problem.between[from][to]);
        }
        items.push_back({problem.values[to], std::max<std::int64_t>(turns, 1)});
    }
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
        return better_bargain(a.value, a.turns, b.value, b.turns);
    });
    std::int64_t left = problem.limit;
    std::int64_t bound = 0;
    for (const auto& item : items) {
        if (item.turns > left) return bound + share(item.value, left, item.turns);
        left -= item.turns;
        bound += item.value;
    }
    return bound;
}

}  // namespace

TourAnswer solve_tour(const TourProblem& problem) {
    if (problem.values.size() <= exact_stops_max) {
        auto best = ExactSearch(problem).best();
        const auto value = best.value;
        return {std::move(best), value};
    }
    auto tour = HeuristicSearch(problem).best();
    const auto bound = std::max(tour.value, knapsack_bound(problem));
    return {std::move(tour), bound};
}

std::vector<std::int64_t> landing_turns(const Map& map, Cell place, Sense sense, Edges edges,
                                        std::int64_t limit) {
    using Entry = std::pair<std::int64_t, std::size_t>;
    std::vector<std::int64_t> turns(map.cells(), never);
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    turns[map.index(place)] = 0;
    open.push({0, map.index(place)});
    while (!open.empty()) {
        const auto [so_far, index] = open.top();
        open.pop();
        if (so_far > turns[index]) continue;
        const auto cell = map.cell(index);
        for (const auto direction : four_directions) {
            const auto next =
                edges == Edges::wrap ? map.wrapped(cell, direction) : Map::beside(cell, direction);
            if (!map.contains(next) || map.at(next) == asteroid_field) continue;
            // A step costs a turn and the wait on the cell that is left.
            const auto left = sense == Sense::away_from ? map.grid[index] : map.at(next);
            if (left >= limit - so_far) continue;
            const auto total = so_far + left + 1;
            auto& known = turns[map.index(next)];
            if (total >= known) continue;
            known = total;
            open.push({total, map.index(next)});
        }
    }
    return turns;
}

}  // namespace engines::e7_planets
