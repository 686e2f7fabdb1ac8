#include "referee/report/live_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "protocol/base/split_mix.h"
#include "protocol/base/utf8.h"
#include "tests/referee/report/played_ledger.h"

namespace referee::report {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

std::string drawn_text(const LiveState& state, const engines::Screen& screen) {
    std::string text;
    for (const auto& line : live_table(state, screen)) {
        for (const auto& piece : line) text += piece.text;
        text += '\n';
    }
    return text;
}

LiveState state_with(std::size_t bots) {
    LiveState state;
    state.tournaments = {{"friday", "walls", "swiss", "running", bots, 2, 7, 31, 84, 62, 4}};
    auto standings = std::make_shared<LiveStandings>();
    standings->tournament = "friday";
    standings->points = "points";
    for (std::size_t i = 0; i < bots; ++i)
        standings->rows.push_back({i + 1, "bot-" + std::to_string(i), "1.5", 7});
    state.standings = standings;
    state.faults_of_bots["bot-0"] = 3;
    state.last_faults = {"bot-0, late in friday/12.1, turn 31: too late"};
    state.elapsed = seconds(5);
    return state;
}

TEST(LiveTable, TellsHowFarTheRunIsAndWhoLeads) {
    auto state = state_with(5);
    state.games_a_second = 12.34;
    state.left = seconds(83);
    const auto text = drawn_text(state, {80, 24});
    EXPECT_THAT(text, HasSubstr("[#####...........] 31 of 84 matches, round 2 of 7, 62 games\n"
                                "4 running, 12.3 games a second, about 1 min 25 s left, "
                                "5.0 s so far\n"));
    EXPECT_THAT(text, HasSubstr("Standings of friday\n"
                                "rank  name   points  games  faults\n"
                                "   1  bot-0     1.5      7       3\n"
                                "   2  bot-1     1.5      7       -\n"));
    EXPECT_THAT(text, HasSubstr("\nfault: bot-0, late in friday/12.1, turn 31: too late\n"));
    EXPECT_THAT(text, Not(HasSubstr("more")));
    auto& shown = state.tournaments.front();
    shown.matches_total = shown.matches = shown.games = 1;
    EXPECT_THAT(drawn_text(state, {80, 24}), HasSubstr("1 of 1 match, round 2 of 7, 1 game\n"));
    shown.matches_total.reset();
    EXPECT_THAT(drawn_text(state, {80, 24}), HasSubstr("1 match, round 2 of 7, 1 game\n"));
}

TEST(LiveTable, TellsWhatOtherMachinesHave) {
    auto state = state_with(5);
    state.elsewhere = 12;
    EXPECT_THAT(pace_line(state), HasSubstr("4 running, 12 matches on other machines, 5.0 s"));
    state.elsewhere = 1;
    EXPECT_THAT(pace_line(state), HasSubstr("4 running, 1 match on other machines, 5.0 s"));
}

TEST(LiveTable, SeveralTournamentsHaveALineEach) {
    auto state = state_with(5);
    state.tournaments.push_back(state.tournaments.front());
    state.tournaments.back().id = "monday";
    const auto text = drawn_text(state, {100, 30});
    EXPECT_THAT(text, HasSubstr("\nfriday      walls  swiss   running     5  2 of 7  31 of 84"));
    EXPECT_THAT(text, HasSubstr("\nmonday      walls"));
    EXPECT_THAT(text, Not(HasSubstr("round 2 of 7"))) << "whose round?";
}

TEST(LiveTable, NeverTakesMoreThanTheScreen) {
    auto state = state_with(100);
    std::string snakes;
    for (int i = 0; i < 16; ++i) snakes += "\xf0\x9f\x90\x8d";
    auto standings = std::make_shared<LiveStandings>(*state.standings);
    standings->rows[0].name = snakes;
    standings->rows[1].name = "\x1b[2J\u202e";
    state.standings = standings;
    state.last_faults = {"\x1b[2J", "b", "c", "d"};
    for (const std::size_t lines : {1, 2, 3, 5, 8, 12, 24, 60}) {
        for (const std::size_t columns : {1, 20, 39, 80, 200}) {
            const engines::Screen screen{columns, lines};
            const auto table = live_table(state, screen);
            EXPECT_LE(table.size(), lines - 1) << columns << " x " << lines;
            for (const auto& line : table) {
                const auto drawn = terminal::drawn(line, columns, false);
                EXPECT_LE(base::columns_of(drawn), columns) << drawn;
                EXPECT_EQ(drawn.find_first_of("\x1b\n"), std::string::npos) << drawn;
                EXPECT_THAT(drawn, Not(HasSubstr("\u202e")));
            }
        }
    }
    EXPECT_THAT(drawn_text(state, {80, 24}), HasSubstr("\nand 87 more\n"));
}

TEST(LiveTable, NamesNobodyWhereItMayNot) {
    auto state = state_with(5);
    state.names = false;
    const auto text = drawn_text(state, {80, 24});
    EXPECT_THAT(text, HasSubstr("31 of 84 matches"));
    for (const auto* name : {"friday", "bot-", "walls", "late"})
        EXPECT_THAT(text, Not(HasSubstr(name)));
}

TEST(Pace, SaysNothingBeforeThereIsEnough) {
    Pace pace;
    const Instant begun{seconds(100)};
    pace.add(begun, 10, 5);
    EXPECT_FALSE(pace.games_a_second());
    pace.add(begun + milliseconds(1900), 100, 50);
    EXPECT_FALSE(pace.games_a_second()) << "too short a time";
    EXPECT_FALSE(pace.left(10));
    pace.add(begun + seconds(10), 110, 7);
    EXPECT_DOUBLE_EQ(pace.games_a_second().value(), 10) << "those from before don't count";
    EXPECT_FALSE(pace.left(10)) << "two matches tell little";
    pace.add(begun + seconds(10), 110, 25);
    EXPECT_EQ(pace.left(10), Duration(seconds(5)));
}

TEST(Pace, IsThatOfTheLastMinute) {
    Pace pace;
    const Instant begun{seconds(100)};
    std::uint64_t games = 0;
    for (int s = 0; s <= 600; ++s) {
        games += s < 300 ? 10 : 1;
        pace.add(begun + seconds(s), games, games);
    }
    EXPECT_NEAR(pace.games_a_second().value(), 1, 0.1);
    EXPECT_NEAR(std::chrono::duration<double>(pace.left(60).value()).count(), 60, 6);
}

// How long a run takes until each of its matches is over, in order.
using Ends = std::vector<double>;

// Rounds of matches that take 20 to 90 s; each round waits for the one before.
Ends ends_of_a_swiss(std::uint64_t seed) {
    base::SplitMix lots(seed);
    Ends ends;
    for (int round = 0; round < 7; ++round) {
        const double begins = ends.empty() ? 0 : ends.back();
        for (int match = 0; match < 8; ++match)
            ends.push_back(begins + static_cast<double>(lots.between(20, 90)));
        std::sort(ends.begin(), ends.end());
    }
    return ends;
}

// Four matches at once, most of them short and some long.
Ends ends_of_round_robin(std::uint64_t seed) {
    base::SplitMix lots(seed);
    std::vector<double> places(4, 0);
    Ends ends;
    for (int match = 0; match < 300; ++match) {
        auto& place = *std::min_element(places.begin(), places.end());
        place += lots.chance(20) ? static_cast<double>(lots.between(60, 120))
                                 : static_cast<double>(lots.between(5, 20));
        ends.push_back(place);
    }
    std::sort(ends.begin(), ends.end());
    return ends;
}

// Of the moments from a quarter of the matches on, at how many the time that is left is told wrong
// by more than a third, and by more than a twentieth of the whole.
double told_wrong(const Ends& ends) {
    Pace pace;
    const Instant begun{seconds(100)};
    double wrong = 0;
    double told = 0;
    std::size_t over = 0;
    for (double now = 0; now < ends.back(); now += 0.5) {
        while (over < ends.size() && ends[over] <= now) ++over;
        pace.add(begun + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(now)),
                 over, over);
        if (over * 4 < ends.size()) continue;
        const auto left = pace.left(ends.size() - over);
        const auto truth = ends.back() - now;
        ++told;
        if (!left || std::abs(std::chrono::duration<double>(*left).count() - truth) >
                         std::max(truth / 3, ends.back() / 20))
            ++wrong;
    }
    return wrong / told;
}

TEST(Pace, TheTimeLeftIsRightWithinAThirdFromAQuarterOn) {
    for (const auto& [name, run] :
         {std::pair("swiss", &ends_of_a_swiss), std::pair("round robin", &ends_of_round_robin)}) {
        double wrong = 0;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) wrong += told_wrong(run(seed)) / 20;
        EXPECT_LT(wrong, 0.08) << name;
    }
}

TEST(PlannedRounds, AreKnownWhereTheFormatSaysThem) {
    const auto planned = [](const formats::FormatOptions& options, std::size_t bots) {
        return formats::planned_rounds(format_with(options), bots);
    };
    EXPECT_EQ(planned(formats::RoundRobinOptions{.cycles = 2}, 4), 6U);
    EXPECT_EQ(planned(formats::RoundRobinOptions{.cycles = 2}, 5), 10U);
    EXPECT_EQ(planned(formats::SwissOptions{.rounds = 9}, 100), 9U);
    EXPECT_EQ(planned(formats::SwissOptions{}, 100), 7U);
    EXPECT_EQ(planned(formats::KnockoutOptions{}, 9), 4U);
    EXPECT_EQ(planned(formats::LadderOptions{}, 9), std::nullopt);
}

}  // namespace
}  // namespace referee::report
