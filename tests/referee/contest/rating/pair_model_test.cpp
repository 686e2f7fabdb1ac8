#include "referee/contest/rating/pair_model.h"

#include <gtest/gtest.h>

#include <cmath>

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
    // Twice their own pair and once each of the other two, by half: all as if each were alone.
    const double of_pair = 0.25 * 0.75 / 400;
    EXPECT_NEAR(model.variance(0, 1), (4 + 1 + 1) / 4.0 * of_pair, 0.1 * of_pair);
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

// Looked at after each few matches, so that old information is walked by.
TEST(PairModel, SaysTheSameWhetherItLookedBefore) {
    constexpr std::size_t players = 23;
    for (const double deviations : {0.0, 0.5}) {
        Field field(players, deviations, 11);
        PairModel model(players);
        Random lots(3);
        for (int match = 1; match <= 3000; ++match) {
            const auto a = static_cast<std::size_t>(lots.below(players));
            const auto b = (a + 1 + static_cast<std::size_t>(lots.below(players - 1))) % players;
            model.add(a, b, field.play(a, b));
            if (match % 50 != 0) continue;
            model.fit();
            if (match % 500 != 0) continue;
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
