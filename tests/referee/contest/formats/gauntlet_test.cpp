#include "referee/contest/formats/gauntlet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "tests/referee/contest/formats/play_schedule.h"

namespace referee::formats {
namespace {

// Plays one match after the other to the end; `twist` changes each result.
std::vector<MatchResult> one_by_one(
    Schedule& schedule, const Strength& strength,
    const std::function<void(MatchResult&)>& twist = [](MatchResult& /*result*/) {}) {
    std::vector<MatchResult> results;
    for (;;) {
        const auto next = schedule.next();
        const auto* pairing = std::get_if<Pairing>(&next);
        if (pairing == nullptr) return results;
        results.push_back(result_of(*pairing, strength));
        twist(results.back());
        schedule.record(results.back());
    }
}

GauntletState state_after(
    const GauntletOptions& options, std::size_t bots, const Strength& strength,
    const std::function<void(MatchResult&)>& twist = [](MatchResult&) {}) {
    const auto schedule = make_schedule(config_of(options), field_of(bots), 1);
    return gauntlet_state(*options.sprt, one_by_one(*schedule, strength, twist));
}

GauntletOptions gauntlet_of_four(std::uint32_t cycles) {
    return {cycles, std::nullopt, 4};
}

TEST(Gauntlet, TheFirstMeetsTheOthersOneByOneOrSeveralAtOnceAndMovesOnByASeat) {
    const auto pairs = make_schedule(config_of(GauntletOptions{2, {}}), field_of(3), 1);
    EXPECT_EQ(pairs->matches_total(), 4U);
    EXPECT_EQ(text_of(play(*pairs, by_number)), "1-2 | 1-3 | 2-1 | 3-1");
    const auto pods = make_schedule(config_of(gauntlet_of_four(2)), field_of(7), 1);
    EXPECT_EQ(text_of(play(*pods, by_number)), "1-2-3-4 | 1-5-6-7 | 4-1-2-3 | 7-1-5-6");
}

// The candidate's share of the points of a match for four is what counts, from whichever seat.
TEST(Gauntlet, TestsOneAgainstThree) {
    auto options = gauntlet_of_four(10'000);
    options.sprt = SprtBounds{-100, 0, 0.05, 0.05};
    const auto fair = state_after(options, 4, [](const Pairing& pairing, std::size_t seat) {
        return static_cast<double>((pairing.seats[seat] + pairing.match) % pairing.seats.size());
    });
    EXPECT_EQ(fair.test.verdict, rating::SprtVerdict::stronger) << "as good as the others";
    const auto last = state_after(options, 4, [](const Pairing& pairing, std::size_t seat) {
        return pairing.seats[seat] == gauntlet_candidate ? 0.0 : 1.0;
    });
    EXPECT_EQ(last.test.verdict, rating::SprtVerdict::not_stronger);
    EXPECT_LT(last.test.matches, 20U);
}

TEST(Gauntlet, ATestEndsItAndLooksAtTheFinishedPrefixOnly) {
    const GauntletOptions options{10'000, SprtBounds{0, 50, 0.05, 0.05}};
    const auto schedule = make_schedule(config_of(options), field_of(2), 1);
    std::vector<MatchResult> results;
    std::size_t told = 0;
    for (;;) {
        const auto next = schedule->next();
        if (const auto* pairing = std::get_if<Pairing>(&next)) {
            results.push_back(result_of(*pairing, by_number));
            // The first match takes longest of all: nothing is decided without it.
            if (results.size() > 1) schedule->record(results.back()), ++told;
            if (results.size() == 200) schedule->record(results.front()), ++told;
        } else {
            break;
        }
    }
    EXPECT_EQ(results.size(), 200U);
    EXPECT_EQ(told, 200U);
    EXPECT_TRUE(std::holds_alternative<Schedule::Finished>(schedule->next()));
    const auto test = gauntlet_state(*options.sprt, results);
    EXPECT_EQ(test.test.verdict, rating::SprtVerdict::stronger);
    EXPECT_LT(test.matches, 100U);
    std::ranges::reverse(results);
    EXPECT_EQ(gauntlet_state(*options.sprt, results).matches, test.matches);
    results.pop_back();
    EXPECT_EQ(gauntlet_state(*options.sprt, results).matches, 0U);
}

GauntletOptions gauntlet_with_test(double elo0, double elo1) {
    return {10'000, SprtBounds{elo0, elo1, 0.05, 0.05}};
}

TEST(Gauntlet, RepeatedGamesAreNoEvidenceAndEndTheTest) {
    const auto options = gauntlet_with_test(0, 50);
    const auto schedule = make_schedule(config_of(options), field_of(2), 1);
    // Two bots without chance: one game for each seat, again and again.
    const auto results = one_by_one(*schedule, by_number, [](MatchResult& result) {
        result.counted = games_with({result.seats[0] == 0 ? "first" : "second"});
    });
    EXPECT_EQ(results.size(), 2 + repeats_most);
    EXPECT_TRUE(std::holds_alternative<Schedule::Finished>(schedule->next()));
    EXPECT_NE(schedule->ended_early().find("repeated games"), std::string::npos);
    const auto state = gauntlet_state(*options.sprt, results);
    EXPECT_EQ(state.test.verdict, rating::SprtVerdict::undecided);
    EXPECT_EQ(state.test.matches, 2U);
    EXPECT_EQ(state.matches, 2 + repeats_most);
    // A match that is annulled may bring something new: the test goes on.
    EXPECT_TRUE(schedule->reopen(results.back().match));
    EXPECT_EQ(schedule->ended_early(), "");
}

TEST(Gauntlet, MatchesToWhichSomebodyDidNotComeDecideNothing) {
    const auto options = gauntlet_with_test(0, 50);
    const auto schedule = make_schedule(config_of(options), field_of(2), 1);
    const auto results = one_by_one(*schedule, by_number, [](MatchResult& result) {
        result.absent[result.seats[0] == 0 ? 1 : 0] = true;
        result.counted = games_with({std::to_string(result.match)});
    });
    EXPECT_EQ(gauntlet_state(*options.sprt, results).test.matches, 0U);
    EXPECT_EQ(results.size(), repeats_most);
}

TEST(Gauntlet, AGamesEloLooksAtGamesAMatchsEloAtPoints) {
    // Three of four games won: a match won, but three quarters of the games.
    auto options = gauntlet_with_test(150, 250);
    const auto twist = [](MatchResult& result) {
        result.counted = games_with({""});
        const bool first = result.seats[0] == 0;
        result.game_points = {engines::Score::whole(first ? 3 : 1),
                              engines::Score::whole(first ? 1 : 3)};
    };
    EXPECT_EQ(state_after(options, 2, by_number, twist).test.verdict,
              rating::SprtVerdict::stronger);
    options.sprt->elo = EloOf::game;
    options.cycles = 500;
    // 400 log10(3) = 190.8 Elo: nearer to 150 than to 250.
    EXPECT_EQ(state_after(options, 2, by_number, twist).test.verdict,
              rating::SprtVerdict::not_stronger);
}

}  // namespace
}  // namespace referee::formats
