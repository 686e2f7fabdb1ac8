#include "referee/tournament/contests/contest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "protocol/base/find.h"
#include "referee/contest/formats/format.h"
#include "tests/referee/tournament/contests/contest_player.h"

namespace referee::contests {
namespace {

using formats::FormatKind;
using records::Record;
using ::testing::HasSubstr;

// How often each game was annulled, by match and number.
std::map<std::pair<std::uint64_t, std::uint32_t>, unsigned> annulments_in(
    const std::vector<Record>& log) {
    std::map<std::pair<std::uint64_t, std::uint32_t>, unsigned> found;
    for (const auto* game : tests::sim::of_kind<records::GameRecord>(log)) {
        if (game->result.status == GameStatus::annulled)
            ++found[{game->result.key.match, game->result.key.number}];
    }
    return found;
}

class EveryFormat : public ::testing::TestWithParam<Case> {};

// However often and wherever it is cut off, a contest has the same result.
TEST_P(EveryFormat, AnyCutComesToTheSame) {
    Begun begun(GetParam());
    auto& [config, calm, player] = begun;
    player.play();
    ASSERT_TRUE(calm.over());
    const auto annulments = annulments_in(player.log);
    std::uint64_t annulled = 0;
    for (const auto& [number, times] : annulments) annulled += times;
    const auto check = [&](const Contest& again, const Player& other) {
        EXPECT_EQ(annulments_in(other.log), annulments);
        EXPECT_EQ(again.status().games_annulled, annulled);
        EXPECT_EQ(again.matches().set_aside(), "");
        EXPECT_TRUE(again.over());
        expect_same(again, begun.contest);
    };
    cut_and_play_on(config, player, check, GetParam().cut_every);
}

// Most with a bot that is dead, and with one whose games are set aside, too.
std::vector<Case> all_formats() {
    std::vector<Case> all{{"round_robin", FormatKind::round_robin, 5},
                          {"best_of", FormatKind::round_robin, 4, "walls", 2, 3, true},
                          {"swiss", FormatKind::swiss, 9},
                          {"gauntlet", FormatKind::gauntlet, 5},
                          {"pods", FormatKind::swiss, 13, "light_cycles", 4, 1, false, false, 7},
                          {"knockout", FormatKind::knockout, 7},
                          {"stages", FormatKind::stages, 9}};
    for (std::size_t i = 0, plain = all.size(); i < plain; ++i) {
        auto& dead = all.emplace_back(all[i]);
        dead.name = "dead_in_" + dead.name;
        dead.dead = true;
        auto& jinxed = all.emplace_back(all[i]);
        jinxed.name = "aside_in_" + jinxed.name;
        jinxed.jinxed = true;
    }
    all.push_back({"attendance", FormatKind::swiss, 9, "walls", 2, 2, false, true});
    all.push_back({"pod_table", FormatKind::round_robin, 7, "light_cycles", 4, 1});
    return all;
}
INSTANTIATE_TEST_SUITE_P(Contest, EveryFormat, ::testing::ValuesIn(all_formats()),
                         [](const auto& tested) { return tested.param.name; });

TEST(Contest, APairingOtherThanTheRecordedOneIsRefused) {
    Begun begun({"swiss", FormatKind::swiss, 6});
    auto& [config, first, player] = begun;
    player.step();
    Contest again(config, game_named("walls"));
    Contest::Fits fits;
    for (auto record : player.log) {
        if (auto* pairing = std::get_if<records::PairingRecord>(&record))
            std::swap(pairing->bots.front(), pairing->bots.back());
        fits = again.apply(record);
        if (!fits) break;
    }
    ASSERT_FALSE(fits);
    EXPECT_THAT(fits.error(), HasSubstr("on record, and this version of the program draws"));
}

records::GameRecord game_that_ended(const GameKey& key) {
    records::GameRecord game;
    game.result.key = key;
    return game;
}

TEST(Contest, RecordsThatMakeNoSenseAreRefused) {
    const std::vector<std::pair<Record, std::string>> cases = {
        {records::WithdrawalRecord{"t", "nobody", 1, ""}, "never entered"},
        {records::StartRecord{{"t", 1, 1, 1}, 1, {}}, "not to be played now"},
        {game_that_ended({"t", 1, 1, 1}), "never began"},
        {records::AnnulmentRecord{{"t", 1, 1, 1}, ""}, "never drawn"},
        {records::PairingRecord{"t", 1, 1, {"b0", "stranger"}}, "stranger never entered"},
    };
    for (const auto& [record, expected] : cases) {
        Begun begun({"round_robin", FormatKind::round_robin, 3});
        const auto fits = begun.contest.apply(record);
        ASSERT_FALSE(fits) << expected;
        EXPECT_THAT(fits.error(), HasSubstr(expected));
    }
}

TEST(Contest, AnAnnulmentOnRecordIsOfAGameWithAResultThatCounts) {
    Begun begun({"round_robin", FormatKind::round_robin, 3, "walls", 2, 2});
    auto& [config, contest, player] = begun;
    for (int i = 0; i < 40 && contest.results().empty(); ++i) player.step();
    ASSERT_FALSE(contest.results().empty());
    const auto match = contest.results().front().match;
    const auto annulled = [&](std::uint32_t number, std::uint32_t attempt) {
        return begun.contest.apply(records::AnnulmentRecord{{"t", match, number, attempt}, ""});
    };
    ASSERT_TRUE(annulled(2, 1));
    for (const auto& [number, attempt] : {std::pair(2U, 1U), {2U, 2U}, {3U, 1U}, {0U, 1U}}) {
        const auto fits = annulled(number, attempt);
        ASSERT_FALSE(fits) << number << " " << attempt;
        EXPECT_THAT(fits.error(), HasSubstr("has no result that counts"));
    }
}

TEST(Contest, AGameThatIsAnnulledByOrderIsPlayedAgainAndTheMatchIsFoldedAnew) {
    for (const auto kind : {FormatKind::round_robin, FormatKind::swiss, FormatKind::ladder}) {
        Begun begun({"", kind, 4, "walls", 2, 2});
        auto& [config, contest, player] = begun;
        if (kind == FormatKind::ladder) contest.offer({0, 1}, 2);
        for (int i = 0; i < 40 && contest.results().empty(); ++i) player.step();
        ASSERT_FALSE(contest.results().empty());
        const auto match = contest.results().front().match;
        const GameKey key{"t", match, 2, 1};
        player.order(contest.annul(key, "a cable was loose"));
        EXPECT_FALSE(contest.results().contains(match));
        auto again = contest.annul(key, "twice");
        EXPECT_THAT(refusal_of(again), HasSubstr("annulled"));
        player.play(400);
        ASSERT_TRUE(contest.results().contains(match));
        EXPECT_EQ(contest.matches().games_of(match),
                  (std::vector<GameKey>{{"t", match, 1, 1}, {"t", match, 2, 2}}));
        Restarted restarted(config, player.log);
        EXPECT_EQ(points_of(restarted), points_of(contest));
        for (const auto* one : std::initializer_list<const Contest*>{&contest, &restarted}) {
            EXPECT_EQ(one->status().games_annulled, 1U);
            EXPECT_EQ(one->status().last_annulled.key, key);
            EXPECT_EQ(one->status().last_annulled.why, "a cable was loose");
        }
    }
}

// What helps depends on where the field comes from, and on whether the format takes late entries.
TEST(Contest, WhatToDoBeforeItHasBegunIsToldInPlaceOfAnOrderAboutABot) {
    const auto told = [](FormatKind kind, const std::string& ladder, const std::string& order) {
        auto config = config_of({"", kind, 4});
        if (!ladder.empty()) config.field_from = config::FieldFromLadder{.ladder = ladder};
        const Contest contest(config, game_named("walls"));
        return refusal_of(order == "admit" ? contest.admit({.name = "the new"})
                                           : contest.withdraw("the new", ""));
    };
    const std::string before = "t has not begun; its field is taken when it does, ";
    const std::string of_config =
        before + "from the config: change its \"bots\" there, and `referee ctl reload`";
    const auto later = [](const std::string& order) {
        return "; or once it has begun `referee ctl " + order + " t 'the new'`";
    };
    EXPECT_EQ(told(FormatKind::round_robin, "", "admit"), of_config);
    EXPECT_EQ(told(FormatKind::round_robin, "", "withdraw"), of_config + later("withdraw"));
    EXPECT_EQ(told(FormatKind::swiss, "", "admit"), of_config + later("admit"));
    EXPECT_EQ(told(FormatKind::ladder, "", "withdraw"),
              before + "of all bots that are here" + later("withdraw"));
    EXPECT_EQ(told(FormatKind::knockout, "practice", "admit"),
              before + "from the ladder practice: `referee ctl admit practice 'the new'`");
}

TEST(Contest, LateEntriesWithdrawalsAndComingBack) {
    Begun begun({"swiss", FormatKind::swiss, 8});
    auto& [config, contest, player] = begun;
    for (int i = 0; i < 4; ++i) player.step();
    player.order(contest.withdraw("b3", "ill"));
    player.order(contest.admit({.name = "late"}));
    EXPECT_THAT(refusal_of(contest.withdraw("b3", "")), HasSubstr("already"));
    EXPECT_THAT(refusal_of(contest.withdraw("nobody", "")), HasSubstr("does not take part"));
    EXPECT_EQ(refusal_of(contest.withdraw("", "")), "expected a bot's name, such as alice");
    EXPECT_THAT(refusal_of(contest.admit({.name = "b1"})), HasSubstr("already"));
    player.play();
    ASSERT_TRUE(contest.over());
    const auto late = *contest.entrant_named("late");
    const auto gone = *contest.entrant_named("b3");
    for (const auto& [ordinal, match] : contest.results()) {
        EXPECT_FALSE(match.round == 1 && base::contains(match.seats, late));
        EXPECT_FALSE(match.round > 1 && base::contains(match.seats, gone));
    }
    EXPECT_TRUE(contest.withdrawn(gone));
    expect_same_after_restart(begun);
}

TEST(Contest, AFixedListOfMatchesTakesNobodyLate) {
    Begun begun({"round_robin", FormatKind::round_robin, 3});
    auto& [config, contest, player] = begun;
    player.order(contest.admit({.name = "early"}));  // nothing is drawn yet
    player.step();
    const auto refused = contest.admit({.name = "late"});
    EXPECT_THAT(refusal_of(refused), HasSubstr("takes no late entries"));
    player.play();
    EXPECT_EQ(contest.results().size(), 6U);
}

TEST(Contest, OfALadderWhatLiesFarBackIsInItsRatingsOnly) {
    Begun begun({"ladder", FormatKind::ladder, 4, "walls", 2, 1});
    auto& [config, contest, player] = begun;
    while (contest.view().counts().matches_played < formats::ladder_matches_kept + 100) {
        contest.offer({0, 1, 2, 3}, 4);
        ASSERT_TRUE(player.step());
    }
    EXPECT_EQ(contest.results().size(), formats::ladder_matches_kept);
    EXPECT_EQ(contest.results().front().match, 101U);
    EXPECT_THAT(refusal_of(contest.annul({"t", 1, 1, 1}, "")), HasSubstr("lies too far back"));
    expect_same_after_restart(begun);
}

// It is as if they had never been drawn: seats, opponents, ratings and places stay as they were.
TEST(Contest, MatchesOfALadderThatAreDroppedLeaveNoTrace) {
    Begun begun({"ladder", FormatKind::ladder, 6, "walls", 2, 1});
    auto& [config, contest, player] = begun;
    const std::vector<Entrant> all{0, 1, 2, 3, 4, 5};
    const auto draw = [&](Contest& of) {
        of.offer(all, all.size());
        return of.draw(20);
    };
    for (int round = 0; round < 40; ++round) {
        player.keep(draw(contest));
        // All of them are dropped, and drawn once more.
        const auto drawn = contest.open_matches();
        ASSERT_FALSE(drawn.empty());
        const auto places = contest.places();
        for (const auto& pairing : drawn)
            player.keep(contest.drop(pairing.match, {pairing.seats.back()}, "it left"));
        EXPECT_TRUE(contest.open_matches().empty());
        EXPECT_TRUE(contest.waiting().empty());
        EXPECT_EQ(contest.places(), places);
        player.keep(draw(contest));
        const auto again = contest.open_matches();
        ASSERT_EQ(again.size(), drawn.size()) << "round " << round;
        for (std::size_t i = 0; i < drawn.size(); ++i)
            EXPECT_EQ(again[i].seats, drawn[i].seats) << "round " << round;
        while (!contest.waiting().empty()) {
            const auto plan = player.start();
            player.end(result_of(contest, plan));
            EXPECT_FALSE(contest.matches().droppable(plan.key.match));
            for (const auto entrant : plan.entrants)
                EXPECT_EQ(contest.left_in_a_row(entrant), 0U) << "it has played";
        }
    }
    player.keep(draw(contest));
    const auto last = contest.open_matches();
    for (const auto& pairing : last)
        player.keep(contest.drop(pairing.match, pairing.seats, "all left"));
    EXPECT_EQ(contest.left_in_a_row(last[0].seats[0]), 1U);
    // Its records make the same contest.
    Restarted again(config, player.log);
    expect_same(again, contest);
    EXPECT_EQ(drawn_in(draw(again)), drawn_in(draw(contest)));
    const auto fits = again.apply(records::DroppedRecord{"t", 1, {"b0"}, "it left"});
    ASSERT_FALSE(fits);
    EXPECT_THAT(fits.error(), HasSubstr("t/1 is dropped on record, and can't be"));
}

TEST(Contest, ALadderMatchesTheClosestAndThoseWhoPlayedLeast) {
    Begun begun({"ladder", FormatKind::ladder, 6, "walls", 2, 1});
    auto& [config, contest, player] = begun;
    std::map<Entrant, int> played;
    std::map<std::pair<Entrant, Entrant>, int> met;
    for (int i = 0; i < 90; ++i) {
        contest.offer({0, 1, 2, 3, 4, 5}, 6);
        player.step();
    }
    for (const auto& [ordinal, match] : contest.results()) {
        for (const auto seat : match.seats) ++played[seat];
        ++met[std::minmax(match.seats[0], match.seats[1])];
    }
    ASSERT_GE(contest.results().size(), 80U);
    for (const auto& [entrant, count] : played) EXPECT_NEAR(count, 29, 3) << entrant;
    for (const auto& [pair, count] : met) EXPECT_LE(count, 12) << pair.first << "-" << pair.second;
    EXPECT_EQ(met.size(), 15U) << "everybody meets everybody now and then";
    ASSERT_TRUE(contest.places());
    EXPECT_FALSE(contest.over());
}

}  // namespace
}  // namespace referee::contests
