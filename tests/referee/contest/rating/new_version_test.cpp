// What is known of a bot whose program is a new one, against bots whose true strengths are known:
// by its former program as prior, from nothing, and by who doesn't know that it is new.

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "referee/contest/rating/elo.h"
#include "referee/contest/rating/running_ratings.h"
#include "referee/contest/rating/sprt.h"
#include "tests/referee/contest/rating/simulated_field.h"

namespace referee::rating {
namespace {

constexpr std::uint64_t version_seed = 20;
constexpr std::array jumps{200.0, -200.0, 0.0};             // of a new version, in Elo
constexpr std::array<std::size_t, 4> looks{5, 10, 20, 50};  // matches of the new version

enum class Way : std::uint8_t { prior, nothing, unaware };
constexpr std::array ways{Way::prior, Way::nothing, Way::unaware};

struct Error {
    double squares = 0;
    double held = 0;
    double runs = 0;
    double deviation() const { return std::sqrt(squares / runs); }
    double share_held() const { return held / runs; }
};

// Ten bots that have met; then the first is a new one, and plays on against the others.
void rate(std::size_t matches, Random& random, std::array<Error, ways.size()>& found) {
    constexpr std::size_t bots = 10;
    constexpr std::size_t former = bots;
    constexpr double spread = 150;
    std::vector<double> strengths;
    for (std::size_t i = 0; i < bots; ++i) strengths.push_back(spread * random.normal());
    const auto before = round_robin(strengths, 2, 0, random);
    strengths[0] += jumps[random.below(jumps.size())];
    std::vector<PairResult> after;
    for (std::size_t i = 0; i < matches; ++i) {
        const auto other = 1 + random.below(bots - 1);
        after.push_back({0, other, played_share(random, strengths[0] - strengths[other], 0)});
    }
    double mean = 0;
    for (const double strength : strengths) mean += strength / bots;
    for (std::size_t way = 0; way < ways.size(); ++way) {
        auto results = before;
        for (auto& result : results) {
            if (ways[way] == Way::unaware) break;
            if (result.first == 0) result.first = former;
            if (result.second == 0) result.second = former;
        }
        results.insert(results.end(), after.begin(), after.end());
        const Former link{former, 0};
        const auto prior =
            ways[way] == Way::prior ? std::span(&link, 1) : std::span<const Former>();
        // Who starts from nothing leaves out what the former program did.
        if (ways[way] == Way::nothing)
            std::erase_if(results, [](const auto& result) {
                return result.first == former || result.second == former;
            });
        const auto table = elo_ratings(ways[way] == Way::prior ? bots + 1 : bots, results, prior);
        const double error = *table.ratings[0].elo - (strengths[0] - mean);
        found[way].squares += error * error;
        found[way].held += std::abs(error) <= table.ratings[0].error95 ? 1 : 0;
        found[way].runs += 1;
    }
}

TEST(NewVersion, HasIntervalsThatHoldTheTruth) {
    constexpr int runs = 2000;
    std::array<std::array<Error, ways.size()>, looks.size()> found;
    for (std::size_t look = 0; look < looks.size(); ++look) {
        Random random(version_seed);
        for (int run = 0; run < runs; ++run) rate(looks[look], random, found[look]);
    }
    for (std::size_t look = 0; look < looks.size(); ++look) {
        EXPECT_GE(found[look][0].share_held(), 0.935) << looks[look];
        EXPECT_LE(found[look][0].share_held(), 0.985) << looks[look];
        EXPECT_LT(found[look][0].deviation(), found[look][1].deviation()) << looks[look];
        EXPECT_LT(found[look][0].deviation(), found[look][2].deviation()) << looks[look];
    }
}

TEST(NewVersion, TellsOfOthersWhatItsFormerProgramTold) {
    // What the former program played holds the field together, and it is no part of the mean.
    Random random(version_seed);
    auto results = round_robin({100, 0, -100}, 100, 0, random);
    for (auto& result : results) {
        if (result.first == 0) result.first = 3;
        if (result.second == 0) result.second = 3;
    }
    results.push_back({0, 1, 1.0});
    const std::array link{Former{3, 0}};
    const auto table = elo_ratings(4, results, link);
    EXPECT_EQ(table.groups, 1U);
    EXPECT_NEAR(*table.ratings[0].elo + *table.ratings[1].elo + *table.ratings[2].elo, 0, 1e-6);
    EXPECT_GT(*table.ratings[0].elo, *table.ratings[3].elo) << "it won";
    EXPECT_LT(*table.ratings[0].elo, *table.ratings[3].elo + 150) << "once";
    EXPECT_GT(table.ratings[0].error95, 1.5 * table.ratings[3].error95);
}

TEST(RunningElo, MovesANewVersionFastAndThenSlowly) {
    std::vector<RunningElo> players(2);
    players[0].matches = players[1].matches = 100;
    const auto step = [&players](std::uint32_t version) {
        const double before = players[0].rating;
        players[1].rating = before;
        move_ratings(players, std::array<RatedSeat, 2>{{{0, 1, version}, {1, 2, 0}}});
        return 2 * (players[0].rating - before);
    };
    EXPECT_NEAR(step(0), 16, 1e-9);
    EXPECT_NEAR(step(1), step_of_new_version(0), 1e-9);
    EXPECT_NEAR(step(1), step_of_new_version(1), 1e-9);
    EXPECT_NEAR(step(0), 16, 1e-9) << "a late match of the former one";
    EXPECT_NEAR(step(1), step_of_new_version(2), 1e-9);
    for (int i = 0; i < 60; ++i) step(1);
    EXPECT_NEAR(step(1), 16, 1e-9);
    EXPECT_NEAR(step(2), step_of_new_version(0), 1e-9);
    EXPECT_NEAR(step_of_new_version(0), 139, 0.5);
}

// How a bot says which version it is: one that never changes, one that says another in each match,
// and one that does so until its rank has risen.
enum class Said : std::uint8_t { one, another_each_time, another_until_it_is_high };

struct Climbed {
    double most = 0;  // the mean of the highest that it stood in a run, over its true strength
    double last = 0;  // the mean of where it stood at the end
};

Climbed climbed(Said said) {
    constexpr int runs = 1000;
    constexpr int matches = 200;
    constexpr double near = 80;
    constexpr double error = 40;
    constexpr double high = 50;
    Random random(version_seed);
    Climbed sum;
    for (int run = 0; run < runs; ++run) {
        std::vector<RunningElo> players(2);
        players[0].matches = 100;
        std::uint32_t version = 0;
        double most = 0;
        for (int match = 0; match < matches; ++match) {
            const double over = players[0].ranked() - running_elo_at_first;
            most = std::max(most, over);
            const bool changes = said == Said::another_each_time ||
                                 (said == Said::another_until_it_is_high && over < high);
            if (changes) ++version;
            players[1] = {players[0].rating + near * random.normal(), 1000};
            const double gap = running_elo_at_first - players[1].rating - error * random.normal();
            const bool won = random.unit() < expected_share(gap);
            move_ratings(players, std::array<RatedSeat, 2>{
                                      {{0, won ? 1 : 2, version}, {1, won ? 2 : 1, 0}}});
        }
        sum.most += most / runs;
        sum.last += (players[0].ranked() - running_elo_at_first) / runs;
    }
    return sum;
}

TEST(RunningElo, SayingAnotherVersionAgainAndAgainBringsNothing) {
    const auto honest = climbed(Said::one);
    for (const auto said : {Said::another_each_time, Said::another_until_it_is_high}) {
        const auto liar = climbed(said);
        EXPECT_LT(liar.last, honest.last + 5);
        EXPECT_LT(liar.most, honest.most + 30);
    }
}

}  // namespace
}  // namespace referee::rating
