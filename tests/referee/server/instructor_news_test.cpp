#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/server/instructor_news.h"
#include "tests/referee/tournament/plain_tokens.h"
#include "tests/sim/world.h"

namespace referee::server {

namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::Optional;

TEST(RegistrationNews, ALineAMinuteAtMost) {
    tests::sim::World world{1};
    int told = 0;
    RegistrationNews news(world.referee(), [&told] { ++told; });
    news.changed();
    EXPECT_EQ(told, 1);
    for (int i = 0; i < 100; ++i) news.changed();
    EXPECT_EQ(told, 1);
    world.pass(59s);
    EXPECT_EQ(told, 1);
    world.pass(2s);
    EXPECT_EQ(told, 2) << "what changed meanwhile is told";
    world.pass(10min);
    EXPECT_EQ(told, 2) << "nothing has changed";
    news.changed();
    EXPECT_EQ(told, 3);
}

TEST(RegistrationNews, TellsWhoWaitsAndThatTheListIsFull) {
    tests::sim::World world{1};
    config::Config config;
    config.registration.password = "plum";
    config.registration.approval = true;
    config.registration.total = 2;
    tournament::PlainTokens tokens;
    tournament::ConfigRoster roster(config, tokens, world.referee(), [](const auto& /*record*/) {});
    EXPECT_EQ(registrations_state(roster, config.registration).text, "");
    roster.know({"ann", "#hers", "waiting 192.0.2.7"});
    auto state = registrations_state(roster, config.registration);
    EXPECT_EQ(state.waiting, 1U);
    EXPECT_FALSE(state.full);
    EXPECT_THAT(state.text, HasSubstr("1 name waits for approval"));
    EXPECT_THAT(state.text, HasSubstr("referee ctl registrations"));
    roster.know({"bob", "#his", "approved"});
    state = registrations_state(roster, config.registration);
    EXPECT_TRUE(state.full);
    EXPECT_EQ(state.names, 2U);
    EXPECT_THAT(state.text, HasSubstr("is full, 2 of 2"));
    config.registration.approval = false;
    config.registration.total = 3;
    EXPECT_EQ(registrations_state(roster, config.registration).text, "");
}

TEST(VersionNews, TellsOnceOfABotThatSaysAnotherVersionAgainAndAgain) {
    VersionNews news;
    std::string told;
    int times = 0;
    for (int match = 0; match < 30; ++match) {
        const auto one = news.played("ladder", "eve", "said: " + std::to_string(match % 2));
        if (!one) continue;
        ++times;
        told = *one;
    }
    EXPECT_EQ(times, 1);
    EXPECT_THAT(told, HasSubstr("the program of eve changed 4 times in its last 5 matches of "
                                "ladder"));
}

TEST(VersionNews, IsSilentOfWhoMendsItsProgramNowAndThen) {
    VersionNews news;
    for (int match = 0; match < 200; ++match) {
        EXPECT_FALSE(news.played("ladder", "ann", "said: " + std::to_string(match / 4)));
        EXPECT_FALSE(news.played("ladder", "bob", ""));
    }
}

clock::Doubts doubts_of(std::int64_t by_doubt, std::int64_t turns) {
    return {.turns = turns, .by_doubt = by_doubt, .sum = by_doubt * Duration(2ms)};
}

TEST(DoubtedTurns, OfABotAddUpOverItsGames) {
    DoubtedTurns turns;
    EXPECT_EQ(turns.of("ann").turns, 0);
    turns.add("ann", "10.1.1.7", doubts_of(3, 20));
    turns.add("ann", "10.1.1.8", doubts_of(1, 20));
    turns.add("bob", "10.1.1.7", doubts_of(0, 20));
    EXPECT_EQ(turns.of("ann").by_doubt, 4);
    EXPECT_EQ(turns.of("ann").turns, 40);
    EXPECT_EQ(turns.of("bob").by_doubt, 0);
}

TEST(DoubtedTurns, OfSeveralBotsBehindAnAddressAreToldOnce) {
    DoubtedTurns turns;
    turns.add("ann", "10.1.1.7", doubts_of(12, 40));
    EXPECT_EQ(turns.many_from("10.1.1.7"), std::nullopt) << "one bot: that is told of the bot";
    turns.add("bob", "10.1.1.7", doubts_of(0, 20));
    EXPECT_EQ(turns.many_from("10.1.1.7"), std::nullopt) << "the other one has no part in it";
    turns.add("cid", "10.1.1.8", doubts_of(8, 20));
    EXPECT_EQ(turns.many_from("10.1.1.7"), std::nullopt) << "it is somewhere else";
    turns.add("dan", "10.1.1.7", doubts_of(2, 20));
    EXPECT_EQ(turns.many_from("10.1.1.7"),
              "2 bots from 10.1.1.7 (ann, dan): 14 of 80 turns were in time only by doubt, "
              "28.000 ms taken off in all");
    turns.add("dan", "10.1.1.7", doubts_of(20, 20));
    EXPECT_EQ(turns.many_from("10.1.1.7"), std::nullopt) << "told already";
    turns.add("eve", "", doubts_of(20, 20));
    turns.add("fay", "", doubts_of(20, 20));
    EXPECT_EQ(turns.many_from(""), std::nullopt) << "processes of ours have no address";
}

TEST(DoubtedTurns, FewOfManyTurnsAreNotToldByAddress) {
    DoubtedTurns turns;
    for (const auto* bot : {"ann", "bob", "cid"}) turns.add(bot, "10.1.1.7", doubts_of(1, 20));
    EXPECT_EQ(turns.many_from("10.1.1.7"), std::nullopt);
}

TEST(DoubtedTurns, OfLateNameWhoHadTheMost) {
    DoubtedTurns turns;
    EXPECT_EQ(turns.lately(), "");
    turns.add("ann", "10.1.1.7", doubts_of(1, 20));
    turns.add("bob", "", doubts_of(3, 20));
    turns.add("cid", "10.1.1.9", doubts_of(0, 20));
    EXPECT_EQ(turns.lately(), "bob 3 of 20 turns, ann from 10.1.1.7 1 of 20 turns");
    EXPECT_EQ(turns.lately(), "") << "since then nobody";
    for (const auto* bot : {"a", "b", "c", "d", "e", "f", "g"}) turns.add(bot, "", doubts_of(1, 9));
    EXPECT_EQ(turns.lately(),
              "a 1 of 9 turns, b 1 of 9 turns, c 1 of 9 turns, d 1 of 9 turns, e 1 of 9 turns, and "
              "2 more");
    EXPECT_EQ(turns.of("ann").by_doubt, 1) << "the sums stay";
}

constexpr Instant begin{100h};

struct PriorityLossesTest : testing::Test {
    PriorityLosses losses;
    DoubtedTurns doubted;
};

TEST_F(PriorityLossesTest, AreToldAtOnceTheFirstTimeWithWhatHelps) {
    EXPECT_EQ(losses.news(begin, doubted), std::nullopt);
    losses.lost();
    const auto first = losses.news(begin, doubted);
    EXPECT_THAT(first, Optional(HasSubstr("lost its real-time class")));
    EXPECT_THAT(first, Optional(HasSubstr("deadlines"))) << "what it means";
    EXPECT_THAT(first, Optional(HasSubstr("games_at_once"))) << "what helps";
    EXPECT_EQ(losses.news(begin, doubted), std::nullopt) << "nothing new";
}

// As it was seen under load: eleven times in twelve seconds, and on and on.
TEST_F(PriorityLossesTest, AreToldAtMostOnceAMinuteAndNoneIsForgotten) {
    std::vector<Duration> told;
    std::string last;
    for (Duration at{}; at <= 5min; at += 1s) {
        losses.lost();
        const auto news = losses.news(begin + at, doubted);
        if (!news) continue;
        told.push_back(at);
        last = *news;
    }
    EXPECT_EQ(told, (std::vector<Duration>{0s, 1min, 2min, 3min, 4min, 5min}));
    EXPECT_THAT(last, HasSubstr(" 60 times more in the last 60 s, 301 times in all"));
    EXPECT_EQ(losses.count(), 301U);
}

TEST_F(PriorityLossesTest, OfALastMomentAreToldLater) {
    losses.lost();
    losses.news(begin, doubted);
    losses.lost();
    EXPECT_EQ(losses.news(begin + 59s, doubted), std::nullopt);
    EXPECT_THAT(losses.news(begin + 90s, doubted),
                Optional(HasSubstr(" 1 time more in the last 90 s, 2 times in all")));
    EXPECT_EQ(losses.news(begin + 1h, doubted), std::nullopt) << "told already";
    losses.lost();
    EXPECT_THAT(losses.news(begin + 2h, doubted), Optional(HasSubstr("3 times in all")));
}

TEST_F(PriorityLossesTest, NameWhoseTurnsPassedByDoubtMeanwhile) {
    doubted.add("ann", "10.1.1.7", {.turns = 40, .by_doubt = 3});
    losses.lost();
    const std::string named = "; in time only by doubt since the last such line: ";
    EXPECT_THAT(losses.news(begin, doubted),
                Optional(HasSubstr(named + "ann from 10.1.1.7 3 of 40 turns")));
    losses.lost();
    doubted.add("bob", "10.1.1.8", {.turns = 20, .by_doubt = 1});
    EXPECT_EQ(losses.news(begin + 1s, doubted), std::nullopt);
    const auto later = losses.news(begin + 2min, doubted);
    EXPECT_THAT(later, Optional(HasSubstr(named + "bob from 10.1.1.8 1 of 20 turns")));
    losses.lost();
    EXPECT_THAT(losses.news(begin + 4min, doubted), Optional(Not(HasSubstr(named)))) << "nobody's";
}

TEST(LateBots, OfSeveralGamesInTheSameSecondsAreToldAsASignOfABusyMachine) {
    LateBots bots;
    const auto noon = Instant{} + 1h;
    std::uint64_t match = 0;
    const auto late = [&](const std::string& bot, std::chrono::seconds after) {
        GameResult game;
        game.key = {"friday", ++match, 1, 1};
        game.bots = {bot};
        bots.game_began(game_id(game.key), noon);
        game.faults.emplace_back().evidence.noticed_us = std::chrono::microseconds(after).count();
        bots.game_ended(game);
    };
    for (const auto* slow : {"ann", "bob", "ann", "bob"}) late(slow, 0s);
    for (const auto after : {3s, 6s}) late("cyd", after);
    EXPECT_EQ(bots.text(noon + 1min), "") << "two of one game may both be slow";
    late("dan", 2s);
    const std::string told =
        "3 bots were late in the same 2 s, not long ago (ann, bob, dan): a machine that they "
        "share, or the way to it, may be too busy";
    EXPECT_EQ(bots.text(noon + 1min), told);
    EXPECT_EQ(bots.news(noon + 1min), told);
    EXPECT_EQ(bots.news(noon + 2min), std::nullopt) << "told already";
    EXPECT_EQ(bots.text(noon + 11min), "") << "that is long ago";
}

TEST(StallNewsTest, TellsOneLineASecondAndSumsUpTheRest) {
    StallNews news;
    const auto noon = Instant{} + 1h;
    EXPECT_EQ(news.told(noon, "only its process was stopped", 500ms, 2),
              "the referee stood still for 500.000 ms (only its process was stopped) while 2 turns "
              "ran");
    EXPECT_FALSE(news.told(noon + 400ms, "it was busy", 200ms, 2));
    EXPECT_FALSE(news.told(noon + 999ms, "it was busy", 100ms, 2));
    EXPECT_EQ(
        news.told(noon + 1s, "it was busy", 120ms, 1),
        "the referee stood still for 120.000 ms (it was busy) while 1 turn ran; before that 2 "
        "times more, 300.000 ms in all");
    EXPECT_EQ(news.told(noon + 2s, "it was busy", 120ms, 0),
              "the referee stood still for 120.000 ms (it was busy) while 0 turns ran");
}

constexpr std::int64_t minute = 60'000;
constexpr std::int64_t hour = 60 * minute;
constexpr std::int64_t day = 24 * hour;
constexpr std::int64_t friday = 1'795'737'600'000;  // 2026-11-27, 00:00
constexpr std::uint64_t gigabyte = 1'000'000'000;

TEST(DiskForecast, TellsTheDayOnceADayAndWhoAsksAtAnyTime) {
    DiskForecast forecast;
    EXPECT_FALSE(forecast.look(friday, {60 * gigabyte}, "out"));
    EXPECT_FALSE(forecast.look(friday + 59 * minute, {59 * gigabyte}, "out")) << "too soon to tell";
    // 7 GB in 12 hours: the other 53 GB last 3 days and 19 hours.
    const auto told = forecast.look(friday + 12 * hour, {53 * gigabyte, gigabyte}, "out");
    ASSERT_TRUE(told);
    EXPECT_THAT(
        *told, AllOf(HasSubstr("the disk of out is full on Tuesday, 2026-12-01"),
                     HasSubstr("14.00 GB more each day, of which 2.00 GB are the referee's records "
                               "and replays, 53.00 GB are free"),
                     HasSubstr("other programs fill it")));
    EXPECT_FALSE(forecast.look(friday + 13 * hour, {52 * gigabyte}, "out"));
    EXPECT_THAT(forecast.text(), HasSubstr("2026-12-0"));
    const auto later = forecast.look(friday + 36 * hour, {42 * gigabyte, 20 * gigabyte}, "out");
    EXPECT_THAT(later.value_or("nothing a day later"), HasSubstr("or lower replays_mb"));
}

TEST(DiskForecast, SaysNothingWhereTheDiskLastsOrGetsRoom) {
    DiskForecast slow;
    slow.look(friday, {600 * gigabyte}, "out");
    EXPECT_FALSE(slow.look(friday + day, {590 * gigabyte}, "out"));
    EXPECT_EQ(slow.text(), "");
    DiskForecast room;
    room.look(friday, {60 * gigabyte}, "out");
    EXPECT_TRUE(room.look(friday + hour, {50 * gigabyte}, "out"));
    EXPECT_FALSE(room.look(friday + 2 * hour, {70 * gigabyte}, "out"));
    EXPECT_EQ(room.text(), "");
}

TEST(DiskForecast, ReplaysGrowToTheirBoundAndThenOthersFillAlone) {
    constexpr auto bound = 8 * gigabyte;
    DiskForecast forecast;
    forecast.look(friday, {60 * gigabyte, 0, bound}, "out");
    // 6 GB a day, 4 of them replays, of which 6 GB are to come: others fill 51 GB in 25 days.
    EXPECT_FALSE(forecast.look(friday + 12 * hour, {57 * gigabyte, 2 * gigabyte, bound}, "out"));
    EXPECT_FALSE(forecast.look(friday + 18 * hour, {53 * gigabyte, bound, bound}, "out"));
    EXPECT_THAT(forecast.look(friday + day, {24 * gigabyte, bound, bound}, "out").value_or(""),
                HasSubstr("Saturday, 2026-11-28"));
}

TEST(DiskForecast, AClockThatIsSetBackBeginsAnew) {
    DiskForecast forecast;
    forecast.look(friday, {60 * gigabyte}, "out");
    EXPECT_FALSE(forecast.look(friday - hour, {50 * gigabyte}, "out"));
    EXPECT_FALSE(forecast.look(friday, {50 * gigabyte}, "out")) << "nothing was filled since";
}

}  // namespace

}  // namespace referee::server
