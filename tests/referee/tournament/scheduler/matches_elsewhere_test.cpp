#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/referee/tournament/scheduler/hand_executor.h"
#include "tests/referee/tournament/scheduler/scheduler_fixture.h"

namespace tests::sim {
namespace {

using Verdict = referee::scheduler::Executor::Verdict;
using MatchTask = HandExecutor::MatchTask;
using Games = HandExecutor::Games;
using ::testing::IsEmpty;

const std::vector<std::string> class_of_seven{"ada", "bob", "cem", "dia", "eve", "fay", "gil"};
constexpr std::size_t matches_of_all = 21;  // everybody against everybody

class MatchesElsewhere : public SchedulerTest {
 protected:
    MatchesElsewhere() {
        executor = &machines;
        launched = {class_of_seven.begin(), class_of_seven.end()};
        config.match.games = 3;
        config.match.best_of = true;
    }
    ~MatchesElsewhere() override { scheduler.reset(); }
    // Starts it where it has not been, and says of each match that is out what becomes of it.
    void play_all(const std::function<void(const MatchTask&)>& end) {
        if (!scheduler) start(class_of_seven);
        for (int i = 0; i < 1000 && !ending; ++i) {
            const auto out = machines.held;
            for (const auto& [key, task] : out) end(task);
            room.pass(100ms);
        }
        ASSERT_TRUE(ending);
        EXPECT_THAT(started, IsEmpty()) << "at no table";
        EXPECT_EQ(matches, static_cast<int>(matches_of_all));
        EXPECT_EQ(recorded()->state(), TournamentState::finished);
    }
    void expect_taken(const MatchTask& task) { EXPECT_EQ(machines.bring(task), Verdict::taken); }

