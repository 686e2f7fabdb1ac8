#include "referee/contest/rating/pair_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "referee/contest/rating/random.h"
#include "referee/contest/rating/sprt.h"

namespace referee::rating {
namespace {

double share_of_difference(double difference) {
    return 1 / (1 + std::exp(-difference));
}

// Players whose pairs are known, and what they play.
class Field {
 public:
    Field(std::size_t players, double deviations, std::uint64_t seed)
        : random_(seed), shares_(players * players, 0.5), players_(players) {
        std::vector<double> strengths(players);
        for (auto& each : strengths) each = random_.normal();
        for (std::size_t a = 0; a < players; ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                const double d = strengths[a] - strengths[b] + deviations * random_.normal();
                shares_[a * players + b] = share_of_difference(d);
                shares_[b * players + a] = share_of_difference(-d);
            }
        }
    }
    double share(std::size_t player) const {
        double sum = 0;
        for (std::size_t other = 0; other < players_; ++other)
            if (other != player) sum += shares_[player * players_ + other];
        return sum / static_cast<double>(players_ - 1);
    }
    double play(std::size_t a, std::size_t b) {
        return random_.unit() < shares_[a * players_ + b] ? 1 : 0;
    }
    double chance() { return random_.unit(); }

 private:
    Random random_;
    std::vector<double> shares_;
    std::size_t players_;
};

// How often the interval of a difference of two shares holds the truth, where each pair has met
// with a chance, and some pairs far more often than others.
double coverage_of(double deviations, double met, int matches) {
    constexpr int fields = 300;
    constexpr std::size_t players = 12;
    int held = 0;
    int asked = 0;
    for (int number = 0; number < fields; ++number) {
        Field field(players, deviations, static_cast<std::uint64_t>(number) + 1);
        PairModel model(players);
        for (std::size_t a = 0; a < players; ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                if (field.chance() >= met) continue;
                const auto count = matches + (a - b == 1 ? 5 * matches : 0);
                for (int match = 0; match < count; ++match) model.add(a, b, field.play(a, b));
            }
        }
        model.fit();
        for (std::size_t a = 1; a < players; ++a) {
            const double off =
                model.share(a - 1) - model.share(a) - (field.share(a - 1) - field.share(a));
            held += off * off <= 1.96 * 1.96 * model.variance(a - 1, a) ? 1 : 0;
            ++asked;
        }
    }
    return static_cast<double>(held) / asked;
}

TEST(PairModel, ItsErrorsAreTrue) {
    for (const double deviations : {0.0, 0.3, 0.8}) {
        for (const double met : {0.6, 1.0}) {
            for (const int matches : {10, 60}) {
                const double share = coverage_of(deviations, met, matches);
                EXPECT_GT(share, 0.92) << deviations << ' ' << met << ' ' << matches;
                EXPECT_LT(share, 0.985) << deviations << ' ' << met << ' ' << matches;
            }
        }
    }
}

// A beats B beats C beats A: nobody is better, and only deviations tell it.
TEST(PairModel, LearnsThatPairsDeviate) {
    PairModel model(3);
    for (int match = 0; match < 400; ++match) {
        const double share = match % 4 == 0 ? 0 : 1;
        model.add(0, 1, share);
        model.add(1, 2, share);
        model.add(2, 0, share);
    }
    model.fit();
    EXPECT_NEAR(model.share(0), 0.5, 1e-6);
    EXPECT_NEAR(model.strength(0), model.strength(1), 1e-6);
    EXPECT_GT(std::sqrt(model.deviation()), 1) << "each pair is log 3 from level";
}

TEST(PairModel, GainIsWhatAMatchBrings) {
    PairModel model(3);
    for (int match = 0; match < 30; ++match) {
        model.add(0, 1, match % 2);
        model.add(1, 2, match % 2);
        model.add(0, 2, match % 2);
    }
    model.fit();
    const double before = model.variance(0, 1);
    const double gain = model.gain(0, 1, 0, 1);
    EXPECT_GT(gain, model.gain(0, 1, 0, 2)) << "their own match tells most";
    model.add(0, 1, 1);
    model.add(0, 1, 0);
    model.fit();
    EXPECT_NEAR(before - model.variance(0, 1), 2 * gain, 0.2 * gain);
}

