#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/tournament/contests/contest_view.h"
#include "tests/referee/tournament/contests/contest_player.h"

namespace referee::contests {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Matches of one game each, and what a view shows of them.
class CommittedViewTest : public ::testing::Test {
 protected:
    // Each in a change of its own.
    void draw(std::uint64_t match) {
        const formats::Pairing pairing{match, 1, {0, 1}};
        ++change;
        const auto plans = matches.open(pairing, {});
        view.post(change, pairing);
        for (const auto& plan : plans) view.post(change, plan);
    }
    void end(std::uint64_t match) {
        formats::MatchResult result;
        result.match = match;
        result.games = 1;
        view.post(++change, result);
    }
    // The game of the match is played to its end, as the matches see it.
    void play(std::uint64_t match) {
        auto plan = view.take(0);
        ASSERT_EQ(plan.key.match, match);
        matches.begin(plan);
        GameResult result;
        result.key = plan.key;
        result.outcome.scores = {engines::Score::whole(1), engines::Score{}};
        result.outcome.placing = {1, 2};
        ASSERT_TRUE(matches.end(result).result);
        view.post(++change, CommittedView::GamesCounted{1});
        end(match);
    }
    void commit() { view.committed(change, matches); }
    std::vector<std::uint64_t> waiting() const {
        std::vector<std::uint64_t> found;
        for (const auto& plan : view.waiting()) found.push_back(plan.key.match);
        return found;
    }

    const config::TournamentConfig config =
        config_of({"ladder", formats::FormatKind::ladder, 2, "walls", 2, 1});
    Matches matches{config, game_named("walls")};
    CommittedView view;
    std::uint64_t change = 0;
};

TEST_F(CommittedViewTest, counts_what_was_annulled_and_keeps_the_last_cause) {
    view.post(++change, referee::contests::GameAnnulled{{"t", 1, 1, 1}, "it stood still"});
    EXPECT_EQ(view.counts().games_annulled, 0U) << "not committed yet";
    commit();
    view.post(++change, referee::contests::GameAnnulled{{"t", 2, 1, 2}, "a cable was loose"});
    commit();
    EXPECT_EQ(view.counts().games_annulled, 2U);
    EXPECT_EQ(view.counts().last_annulled.key, (GameKey{"t", 2, 1, 2}));
    EXPECT_EQ(view.counts().last_annulled.why, "a cable was loose");
    EXPECT_EQ(view.counts().games_played, 0U);
}

TEST_F(CommittedViewTest, shows_what_is_committed_and_nothing_else) {
    draw(1);
    draw(2);
    EXPECT_THAT(view.open(), IsEmpty());
    EXPECT_EQ(view.round(), 0U);
    EXPECT_EQ(view.waiting_count(), 2U) << "with those that aren't shown";
    view.committed(1, matches);
    EXPECT_THAT(view.open(), ElementsAre(1U));
    EXPECT_THAT(waiting(), ElementsAre(1U));
    EXPECT_EQ(view.waiting_count(), 2U);
    EXPECT_EQ(view.round(), 1U);
    EXPECT_FALSE(view.complete());
    commit();
    EXPECT_THAT(waiting(), ElementsAre(1U, 2U));
    EXPECT_TRUE(view.complete());
}

TEST_F(CommittedViewTest, a_game_may_wait_before_all_others) {
    draw(1);
    draw(2);
    auto plan = matches.open({3, 1, {0, 1}}, {}).front();
    view.post(++change, plan, CommittedView::Place::first);
    commit();
    EXPECT_THAT(waiting(), ElementsAre(3U, 1U, 2U));
    EXPECT_EQ(view.take(1).key.match, 1U);
    EXPECT_THAT(waiting(), ElementsAre(3U, 2U));
}

TEST_F(CommittedViewTest, a_result_closes_its_match_and_is_counted) {
    draw(1);
    commit();
    play(1);
    EXPECT_THAT(view.results(), IsEmpty());
    commit();
    EXPECT_TRUE(view.results().contains(1));
    EXPECT_THAT(view.open(), IsEmpty());
    EXPECT_EQ(view.counts().games_played, 1U);
    EXPECT_EQ(view.counts().matches_played, 1U);
    view.take_back(1);
    EXPECT_FALSE(view.results().contains(1));
    EXPECT_THAT(view.open(), ElementsAre(1U));
    EXPECT_EQ(view.counts().games_played, 1U) << "only one game of it may be annulled";
    EXPECT_EQ(view.counts().matches_played, 0U);
    view.post(++change, CommittedView::GamesCounted{-1});
    EXPECT_EQ(view.counts().games_played, 1U) << "it is not committed yet";
    commit();
    EXPECT_EQ(view.counts().games_played, 0U);
    view.take_back(1);
    EXPECT_EQ(view.counts().matches_played, 0U) << "there is nothing to take back";
}

TEST_F(CommittedViewTest, a_result_that_was_taken_back_meanwhile_is_not_shown) {
    draw(1);
    commit();
    play(1);
    matches.annul({"t", 1, 1, 1});
    commit();
    EXPECT_THAT(view.results(), IsEmpty());
    EXPECT_THAT(view.open(), ElementsAre(1U));
    EXPECT_EQ(view.counts().matches_played, 0U);
}

TEST_F(CommittedViewTest, a_match_that_was_dropped_is_gone_with_its_games) {
    draw(1);
    draw(2);
    view.committed(1, matches);
    view.drop(1);
    matches.drop(1);
    EXPECT_THAT(view.open(), IsEmpty());
    EXPECT_THAT(waiting(), IsEmpty());
    view.drop(2);
    matches.drop(2);
    commit();
    EXPECT_THAT(view.open(), IsEmpty()) << "it was dropped before it was shown";
    EXPECT_THAT(waiting(), IsEmpty());
    EXPECT_EQ(view.waiting_count(), 0U);
}

TEST_F(CommittedViewTest, games_that_were_set_aside_are_played_among_others) {
    for (std::uint64_t match = 1; match <= 2; ++match) {
        auto plan = matches.open({match, 1, {0, 1}}, {}).front();
        plan.try_alone = 1;
        view.post(++change, plan);
    }
    view.committed(1, matches);
    view.play_among_others();
    commit();
    ASSERT_EQ(view.waiting().size(), 2U);
    EXPECT_EQ(view.waiting()[0].try_alone, 0U);
    EXPECT_EQ(view.waiting()[1].try_alone, 0U) << "it was not shown yet";
}

TEST_F(CommittedViewTest, what_is_forgotten_stays_in_the_sums) {
    for (std::uint64_t match = 1; match <= 2; ++match) {
        draw(match);
        commit();
        play(match);
        commit();
    }
    EXPECT_EQ(view.forget_oldest(), 1U);
    EXPECT_EQ(view.results().size(), 1U);
    EXPECT_EQ(view.counts().matches_played, 2U);
    EXPECT_EQ(view.counts().games_played, 2U);
}

TEST_F(CommittedViewTest, byes_are_shown_in_their_order) {
    for (const Entrant entrant : {1U, 0U}) {
        formats::Bye bye;
        bye.entrant = entrant;
        bye.round = 2;
        view.post(++change, bye);
    }
    EXPECT_THAT(view.byes(), IsEmpty());
    commit();
    ASSERT_EQ(view.byes().size(), 2U);
    EXPECT_EQ(view.byes()[0].entrant, 1U);
    EXPECT_EQ(view.round(), 2U);
}

}  // namespace

}  // namespace referee::contests
