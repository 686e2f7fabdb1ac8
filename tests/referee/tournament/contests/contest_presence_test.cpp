#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "tests/referee/tournament/contests/contest_player.h"

// What bots did in the games of a match, and whether they are withdrawn for it.

namespace referee::contests {
namespace {

using formats::FormatKind;

// Draws, and plays the first match to its end; `make` changes the result of each game.
void play_match(Contest& contest, const std::function<void(GameResult&)>& make) {
    contest.draw(8);
    contest.committed(contest.changes());
    while (contest.results().empty() && !contest.waiting().empty()) {
        auto result = result_of(contest, contest.take(0));
        make(result);
        contest.finished(result);
        contest.withdraw_idle();
        contest.committed(contest.changes());
    }
}

TEST(ContestPresence, ALevelMatchOfAKnockoutIsCountedWithItsExtraGames) {
    auto config = config_of({"extra", FormatKind::knockout, 2, "walls", 2, 2});
    config.withdraw_after = 1;
    Begun begun(config, field_of(2));
    auto& contest = begun.contest;
    // The bot in the first seat wins, so the match stays level; b1 makes moves only in the extra
    // games.
    play_match(contest, [](GameResult& result) {
        result.outcome.scores = {engines::Score::whole(1), engines::Score{}};
        result.outcome.placing = engines::placing_by_score(result.outcome.scores);
        if (result.key.number > 2) return;
        const auto seat = result.bots[0] == "b1" ? 0U : 1U;
        result.valid_moves[seat] = 0;
        result.faults.emplace_back();
        result.faults.back().code = FaultCode::crashed;
        result.faults.back().seat = seat;
    });
    ASSERT_EQ(contest.results().size(), 1U);
    EXPECT_GT(contest.results().front().games, 2U);
    EXPECT_TRUE(contest.gone().empty());
}

// In each of the two games, the bot with the first turn loses at once, so the other bot had no turn
// in it. That excuses neither of them from the other game.
TEST(ContestPresence, AGameThatWasOverBeforeItsTurnExcusesNobodyFromTheOthers) {
    auto config = config_of({"dead", FormatKind::round_robin, 2, "walls", 2, 2});
    config.withdraw_after = 1;
    Begun begun(config, field_of(2));
    auto& contest = begun.contest;
    play_match(contest, [](GameResult& result) {
        result.valid_moves = {0, 0};
        result.faults.emplace_back();
        result.faults.back().code = FaultCode::crashed;
        result.faults.back().seat = 0;
    });
    EXPECT_TRUE(contest.withdrawn(0));
    EXPECT_TRUE(contest.withdrawn(1));
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
            return std::count(match.seats.begin(), match.seats.end(), Entrant{0}) > 0;
        };
        const auto [counted, dropped] = contest.snapshot().split_results();
        EXPECT_EQ(counted.size() + dropped.size(), contest.results().size());
        EXPECT_EQ(std::any_of(counted.begin(), counted.end(), sat_in), !drops);
        EXPECT_EQ(dropped.empty(), !drops);
        EXPECT_TRUE(std::all_of(dropped.begin(), dropped.end(), sat_in));
    }
}

}  // namespace
}  // namespace referee::contests