// Where all have met and would only repeat themselves, everything is known.
TEST(PairModel, WhoRepeatsGamesIsKnown) {
    PairModel model(4);
    for (std::size_t a = 0; a < 4; ++a) {
        for (std::size_t b = a + 1; b < 4; ++b) {
            model.add(a, b, a == 0 && b == 3 ? 0 : 1);
            model.settle(a, b);
        }
    }
    model.fit();
    EXPECT_DOUBLE_EQ(model.share(0), 2.0 / 3);
    EXPECT_DOUBLE_EQ(model.share(3), 1.0 / 3);
    EXPECT_DOUBLE_EQ(model.variance(0, 1), 0);
    EXPECT_DOUBLE_EQ(model.gain(0, 1, 0, 1), 0);
}

// The covariance of the shares, worked out the long way: the information of all pairs inverted by
// elimination, and each pair's part added one by one.
class LongWay {
 public:
    explicit LongWay(std::size_t players) : players_(players), pairs_(players * players) {}

    void add(std::size_t a, std::size_t b, double share) {
        pairs_[a * players_ + b].push_back(share);
        pairs_[b * players_ + a].push_back(1 - share);
    }
    double share(const PairModel& model, std::size_t a) const {
        double sum = 0;
        for (std::size_t b = 0; b < players_; ++b)
            if (b != a) sum += mean(model, a, b);
        return sum / others();
    }
    // Of the difference of two shares.
    double variance(const PairModel& model, std::size_t a, std::size_t b) const {
        const auto covariance = inverted(model);
        std::vector<double> moves(players_, 0);
        double own = 0;
        for (std::size_t i = 0; i < players_; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const double times =
                    (i == a || j == b ? 1.0 : 0.0) - (i == b || j == a ? 1.0 : 0.0) +
                    (i == a && j == b ? 1.0 : 0.0) - (i == b && j == a ? 1.0 : 0.0);
                const double says = count(i, j) * slope(model, i, j) / model.scatter();
                const double weight = says * model.deviation() / (1 + says * model.deviation());
                const double by = times * slope(model, i, j) / others();
                moves[i] += by * (1 - weight);
                moves[j] -= by * (1 - weight);
                own += by * by * model.deviation() / (1 + says * model.deviation());
            }
        }
        for (std::size_t i = 0; i < players_; ++i)
            for (std::size_t j = 0; j < players_; ++j)
                own += moves[i] * moves[j] * covariance[i * players_ + j];
        return own;
    }

 private:
    double others() const { return static_cast<double>(players_ - 1); }
    double count(std::size_t a, std::size_t b) const {
        return static_cast<double>(pairs_[a * players_ + b].size());
    }
    static double slope(const PairModel& model, std::size_t a, std::size_t b) {
        const double share = share_of_difference(model.strength(a) - model.strength(b));
        return std::max(share * (1 - share), 1e-3);
    }
    double mean(const PairModel& model, std::size_t a, std::size_t b) const {
        const double by_strength = share_of_difference(model.strength(a) - model.strength(b));
        const auto& shares = pairs_[a * players_ + b];
        if (shares.empty()) return by_strength;
        const double says = count(a, b) * slope(model, a, b) / model.scatter() * model.deviation();
        const double seen = std::accumulate(shares.begin(), shares.end(), 0.0) / count(a, b);
        return by_strength + says / (1 + says) * (seen - by_strength);
    }
    std::vector<double> inverted(const PairModel& model) const {
        const auto n = players_;
        std::vector<double> left(n * n, 0);
        std::vector<double> right(n * n, 0);
        for (std::size_t i = 0; i < n; ++i) {
            left[i * n + i] += 0.25;  // of the spread before any match
            right[i * n + i] = 1;
            for (std::size_t j = 0; j < i; ++j) {
                const double says = count(i, j) * slope(model, i, j) / model.scatter();
                const double told = says / (1 + says * model.deviation());
                left[i * n + i] += told;
                left[j * n + j] += told;
                left[i * n + j] -= told;
                left[j * n + i] -= told;
            }
        }
        for (std::size_t k = 0; k < n; ++k) {
            const double pivot = left[k * n + k];
            for (std::size_t j = 0; j < n; ++j) {
                left[k * n + j] /= pivot;
                right[k * n + j] /= pivot;
            }
            for (std::size_t i = 0; i < n; ++i) {
                const double times = left[i * n + k];
                if (i == k || times == 0) continue;
                for (std::size_t j = 0; j < n; ++j) {
                    left[i * n + j] -= times * left[k * n + j];
                    right[i * n + j] -= times * right[k * n + j];
                }
            }
        }
        return right;
    }

    std::size_t players_;
    std::vector<std::vector<double>> pairs_;  // by both: the first one's shares
};

