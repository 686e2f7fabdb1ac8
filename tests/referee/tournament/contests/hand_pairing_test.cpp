#include <gmock/gmock.h>

#include <set>

#include "referee/tournament/contests/arbiter.h"
#include "tests/referee/tournament/contests/contest_player.h"

// Matches that an arbiter sets before their round is drawn.

namespace referee::contests {
namespace {

using formats::FormatKind;
using records::HandPairingOrder;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Names = std::vector<std::string>;

constexpr std::size_t swiss_bots = 8;

config::TournamentConfig swiss_config() {
    return config_of({"swiss", FormatKind::swiss, swiss_bots});
}

// A swiss whose first round is on.
struct FirstRound : Begun {
    explicit FirstRound(std::size_t bots = swiss_bots) : Begun(swiss_config(), field_of(bots)) {
        player.step();
    }

    records::HandPairingRecord pairing(Names bots, std::uint32_t round = 2,
                                       HandPairingOrder order = HandPairingOrder::paired) const {
        return {config.id, std::move(bots), round, order, "by lot", "ada"};
    }
    std::string refused(Names bots, std::uint32_t round = 2, bool anyway = false) {
        return refusal_of(pair_by_hand(contest, pairing(std::move(bots), round), anyway));
    }
    // The bots of each match of the round, by seat.
    std::vector<Names> boards(std::uint32_t round) const {
        std::vector<Names> found;
        for (const auto& [ordinal, match] : contest.results()) {
            if (match.round == round) found.push_back(names_of(contest, match.seats));
        }
        for (const auto& match : contest.open_matches()) {
            if (match.round == round) found.push_back(names_of(contest, match.seats));
        }
        return found;
    }
    std::vector<Names> boards(const RoundOutlook& outlook) const {
        std::vector<Names> found;
        for (const auto& board : outlook.boards) found.push_back(names_of(contest, board.seats));
        return found;
    }
    void pair(const Names& bots, bool anyway = false) {
        player.order(pair_by_hand(contest, pairing(bots), anyway));
    }
    void expect_over() const {
        EXPECT_TRUE(contest.over());
        EXPECT_EQ(contest.ended_early(), "");
        expect_same_after_restarts(*this);
    }
    // Two that don't meet in the first round.
    Names strangers() const { return {boards(1)[0][1], boards(1)[1][0]}; }
};

TEST(HandPairing, TheTwoMeetAndTheOthersAreDrawnAroundThem) {
    FirstRound swiss;
    const auto two = swiss.strangers();
    const Names turned{two[1], two[0]};
    swiss.pair(turned);
    swiss.player.play();
    const auto boards = swiss.boards(2);
    EXPECT_THAT(boards, Contains(turned));
    std::set<std::string> seated;
    for (const auto& board : boards) seated.insert(board.begin(), board.end());
    EXPECT_EQ(seated.size(), swiss_bots) << "everybody plays once";
    EXPECT_EQ(boards.size(), swiss_bots / 2);
    swiss.expect_over();
}

TEST(HandPairing, TakenBackItIsAsIfItHadNotBeen) {
    FirstRound calm;
    calm.player.play();
    FirstRound swiss;
    const auto two = swiss.strangers();
    const auto taken_back = [&](const Names& bots) {
        return pair_by_hand(swiss.contest, swiss.pairing(bots, 2, HandPairingOrder::taken_back),
                            false);
    };
    EXPECT_THAT(refusal_of(taken_back(two)), HasSubstr("nothing to take back"));
    swiss.pair(two);
    EXPECT_EQ(swiss.contest.arbiter().by_hand_in(2).size(), 1U);
    swiss.player.order(taken_back({two[1], two[0]}));
    EXPECT_THAT(swiss.contest.arbiter().by_hand_in(2), IsEmpty());
    swiss.player.play();
    EXPECT_EQ(points_of(swiss.contest), points_of(calm.contest));
    swiss.expect_over();
}

TEST(HandPairing, AllBoardsOfARoundCanBeSet) {
    FirstRound swiss;
    const auto first = swiss.boards(1);
    ASSERT_EQ(first.size(), swiss_bots / 2);
    std::vector<Names> wanted;
    for (std::size_t i = 0; i < first.size(); ++i)
        wanted.push_back({first[i][0], first[(i + 1) % first.size()][1]});
    for (const auto& two : wanted) swiss.pair(two);
    const auto outlook = outlook_of(swiss.contest);
    ASSERT_TRUE(outlook) << outlook.error();
    EXPECT_EQ(outlook->boards.size(), wanted.size());
    EXPECT_EQ(outlook->round, 2U);
    swiss.player.play();
    EXPECT_EQ(swiss.boards(2), wanted);
    swiss.expect_over();
}

// As the matches that are on may end otherwise, only that of the last step must come true.
TEST(HandPairing, TheOutlookIsWhatIsDrawn) {
    FirstRound swiss;
    std::vector<Names> boards;
    while (swiss.contest.round() == 1) {
        const auto outlook = outlook_of(swiss.contest);
        ASSERT_TRUE(outlook) << outlook.error();
        EXPECT_EQ(outlook->open, swiss.contest.open_matches().size());
        const bool is_last = outlook->open == 0;
        boards = swiss.boards(*outlook);
        EXPECT_EQ(boards.size(), swiss_bots / 2);
        swiss.player.step();
        if (is_last) {
            EXPECT_EQ(swiss.boards(2), boards);
        }
    }
}

TEST(HandPairing, WhatCantBeIsRefusedWithItsCause) {
    FirstRound swiss;
    const auto met = swiss.boards(1)[0];
    const auto two = swiss.strangers();
    const auto& id = swiss.config.id;
    EXPECT_THAT(swiss.refused({two[0]}), HasSubstr("expected two different bots"));
    EXPECT_THAT(swiss.refused({two[0], two[0]}), HasSubstr("expected two different bots"));
    EXPECT_THAT(swiss.refused({two[0], "zoe"}), HasSubstr("zoe does not take part"));
    EXPECT_THAT(swiss.refused(two, 1), HasSubstr("has begun; the next is round 2"));
    EXPECT_THAT(swiss.refused(two, 3), HasSubstr("only the next round"));
    EXPECT_THAT(swiss.refused(two, 90), HasSubstr("and no round 90"));
    EXPECT_THAT(swiss.refused(met), HasSubstr("meet in round 1 already"));
    swiss.player.order(
        forbid(swiss.contest, {id, two, 2, 2, records::PairOrder::forbidden, "kin", "ada"}));
    EXPECT_THAT(swiss.refused(two), HasSubstr("are to be kept apart in round 2"));
    swiss.pair(two, true);
    EXPECT_THAT(swiss.refused({two[0], met[0]}), HasSubstr("are paired by hand in round 2"));
    EXPECT_THAT(
        refusal_of(wish_bye(swiss.contest, {id, two[0], 2, records::ByeOrder::zero_point, {}, {}})),
        HasSubstr("take that back first: `pair " + id + " "));
    EXPECT_THAT(refusal_of(forbid(swiss.contest,
                                  {id, two, 2, 2, records::PairOrder::forbidden, "kin", "ada"})),
                HasSubstr("take that back first"));
    const auto other = swiss.boards(1)[3];
    swiss.player.order(
        wish_bye(swiss.contest, {id, other[0], 2, records::ByeOrder::zero_point, {}, "ada"}));
    EXPECT_THAT(swiss.refused({other[0], met[0]}), HasSubstr("does not play round 2"));
    swiss.player.play();
    EXPECT_THAT(swiss.boards(2), Contains(two)) << "--anyway holds over what is forbidden";
    swiss.expect_over();
}

TEST(HandPairing, ASecondMeetingIsPairedAnyway) {
    FirstRound swiss;
    const auto met = swiss.boards(1)[0];
    swiss.pair(met, true);
    swiss.player.play();
    EXPECT_THAT(swiss.boards(2), Contains(met));
    swiss.expect_over();
}

// The others of four have met: without the two nobody is left for them.
TEST(HandPairing, TheOthersMustBePaired) {
    FirstRound swiss(4);
    const auto first = swiss.boards(1);
    swiss.pair({first[0][0], first[1][0]});
    EXPECT_THAT(swiss.refused({first[0][0], first[0][1]}, 2, true),
                HasSubstr("are paired by hand in round 2"));
    FirstRound other(4);
    EXPECT_THAT(other.refused(first[0], 2, true), HasSubstr("the others could not be paired"));
}

TEST(HandPairing, LapsesWhereOneOfThemIsOut) {
    FirstRound swiss;
    const auto two = swiss.strangers();
    swiss.pair(two);
    swiss.player.order(swiss.contest.withdraw(two[0], "ill"));
    swiss.player.play();
    EXPECT_THAT(swiss.boards(2), Not(Contains(two)));
    swiss.expect_over();
}

TEST(HandPairing, OnlyOfASwissOfPairs) {
    Begun table({"round_robin", FormatKind::round_robin, 4});
    const auto refused = [](Contest& contest) {
        return refusal_of(pair_by_hand(
            contest, {contest.config().id, {"b1", "b2"}, 1, HandPairingOrder::paired, {}, "ada"},
            false));
    };
    EXPECT_THAT(refused(table.contest), HasSubstr("only rounds of a swiss"));
    Begun pods({"swiss", FormatKind::swiss, 12, "light_cycles", 4});
    EXPECT_THAT(refused(pods.contest), HasSubstr("drawn in pods"));
    Contest to_come(swiss_config(), game_named("walls"));
    EXPECT_THAT(refused(to_come), HasSubstr("has not begun, and its field is taken when it does"));
    auto of_ladder = swiss_config();
    of_ladder.field_from.emplace();
    Contest best(of_ladder, game_named("walls"));
    EXPECT_THAT(refused(best), HasSubstr("its config may have \"forbidden_pairs\""));
}

}  // namespace
}  // namespace referee::contests
