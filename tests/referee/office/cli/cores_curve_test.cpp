// How long a tournament takes on so many cores: curves of small tournaments, worked out by hand.

#include "referee/office/cli/cores_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/config/reader.h"
#include "referee/office/cli/forecast.h"

namespace referee::cli {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

config::Config class_with(std::size_t bots, const std::string& members) {
    std::string text = R"({"bots": [)";
    for (std::size_t i = 0; i < bots; ++i)
        text += (i == 0 ? "" : ",") + std::string(R"({"name": "bot)") + std::to_string(i + 1) +
                R"(", "launch": ["x"]})";
    text += R"(], "tournaments": [{"id": "t", )" + members + "}]}";
    auto config = config::read_config(text, "class.json", "/srv/class");
    EXPECT_TRUE(config) << text << (config ? "" : config.error().front().message);
    return *std::move(config);
}

// One game, in which each bot thought for 2 s.
PlayedTimes one_game(const std::string& game, std::size_t seats) {
    journal::GameRecord record;
    record.result.game = game;
    for (std::size_t i = 0; i < seats; ++i) {
        record.result.bots.push_back("bot" + std::to_string(i + 1));
        record.result.used_us.push_back(2'000'000);
    }
    PlayedTimes played;
    played.take(record);
    return played;
}

Forecast told(std::size_t bots, const std::string& members, const Machine& machine,
              const PlayedTimes& played = {}, std::optional<Duration> game_time = {}) {
    const auto config = class_with(bots, members);
    return forecast_of(config, config.tournaments.front(), played, machine, game_time);
}

std::vector<std::size_t> cores_of(const CoresCurve& curve) {
    std::vector<std::size_t> cores;
    for (const auto& point : curve.points) cores.push_back(point.cores);
    return cores;
}

const std::string swiss = R"("game": "walls", "format": {"kind": "swiss", "rounds": 5})";

// 16 matches a round, each of two games of 4 s and 5 ms.
TEST(CoresCurve, OfASwissComesDownByWavesOfItsRounds) {
    const auto curve = told(32, swiss, {1, 1}, one_game("walls", 2)).curve;
    EXPECT_THAT(cores_of(curve), ElementsAre(1, 2, 4, 8, 16));
    EXPECT_EQ(curve.basis, CurveBasis::played);
    EXPECT_EQ(curve.useful_most, 16U);
    EXPECT_EQ(curve.why, "a round has only 16 matches");
    for (const auto& point : curve.points) {
        const auto waves = static_cast<double>((16 + point.cores - 1) / point.cores);
        EXPECT_NEAR(in_seconds(*point.expected), 5 * waves * 8.01, 1e-3) << point.cores;
        // The longest scale as they do, behind the time in which all are launched.
        const auto longest = in_seconds(*curve.points.back().longest - 30s);
        EXPECT_NEAR(in_seconds(*point.longest - 30s), waves * longest, 1e-3) << point.cores;
    }
}

TEST(CoresCurve, OfJobsCountsWhatAJobCosts) {
    const auto forecast = told(32, swiss, {6, 6, 1}, one_game("walls", 2));
    const auto& curve = forecast.curve;
    EXPECT_THAT(cores_of(curve), ElementsAre(1, 2, 4, 6, 8, 16));
    EXPECT_EQ(curve.useful_most, 16U);
    const auto job_costs = in_seconds(*curve.points.back().expected) / 5 - 8.01;
    EXPECT_GT(job_costs, 1);
    EXPECT_LT(job_costs, 10);
    // At first a job has one match, as nothing is known of them; then all eight have two.
    EXPECT_NEAR(in_seconds(curve.points[4].expected.value()),
                2 * (8.01 + job_costs) + 4 * (2 * 8.01 + job_costs), 1e-3);
    EXPECT_EQ(forecast.likely, curve.points[3].expected) << "six jobs at once";
    EXPECT_EQ(forecast.worst, curve.points[3].longest);
    EXPECT_GT(*forecast.worst, *forecast.likely);
}

