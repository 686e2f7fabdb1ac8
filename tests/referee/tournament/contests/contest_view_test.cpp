#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/registry.h"
#include "referee/tournament/contests/contest_view.h"
#include "tests/referee/tournament/contests/contest_player.h"

namespace referee::contests {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Matches of one game each, and what a chart shows of them.
class WallChartTest : public ::testing::Test {
 protected:
    // Each in a change of its own.
    void draw(std::uint64_t match) {
        const formats::Pairing pairing{match, 1, {0, 1}};
        ++change;
        const auto plans = matches.open(pairing, {});
        chart.post(change, pairing);
        for (const auto& plan : plans) chart.post(change, plan);
    }
    void end(std::uint64_t match) {
        formats::MatchResult result;
        result.match = match;
        result.games = 1;
        chart.post(++change, result);
    }
    // The game of the match is played to its end, as the matches see it.
    void play(std::uint64_t match) {
        auto plan = chart.take(0);
        ASSERT_EQ(plan.key.match, match);
        matches.begin(plan);
        GameResult result;
        result.key = plan.key;
        result.outcome.scores = {engines::Score::whole(1), engines::Score{}};
        result.outcome.placing = {1, 2};
        ASSERT_TRUE(matches.end(result).result);
        chart.post(++change, CommittedView::GamesCounted{1});
        end(match);
    }
    void commit() { chart.committed(change, matches); }
    std::vector<std::uint64_t> waiting() const {
        std::vector<std::uint64_t> found;
        for (const auto& plan : chart.waiting()) found.push_back(plan.key.match);
        return found;
    }

