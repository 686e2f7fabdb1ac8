#include "referee/tournament/contests/play_again.h"

#include <gmock/gmock.h>

#include <optional>

#include "tests/referee/tournament/contests/contest_player.h"

// Ends and reruns that were mistakes are undone.

namespace referee::contests {
namespace {

using formats::FormatKind;
using records::TournamentState;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t steps_to_the_end_most = 2'000;

// A contest whose bots may be away, one game after the other; whatever it does is on record.
class Reopened : public testing::Test {
 protected:
    void begin(const Case& wanted, std::uint32_t withdraw_after = 2) {
        auto config = config_of(wanted);
        config.withdraw_after = withdraw_after;
        begin(config, field_of(wanted));
    }
    void begin(const config::TournamentConfig& config, std::vector<formats::Entry> field) {
        begun.emplace(config, std::move(field));
        contest = &begun->contest;
    }
    void order(Ordered ordered) { begun->player.order(std::move(ordered)); }
    // The next game of those that are drawn, or the last of them.
    bool step(bool last = false) {
        auto& player = begun->player;
        // A round of byes alone is drawn alone.
        for (auto drawn = contest->draw(1); !drawn.empty(); drawn = contest->draw(1))
            player.keep(drawn);
        if (contest->waiting().empty()) return false;
        const auto plan = player.start(last ? contest->waiting().size() - 1 : 0);
        auto result = result_of(*contest, plan);
        for (std::size_t seat = 0; seat < plan.entrants.size(); ++seat) {
            if (!away.contains(contest->name(plan.entrants[seat])) &&
                !contest->plays_no_more(plan.entrants[seat], plan.round))
                continue;
            result.faults.push_back({.code = FaultCode::disconnected,
                                     .consequence = Consequence::forfeit,
                                     .seat = seat,
                                     .rule = "match.no_show"});
            result.status = GameStatus::forfeited;
        }
        player.end(result);
        return true;
    }
    // To its end.
    void play() {
        std::size_t steps = 0;
        while (step()) ASSERT_LT(++steps, steps_to_the_end_most);
        ASSERT_TRUE(contest->over())
            << contest->round() << " rounds, " << contest->open_matches().size() << " open";
        order(contest->set_state(TournamentState::finished, "the end"));
    }
    void all_leave() {
        for (const auto& entry : contest->entries()) away.insert(entry.name);
    }
    std::size_t forfeits() const {
        std::size_t count = 0;
        for (const auto& [match, result] : contest->results()) count += result.forfeit() ? 1 : 0;
        return count;
    }
    Reopening reopen(const std::vector<std::string>& also = {}) {
        const auto plan = plan_reopening(*contest, also);
        EXPECT_TRUE(plan) << plan.error();
        if (!plan) return {};
        order(records_of(*contest, *plan, "the network was down"));
        return *plan;
    }
    std::optional<Begun> begun;
    Contest* contest = nullptr;
    std::set<std::string> away;
};

TEST_F(Reopened, ARoundRobinPlaysWhatItsBotsMissedAndNothingElse) {
    begin({"round_robin", FormatKind::round_robin, 5});
    for (int game = 0; game < 8; ++game) step();
    const auto before = points_of(*contest);
    all_leave();
    play();
    const auto missed = forfeits();
    ASSERT_GT(missed, 2U);
    away.clear();
    const auto plan = reopen();
    EXPECT_EQ(plan.matches, missed);
    EXPECT_EQ(plan.back.size(), 5U);
    EXPECT_EQ(contest->state(), TournamentState::running);
    expect_same_after_restart(*begun);
    play();
    EXPECT_EQ(forfeits(), 0U);
    const auto after = points_of(*contest);
    for (const auto& [match, points] : before) EXPECT_EQ(after.at(match), points) << match;
    expect_same_after_restart(*begun);
}

TEST_F(Reopened, WhatABotMissedBeforeItPlayedStands) {
    begin({"round_robin", FormatKind::round_robin, 5});
    away = {"b4"};
    while (forfeits() == 0) step();
    away.clear();
    while (contest->results().size() < 6) step();
    all_leave();
    play();
    const auto plan = plan_reopening(*contest, {});
    ASSERT_TRUE(plan) << plan.error();
    EXPECT_EQ(plan->matches, forfeits() - 1);
}

TEST_F(Reopened, WhatWasMissedLastGoesByTheOrderOfPlay) {
    begin({"round_robin", FormatKind::round_robin, 4});
    begun->player.keep(contest->draw(100));
    ASSERT_EQ(contest->waiting().size(), 6U);
    while (contest->results().size() < 3) step(true);
    away = {"b3"};
    play();
    const auto missed = forfeits();
    ASSERT_GT(missed, 1U);
    ASSERT_TRUE(contest->all_withdrawn().contains(*contest->entrant_named("b3")));
    const auto plan = reopen();
    EXPECT_EQ(plan.matches, missed);
    expect_same_after_restart(*begun);
}

TEST_F(Reopened, WhoOnlyMissedItsLastMatchesIsNamed) {
    begin({"round_robin", FormatKind::round_robin, 3}, 5);
    while (contest->results().size() < 2) step();
    away = {"b2"};
    play();
    ASSERT_EQ(forfeits(), 1U);
    EXPECT_THAT(plan_reopening(*contest, {}).error(), HasSubstr("with --also b2. "));
    EXPECT_THAT(plan_reopening(*contest, {"b1"}).error(), HasSubstr("b1 is not withdrawn from t"));
    away.clear();
    const auto plan = reopen({"b2"});
    EXPECT_THAT(plan.missed, ElementsAre("b2"));
    EXPECT_THAT(plan.back, IsEmpty());
    EXPECT_EQ(plan.games.size(), 2U);
    expect_same_after_restart(*begun);
    play();
    EXPECT_EQ(forfeits(), 0U);
    expect_same_after_restart(*begun);
}

TEST_F(Reopened, TheLastMatchOfAnAnsweredQuestionIsPlayedAgain) {
    begin({"adaptive", FormatKind::adaptive, 2});
    play();
    ASSERT_EQ(contest->ended_early(), "");
    EXPECT_THAT(contest->end_reason(), HasSubstr("its question is answered, after "));
    EXPECT_THAT(plan_reopening(*contest, {}).error(),
                HasSubstr("its question is answered, after "));
    const auto last = contest->results().back().match;
    ASSERT_GT(last, 3U);
    EXPECT_THAT(refusal_of(contest->annul({"t", 1, 1, 1}, "a slip")), HasSubstr("built upon"));
    order(contest->annul({"t", last, 1, 1}, "a slip"));
    EXPECT_EQ(contest->state(), TournamentState::running);
    EXPECT_THAT(refusal_of(contest->annul({"t", last, 1, 1}, "a slip")),
                HasSubstr("the game is still to be played again"));
    expect_same_after_restart(*begun);
    play();
    EXPECT_THAT(refusal_of(contest->annul({"t", last, 1, 1}, "a slip")),
                HasSubstr("the play that counts is t/" + std::to_string(last) + ".1~2"));
    order(contest->annul({"t", contest->results().back().match, 2, 1}, "another slip"));
    play();
    expect_same_after_restart(*begun);
}

TEST_F(Reopened, ASwissDrawsTheRoundsThatItCouldNotDraw) {
    begin({"swiss", FormatKind::swiss, 8}, 1);
    const auto rounds = [this] { return contest->round(); };
    while (rounds() < 2) step();
    all_leave();
    play();
    const auto ended_in = rounds();
    EXPECT_NE(contest->ended_early(), "");
    away.clear();
    const auto plan = reopen();
    EXPECT_TRUE(plan.draws_on);
    EXPECT_GE(plan.back.size(), 6U);
    expect_same_after_restart(*begun);
    play();
    EXPECT_GT(rounds(), ended_in);
    EXPECT_EQ(contest->ended_early(), "");
    expect_same_after_restart(*begun);
    EXPECT_THAT(plan_reopening(*contest, {}).error(), HasSubstr("nothing of t is left to play"));
}

TEST_F(Reopened, AllWhoWereAwayAreLetInAtOnceWhileRoundsAreLeft) {
    begin({"swiss", FormatKind::swiss, 8}, 1);
    EXPECT_EQ(refusal_of(contest->admit_idle()),
              "nobody is withdrawn from t for being away or silent");
    away = {"b0", "b1", "b2", "b3"};
    order(contest->withdraw("b4", "ill"));
    while (contest->all_withdrawn().size() < 5) ASSERT_TRUE(step());
    away.clear();
    order(contest->admit_idle());
    EXPECT_EQ(contest->all_withdrawn().size(), 1U);
    EXPECT_TRUE(contest->all_withdrawn().contains(*contest->entrant_named("b4")));
    expect_same_after_restart(*begun);
    all_leave();
    play();
    EXPECT_EQ(refusal_of(contest->admit_idle()), "t is over");
    expect_same_after_restart(*begun);
}

TEST_F(Reopened, WhyNothingWasDrawnIsKnownAfterARestart) {
    auto config = config_of({"swiss", FormatKind::swiss, 4});
    std::get<formats::SwissOptions>(config.format.options).keep_teams_apart = true;
    auto field = field_of(4);
    field[0].team = field[1].team = field[2].team = "red";
    begin(config, field);
    play();
    ASSERT_THAT(contest->ended_early(), HasSubstr("round 1 can't be paired"));
    const Restarted again(config, begun->player.log);
    EXPECT_EQ(again.ended_early(), contest->ended_early());
    EXPECT_TRUE(again.over());
}

TEST_F(Reopened, ARestartNeedsNoRoundOneOfThoseWhoComeLater) {
    auto config = config_of({"swiss", FormatKind::swiss, 4});
    std::get<formats::SwissOptions>(config.format.options).forbidden_pairs = {
        {{"b0", "b3"}}, {{"b1", "b3"}}, {{"b2", "b3"}}};
    auto field = field_of(4);
    field[3].first_round = 2;
    begin(config, field);
    ASSERT_TRUE(step());
    expect_same_after_restart(*begun);
}

TEST_F(Reopened, WithdrawalsByOrderAreUndoneWhereTheBotsAreNamed) {
    begin({"swiss", FormatKind::swiss, 4});
    step();
    for (const auto* bot : {"b0", "b1", "b2"}) order(contest->withdraw(bot, "a slip"));
    play();
    EXPECT_THAT(plan_reopening(*contest, {}).error(), HasSubstr("fewer than two bots are left"));
    EXPECT_THAT(plan_reopening(*contest, {"b3"}).error(), HasSubstr("b3 is not withdrawn"));
    EXPECT_THAT(plan_reopening(*contest, {"eve"}).error(), HasSubstr("eve does not take part"));
    const auto plan = reopen({"b0", "b1", "b2"});
    EXPECT_THAT(plan.back, ElementsAre("b0", "b1", "b2"));
    play();
    EXPECT_TRUE(contest->all_withdrawn().empty());
    expect_same_after_restart(*begun);
}

TEST_F(Reopened, StagesThatHadTooFewToGoOnGoOn) {
    begin({"stages", FormatKind::stages, 9});
    while (contest->round() < 3) step();
    std::vector<std::string> all;
    for (const auto& entry : contest->entries()) all.push_back(entry.name);
    for (const auto& bot : all) order(contest->withdraw(bot, "a slip"));
    play();
    EXPECT_EQ(contest->round(), 3U);
    EXPECT_TRUE(reopen(all).draws_on);
    expect_same_after_restart(*begun);
    play();
    EXPECT_EQ(contest->round(), 5U);
    expect_same_after_restart(*begun);
}

TEST_F(Reopened, OfAKnockoutOnlyTheLastRound) {
    begin({"knockout", FormatKind::knockout, 4});
    step();
    all_leave();
    play();
    const auto missed = forfeits();
    const auto plan = reopen();
    ASSERT_FALSE(plan.kept.empty());
    EXPECT_THAT(plan.kept.front().why, HasSubstr("what was drawn or decided since depends on it"));
    expect_same_after_restart(*begun);
    away.clear();
    play();
    EXPECT_LT(forfeits(), missed) << "its last round was played again";
    expect_same_after_restart(*begun);
}

TEST_F(Reopened, OnlyWhatHasEnded) {
    begin({"round_robin", FormatKind::round_robin, 3});
    EXPECT_THAT(plan_reopening(*contest, {}).error(), HasSubstr("t is running: expected one that"));
    step();
    order(contest->set_state(TournamentState::aborted, "a slip"));
    const auto plan = reopen();
    EXPECT_TRUE(plan.aborted);
    expect_same_after_restart(*begun);
    play();
    EXPECT_EQ(contest->results().size(), 3U);
}

class TakenBack : public Reopened {
 protected:
    // A round robin was played, and all games of these matches are annulled by order.
    void annul(const std::vector<std::uint64_t>& matches) {
        begin({"round_robin", FormatKind::round_robin, 4});
        play();
        before = points_of(*contest);
        for (const auto match : matches) {
            for (const auto& game : contest->matches().games_of(match))
                order(contest->annul(game, "a rerun"));
        }
    }
    std::map<std::uint64_t, std::vector<engines::Score>> before;
};

TEST_F(TakenBack, GamesCountAgainAsBefore) {
    annul({1, 2, 3});
    ASSERT_EQ(contest->results().size(), 3U);
    const auto plan = plan_restoration(*contest);
    ASSERT_TRUE(plan) << plan.error();
    EXPECT_EQ(plan->games.size(), 6U);
    EXPECT_EQ(plan->matches, 3U);
    order(records_of(*contest, *plan, "nobody wanted that"));
    EXPECT_EQ(points_of(*contest), before);
    EXPECT_EQ(contest->status().games_annulled, 0U);
    EXPECT_EQ(contest->status().last_annulled.why, "");
    EXPECT_TRUE(contest->waiting().empty());
    EXPECT_EQ(contest->view().counts().games_played, 12U);
    expect_same_after_restart(*begun);
    play();
    EXPECT_THAT(plan_restoration(*contest).error(), HasSubstr("no game of t was annulled"));
}

TEST_F(TakenBack, AMatchThatIsPlayedAgainIsPlayedToItsEnd) {
    annul({1, 2});
    const auto first = contest->waiting().front().key.match;
    step();
    auto plan = plan_restoration(*contest);
    ASSERT_TRUE(plan) << plan.error();
    for (const auto& game : plan->games) EXPECT_NE(game.match, first);
    EXPECT_EQ(plan->games.size(), 2U);
    const auto running = begun->player.start();
    plan = plan_restoration(*contest);
    if (running.key.match == first) {
        ASSERT_TRUE(plan) << plan.error();
    } else {
        EXPECT_THAT(plan.error(), HasSubstr("has begun again"));
    }
}

TEST_F(TakenBack, ARecordOfItIsLookedAtFirst) {
    annul({});
    Restarted again(begun->config, begun->player.log);
    for (const auto& key : {GameKey{"t", 1, 1, 1}, GameKey{"t", 99, 1, 1}}) {
        const auto fits = again.apply(records::RestorationRecord{key, ""});
        EXPECT_THAT(fits.error(), HasSubstr("was not annulled by order"));
    }
}

}  // namespace
}  // namespace referee::contests
