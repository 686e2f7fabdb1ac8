// Intervals, cycles and seats against known truths.

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "referee/contest/certainty/seat_effect.h"
#include "referee/contest/certainty/significance.h"
#include "referee/contest/rating/sprt.h"
#include "tests/referee/contest/rating/simulated_field.h"

namespace referee::certainty {
namespace {

using rating::drawn_share;
using rating::Random;

constexpr std::uint64_t seed_of_tables = 2026;
constexpr int null_simulations = 10'000;
// Errors of 10,000 simulations at 5% scatter by 0.22%; three times that.
constexpr double above_level = 0.0066;

void add(PairRecord& pair, double share) {
    ++pair.matches;
    ++pair.distinct;
    pair.share += share;
    pair.squares += share * share;
    pair.won += share > 0.5 ? 1 : 0;
    pair.lost += share < 0.5 ? 1 : 0;
}

TEST(ShareIntervals, HoldTheTruthInNineteenOfTwentyCases) {
    Random random(seed_of_tables);
    for (const int matches : {1, 3, 10, 30, 200}) {
        for (const double expected : {0.5, 0.7, 0.9}) {
            for (const double draws : {0.0, 0.15, 0.6}) {
                if (expected + draws / 2 > 1) continue;
                int held = 0;
                for (int run = 0; run < null_simulations; ++run) {
                    PairRecord pair;
                    for (int i = 0; i < matches; ++i)
                        add(pair, drawn_share(random, expected, draws));
                    held += share_interval(pair).has(expected) ? 1 : 0;
                }
                const double share = static_cast<double>(held) / null_simulations;
                EXPECT_GE(share, 0.95 - above_level) << matches << ' ' << expected << ' ' << draws;
            }
        }
    }
}

TEST(ShareIntervals, AreAllWhereNothingIsKnownAndAPointWhereAPairIsSettled) {
    PairRecord pair;
    EXPECT_EQ(share_interval(pair).low, 0);
    EXPECT_EQ(share_interval(pair).high, 1);
    add(pair, 1);
    EXPECT_GT(share_interval(pair).high, 0.99);
    EXPECT_LT(share_interval(pair).low, 0.3);
    pair.settled = true;
    EXPECT_EQ(share_interval(pair).low, 1);
}

// Everybody meets everybody so often; `expected` tells the share of the first.
std::vector<PairRecord> all_pairs(Random& random, std::size_t players, int matches, double draws,
                                  const std::function<double(std::size_t, std::size_t)>& expected) {
    std::vector<PairRecord> pairs;
    for (std::size_t a = 0; a < players; ++a) {
        for (std::size_t b = a + 1; b < players; ++b) {
            auto& pair = pairs.emplace_back(PairRecord{.a = a, .b = b});
            for (int i = 0; i < matches; ++i) add(pair, drawn_share(random, expected(a, b), draws));
        }
    }
    return pairs;
}

TEST(Cycles, AreToldByChanceNoMoreOftenThanTheLevel) {
    struct Class {
        const char* what;
        std::size_t players;
        int matches;
        double draws;
        std::function<double(std::size_t, std::size_t)> expected;
    };
    const auto level = [](std::size_t, std::size_t) { return 0.5; };
    const auto ladder = [](std::size_t a, std::size_t b) {
        return 1 / (1 + std::exp((static_cast<double>(a) - static_cast<double>(b)) * 0.3));
    };
    // The likeliest to err: two pairs are plain, the third is level.
    const auto nearly = [](std::size_t a, std::size_t b) { return b - a == 1 ? 0.9 : 0.5; };
    // Four of whom three pairs are plain, and the others level: a cycle of four is one error away.
    const auto half_a_ring = [](std::size_t a, std::size_t b) { return b - a == 1 ? 0.95 : 0.5; };
    const std::vector<Class> classes{{"all level", 3, 30, 0, level},
                                     {"all level, draws", 8, 40, 0.4, level},
                                     {"a ladder", 8, 40, 0.2, ladder},
                                     {"two pairs plain", 3, 40, 0.1, nearly},
                                     {"two pairs plain", 3, 200, 0, nearly},
                                     {"neighbours plain", 6, 60, 0, nearly},
                                     {"all but one end plain", 4, 40, 0, half_a_ring}};
    Random random(seed_of_tables);
    for (const auto& each : classes) {
        int wrong = 0;
        for (int run = 0; run < null_simulations; ++run) {
            const auto pairs =
                all_pairs(random, each.players, each.matches, each.draws, each.expected);
            wrong += find_cycles(each.players, pairs).found > 0 ? 1 : 0;
        }
        const double share = static_cast<double>(wrong) / null_simulations;
        EXPECT_LE(share, cycles_alpha + above_level) << each.what;
    }
}

TEST(Cycles, AreFoundWhereTheyAre) {
    Random random(7);
    const auto rock_paper = [](std::size_t a, std::size_t b) { return b - a == 1 ? 0.85 : 0.15; };
    int found = 0;
    for (int run = 0; run < 1000; ++run)
        found += find_cycles(3, all_pairs(random, 3, 30, 0.1, rock_paper)).found == 1 ? 1 : 0;
    EXPECT_GE(found, 950);
    const auto one = find_cycles(3, all_pairs(random, 3, 300, 0, rock_paper));
    ASSERT_EQ(one.cycles.size(), 1U);
    EXPECT_EQ(one.cycles[0].players, (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_LT(one.cycles[0].p, 1e-6);
    EXPECT_EQ(one.triples, 1U);
}

TEST(Cycles, SayHowManyMatchesAQuestionTakes) {
    Random random(3);
    const auto clean = [](std::size_t a, std::size_t b) { return b - a == 1 ? 1.0 : 0.0; };
    const auto few = find_cycles(3, all_pairs(random, 3, 4, 0, clean));
    EXPECT_TRUE(few.too_few());
    EXPECT_EQ(few.found, 0U);
    EXPECT_EQ(few.needed, 7U);  // 2 / 2^7 is the first that is at most 0.05 / 3
    const auto enough = find_cycles(3, all_pairs(random, 3, 7, 0, clean));
    EXPECT_FALSE(enough.too_few());
    EXPECT_EQ(enough.found, 1U);
}

// What a field plays: who sits where, and how much the first seat is worth.
struct Field {
    std::size_t players = 8;
    int rounds = 1;     // each pair meets so often
    int games = 2;      // of a match
    bool swaps = true;  // seats, from game to game
    double worth = 0;   // of the first seat, in Elo
    double apart = 60;  // neighbours' strengths
    std::size_t setups = 1;
    double setup_worth = 0;  // of the first seat on the last setup, in Elo
    double draws = 0;
};

SeatGames played(const Field& field, Random& random) {
    SeatGames games;
    std::uint64_t match = 0;
    for (int round = 0; round < field.rounds; ++round) {
        for (std::size_t a = 0; a < field.players; ++a) {
            for (std::size_t b = a + 1; b < field.players; ++b) {
                ++match;
                // Whose seat is the first is drawn by lot where it doesn't change.
                const bool turned = random.below(2) == 1;
                for (int number = 0; number < field.games; ++number) {
                    const bool swapped = turned != (field.swaps && number % 2 == 1);
                    SeatGame game;
                    game.match = match;
                    game.setup = static_cast<std::size_t>(number / 2) % field.setups;
                    game.players = swapped ? std::vector{b, a} : std::vector{a, b};
                    double elo = field.worth + field.apart * (static_cast<double>(game.players[1]) -
                                                              static_cast<double>(game.players[0]));
                    if (game.setup + 1 == field.setups) elo += field.setup_worth;
                    const double share = rating::expected_share(elo);
                    const double draws = std::min({field.draws, share, 1 - share});
                    const double got = drawn_share(random, share, draws);
                    game.shares = {got, 1 - got};
                    games.add(std::move(game));
                }
            }
        }
    }
    return games;
}

struct Errors {
    double warned = 0;  // the share of fields with a warning
    double held = 0;    // of the first effect's intervals that hold the truth
};

Errors errors_of(const Field& field, double truth, int runs, Random& random) {
    Errors errors;
    for (int run = 0; run < runs; ++run) {
        const auto table = seat_table(field.players, field.setups, played(field, random));
        const bool warned = std::ranges::count(table.effects, true, &SeatEffect::real) > 0;
        errors.warned += warned ? 1.0 / runs : 0;
        EXPECT_TRUE(table.effects[0].advantage.has_value());
        errors.held += table.effects[0].interval.has(truth) ? 1.0 / runs : 0;
    }
    return errors;
}

TEST(Seats, AreWarnedOfByChanceNoMoreOftenThanTheLevel) {
    const std::vector<std::pair<const char*, Field>> cases{
        {"swapped", {}},
        {"swapped, level bots", {.apart = 0}},
        {"swapped, 4 bots", {.players = 4}},
        {"swapped, draws", {.draws = 0.5}},
        {"swapped, 3 setups", {.games = 6, .setups = 3}},
        {"by lot, one game", {.rounds = 2, .games = 1, .swaps = false}},
        {"by lot, level bots", {.rounds = 2, .games = 1, .swaps = false, .apart = 0}},
        {"by lot, two games", {.rounds = 2, .swaps = false}},
        {"three games, swapped", {.rounds = 2, .games = 3}},
    };
    Random random(seed_of_tables);
    for (const auto& [what, field] : cases) {
        const auto errors = errors_of(field, 0, null_simulations, random);
        EXPECT_LE(errors.warned, seats_alpha + above_level) << what;
        EXPECT_GE(errors.held, 0.95 - above_level) << what;
    }
}

// Pods of four from eight bots, each game ranked by strength and luck.
SeatGames pods(bool rotated, double worth, Random& random) {
    constexpr std::size_t seats = 4;
    constexpr std::uint64_t matches = 24;
    std::vector<std::size_t> bots{0, 1, 2, 3, 4, 5, 6, 7};
    SeatGames games;
    for (std::uint64_t match = 0; match < matches; ++match) {
        random.shuffle(std::span(bots));
        for (std::size_t number = 0; number < (rotated ? seats : 1); ++number) {
            SeatGame game{.match = match};
            std::vector<double> got;
            for (std::size_t seat = 0; seat < seats; ++seat) {
                const auto bot = bots[(seat + number) % seats];
                game.players.push_back(bot);
                got.push_back(0.3 * static_cast<double>(bot) + random.normal() +
                              (seat == 0 ? worth : 0));
            }
            for (const double its : got) {
                const auto ahead =
                    std::ranges::count_if(got, [&](double other) { return other < its; });
                game.shares.push_back(static_cast<double>(ahead) / (seats - 1));
            }
            games.add(std::move(game));
        }
    }
    return games;
}

TEST(Seats, OfPodsAreWarnedOfByChanceNoMoreOftenThanTheLevel) {
    Random random(seed_of_tables);
    for (const bool rotated : {true, false}) {
        int warned = 0;
        for (int run = 0; run < null_simulations; ++run) {
            const auto table = seat_table(8, 1, pods(rotated, 0, random));
            ASSERT_EQ(table.effects.size(), 4U);
            ASSERT_TRUE(table.effects[0].advantage.has_value());
            EXPECT_EQ(table.effects[0].paired, rotated);
            warned += std::ranges::count(table.effects, true, &SeatEffect::real) > 0 ? 1 : 0;
        }
        EXPECT_LE(warned, (seats_alpha + above_level) * null_simulations);
        constexpr int with_worth = 500;
        int found = 0;
        for (int run = 0; run < with_worth; ++run)
            found += seat_table(8, 1, pods(rotated, 2, random)).effects[0].real ? 1 : 0;
        EXPECT_GE(found, with_worth * 9 / 10);
    }
}

TEST(Seats, OfWorthAreFound) {
    Random random(11);
    const double truth = 1 / (1 + std::pow(10, -0.25)) - 0.5;
    for (const bool swaps : {true, false}) {
        const Field field{.rounds = swaps ? 4 : 8,
                          .games = swaps ? 2 : 1,
                          .swaps = swaps,
                          .worth = 100,
                          .apart = 0};
        const auto errors = errors_of(field, truth, 1000, random);
        EXPECT_GE(errors.warned, swaps ? 0.95 : 0.9);
        EXPECT_NEAR(errors.held, 0.95, 0.025);
    }
}

TEST(Seats, OfOneSetupAreFoundOnIt) {
    Random random(5);
    const Field field{
        .players = 8, .rounds = 3, .games = 4, .apart = 0, .setups = 2, .setup_worth = 200};
    const auto table = seat_table(8, 2, played(field, random));
    ASSERT_EQ(table.effects.size(), 3U);
    EXPECT_EQ(table.effects[1].setup, 0U);
    EXPECT_FALSE(table.effects[1].real);
    EXPECT_TRUE(table.effects[2].real);
    EXPECT_GT(table.effects[2].interval.low, 0.1);
}

TEST(Seats, LeaveNothingWhereTheySwapAndAllWhereTheyDoNot) {
    Random random(5);
    const auto swapped = seat_table(8, 1, played({.rounds = 4, .worth = 100}, random));
    ASSERT_EQ(swapped.left.size(), 1U);
    EXPECT_NEAR(swapped.left[0].gained, 0, 1e-12);
    EXPECT_GT(swapped.left[0].alone, 0.05);
    // One of two bots always has the first seat: its worth and the seat's are one.
    SeatGames fixed;
    for (std::uint64_t match = 0; match < 50; ++match)
        fixed.add({.match = match, .players = {0, 1}, .shares = {1, 0}});
    const auto table = seat_table(2, 1, fixed);
    EXPECT_FALSE(table.effects[0].advantage.has_value());
    EXPECT_TRUE(table.left.empty());
}

TEST(Seats, OfManyGamesTakeLittleMemory) {
    constexpr std::size_t count = 10'000;
    constexpr std::size_t bytes_a_game = 54;  // with their part of the blocks that hold them
    const auto before = ::mallinfo2();
    SeatGames games;
    for (std::size_t i = 0; i < count; ++i)
        games.add({i / 500, 0, 0, {i / 500, 7}, {i % 3 == 0 ? 1.0 : 0.5, i % 3 == 0 ? 0.0 : 0.5}});
    const auto after = ::mallinfo2();
    EXPECT_LE(after.uordblks + after.hblkhd,
              before.uordblks + before.hblkhd + count * bytes_a_game);
}

TEST(Seats, WithTooFewMatchesAreNotJudged) {
    Random random(5);
    const auto table = seat_table(2, 1, played({.players = 2, .rounds = 3}, random));
    EXPECT_EQ(table.effects[0].matches, 3U);
    EXPECT_FALSE(table.effects[0].advantage.has_value());
}

// One of two wins every match from either seat: nothing is left by which to say how sure a seat's
// worth is, and no point is told for that.
TEST(Seats, AreNeverToldAsAPoint) {
    SeatGames games;
    for (std::size_t match = 0; match < 12; ++match) {
        const std::size_t first = match % 2;
        const double of_first = first == 0 ? 1 : 0;
        games.add({match, 0, std::nullopt, {first, 1 - first}, {of_first, 1 - of_first}});
    }
    const auto table = seat_table(2, 1, games);
    ASSERT_FALSE(table.effects.empty());
    for (const auto& effect : table.effects) {
        ASSERT_TRUE(effect.advantage);
        EXPECT_NEAR(*effect.advantage, 0, 1e-3);
        EXPECT_GT(effect.interval.high - effect.interval.low, 0.1);
        EXPECT_FALSE(effect.real);
    }
}

TEST(Seats, OfABotThatPlaysItselfAreItsGamesAlone) {
    SeatGames games;
    for (std::uint64_t match = 0; match < 40; ++match)
        games.add({.match = match,
                   .mover = match % 2,
                   .players = {0, 0},
                   .shares = match % 2 == 0 ? std::vector{1.0, 0.0} : std::vector{0.0, 1.0}});
    const auto table = seat_table(1, 1, games);
    ASSERT_EQ(table.effects.size(), 2U);
    EXPECT_FALSE(table.effects[0].real);
    EXPECT_EQ(table.effects[1].kind, EffectKind::first_move);
    EXPECT_TRUE(table.effects[1].real);
    EXPECT_NEAR(*table.effects[1].advantage, 0.5, 1e-12);
    EXPECT_EQ(table.effects[1].games, 40U);
    ASSERT_EQ(table.left.size(), 2U);
    EXPECT_NEAR(table.left[1].alone, 0.5, 1e-12);
    EXPECT_NEAR(table.left[1].gained, 0, 1e-12);
}

}  // namespace
}  // namespace referee::certainty