    const engines::Registry registry;
    const config::TournamentConfig config =
        config_of({"ladder", formats::FormatKind::ladder, 2, "walls", 2, 1});
    Matches matches{config, *registry.find("walls")};
    CommittedView chart;
    std::uint64_t change = 0;
};

TEST_F(WallChartTest, counts_what_was_annulled_and_keeps_the_last_cause) {
    chart.post(++change, CommittedView::GameAnnulled{{"t", 1, 1, 1}, "it stood still"});
    EXPECT_EQ(chart.games_annulled(), 0U) << "not committed yet";
    commit();
    chart.post(++change, CommittedView::GameAnnulled{{"t", 2, 1, 2}, "a cable was loose"});
    commit();
    EXPECT_EQ(chart.games_annulled(), 2U);
    EXPECT_EQ(chart.last_annulled().key, (GameKey{"t", 2, 1, 2}));
    EXPECT_EQ(chart.last_annulled().why, "a cable was loose");
    EXPECT_EQ(chart.games_played(), 0U);
}

TEST_F(WallChartTest, shows_what_is_committed_and_nothing_else) {
    draw(1);
    draw(2);
    EXPECT_THAT(chart.open(), IsEmpty());
    EXPECT_EQ(chart.round(), 0U);
    EXPECT_EQ(chart.waiting_count(), 2U) << "with those that don't hang out";
    chart.committed(1, matches);
    EXPECT_THAT(chart.open(), ElementsAre(1U));
    EXPECT_THAT(waiting(), ElementsAre(1U));
    EXPECT_EQ(chart.waiting_count(), 2U);
    EXPECT_EQ(chart.round(), 1U);
    EXPECT_FALSE(chart.complete());
    commit();
    EXPECT_THAT(waiting(), ElementsAre(1U, 2U));
    EXPECT_TRUE(chart.complete());
}

TEST_F(WallChartTest, a_game_may_wait_before_all_others) {
    draw(1);
    draw(2);
    auto plan = matches.open({3, 1, {0, 1}}, {}).front();
    chart.post(++change, plan, CommittedView::Place::first);
    commit();
    EXPECT_THAT(waiting(), ElementsAre(3U, 1U, 2U));
    EXPECT_EQ(chart.take(1).key.match, 1U);
    EXPECT_THAT(waiting(), ElementsAre(3U, 2U));
}

TEST_F(WallChartTest, a_result_closes_its_match_and_is_counted) {
    draw(1);
    commit();
    play(1);
    EXPECT_THAT(chart.results(), IsEmpty());
    commit();
    EXPECT_TRUE(chart.results().contains(1));
    EXPECT_THAT(chart.open(), IsEmpty());
    EXPECT_EQ(chart.games_played(), 1U);
    EXPECT_EQ(chart.matches_played(), 1U);
    chart.take_back(1);
    EXPECT_FALSE(chart.results().contains(1));
    EXPECT_THAT(chart.open(), ElementsAre(1U));
    EXPECT_EQ(chart.games_played(), 1U) << "only one game of it may be annulled";
    EXPECT_EQ(chart.matches_played(), 0U);
    chart.post(++change, CommittedView::GamesCounted{-1});
    EXPECT_EQ(chart.games_played(), 1U) << "it is not committed yet";
    commit();
    EXPECT_EQ(chart.games_played(), 0U);
    chart.take_back(1);
    EXPECT_EQ(chart.matches_played(), 0U) << "there is nothing to take back";
}

TEST_F(WallChartTest, a_result_that_was_taken_back_meanwhile_does_not_hang_out) {
    draw(1);
    commit();
    play(1);
    matches.annul({"t", 1, 1, 1});
    commit();
    EXPECT_THAT(chart.results(), IsEmpty());
    EXPECT_THAT(chart.open(), ElementsAre(1U));
    EXPECT_EQ(chart.matches_played(), 0U);
}

TEST_F(WallChartTest, a_match_that_was_dropped_is_gone_with_its_games) {
    draw(1);
    draw(2);
    chart.committed(1, matches);
    chart.drop(1);
    matches.drop(1);
    EXPECT_THAT(chart.open(), IsEmpty());
    EXPECT_THAT(waiting(), IsEmpty());
    chart.drop(2);
    matches.drop(2);
    commit();
    EXPECT_THAT(chart.open(), IsEmpty()) << "it was dropped before it hung out";
    EXPECT_THAT(waiting(), IsEmpty());
    EXPECT_EQ(chart.waiting_count(), 0U);
}

TEST_F(WallChartTest, games_that_were_set_aside_are_played_among_others) {
    for (std::uint64_t match = 1; match <= 2; ++match) {
        auto plan = matches.open({match, 1, {0, 1}}, {}).front();
        plan.try_alone = 1;
        chart.post(++change, plan);
    }
    chart.committed(1, matches);
    chart.play_among_others();
    commit();
    ASSERT_EQ(chart.waiting().size(), 2U);
    EXPECT_EQ(chart.waiting()[0].try_alone, 0U);
    EXPECT_EQ(chart.waiting()[1].try_alone, 0U) << "it did not hang out yet";
}

TEST_F(WallChartTest, what_is_forgotten_stays_in_the_sums) {
    for (std::uint64_t match = 1; match <= 2; ++match) {
        draw(match);
        commit();
        play(match);
        commit();
    }
    EXPECT_EQ(chart.forget_oldest(), 1U);
    EXPECT_EQ(chart.results().size(), 1U);
    EXPECT_EQ(chart.matches_played(), 2U);
    EXPECT_EQ(chart.games_played(), 2U);
}

TEST_F(WallChartTest, byes_hang_out_in_their_order) {
    for (const Entrant entrant : {1U, 0U}) {
        formats::Bye bye;
        bye.entrant = entrant;
        bye.round = 2;
        chart.post(++change, bye);
    }
    EXPECT_THAT(chart.byes(), IsEmpty());
    commit();
    ASSERT_EQ(chart.byes().size(), 2U);
    EXPECT_EQ(chart.byes()[0].entrant, 1U);
    EXPECT_EQ(chart.round(), 2U);
}

}  // namespace

}  // namespace referee::contests
