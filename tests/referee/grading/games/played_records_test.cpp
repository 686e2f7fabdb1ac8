#include "referee/grading/games/played_records.h"

#include <gtest/gtest.h>

#include "referee/grading/rubric/rubric.h"
#include "referee/launch/supply/launch_hints.h"

namespace referee::grading {
namespace {

// A game of E7 Planets of `turns` turns in which ann's program gave so many valid moves, and did
// something wrong in these turns.
class Records : public testing::Test {
 protected:
    Records() {
        ann_.name = ann_.player = "ann";
        ann_.bot = R"({"launch": ["/bin/true"]})";
    }
    // With a series "s" of such members, and a step by that rule.
    Plan planned(const std::string& top, const std::string& series, const std::string& rule) const {
        const auto rubric = rubric::read_rubric(R"({"title": "t", "game": "e7_planets", )" + top +
                                                    R"("series": [{"id": "s")" + series +
                                                    R"(}], "steps": [{"id": "x", "title": "t",
            "points": 1, "series": ["s"], "rule": )" +
                                                    rule + "}]}",
                                                "/srv");
        EXPECT_TRUE(rubric);
        return *plan_of(*rubric, {&ann_, 1}, {"/srv", "/srv/out", 1, {}});
    }
    verdict::PlayedGame played(std::int64_t turns, std::int64_t valid,
                               const std::vector<std::int64_t>& wrong) {
        const auto series = series_played(turns, valid, wrong);
        return series.games.empty() ? verdict::PlayedGame{} : series.games.front();
    }
    verdict::PlayedSeries series_played(std::int64_t turns, std::int64_t valid,
                                        const std::vector<std::int64_t>& wrong) {
        const auto plan = planned("", "", R"({"kind": "faultless"})");
        GameResult result;
        result.key = {plan.config.tournaments.front().id, 1, 1, 1};
        result.game = "e7_planets";
        result.params = R"({"map": "one_scrap"})";
        result.bots = {"ann"};
        result.turns = turns;
        result.valid_moves = {valid};
        result.outcome.detail = "{}";
        for (const auto turn : wrong) {
            auto& fault = result.faults.emplace_back(fault_);
            fault.turn = turn;
        }
        PlayedRecords records;
        records.take(records::GameRecord{result, {}});
        records.take(
            records::StateRecord{result.key.tournament, records::TournamentState::finished, {}});
        return records.played(plan, plan.series.front());
    }

    GradedSubmission ann_;
    Fault fault_;
};

TEST_F(Records, ReferencesPlayOnlyBesideSomebody) {
    const auto series = [this] {
        return planned(R"("bots": [{"name": "best", "launch": ["/bin/true"]}], )",
                       R"(, "references": ["best"])",
                       R"({"kind": "score_of", "reference": "best"})")
            .series.size();
    };
    EXPECT_EQ(series(), 2U);
    ann_.unplayable = "it was not built";
    EXPECT_EQ(series(), 0U);
}

TEST_F(Records, ATurnIsCountedOnceHoweverMuchWentWrongInIt) {
    const auto game = played(10, 7, {2, 2, 5, 2, 9});
    EXPECT_EQ(game.wrong, 3U);
    EXPECT_EQ(game.asked, 10U);
    EXPECT_EQ(game.faults.size(), 5U);
    EXPECT_TRUE(game.costs_turns);
}

// Its move was valid, and came too late: the turn is wrong, and is one of those it was asked in.
TEST_F(Records, NoMoreTurnsAreAskedThanThereWere) {
    EXPECT_EQ(played(4, 4, {3}).asked, 4U);
    EXPECT_EQ(played(4, 2, {3}).asked, 3U) << "the other player's turns aren't its own";
}

TEST_F(Records, WhatWentWrongBeforeTheFirstTurnIsInNoTurn) {
    const auto game = played(0, 0, {0});
    EXPECT_EQ(game.wrong, 0U);
    EXPECT_EQ(game.asked, 0U);
    EXPECT_FALSE(game.moved);
    EXPECT_FALSE(game.costs_turns);
}

TEST_F(Records, TheLastTurnIsNoneThatItsMendingBrings) {
    EXPECT_FALSE(played(5, 3, {2, 5}).costs_turns);
}

TEST_F(Records, AnotherSeatsFaultsAreNotItsOwn) {
    fault_.seat = 1;
    const auto game = played(5, 5, {2});
    EXPECT_EQ(game.wrong, 0U);
    EXPECT_TRUE(game.faults.empty());
}

// What the kernel ends for want of memory elsewhere shows nothing of a program.
TEST_F(Records, AProcessThatTheMachineEndedIsNobodysZero) {
    fault_.code = FaultCode::crashed;
    fault_.message = "ann's process has ended by signal 9; the referee did not kill it: " +
                     std::string(supply::no_memory_left) + ", and the kernel ended some process";
    EXPECT_EQ(series_played(5, 3, {4}).trouble.find("in game ann-s-"), 0U);
    fault_.code = FaultCode::disconnected;
    EXPECT_EQ(series_played(5, 3, {4}).trouble, "") << "a bot may say so";
}

}  // namespace
}  // namespace referee::grading
