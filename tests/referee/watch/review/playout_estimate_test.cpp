#include <gtest/gtest.h>
#include <array>
#include <cmath>
#include <functional>

#include "protocol/base/split_mix.h"
#include "referee/watch/review/playout_estimate.h"

namespace referee::review {
namespace {

using Draw = std::function<double(base::SplitMix&)>;

double between_0_and_1(base::SplitMix& random) {
    constexpr std::uint64_t steps = 1'000'000;
    return static_cast<double>(random.below(steps)) / steps;
}

// One of the values, as often as its weight of 100 says.
Draw one_of(std::vector<std::pair<double, int>> weighted) {
    return [weighted = std::move(weighted)](base::SplitMix& random) {
        auto at = static_cast<int>(random.below(100));
        for (const auto& [value, weight] : weighted) {
            if (at < weight) return value;
            at -= weight;
        }
        return weighted.back().first;
    };
}

struct Known {
    const char* name;
    Draw draw;
    double truth;
};

using Interval = WorthInterval (*)(std::span<const double>);

// How many of 2,000 intervals of so many values cover the truth, as a share.
double covered(const Known& known, std::size_t values, Interval interval) {
    constexpr int samples = 2000;
    base::SplitMix random(values);
    int hits = 0;
    for (int i = 0; i < samples; ++i) {
        std::vector<double> drawn;
        while (drawn.size() < values) drawn.push_back(known.draw(random));
        // Sums of many tenths miss the truth by a rounding.
        const auto found = interval(drawn);
        constexpr double rounding = 1e-9;
        hits += found.low - rounding <= known.truth && known.truth <= found.high + rounding ? 1 : 0;
    }
    return static_cast<double>(hits) / samples;
}

TEST(WorthInterval, CoversTheTruthAsOftenAsItSays) {
    constexpr Interval of_a_mean = [](auto values) { return mean_interval(values); };
    constexpr Interval of_differences = [](auto values) { return difference_interval(values); };
    constexpr Interval of_the_middle = [](auto values) { return middle_interval(values); };
    const std::vector<std::pair<Interval, Known>> cases = {
        {of_a_mean, {"even", one_of({{0, 50}, {1, 50}}), 0.5}},
        {of_a_mean, {"rare", one_of({{0, 98}, {1, 2}}), 0.02}},
        {of_a_mean, {"never", one_of({{0, 100}}), 0}},
        {of_a_mean, {"draws", one_of({{0, 20}, {0.5, 60}, {1, 20}}), 0.5}},
        {of_a_mean, {"draws and losses", one_of({{0, 90}, {0.5, 10}}), 0.05}},
        {of_a_mean,
         {"four seats", one_of({{0, 10}, {1.0 / 3, 20}, {2.0 / 3, 30}, {1, 40}}), 2.0 / 3}},
        {of_differences, {"alike", one_of({{0, 100}}), 0}},
        {of_differences, {"either way", one_of({{-1, 50}, {1, 50}}), 0}},
        {of_differences, {"mostly alike", one_of({{-1, 2}, {0, 90}, {1, 8}}), 0.06}},
        {of_differences, {"halves", one_of({{-0.5, 10}, {0, 30}, {0.5, 60}}), 0.25}},
        {of_the_middle, {"any score", between_0_and_1, 0.5}},
        // A few games score a thousand times as much as most.
        {of_the_middle,
         {"heavy", [](auto& random) { return 1 / (1 - between_0_and_1(random)); }, 2}},
        {of_the_middle, {"steps", one_of({{0, 30}, {7, 40}, {900, 30}}), 7}},
        {of_the_middle, {"always", one_of({{3, 100}}), 3}},
    };
    for (const auto& [interval, known] : cases) {
        for (const std::size_t values : {6, 7, 10, 40, 41, 200})
            EXPECT_GE(covered(known, values, interval), level) << known.name << ' ' << values;
    }
}

// Else it would say nothing.
TEST(WorthInterval, IsNoWiderThanItMustBe) {
    const std::vector<double> lost(40, 0.0);
    EXPECT_EQ(mean_interval(lost).low, 0);
    EXPECT_NEAR(mean_interval(lost).high, 1 - std::pow(0.025, 1.0 / 40), 0.001);
    std::vector<double> even(20, 0.0);
    even.resize(40, 1.0);
    EXPECT_NEAR(mean_interval(even).low, 0.29, 0.01);
    EXPECT_NEAR(mean_interval(even).high, 0.71, 0.01);
    EXPECT_GT(difference_interval(std::vector<double>(40, 1.0)).low, 0.75);
    const std::array<double, 6> six = {4, 1, 6, 2, 5, 3};
    EXPECT_EQ(middle_interval(six).low, 1);
    EXPECT_EQ(middle_interval(six).high, 6);
    EXPECT_EQ(middle_of(six), 3.5);
}

// The interval tells how often it is wrong, too: one of half the level misses more.
TEST(WorthInterval, OfALowerLevelMissesMore) {
    const Known even = {"even", one_of({{0, 50}, {1, 50}}), 0.5};
    EXPECT_LT(covered(even, 40, [](auto values) { return mean_interval(values, 0.3); }), level);
}

TEST(WorthInterval, TellsHowManyPlayoutsShowALoss) {
    const auto needed = playouts_to_see(0.1);
    EXPECT_GT(needed, playouts_to_see(0.3));
    EXPECT_GT(needed, 300U);
    EXPECT_LT(needed, 1500U);
    EXPECT_EQ(playouts_to_see(0), playouts_max);
}

}  // namespace
}  // namespace referee::review
