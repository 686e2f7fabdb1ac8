// How a network is solved and drawn from, against what that promises.

#include "referee/contest/rating/rating_network.h"

#include <gtest/gtest.h>

#include <cmath>

#include "referee/contest/rating/triangle.h"

namespace referee::rating {
namespace {

// Pairs and larger meetings, some players without any.
RatingNetwork mixed(std::size_t players, double own, Random& random) {
    std::vector<RatedPair> pairs;
    std::vector<RatedMeeting> meetings;
    for (std::size_t i = 0; i + 4 < players; ++i) {
        pairs.push_back({i, i + 1 + random.below(3), 0.2 + random.unit()});
        if (i % 3 == 0) meetings.push_back({{i, i + 2, i + 3, i + 4}, 0.2 + random.unit()});
    }
    return {std::vector<double>(players, own), pairs, meetings};
}

std::vector<double> some(std::size_t players, Random& random) {
    std::vector<double> x;
    for (std::size_t i = 0; i < players; ++i) x.push_back(random.normal());
    return x;
}

TEST(RatingNetwork, WrittenOutIsTheSumOfItsMeetings) {
    Random random(1);
    const auto network = mixed(11, 0.7, random);
    const auto rows = network.rows();
    const auto x = some(11, random);
    const auto image = network.times(x);
    for (std::size_t i = 0; i < x.size(); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < x.size(); ++j) sum += rows[i * x.size() + j] * x[j];
        EXPECT_NEAR(image[i], sum, 1e-12);
    }
    // Of one pair and one meeting of three by hand.
    const RatingNetwork by_hand({1, 0, 0, 0}, {{0, 1, 2}},
                                std::vector<RatedMeeting>{{{1, 2, 3}, 3}});
    const std::vector<double> y{1, 2, 4, 6};
    // 1 * 1^2 + 2 * (1 - 2)^2 + 3 * ((2 - 4)^2 + 0 + (6 - 4)^2)
    EXPECT_NEAR(product(y, by_hand.times(y)), 27, 1e-12);
}

TEST(RatingNetwork, IsSolvedAsItsMatrixIs) {
    for (const std::size_t players : {1U, 2U, 3U, 7U, 60U}) {
        Random random(players);
        const auto network = mixed(players, 0.3, random);
        const auto right = some(players, random);
        const auto once = network.solved(right, 1e-12);
        const auto again = Triangle(network.rows(), players).solved(right);
        const auto made = network.times(again);
        for (std::size_t i = 0; i < players; ++i) {
            EXPECT_NEAR(once[i], again[i], 1e-9);
            EXPECT_NEAR(made[i], right[i], 1e-9);
        }
    }
}

TEST(Triangle, ItsInverseTimesTheMatrixIsOne) {
    for (const std::size_t size : {1U, 2U, 3U, 4U, 7U, 23U, 60U}) {
        Random random(size);
        const auto rows = mixed(size, 0.3, random).rows();
        const auto one = multiplied(rows, Triangle(rows, size).inverse(), size);
        for (std::size_t i = 0; i < size * size; ++i)
            EXPECT_NEAR(one[i], i / size == i % size ? 1 : 0, 1e-9) << size << ' ' << i;
    }
}

TEST(RatingNetwork, DrawsScatterAsItsMatrixSays) {
    constexpr std::size_t players = 7;
    constexpr int draws = 40'000;
    Random random(5);
    const auto network = mixed(players, 0.4, random);
    std::vector<double> sums(players * players, 0.0);
    for (int i = 0; i < draws; ++i) {
        const auto x = network.drawn(random);
        for (std::size_t a = 0; a < players; ++a)
            for (std::size_t b = 0; b < players; ++b) sums[a * players + b] += x[a] * x[b] / draws;
    }
    const auto expected = network.rows();
    // Five standard errors of the widest; the covariances here are about 1.
    for (std::size_t i = 0; i < sums.size(); ++i)
        EXPECT_NEAR(sums[i], expected[i], 5 * 5 / std::sqrt(draws)) << i;
}

}  // namespace
}  // namespace referee::rating
