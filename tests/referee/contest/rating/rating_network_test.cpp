#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cmath>

#include "referee/contest/rating/rating_network.h"
#include "referee/contest/rating/triangle.h"
#include "tests/referee/contest/rating/simulated_field.h"

// How a network is solved and drawn from, against what that promises.

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
    EXPECT_NEAR(dot(y, by_hand.times(y)), 27, 1e-12);
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

// Whether what is said of an order is true as often as it says, in fields whose strengths are
// known.

RatedMatchPoints match_of(std::size_t a, std::size_t b, double share) {
    return {{a, b}, {share, 1 - share}};
}

// Stated shares against how often they were right.
class Calibration {
 public:
    void tell(const RankIntervals& found, const std::vector<double>& strengths) {
        const auto best =
            static_cast<std::size_t>(std::ranges::max_element(strengths) - strengths.begin());
        for (std::size_t i = 0; i < strengths.size(); ++i) {
            const auto bin =
                static_cast<std::size_t>(std::min(found.first_share[i] * bins, bins - 1.0));
            stated_[bin] += found.first_share[i];
            right_[bin] += i == best ? 1 : 0;
            all_[bin] += 1;
            std::size_t rank = 1;
            for (const double other : strengths) rank += other > strengths[i] ? 1 : 0;
            held_ += found.intervals[i].best <= rank && rank <= found.intervals[i].worst ? 1 : 0;
            ++told_;
        }
    }
    void expect_true(double within) const {
        for (std::size_t bin = 0; bin < bins; ++bin) {
            constexpr double enough = 100;
            if (all_[bin] < enough) continue;
            const double noise = 2.5 * std::sqrt(0.25 / all_[bin]);
            EXPECT_NEAR(stated_[bin] / all_[bin], right_[bin] / all_[bin], within + noise)
                << "of " << all_[bin] << " shares in fifth " << bin;
        }
    }
    double held() const { return held_ / told_; }

 private:
    static constexpr std::size_t bins = 5;
    std::array<double, bins> stated_{};
    std::array<double, bins> right_{};
    std::array<double, bins> all_{};
    double held_ = 0;
    double told_ = 0;
};

std::vector<double> drawn_strengths(Random& random, std::size_t players, double spread) {
    auto strengths = some(players, random);
    for (auto& strength : strengths) strength *= spread;
    return strengths;
}

constexpr std::size_t draws = 200;

TEST(RankIntervals, AreTrueOfPairsThatDidNotPlayAlike) {
    for (const double spread : {60.0, 150.0}) {
        Random random(11);
        Calibration calibration;
        for (int run = 0; run < 500; ++run) {
            const auto strengths = drawn_strengths(random, 6, spread);
            std::vector<RatedMatchPoints> matches;
            const auto meet = [&](std::size_t a, std::size_t b) {
                matches.push_back(
                    match_of(a, b, played_share(random, strengths[a] - strengths[b], 0)));
            };
            // The first four meet each other equally often, the fifth plays three matches, and the
            // last plays one.
            for (int cycle = 0; cycle < 12; ++cycle) {
                for (std::size_t a = 0; a < 4; ++a) {
                    for (std::size_t b = a + 1; b < 4; ++b) meet(a, b);
                }
            }
            for (const std::size_t other : {0U, 1U, 2U}) meet(4, other);
            meet(5, 3);
            calibration.tell(rank_intervals(6, matches, random.next(), draws), strengths);
        }
        calibration.expect_true(0.06);
        EXPECT_GE(calibration.held(), 0.92);
    }
}

TEST(RankIntervals, AreTrueOfPods) {
    Random random(13);
    Calibration calibration;
    for (int run = 0; run < 500; ++run) {
        const auto strengths = drawn_strengths(random, 8, 120);
        std::vector<RatedMatchPoints> matches;
        std::vector<std::size_t> order{0, 1, 2, 3, 4, 5, 6, 7};
        for (int pod = 0; pod < 16; ++pod) {
            random.shuffle(std::span<std::size_t>(order));
            // Who is stronger takes the better place as often as a pair's Elo says.
            std::vector<std::pair<double, std::size_t>> shown;
            for (std::size_t seat = 0; seat < 4; ++seat) {
                const double luck = -std::log(-std::log(random.unit() * 0.999999 + 1e-9));
                shown.emplace_back(strengths[order[seat]] * std::log(10) / 400 + luck, order[seat]);
            }
            std::ranges::sort(shown);
            auto& match = matches.emplace_back();
            for (std::size_t place = 0; place < shown.size(); ++place) {
                match.players.push_back(shown[place].second);
                match.points.push_back(static_cast<double>(place));
            }
        }
        calibration.tell(rank_intervals(8, matches, random.next(), draws), strengths);
    }
    calibration.expect_true(0.06);
    EXPECT_GE(calibration.held(), 0.92);
}

TEST(RankIntervals, AreTrueOfLargeFieldsWhetherManyMetOrFew) {
    for (const std::size_t partners : {3U, 60U}) {
        Random random(17);
        Calibration calibration;
        constexpr std::size_t players = 400;
        for (int run = 0; run < 5; ++run) {
            const auto strengths = drawn_strengths(random, players, 120);
            std::vector<RatedMatchPoints> matches;
            for (std::size_t a = 0; a < players; ++a) {
                for (std::size_t i = 0; i < partners; ++i) {
                    const std::size_t b = (a + 1 + random.below(players - 1)) % players;
                    const double gap = strengths[a] - strengths[b];
                    matches.push_back(match_of(a, b, played_share(random, gap, 0)));
                }
            }
            calibration.tell(rank_intervals(players, matches, random.next(), draws), strengths);
        }
        EXPECT_GE(calibration.held(), 0.92) << partners;
        EXPECT_LE(calibration.held(), 0.98) << partners;
    }
}

TEST(RankIntervals, OfWhoHasNotPlayedSayNothing) {
    const auto found =
        rank_intervals(3, std::vector<RatedMatchPoints>(20, match_of(0, 1, 1)), 1, 200);
    EXPECT_EQ(found.first_share[2], 0);
    EXPECT_EQ(found.intervals[2].best, 3U);
    EXPECT_GT(found.first_share[0], 0.95);
}

}  // namespace
}  // namespace referee::rating
