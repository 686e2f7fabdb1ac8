#include "referee/game/clock/neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "protocol/base/split_mix.h"

namespace referee::clock {
namespace {

Duration median_by_sorting(std::vector<Duration> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

// What Neighbours should say of the ways of all but one.
Way medians_by_sorting(const std::vector<Way>& ways, std::size_t without) {
    std::vector<Duration> round_trips;
    std::vector<Duration> mosts;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        if (i == without || !ways[i].known()) continue;
        round_trips.push_back(ways[i].round_trip);
        mosts.push_back(ways[i].most);
    }
    return {median_by_sorting(round_trips), median_by_sorting(mosts)};
}

TEST(NeighboursTest, MediansAreThoseOfAllTheOthersWhateverCameAndWent) {
    constexpr std::uint64_t seeds = 200;
    constexpr int steps = 60;
    constexpr std::uint64_t times = 12;  // few, so that many are equal; 0 is an unknown way
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        base::SplitMix random(seed);
        std::vector<Way> ways;
        Neighbours neighbours;
        for (int step = 0; step < steps; ++step) {
            if (!ways.empty() && random.below(3) == 0) {
                const auto gone = static_cast<std::ptrdiff_t>(random.below(ways.size()));
                neighbours.remove(ways[static_cast<std::size_t>(gone)]);
                ways.erase(ways.begin() + gone);
            } else {
                ways.push_back({Duration(random.below(times)), Duration(random.below(times))});
                neighbours.add(ways.back());
            }
            for (std::size_t i = 0; i < ways.size(); ++i) {
                std::size_t others = 0;
                for (std::size_t j = 0; j < ways.size(); ++j) others += j != i && ways[j].known();
                ASSERT_EQ(neighbours.others(ways[i]), others) << seed << ", step " << step;
                if (others == 0) continue;
                EXPECT_EQ(neighbours.median_of_others(ways[i]), medians_by_sorting(ways, i))
                    << seed << ", step " << step;
            }
        }
    }
}

}  // namespace
}  // namespace referee::clock