// Looked at after each few matches, so that old information is walked by.
TEST(PairModel, TheFastWayAgreesWithTheLongOne) {
    constexpr std::size_t players = 23;  // no multiple of the rows that are added at once
    for (const double deviations : {0.0, 0.5}) {
        Field field(players, deviations, 11);
        PairModel model(players);
        LongWay direct(players);
        Random lots(3);
        for (int match = 1; match <= 3000; ++match) {
            const auto a = static_cast<std::size_t>(lots.below(players));
            const auto b = (a + 1 + static_cast<std::size_t>(lots.below(players - 1))) % players;
            const double share = field.play(a, b);
            model.add(a, b, share);
            direct.add(a, b, share);
            if (match % 50 != 0) continue;
            model.fit();
            if (match % 500 != 0) continue;
            for (std::size_t one = 1; one < players; ++one) {
                EXPECT_NEAR(model.share(one), direct.share(model, one), 1e-9);
                const double long_way = direct.variance(model, one - 1, one);
                EXPECT_NEAR(model.variance(one - 1, one), long_way, 1e-3 * long_way)
                    << match << ' ' << one;
            }
            PairModel afresh = model;
            afresh.grow(players);
            afresh.fit();
            for (std::size_t one = 0; one < players; ++one)
                EXPECT_NEAR(model.share(one), afresh.share(one), 1e-3) << match;
        }
    }
}

// Points against who left count no more; what its matches tell of others does.
TEST(PairModel, WhoLeftIsNoOpponent) {
    PairModel model(3);
    for (int match = 0; match < 100; ++match) {
        model.add(0, 1, match % 2);
        model.add(0, 2, 1);
        model.add(1, 2, match % 4 == 0 ? 0 : 1);
    }
    model.fit();
    EXPECT_GT(model.share(0) - model.share(1), 0.05);
    model.set_here(2, false);
    model.fit();
    EXPECT_NEAR(model.share(0) + model.share(1), 1, 1e-9) << "only the two play each other";
    EXPECT_GT(model.strength(0), model.strength(1));
    model.forget(2);
    model.fit();
    EXPECT_EQ(model.matches(2), 0);
    EXPECT_EQ(model.matches(0), 100);
    EXPECT_NEAR(model.strength(0), model.strength(1), 1e-3) << "nothing else is known of them";
}

// Of many walks that go nowhere, each looked at after each step, so few may ever cross the bound.
TEST(SequentialBound, IsSeldomCrossedWithoutReason) {
    constexpr int walks = 10'000;
    constexpr int steps = 2000;
    constexpr double alpha = 0.05;
    constexpr double information = 4;  // of a step
    Random random(7);
    int crossed = 0;
    for (int walk = 0; walk < walks; ++walk) {
        double sum = 0;
        for (int step = 1; step <= steps; ++step) {
            sum += random.unit() < 0.5 ? -2 : 2;
            const double variance = 1 / (information * step);
            const double estimate = sum * variance;
            if (estimate <= 0 || estimate * estimate < variance * sequential_bound(variance, alpha))
                continue;
            ++crossed;
            break;
        }
    }
    EXPECT_LT(crossed, alpha * walks);
    EXPECT_GT(crossed, alpha * walks / 10) << "it isn't wider than it must be";
}

}  // namespace
}  // namespace referee::rating
