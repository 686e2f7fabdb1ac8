#include "sample_bots/cpp/snake_labyrinth/tour.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "protocol/base/split_mix.h"

namespace bots::snake_labyrinth {
namespace {

namespace rules_of = engines::snake_labyrinth;
namespace cell = rules_of::cell;

constexpr std::size_t coins_max = 400;               // a table of 160,000 distances
constexpr std::int64_t table_work_max = 20'000'000;  // coins times squares
constexpr std::int64_t rounds_a_coin = 10'000;       // more are of no use
constexpr std::int64_t out_of_reach = 1'000'000;     // more than any way on the largest board
constexpr double hot_tour_points = 12.0;
constexpr double cold_tour_points = 0.3;

// Places are the head (0), then the coins; the exit is only a distance from each of them.
class Tour {
 public:
    Tour(const Walk& walk, const Grid& grid, std::uint64_t seed)
        : walk_(walk), grid_(grid), random_(seed) {
        squares_.push_back(walk.head());
        for (Square square = 0; square < walk.cells().size(); ++square) {
            if (walk.cells()[square] == cell::coin) squares_.push_back(square);
        }
    }

    std::vector<Stop> run(std::int64_t rounds) {
        const auto coins = squares_.size() - 1;
        if (coins == 0 || coins > coins_max) return {};
        if (static_cast<std::int64_t>(coins * grid_.size()) > table_work_max) return {};
        fill_table();
        if (to_exit_[0] >= out_of_reach) return {};
        anneal(std::min(rounds, rounds_a_coin * static_cast<std::int64_t>(coins)));
        std::vector<Stop> stops;
        for (std::size_t i = 1; i < best_.size(); ++i)
            stops.push_back({squares_[best_[i]], 0, false});
        return stops;
    }

 private:
    using Order = std::vector<std::size_t>;  // places; the first is always the head

    void fill_table() {
        for (const auto from : squares_) {
            const auto distances = distances_from(from);
            auto& row = table_.emplace_back();
            for (const auto to : squares_) row.push_back(distances[to]);
            auto nearest = out_of_reach;
            for (Square square = 0; square < grid_.size(); ++square) {
                if (walk_.cells()[square] == cell::exit)
                    nearest = std::min(nearest, distances[square]);
            }
            to_exit_.push_back(nearest);
        }
    }

    std::vector<std::int64_t> distances_from(Square from) const {
        std::vector<std::int64_t> distances(grid_.size(), out_of_reach);
        std::vector<Square> queue{from};
        distances[from] = 0;
        for (std::size_t next = 0; next < queue.size(); ++next) {
            const auto here = queue[next];
            if (walk_.cells()[here] == cell::exit) continue;
            for (const auto beside : grid_.around(here)) {
                if (beside == no_square || distances[beside] != out_of_reach) continue;
                const char object = walk_.cells()[beside];
                if (object == cell::wall || object == cell::mishap) continue;
                distances[beside] = distances[here] + 1;
                queue.push_back(beside);
            }
        }
        return distances;
    }

    // From place i of the order to the next, or out.
    std::int64_t onward(const Order& order, std::size_t i) const {
        return i + 1 < order.size() ? table_[order[i]][order[i + 1]] : to_exit_[order[i]];
    }

    void anneal(std::int64_t rounds) {
        order_ = {0};
        best_ = order_;
        is_in_.assign(squares_.size(), false);
        std::int64_t points = -to_exit_[0];
        std::int64_t best_points = points;
        for (std::int64_t round = 0; round < rounds; ++round) {
            if (round % heat_rounds == 0) {
                heat_ = hot_tour_points *
                        std::pow(cold_tour_points / hot_tour_points,
                                 static_cast<double>(round) / static_cast<double>(rounds));
            }
            points += try_change();
            if (points <= best_points) continue;
            best_points = points;
            best_ = order_;
        }
    }

    // What the change gained; 0 where none was made.
    std::int64_t try_change() {
        switch (random_.below(4)) {
            case 0:
                return try_in_or_out();
            case 1:
                return try_move();
            case 2:
                return try_turn_around();
            default:
                return try_in_or_out();
        }
    }

