#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/tournament/contests/contest_player.h"

// What comes back while a tournament is played: bots that were withdrawn, and games that were set
// aside.

namespace referee::contests {
namespace {

using formats::FormatKind;
using records::TournamentState;
using ::testing::HasSubstr;

class ComeBack : public ::testing::TestWithParam<Case> {};

// A bot is withdrawn and comes back, and then the run is cut anywhere. No match that was yet to be
// played is lost. Only a Swiss may draw other pairings than without the withdrawal.
TEST_P(ComeBack, CostsNothingThatWasYetToPlay) {
    auto config = config_of(GetParam());
    if (GetParam().kind == FormatKind::leaderboard)
        config.format.options = formats::LeaderboardOptions{{0}};
    Begun alone(config, field_of(GetParam()));
    alone.player.play();
    const auto& calm = alone.contest;
    ASSERT_TRUE(calm.over());

    Begun begun(config, field_of(GetParam()));
    auto& contest = begun.contest;
    auto& player = begun.player;
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(player.step());
    player.order(contest.withdraw("b1", "a crash"));
    const auto entrant = *contest.entrant_named("b1");
    EXPECT_TRUE(contest.plays_no_more(entrant, contest.round() + 1));
    player.order(contest.admit({.name = "b1"}));
    const auto back = player.ends.size() - 1;
    EXPECT_FALSE(contest.withdrawn(entrant));
    EXPECT_FALSE(contest.plays_no_more(entrant, contest.round() + 1));
    player.play();
    ASSERT_TRUE(contest.over());
    EXPECT_EQ(contest.matches_played(), calm.matches_played());
    if (GetParam().kind != FormatKind::swiss) {
        EXPECT_EQ(points_of(contest), points_of(calm));
        EXPECT_EQ(contest.places(), calm.places());
    }
    for (std::size_t end = back; end < player.ends.size(); ++end) {
        const auto cut = player.ends[end];
        Restarted again(config, player.log, cut);
        Player other(again, cut);
        other.pick_up();
        other.play();
        ASSERT_EQ(points_of(again), points_of(contest)) << "cut behind record " << cut;
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, ComeBack,
                         ::testing::Values(Case{"round_robin", FormatKind::round_robin, 5},
                                           Case{"gauntlet", FormatKind::gauntlet, 5},
                                           Case{"knockout", FormatKind::knockout, 7},
                                           Case{"swiss", FormatKind::swiss, 8},
                                           Case{"stages", FormatKind::stages, 9},
                                           Case{"leaderboard", FormatKind::leaderboard, 4}),
                         [](const auto& tested) { return tested.param.name; });

// After that order the game is played among the others, also after a restart.
TEST(Contest, WhatIsSetAsideIsFreedByAnOrderForGood) {
    Case two{"two", FormatKind::round_robin, 2};
    two.jinxed = true;
    Begun begun(two);
    auto& [config, contest, player] = begun;
    player.play(4);
    ASSERT_THAT(contest.matches().set_aside(), HasSubstr("annulled 4 times"));
    ASSERT_EQ(contest.waiting().size(), 1U);
    EXPECT_EQ(contest.waiting()[0].try_alone, 1U);
    player.order(contest.set_state(TournamentState::running, "the machine is calm"));
    EXPECT_EQ(contest.matches().set_aside(), "");
    EXPECT_EQ(contest.waiting()[0].try_alone, 0U);
    const auto again = contest.set_state(TournamentState::running, "once more");
    EXPECT_EQ(refusal_of(again), "t is running already");
    player.play(1);  // annulled, and for the first time again
    Restarted restarted(config, player.log);
    EXPECT_EQ(restarted.matches().set_aside(), "");
    ASSERT_EQ(restarted.waiting().size(), 1U);
    EXPECT_EQ(restarted.waiting()[0].try_alone, 0U);
}

// Before anything is drawn too: else its records could be read by nobody.
TEST(Contest, ASequentialTestTakesNoThirdBot) {
    auto config = config_of({"gauntlet", FormatKind::gauntlet, 2});
    formats::GauntletOptions tested;
    tested.sprt = formats::SprtBounds{};
    config.format.options = tested;
    const Begun begun(config, field_of(2));
    const auto refused = begun.contest.admit({.name = "third"});
    EXPECT_THAT(refusal_of(refused), HasSubstr("can't take third in: a sequential test has"));
    EXPECT_EQ(begun.contest.entrants(), 2U);
}

TEST(Contest, AnOrderIsCheckedAndChangesNothingUntilItIsCarriedOut) {
    for (const auto kind : {FormatKind::round_robin, FormatKind::swiss}) {
        Begun begun({"", kind, 4, "walls", 2, 2});
        auto& [config, contest, player] = begun;
        for (int i = 0; i < 40 && contest.results().empty(); ++i) player.step();
        ASSERT_FALSE(contest.results().empty());
        const GameKey key{"t", contest.results().front().match, 2, 1};
        const formats::Entry late{.name = "late"};
        const auto before = contest.changes();
        for (int time = 0; time < 2; ++time) {
            const auto admitted = contest.admit(late);
            if (kind == FormatKind::swiss) {
                EXPECT_EQ(refusal_of(admitted), "");
            } else {
                EXPECT_THAT(refusal_of(admitted), HasSubstr("takes no late entries"));
            }
            for (const auto& asked : {contest.withdraw("b1", "ill"), contest.annul(key, "a cable"),
                                      contest.rule({"t", key.match, {1, 2}, "agreed", "ada"}),
                                      contest.set_state(TournamentState::paused, "lunch")})
                EXPECT_EQ(refusal_of(asked), "");
        }
        EXPECT_THAT(refusal_of(contest.withdraw("hall", "")), HasSubstr("take part"));
        EXPECT_THAT(refusal_of(contest.annul({"t", 99, 1, 1}, "")), HasSubstr("no match 99"));
        EXPECT_EQ(contest.changes(), before);
    }
}

TEST(LateEntry, LeavesASwissItsRounds) {
    auto of_itself = config_of({"swiss", FormatKind::swiss, 8});
    of_itself.format.options = formats::SwissOptions{};
    Begun begun(of_itself, field_of(8));
    auto& [config, contest, player] = begun;
    ASSERT_TRUE(player.step());
    EXPECT_EQ(contest.rounds_planned(), 3U);
    player.order(contest.admit({.name = "late"}));
    EXPECT_EQ(contest.snapshot().rounds_planned, 3U);
    EXPECT_EQ(contest.snapshot().late_entries, 1U);
    player.play();
    EXPECT_TRUE(contest.over());
    EXPECT_EQ(contest.round(), 3U);
}

}  // namespace
}  // namespace referee::contests