    HandExecutor machines{4};
};

TEST_F(MatchesElsewhere, whole_matches_are_given_and_each_counts_once) {
    play_all([this](const auto& task) {
        EXPECT_EQ(task.games.size(), 3U);
        EXPECT_LE(machines.held.size(), 4U);
        expect_taken(task);
        EXPECT_EQ(machines.bring(task), Verdict::unexpected) << "it comes twice";
    });
    EXPECT_EQ(machines.given, matches_of_all);
    EXPECT_LE(machines.asked, 3 * class_of_seven.size())
        << "each match brings looks by its records; who plays elsewhere is asked when it may have "
           "changed";
    expect_whole(journal.committed(), matches_of_all);
}

TEST_F(MatchesElsewhere, what_is_lost_counts_by_its_next_attempt_and_not_where_it_comes_late) {
    play_all([this](const auto& task) {
        if (task.key().attempt == 2) return expect_taken(task);
        machines.client->lose(task.key(), "the machine died");
        EXPECT_EQ(machines.bring(task), Verdict::unexpected) << "it comes late";
    });
    EXPECT_EQ(machines.given, 2 * matches_of_all);
    expect_whole(journal.committed(), matches_of_all);
}

TEST_F(MatchesElsewhere, what_doesnt_fit_the_match_that_was_given_goes_anew) {
    const std::vector<std::function<void(Games&)>> changes{
        [](auto& games) { games.clear(); },
        [](auto& games) { games.insert(games.end(), 2, games.back()); },
        [](auto& games) { ++games.front().result.key.attempt; },
        [](auto& games) { ++games.back().result.key.match; },
        [](auto& games) { games.erase(games.begin()); },
        [](auto& games) { ++games.back().result.seed; },
        [](auto& games) { std::swap(games[0].result.bots[0], games[0].result.bots[1]); },
        [](auto& games) { games.front().result.status = GameStatus::annulled; },
    };
    play_all([&](const auto& task) {
        if (task.key().attempt == 2) return expect_taken(task);
        const auto change = task.key().match % changes.size();
        auto games = HandExecutor::games_of(task);
        changes[change](games);
        EXPECT_EQ(machines.client->bring(task.key(), games), Verdict::unfit) << change;
    });
    expect_whole(journal.committed(), matches_of_all);
}

TEST_F(MatchesElsewhere, a_game_that_is_annulled_there_too_often_is_told_as_set_aside) {
    start(class_of_seven);
    for (unsigned plays = 1; plays <= referee::contests::played_again_max + 1; ++plays) {
        EXPECT_EQ(set_aside, 0);
        const auto task = machines.held.begin()->second;
        ASSERT_EQ(task.key(), (referee::GameKey{"t", 1, 1, plays}));
        auto games = HandExecutor::games_of(task);
        games.resize(1);
        games.front().result.status = GameStatus::annulled;
        EXPECT_EQ(machines.client->bring(task.key(), games), Verdict::taken);
        room.pass(100ms);
    }
    EXPECT_EQ(set_aside, 1);
}

TEST_F(MatchesElsewhere, games_behind_the_decision_dont_count_and_missing_ones_are_given_again) {
    play_all([this](const auto& task) {
        auto games = HandExecutor::games_of(task);
        if (games.size() == 2 && task.games.size() == 3) {
            games.push_back(won_game(task.games[2].key, task.games[2].seed, task.games[2].bots));
        } else if (games.size() == 3) {
            games.pop_back();
        }
        EXPECT_EQ(machines.client->bring(task.key(), games), Verdict::taken);
    });
    EXPECT_GT(machines.given, matches_of_all);
    expect_whole(journal.committed(), matches_of_all);
}

TEST_F(MatchesElsewhere, bots_that_dial_in_play_here) {
    launched = {"bob", "cem"};
    config.match.games = 1;
    auto players = come({"ada"});
    start({"ada", "bob", "cem"});
    for (auto* player : come({"bob", "cem"})) players.push_back(player);
    ASSERT_EQ(machines.held.size(), 1U);
    EXPECT_THAT(waits(),
                ::testing::Contains("t waits for other machines, which have a match of it"));
    expect_taken(machines.held.begin()->second);
    play_on(60s, players);
    ASSERT_TRUE(ending);
    EXPECT_EQ(started.size(), 2U);
    EXPECT_EQ(elsewhere.size(), 1U);
}

TEST_F(MatchesElsewhere, who_is_launched_no_more_plays_here_from_the_next_look_on) {
    start(class_of_seven);
    ASSERT_EQ(machines.given, 4U);
    launched.clear();
    scheduler->pump();
    const auto out = machines.held;
    for (const auto& [key, task] : out) expect_taken(task);
    room.pass(60s);
    EXPECT_EQ(machines.given, 4U);
    EXPECT_THAT(started, ::testing::Not(IsEmpty()));
}

TEST_F(MatchesElsewhere, an_abort_takes_matches_back) {
    stays = true;
    start(class_of_seven);
    const auto out = machines.held;
    ASSERT_EQ(out.size(), 4U);
    scheduler->orders().abort({"t", "rain"}, answered());
    room.pass(1s);
    EXPECT_THAT(machines.held, IsEmpty());
    for (const auto& [key, task] : out) EXPECT_EQ(machines.bring(task), Verdict::unexpected);
    EXPECT_EQ(answers, (std::vector<std::string>{"done"}));
    for (const auto* game : games_recorded())
        EXPECT_EQ(game->result.status, GameStatus::interrupted);
    EXPECT_EQ(games_recorded().size(), 4U);
}

TEST_F(MatchesElsewhere, a_drain_waits_for_what_machines_play_alone) {
    start(class_of_seven);
    machines.last_out = 1;
    scheduler->drain("the room closes");
    room.pass(1s);
    ASSERT_EQ(machines.held.size(), 1U);
    const auto task = machines.held.begin()->second;
    expect_taken(task);
    room.pass(1s);
    ASSERT_TRUE(ending);
    EXPECT_EQ(machines.given, 4U);
    for (const auto* game : games_recorded())
        EXPECT_EQ(game->result.status == GameStatus::interrupted, game->result.key.match > 1);
}

TEST_F(MatchesElsewhere, an_arbiter_sets_the_result_of_a_match_that_is_out) {
    start(class_of_seven);
    const auto [key, task] = *machines.held.begin();
    ASSERT_EQ(key.match, 1U);
    const auto& seated = task.games.front().bots;
    scheduler->orders().rule({"t", "they agreed"}, 1, {{seated[1]}, {seated[0]}}, "the arbiter",
                             answered());
    room.pass(1s);
    EXPECT_EQ(machines.bring(task), Verdict::unexpected);
    play_all([this](const auto& other) { expect_taken(other); });
    EXPECT_EQ(answers, (std::vector<std::string>{"done"}));
    EXPECT_EQ(contest().results.at(1).points[1], engines::Score::whole(1));
}

}  // namespace
}  // namespace tests::sim
