#include <gmock/gmock.h>

#include <gtest/gtest.h>
#include <algorithm>
#include <functional>

#include "referee/tournament/contests/arbiter.h"
#include "referee/tournament/contests/entrants.h"
#include "tests/referee/tournament/contests/contest_player.h"

namespace referee::contests {
namespace {

using formats::Presence;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class EntrantsTest : public ::testing::Test {
 protected:
    static constexpr std::uint32_t idle_most = 2;

    EntrantsTest() {
        for (const auto& entry : field_of(3)) entrants.add(entry);
    }
    void note(std::initializer_list<Presence> row) {
        for (const auto presence : row) entrants.note(1, presence);
    }
    Entrants entrants{idle_most};
};

TEST_F(EntrantsTest, stand_in_the_order_of_entry) {
    entrants.add({.name = "late"});
    EXPECT_EQ(entrants.size(), 4U);
    EXPECT_EQ(entrants.named("b1"), Entrant{1});
    EXPECT_EQ(entrants.named("late"), Entrant{3});
    EXPECT_EQ(entrants.named("nobody"), std::nullopt);
}

TEST_F(EntrantsTest, the_first_reason_of_a_withdrawal_stays) {
    entrants.withdraw(1, 3, "ill", {true, 7});
    entrants.withdraw(1, 5, "again", {false, 9});
    EXPECT_EQ(entrants.all_withdrawn().at(1), "ill");
    EXPECT_TRUE(entrants.leave_of(1).in_match);
    EXPECT_EQ(entrants.leave_of(1).last_match, 7U);
    EXPECT_EQ(entrants.entry(1).last_round, 4U) << "the round is that of the last record";
}

TEST_F(EntrantsTest, who_comes_back_plays_all_rounds_again) {
    entrants.withdraw(1, 3, "ill", {});
    ASSERT_TRUE(entrants.withdrawn(1));
    entrants.come_back(1);
    EXPECT_FALSE(entrants.withdrawn(1));
    EXPECT_THAT(entrants.all_withdrawn(), IsEmpty());
    EXPECT_EQ(entrants.entry(1).last_round, UINT32_MAX);
}

TEST_F(EntrantsTest, who_is_idle_too_often_in_a_row_is_to_be_withdrawn) {
    note({Presence::away, Presence::played, Presence::silent});
    EXPECT_THAT(entrants.idle_too_long(), IsEmpty()) << "that was no row";
    note({Presence::no_turn, Presence::away});
    EXPECT_THAT(entrants.idle_too_long(), ElementsAre(1U));
    EXPECT_EQ(entrants.idle_reason(1),
              "it did not show up or gave no valid move in 2 matches in a row");
    EXPECT_FALSE(entrants.withdrawn_as_idle(1)) << "not yet";
    entrants.withdraw(1, 3, entrants.idle_reason(1), {});
    EXPECT_TRUE(entrants.withdrawn_as_idle(1));
    EXPECT_THAT(entrants.idle_too_long(), IsEmpty()) << "it is withdrawn already";
    entrants.come_back(1);
    EXPECT_FALSE(entrants.withdrawn_as_idle(1));
    EXPECT_THAT(entrants.idle_too_long(), IsEmpty()) << "nothing is held against it";
}

TEST_F(EntrantsTest, where_none_is_the_most_nobody_is_too_often_idle) {
    entrants = Entrants(0);
    for (const auto& entry : field_of(3)) entrants.add(entry);
    note({Presence::away, Presence::silent, Presence::away});
    EXPECT_THAT(entrants.idle_too_long(), IsEmpty());
}

TEST_F(EntrantsTest, the_reason_of_who_is_idle_tells_the_last_cause_that_is_known) {
    entrants.note(1, Presence::away, "exit status 1");
    entrants.note(1, Presence::silent, "exit status 3");
    EXPECT_EQ(entrants.idle_reason(1),
              "it did not show up or gave no valid move in 2 matches in a row, the last time for "
              "this: exit status 3");
    entrants.note(1, Presence::played, "a fault that cost nothing");
    note({Presence::away, Presence::away});
    EXPECT_EQ(entrants.idle_reason(1), "it did not show up in 2 matches in a row");
    entrants.note(1, Presence::away, "found \x1B[2J\n\u202E");
    EXPECT_EQ(entrants.idle_reason(1),
              "it did not show up in 3 matches in a row, the last time for this: found "
              "\\x1b[2J\\n\\u202e")
        << "no terminal obeys it";
}

TEST_F(EntrantsTest, a_withdrawal_by_order_is_not_for_being_idle) {
    note({Presence::away});
    entrants.withdraw(1, 3, "ill", {});
    EXPECT_FALSE(entrants.withdrawn_as_idle(1));
}

TEST_F(EntrantsTest, an_annulled_game_begins_the_row_anew) {
    note({Presence::away});
    entrants.annulled(1);
    note({Presence::away});
    EXPECT_THAT(entrants.idle_too_long(), IsEmpty());
}

TEST_F(EntrantsTest, a_match_that_is_played_ends_the_row_of_those_that_were_left) {
    EXPECT_EQ(entrants.left_in_a_row(1), 0U);
    entrants.left_match(1);
    entrants.left_match(1);
    EXPECT_EQ(entrants.left_in_a_row(1), 2U);
    EXPECT_EQ(entrants.left_in_a_row(0), 0U);
    entrants.played_match(1);
    EXPECT_EQ(entrants.left_in_a_row(1), 0U);
}

TEST_F(EntrantsTest, what_is_shared_never_changes) {
    const auto before = entrants.shared_entries();
    const auto nobody = entrants.shared_withdrawn();
    EXPECT_EQ(entrants.shared_entries(), before) << "nothing has changed";
    entrants.withdraw(1, 3, "ill", {});
    EXPECT_EQ((*before)[1].last_round, UINT32_MAX);
    EXPECT_EQ((*entrants.shared_entries())[1].last_round, 2U);
    EXPECT_THAT(*nobody, IsEmpty());
    EXPECT_EQ(entrants.shared_withdrawn()->size(), 1U);
}

// What bots did in the games of a match, and whether they are withdrawn for it.

using formats::FormatKind;

// Draws, and plays the first match to its end; `make` changes the result of each game.
void play_match(Begun& begun, const std::function<void(GameResult&)>& make) {
    auto& [config, contest, player] = begun;
    player.keep(contest.draw(8));
    while (contest.results().empty() && !contest.waiting().empty()) {
        auto result = result_of(contest, player.start());
        make(result);
        player.end(result);
    }
}

void crash(GameResult& result, engines::Seat seat) {
    result.valid_moves[seat] = 0;
    result.faults.push_back({.code = FaultCode::crashed, .seat = seat});
}

config::TournamentConfig withdraws_at_once(const Case& wanted) {
    auto config = config_of(wanted);
    config.withdraw_after = 1;
    return config;
}

TEST(ContestPresence, ALevelMatchOfAKnockoutIsCountedWithItsExtraGames) {
    Begun begun(withdraws_at_once({"extra", FormatKind::knockout, 2, "walls", 2, 2}), field_of(2));
    // The bot in the first seat wins, so the match stays level; b1 makes moves only in the extra
    // games.
    play_match(begun, [](GameResult& result) {
        result.outcome.scores = {engines::Score::whole(1), engines::Score{}};
        result.outcome.placing = engines::placing_by_score(result.outcome.scores);
        if (result.key.number <= 2) crash(result, result.bots[0] == "b1" ? 0U : 1U);
    });
    ASSERT_EQ(begun.contest.results().size(), 1U);
    EXPECT_GT(begun.contest.results().front().games, 2U);
    EXPECT_TRUE(begun.contest.all_withdrawn().empty());
}

// In each of the two games, the bot with the first turn loses at once, so the other bot had no turn
// in it. That excuses neither of them from the other game.
TEST(ContestPresence, AGameThatWasOverBeforeItsTurnExcusesNobodyFromTheOthers) {
    Begun begun(withdraws_at_once({"dead", FormatKind::round_robin, 2, "walls", 2, 2}),
                field_of(2));
    play_match(begun, [](GameResult& result) {
        result.valid_moves = {0, 0};
        crash(result, 0);
    });
    EXPECT_TRUE(begun.contest.withdrawn(0));
    EXPECT_TRUE(begun.contest.withdrawn(1));
}

TEST(ContestPresence, MatchesOfAWithdrawnBotCountForNobodyWhereTheConfigDropsThem) {
    for (const bool drops : {false, true}) {
        auto config = config_of({"left", FormatKind::round_robin, 4, "walls", 2, 1});
        config.drops_withdrawn = drops;
        Begun begun(config, field_of(4));
        auto& contest = begun.contest;
        auto& player = begun.player;
        player.play(2);
        player.order(contest.withdraw("b0", "ill"));
        player.play();
        const auto sat_in = [](const formats::MatchResult& match) {
            return std::ranges::count(match.seats, Entrant{0}) > 0;
        };
        const auto [counted, dropped] = contest.snapshot().split_results();
        EXPECT_EQ(counted.size() + dropped.size(), contest.results().size());
        EXPECT_EQ(std::ranges::any_of(counted, sat_in), !drops);
        EXPECT_EQ(dropped.empty(), !drops);
        EXPECT_TRUE(std::ranges::all_of(dropped, sat_in));
    }
}

// What comes back while a tournament is played: bots that were withdrawn, and games that were set
// aside.

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
    EXPECT_FALSE(contest.withdrawn(entrant));
    EXPECT_FALSE(contest.plays_no_more(entrant, contest.round() + 1));
    player.play();
    ASSERT_TRUE(contest.over());
    EXPECT_EQ(contest.view().counts().matches_played, calm.view().counts().matches_played);
    if (GetParam().kind != FormatKind::swiss) {
        EXPECT_EQ(points_of(contest), points_of(calm));
        EXPECT_EQ(contest.places(), calm.places());
    }
    expect_same_after_restarts(begun);
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
                                      rule(contest, {"t", key.match, {1, 2}, "agreed", "ada"}),
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
    EXPECT_EQ(contest.rounds().planned(contest.entrants()), 3U);
    player.order(contest.admit({.name = "late"}));
    EXPECT_EQ(contest.snapshot().rounds_planned, 3U);
    EXPECT_EQ(contest.snapshot().late_entries, 1U);
    player.play();
    EXPECT_TRUE(contest.over());
    EXPECT_EQ(contest.round(), 3U);
}

}  // namespace
}  // namespace referee::contests