TEST(CoresCurve, ABotPlaysOneGameAtATimeHereAndOneInEachJobElsewhere) {
    const std::string all = R"("game": "walls")";
    const auto here = told(12, all, {1, 1}, one_game("walls", 2)).curve;
    EXPECT_EQ(here.useful_most, 6U);
    EXPECT_THAT(here.why, HasSubstr("no bot plays two games at a time, so only 6 matches"));
    EXPECT_NEAR(in_seconds(*here.points.back().expected), 11 * 8.01, 1e-3);
    const auto there = told(12, all, {1, 1, 1}, one_game("walls", 2)).curve;
    EXPECT_EQ(there.useful_most, 66U);
    EXPECT_EQ(there.why, "there are only 66 matches");
    const std::string gauntlet = R"("game": "walls", "format": {"kind": "gauntlet"})";
    EXPECT_EQ(told(12, gauntlet, {1, 1}, one_game("walls", 2)).curve.useful_most, 1U);
    EXPECT_EQ(told(12, gauntlet, {1, 1, 1}, one_game("walls", 2)).curve.useful_most, 11U);
}

TEST(CoresCurve, BotsThatThinkAtOnceUseACoreEach) {
    const std::string pods =
        R"("game": "light_cycles", "format": {"kind": "swiss", "rounds": 2, "seats": 4, "seats_min": 4})";
    const auto curve = told(12, pods, {1, 1}, one_game("light_cycles", 4)).curve;
    EXPECT_EQ(curve.useful_most, 12U);
    EXPECT_EQ(curve.why, "a round has only 3 matches, each of 4 bots that think at once");
    EXPECT_GT(*curve.points.front().expected, 11 * *curve.points.back().expected);
}

TEST(CoresCurve, SaysOnWhatItRests) {
    const auto assumed = told(8, swiss, {1, 1}).curve;
    EXPECT_EQ(assumed.basis, CurveBasis::assumed);
    EXPECT_LT(*assumed.points.front().expected, *assumed.points.front().longest / 4);
    const auto said = told(12, swiss, {1, 1}, one_game("walls", 2), 30s);
    EXPECT_EQ(said.curve.basis, CurveBasis::told);
    EXPECT_EQ(said.likely, said.curve.points.front().expected);
    EXPECT_NEAR(in_seconds(*said.likely), 5 * 6 * 2 * 30, 1e-3);
    EXPECT_EQ(said.games_known, 0U);
    // A game without an end has no longest; nobody knows how long it takes.
    const std::string endless = R"("game": "superball", "format": {"kind": "leaderboard"})";
    EXPECT_TRUE(told(8, endless, {1, 1}).curve.points.empty());
    const auto points = told(8, endless, {1, 1}, {}, 30s).curve.points;
    ASSERT_FALSE(points.empty());
    EXPECT_FALSE(points.front().longest);
}

TEST(CoresCurve, EndsWhereMoreHardlyHelp) {
    // 45 matches of a second each by jobs: starting them takes longer than playing them.
    const auto curve = told(10, R"("game": "walls")", {1, 1, 1}, {}, 500ms).curve;
    ASSERT_GT(curve.enough, 0U);
    ASSERT_LT(curve.enough, curve.useful_most);
    const auto& points = curve.points;
    EXPECT_EQ(points[points.size() - 2].cores, curve.enough);
    EXPECT_GT(*points.back().expected, *points[points.size() - 2].expected * 9 / 10);
    for (std::size_t i = 1; i < points.size(); ++i)
        EXPECT_LE(*points[i].expected, *points[i - 1].expected);
}

TEST(CoresCurve, IsATableForPeople) {
    const auto lines = describe(told(32, swiss, {2, 2}, one_game("walls", 2)));
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_THAT(
        lines.back(),
        HasSubstr("t: by the number of cores (expected: games as long as those that are known"));
    EXPECT_THAT(lines.back(), HasSubstr("\n    cores  expected  longest"));
    EXPECT_THAT(lines.back(), HasSubstr("\n        2  5 min"));
    EXPECT_THAT(lines.back(), HasSubstr("as it is now\n"));
    EXPECT_THAT(
        lines.back(),
        testing::EndsWith("\n    more than 16 cores don't help: a round has only 16 matches"));
}

}  // namespace
}  // namespace referee::cli