    bool is_taken(std::int64_t gain) {
        if (gain >= 0) return true;
        constexpr std::uint64_t parts = 1U << 20U;
        return static_cast<double>(random_.below(parts)) <
               std::exp(static_cast<double>(gain) / heat_) * static_cast<double>(parts);
    }

    std::int64_t try_in_or_out() {
        const auto place = 1 + static_cast<std::size_t>(random_.below(squares_.size() - 1));
        if (is_in_[place]) {
            const auto at = static_cast<std::size_t>(
                std::find(order_.begin(), order_.end(), place) - order_.begin());
            const auto gain = without(at) - rules_of::points_a_coin;
            if (!is_taken(gain)) return 0;
            take_out(at);
            return gain;
        }
        const auto [at, longer] = cheapest_way_in(place);
        const auto gain = rules_of::points_a_coin - longer;
        if (longer >= out_of_reach || !is_taken(gain)) return 0;
        put_in(place, at);
        return gain;
    }

    std::int64_t try_move() {
        if (order_.size() < 3) return 0;
        const auto at = 1 + static_cast<std::size_t>(random_.below(order_.size() - 1));
        const auto place = order_[at];
        const auto saved = without(at);
        take_out(at);
        auto target = cheapest_way_in(place);
        if (random_.chance(50)) {
            target.first = 1 + static_cast<std::size_t>(random_.below(order_.size()));
            target.second = longer_with(place, target.first);
        }
        const auto gain = saved - target.second;
        const bool taken = is_taken(gain);
        put_in(place, taken ? target.first : at);
        return taken ? gain : 0;
    }

    std::int64_t try_turn_around() {
        if (order_.size() < 3) return 0;
        auto first = 1 + static_cast<std::size_t>(random_.below(order_.size() - 1));
        auto last = 1 + static_cast<std::size_t>(random_.below(order_.size() - 1));
        if (first > last) std::swap(first, last);
        const auto before = table_[order_[first - 1]][order_[first]] + onward(order_, last);
        const auto after = table_[order_[first - 1]][order_[last]] +
                           (last + 1 < order_.size() ? table_[order_[first]][order_[last + 1]]
                                                     : to_exit_[order_[first]]);
        const auto gain = before - after;
        if (!is_taken(gain)) return 0;
        std::reverse(order_.begin() + static_cast<std::ptrdiff_t>(first),
                     order_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
        return gain;
    }

    // Steps saved by leaving out what stands at `at`.
    std::int64_t without(std::size_t at) const {
        const auto before = order_[at - 1];
        const auto straight =
            at + 1 < order_.size() ? table_[before][order_[at + 1]] : to_exit_[before];
        return table_[before][order_[at]] + onward(order_, at) - straight;
    }

    // Steps more with the place put in before what stands at `at`.
    std::int64_t longer_with(std::size_t place, std::size_t at) const {
        const auto before = order_[at - 1];
        const auto on = at < order_.size() ? table_[place][order_[at]] : to_exit_[place];
        return table_[before][place] + on - onward(order_, at - 1);
    }

    std::pair<std::size_t, std::int64_t> cheapest_way_in(std::size_t place) const {
        std::pair<std::size_t, std::int64_t> best{1, out_of_reach};
        for (std::size_t at = 1; at <= order_.size(); ++at) {
            const auto longer = longer_with(place, at);
            if (longer < best.second) best = {at, longer};
        }
        return best;
    }

    void put_in(std::size_t place, std::size_t at) {
        order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(at), place);
        is_in_[place] = true;
    }

    void take_out(std::size_t at) {
        is_in_[order_[at]] = false;
        order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(at));
    }

    static constexpr std::int64_t heat_rounds = 256;  // how often the heat is worked out

    const Walk& walk_;
    const Grid& grid_;
    base::SplitMix random_;
    std::vector<Square> squares_;
    std::vector<std::vector<std::int64_t>> table_;
    std::vector<std::int64_t> to_exit_;
    Order order_, best_;
    std::vector<bool> is_in_;
    double heat_ = hot_tour_points;
};

}  // namespace

std::vector<Stop> coin_tour(const Walk& walk, const Grid& grid, std::uint64_t seed,
                            std::int64_t rounds) {
    return Tour(walk, grid, seed).run(rounds);
}

}  // namespace bots::snake_labyrinth
