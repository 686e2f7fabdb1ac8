#include "referee/office/cli/way_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace referee::cli {
namespace {

using namespace std::chrono_literals;
using clock::ClockKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::int64_t noon_ms = 1'795'262'400'000;  // 2026-11-21 12:00 UTC

struct Seen {
    std::string bot;
    std::int64_t round_trip_us = 0;
    std::int64_t allowance_us = 0;
    std::string allowed_by = "range";
};

// A game of these bots has ended.
journal::Record game_of(const std::vector<Seen>& seats) {
    journal::GameRecord game;
    for (const auto& [bot, round_trip_us, allowance_us, allowed_by] : seats) {
        game.result.bots.push_back(bot);
        game.result.round_trip_us.push_back(round_trip_us);
        game.result.allowance_us.push_back(allowance_us);
        game.result.allowed_by.push_back(allowed_by);
    }
    return game;
}

MeasuredWays ways_of(const std::vector<Seen>& seats) {
    MeasuredWays measured;
    measured.take(game_of(seats), noon_ms);
    return measured;
}

// A tournament of all these bots.
config::Config config_of(const std::vector<std::string>& bots, const clock::ClockConfig& clock) {
    config::Config config;
    config::TournamentConfig tournament;
    tournament.id = "friday";
    tournament.clock = clock;
    for (const auto& bot : bots) {
        tournament.bots.push_back(config.bots.size());
        config.bots.emplace_back().name = bot;
    }
    config.tournaments.push_back(std::move(tournament));
    return config;
}

TEST(WayReport, NamesWhoLosesHowMuchAndABudgetThatIsFairToAll) {
    const auto measured = ways_of({{"ann", 23'000, 20'000},
                                   {"bob", 45'500, 20'000},
                                   {"cid", 45'000, 5'400, "peers"},
                                   {"dan", 25'000, 20'000}});
    const auto report = way_report(config_of({"ann", "bob", "cid", "dan"}, {.budget = 50ms}),
                                   measured, "out/monday");
    EXPECT_THAT(
        report.warnings,
        ElementsAre("tournament friday: a turn's budget of 50.000 ms is not fair to 2 of the 4 "
                    "bots that were measured:\n"
                    "    cid loses 39.600 ms of each turn: its way takes 45.000 ms, and 5.400 ms "
                    "are allowed (what the other bots of its network need)\n"
                    "    bob loses 25.500 ms of each turn: its way takes 45.500 ms, and 20.000 ms "
                    "are allowed (the cap of its range of addresses)\n"
                    "    a budget of \"400ms\", or \"peers\": false for its range of addresses in "
                    "\"network\", if its neighbours by address are not near it, a higher cap for "
                    "its range of addresses in \"network\", would be fair to all of them"));
    EXPECT_THAT(report.notes,
                ElementsAre("out/monday: 4 measurements of the ways of 4 bots, in games that ended "
                            "from 2026-11-21 12:00 UTC to 2026-11-21 12:00 UTC; of each bot its "
                            "last game counts, with what was allowed for its way then"));
}

// Held against the definition itself: nobody loses more than a tenth, and with the next smaller
// round figure somebody would.
TEST(WayReport, TheFairBudgetIsTheLeastRoundOne) {
    const std::vector<std::pair<std::int64_t, std::string>> cases = {
        {21'000, "\"10ms\""},  {21'001, "\"12ms\""}, {22'500, "\"25ms\""},    {28'100, "\"100ms\""},
        {30'001, "\"120ms\""}, {120'000, "\"1s\""},  {140'000, "\"1200ms\""}, {170'001, "\"2s\""},
        {520'000, "\"5s\""},   {521'000, "\"6s\""},
    };
    for (const auto& [round_trip_us, budget] : cases) {
        const auto report = way_report(config_of({"ann"}, {.budget = 9ms}),
                                       ways_of({{"ann", round_trip_us, 20'000}}), "out");
        ASSERT_EQ(report.warnings.size(), 1U) << round_trip_us;
        EXPECT_THAT(report.warnings[0], HasSubstr("a budget of " + budget)) << round_trip_us;
    }
}

// Under a clock for the whole game each turn loses the same, and it adds up.
TEST(WayReport, AGamesBudgetLosesInEachTurn) {
    const auto report =
        way_report(config_of({"ann"}, {.kind = clock::ClockKind::game, .budget = 10s}),
                   ways_of({{"ann", 45'000, 20'000}}), "out");
    EXPECT_THAT(report.warnings,
                ElementsAre("tournament friday: a game's budget of 10000.000 ms is not fair to 1 "
                            "of the 1 bot that was measured:\n"
                            "    ann loses 25.000 ms of each turn: its way takes 45.000 ms, and "
                            "20.000 ms are allowed (the cap of its range of addresses); in 100 "
                            "turns 2500.000 ms\n"
                            "    a budget of \"25s\", or a higher cap for its range of addresses "
                            "in \"network\", would be fair to all of them"));
}

TEST(WayReport, TellsWhatAGameCostsWhereThatIsLittle) {
    const auto measured =
        ways_of({{"ann", 21'000, 20'000}, {"bob", 20'000, 20'000}, {"cid", 20'500, 20'000}});
    const auto config = [](clock::ClockKind kind) {
        return config_of({"ann", "bob", "cid"}, {.kind = kind, .budget = 10s});
    };
    const auto report = way_report(config(clock::ClockKind::game), measured, "out");
    EXPECT_THAT(report.warnings, IsEmpty());
    EXPECT_THAT(report.notes,
                ElementsAre(StartsWith("out: "),
                            "tournament friday: of a game's budget of 10000.000 ms a game of 100 "
                            "turns costs ann 100.000 ms, cid 50.000 ms, by ways that are longer "
                            "than what is allowed in each turn",
                            "tournament friday: a game's budget of 10000.000 ms is fair to the 3 "
                            "bots that were measured"));
    EXPECT_EQ(way_report(config(clock::ClockKind::turn), measured, "out").notes.size(), 2U)
        << "a turn's budget adds nothing up";
}

TEST(WayReport, TellsWhatTheAllowanceIsBoundBy) {
    const auto measured = ways_of({{"ann", 45'000, 20'000}});
    struct Row {
        clock::ClockConfig clock;
        const char* bound;
    };
    for (const auto& [clock, bound] : {
             Row{{.budget = 50ms}, "20.000 ms are allowed (the cap of its range of addresses)"},
             Row{{.budget = 50ms, .allowance_max = 10ms},
                 "10.000 ms are allowed (\"allowance_max\" of the clock)"},
             Row{{.budget = 50ms, .allowance = false},
                 "0.000 ms are allowed (\"network_allowance\" of the clock is off)"},
         }) {
        const auto report = way_report(config_of({"ann"}, clock), measured, "out");
        EXPECT_THAT(report.warnings, ElementsAre(HasSubstr(bound)));
    }
}

TEST(WayReport, SaysWhereAllIsFairAndNothingOfOtherClocks) {
    const auto measured = ways_of({{"ann", 24'000, 20'000}});
    const auto fair = way_report(config_of({"ann"}, {.budget = 40ms}), measured, "out");
    EXPECT_THAT(fair.warnings, IsEmpty()) << "a tenth is no more than a tenth";
    EXPECT_THAT(fair.notes,
                ElementsAre(StartsWith("out: 1 measurement of the ways of 1 bot, "),
                            "tournament friday: a turn's budget of 40.000 ms is fair to the 1 bot "
                            "that was measured"));
    for (const auto& clock : {clock::ClockConfig{.kind = ClockKind::none, .budget = 1ms},
                              clock::ClockConfig{.measure = clock::Measure::cpu, .budget = 1ms}}) {
        const auto other = way_report(config_of({"ann"}, clock), measured, "out");
        EXPECT_THAT(other.warnings, IsEmpty());
        EXPECT_EQ(other.notes.size(), 1U);
    }
}

TEST(WayReport, NamesWhoWasNotMeasuredYet) {
    auto config = config_of({"ann", "zoe", "bob", "launched"}, {.budget = 50ms});
    config.bots.back().launch = {"./bot"};
    // Its round trip was not known: it left before its first answer.
    const auto measured = ways_of({{"ann", 1'000, 20'000}, {"bob", 0, 0, "nothing"}});
    EXPECT_THAT(way_report(config, measured, "out").notes,
                ::testing::Contains("tournament friday: not measured yet: bob, zoe"));
    EXPECT_THAT(way_report(config, MeasuredWays{}, "out").notes,
                ElementsAre("out: no bot's way was measured there yet",
                            "tournament friday: not measured yet: ann, bob, zoe"));
}

// Who registers, or joins a ladder, stands in the records only.
TEST(WayReport, CountsWhoHasEnteredAndNotWhoWasWithdrawn) {
    auto config = config_of({"ann", "bob"}, {.budget = 50ms});
    config.tournaments.push_back(config.tournaments[0]);
    config.tournaments.back().id = "final";
    config.tournaments.back().bots.clear();
    config.tournaments.back().field_from = config::FieldFromLadder{"friday", 2};
    auto measured = ways_of({{"ann", 90'000, 20'000}, {"eve", 80'000, 20'000}});
    const auto entry = [](const char* bot) {
        journal::EntryRecord entered;
        entered.tournament = "friday";
        entered.bot = bot;
        return entered;
    };
    measured.take(entry("eve"), noon_ms);
    measured.take(entry("joe"), noon_ms);
    measured.take(journal::WithdrawalRecord{"friday", "ann", 2, "ill"}, noon_ms);
    measured.take(journal::WithdrawalRecord{"friday", "joe", 2, "ill"}, noon_ms);
    const auto report = way_report(config, measured, "out");
    ASSERT_EQ(report.warnings.size(), 2U);
    for (const auto& warning : report.warnings) {
        EXPECT_THAT(warning, HasSubstr("eve loses"));
        EXPECT_THAT(warning, Not(HasSubstr("ann")));
    }
    EXPECT_THAT(report.notes,
                ElementsAre(StartsWith("out: "), "tournament friday: not measured yet: bob"));
    measured.take(entry("ann"), noon_ms);
    EXPECT_THAT(way_report(config, measured, "out").warnings[0], HasSubstr("ann loses")) << "back";
}

TEST(WayReport, TheLastGameOfABotCounts) {
    MeasuredWays measured;
    measured.take(game_of({{"ann", 90'000, 20'000}, {"bob", 1'000, 20'000}}), noon_ms);
    measured.take(game_of({{"ann", 2'000, 20'000}, {"launched", 0, 0, "nothing"}}),
                  noon_ms + std::chrono::milliseconds(95min).count());
    const auto report = way_report(config_of({"ann", "bob"}, {.budget = 50ms}), measured, "out");
    EXPECT_THAT(report.warnings, IsEmpty());
    EXPECT_THAT(report.notes,
                ::testing::Contains(StartsWith(
                    "out: 3 measurements of the ways of 2 bots, in games that ended from "
                    "2026-11-21 12:00 UTC to 2026-11-21 13:35 UTC;")));
}

TEST(WayReport, RoundFigures) {
    const std::vector<std::pair<Duration, Duration>> cases = {
        {0ms, 1ms},     {1ms, 1ms},     {1ms + 1ns, 2ms}, {5ms + 1us, 6ms}, {9ms, 10ms},
        {11ms, 12ms},   {13ms, 15ms},   {61ms, 80ms},     {81ms, 100ms},    {101ms, 120ms},
        {250ms, 250ms}, {251ms, 300ms}, {999ms, 1s},      {1001ms, 1200ms}, {81s, 100s},
    };
    for (const auto& [time, figure] : cases) EXPECT_EQ(round_figure(time), figure) << time.count();
}

}  // namespace
}  // namespace referee::cli
