#include <gmock/gmock.h>

#include <algorithm>

#include "protocol/base/find.h"
#include "referee/contest/formats/knockout.h"
#include "referee/tournament/contests/arbiter.h"
#include "tests/referee/tournament/contests/contest_player.h"

// An arbiter's hand: results that are set, pairs that don't meet, rounds that are sat out.

namespace referee::contests {
namespace {

using formats::FormatKind;
using testing::AllOf;
using testing::HasSubstr;

const Case swiss_of_eight{"swiss", FormatKind::swiss, 8};
constexpr auto forbidden = records::PairOrder::forbidden;

records::RulingRecord ruling_of(const Contest& contest, std::uint64_t match,
                                const BotsByPlace& places) {
    const auto placing = placing_of(contest, match, places);
    EXPECT_TRUE(placing) << placing.error();
    return {contest.config().id, match, placing ? *placing : std::vector<std::uint32_t>{}, "agreed",
            "ada"};
}

records::RulingRecord taken_back(const Contest& contest, std::uint64_t match) {
    return {contest.config().id, match, {}, "a mistake", "ada"};
}

std::vector<std::string> bots_of(const Contest& contest, std::uint64_t match) {
    return names_of(contest, contest.matches().pairing(match).seats);
}

// A contest, and the last of its matches that are on once a game was played; the other bot of that
// is to win.
struct Ruled : Begun {
    Ruled() : Begun(swiss_of_eight) {
        EXPECT_TRUE(player.step());
        match = contest.open_matches().back().match;
        const auto bots = bots_of(contest, match);
        player.order(rule(contest, ruling_of(contest, match, {{bots[1]}, {bots[0]}})));
    }
    std::uint64_t match = 0;
};

TEST(Arbiter, SetsTheResultOfAMatchThatIsToCome) {
    Ruled begun;
    const auto& contest = begun.contest;
    const auto match = begun.match;
    const auto* result = contest.results().find(match);
    ASSERT_NE(result, nullptr);
    EXPECT_TRUE(result->ruled);
    EXPECT_EQ(result->points[0], engines::Score{});
    EXPECT_EQ(result->points[1], engines::Score::whole(1));
    EXPECT_FALSE(base::contains(waiting_in(contest), match, &GameKey::match));
    begun.player.play();
    EXPECT_TRUE(contest.over());
    EXPECT_EQ(contest.results().find(match)->games, 0U) << "its games are not played";
    expect_same_after_restarts(begun);
}

TEST(Arbiter, SetsTheResultOfAMatchThatIsOverAndTakesItBack) {
    Begun begun(swiss_of_eight);
    auto& [config, contest, player] = begun;
    player.play();
    ASSERT_TRUE(contest.over());
    const auto before = points_of(contest);
    const auto bots = bots_of(contest, 1);
    player.order(rule(contest, ruling_of(contest, 1, {bots})));
    EXPECT_EQ(contest.results().find(1)->points[0], engines::Score::halves(1));
    EXPECT_EQ(contest.results().find(1)->points[1], engines::Score::halves(1));
    player.order(rule(contest, ruling_of(contest, 1, {{bots[0]}, {bots[1]}})));
    EXPECT_EQ(contest.results().find(1)->points[0], engines::Score::whole(1));
    player.order(rule(contest, taken_back(contest, 1)));
    player.play();
    EXPECT_TRUE(contest.over());
    EXPECT_EQ(points_of(contest), before) << "its games count again";
    EXPECT_EQ(contest.view().counts().matches_played, before.size());
    expect_same_after_restarts(begun);
}

TEST(Arbiter, IsToldWhatAChangeLeavesAsItIs) {
    Begun begun(swiss_of_eight);
    auto& [config, contest, player] = begun;
    while (contest.round() < 2) ASSERT_TRUE(player.step());
    EXPECT_EQ(after_change(contest, 1, false), "; round 2 is drawn already and stays as it is");
    EXPECT_EQ(after_change(contest, 5, true), "") << "of the round that is played";
    const auto bot = bots_of(contest, 1).front();
    player.order(contest.withdraw(bot, "ill"));
    player.play();
    player.order(contest.set_state(records::TournamentState::finished, "the end"));
    EXPECT_EQ(after_change(contest, 1, true),
              "; rounds 2 to " + std::to_string(contest.round()) +
                  " are drawn already and stay as they are; " + config.id +
                  " was finished, and goes on until the game is played; " + bot +
                  " is withdrawn, and forfeits the game unless it is connected then");
}

TEST(Arbiter, GamesThatWereNotPlayedArePlayedWhenItIsTakenBack) {
    Begun calm(swiss_of_eight);
    calm.player.play();
    Ruled begun;
    begun.player.order(rule(begun.contest, taken_back(begun.contest, begun.match)));
    begun.player.play();
    EXPECT_TRUE(begun.contest.over());
    EXPECT_EQ(points_of(begun.contest), points_of(calm.contest));
    expect_same_after_restarts(begun);
}

TEST(Arbiter, RefusesResultsThatAMatchCantHave) {
    Begun begun({"knockout", FormatKind::knockout, 4});
    auto& contest = begun.contest;
    auto& player = begun.player;
    const auto why = [&](std::uint64_t match, const BotsByPlace& places) {
        const auto placing = placing_of(contest, match, places);
        return placing ? std::string() : placing.error();
    };
    EXPECT_THAT(why(1, {{"b1"}, {"b2"}}), HasSubstr("none is drawn yet"));
    player.play();
    ASSERT_TRUE(contest.over());
    const auto bots = bots_of(contest, 1);
    EXPECT_THAT(why(99, {{"b1"}, {"b2"}}), HasSubstr("has no match 99"));
    EXPECT_THAT(why(1, {{"zoe"}, {bots[0]}}), HasSubstr("zoe does not play in"));
    EXPECT_THAT(why(1, {{bots[0], ""}}), HasSubstr("expected a bot's name"));
    EXPECT_THAT(why(1, {{bots[0]}}), HasSubstr("expected a place for each bot"));
    EXPECT_THAT(why(1, {{bots[0]}, {bots[0]}}), HasSubstr("named twice"));
    EXPECT_THAT(why(1, {bots}), HasSubstr("can't end level: one of the two goes on"));
    EXPECT_THAT(refusal_of(rule(contest, taken_back(contest, 1))),
                HasSubstr("nothing to take back"));
    EXPECT_THAT(refusal_of(rule(contest, ruling_of(contest, 1, {{bots[0]}, {bots[1]}}))),
                HasSubstr("has been built upon"));
}

// Of a format that ends with a knockout: nothing is drawn behind its last round.
void expect_last_round_changes(config::TournamentConfig config, std::size_t bots) {
    SCOPED_TRACE(bots);
    Begun begun(std::move(config), field_of(bots));
    auto& contest = begun.contest;
    auto& player = begun.player;
    player.play();
    ASSERT_TRUE(contest.over());
    const auto round = contest.results().back().round;
    const auto before = contest.places();
    for (const auto& result : contest.results().copied()) {
        const auto match = result.match;
        auto seats = bots_of(contest, match);
        if (formats::decision_of(result).winner == 1) std::ranges::reverse(seats);
        const auto set = ruling_of(contest, match, {{seats[1]}, {seats[0]}});
        if (result.round < round) {
            EXPECT_THAT(refusal_of(rule(contest, set)), HasSubstr("has been built upon"));
            continue;
        }
        player.order(rule(contest, set));
        player.play();
        ASSERT_TRUE(contest.over());
        const auto places = *contest.places();
        EXPECT_LT(places[*contest.entrant_named(seats[1])],
                  places[*contest.entrant_named(seats[0])]);
        player.order(rule(contest, taken_back(contest, match)));
        player.play();
        EXPECT_EQ(contest.places(), before);
        player.order(contest.annul({"t", match, 1, 1}, "a slip"));
        EXPECT_FALSE(contest.over());
        player.play();
        EXPECT_TRUE(contest.over());
        EXPECT_EQ(contest.places(), before);
    }
    expect_same_after_restarts(begun);
}

TEST(Arbiter, ChangesTheLastRoundOfAKnockout) {
    for (const std::size_t bots : {2U, 3U, 4U, 8U})
        expect_last_round_changes(config_of({"knockout", FormatKind::knockout, bots}), bots);
    expect_last_round_changes(config_of({"stages", FormatKind::stages, 9}), 9);
}

TEST(Arbiter, MakesASecondFinalDue) {
    auto config = config_of({"knockout", FormatKind::knockout, 8});
    config.format.options = formats::KnockoutOptions{.double_elimination = true};
    bool any_due = false;
    for (const std::size_t bots : {4U, 5U, 6U, 7U, 8U}) {
        Begun begun(config, field_of(bots));
        auto& contest = begun.contest;
        begun.player.play();
        const auto last = contest.results().back();
        auto seats = bots_of(contest, last.match);
        if (formats::decision_of(last).winner == 1) std::ranges::reverse(seats);
        const auto matches = contest.results().size();
        begun.player.order(rule(contest, ruling_of(contest, last.match, {{seats[1]}, {seats[0]}})));
        begun.player.play();
        EXPECT_TRUE(contest.over());
        any_due = any_due || contest.results().size() == matches + 1;
        expect_same_after_restarts(begun);
    }
    EXPECT_TRUE(any_due);
}

TEST(Arbiter, ForbidsPairsAndGrantsByesOfRoundsToCome) {
    Begun calm(swiss_of_eight);
    calm.player.play();
    std::vector<std::string> pair;
    for (const auto& [ordinal, match] : calm.contest.results()) {
        if (match.round == 2 && pair.empty()) pair = bots_of(calm.contest, ordinal);
    }
    ASSERT_EQ(pair.size(), 2U);
    Begun begun(swiss_of_eight);
    const auto& config = begun.config;
    auto& contest = begun.contest;
    auto& player = begun.player;
    ASSERT_TRUE(player.step());
    ASSERT_EQ(contest.round(), 1U);
    const auto& id = config.id;
    player.order(forbid(contest, {id, pair, 1, 2, forbidden, "kin", "ada"}));
    EXPECT_EQ(contest.arbiter().forbidden.at(0).first_round, 2U) << "round 1 is drawn";
    std::string other;
    for (const auto& entry : contest.entries()) {
        if (!base::contains(pair, entry.name)) other = entry.name;
    }
    player.order(
        wish_bye(contest, {id, other, 3, records::ByeOrder::half_point, "a train", "ada"}));
    player.order(wish_bye(contest, {id, pair[0], 3, records::ByeOrder::zero_point, {}, "ada"}));
    player.play();
    ASSERT_TRUE(contest.over());
    for (const auto& [ordinal, match] : contest.results()) {
        const auto bots = bots_of(contest, ordinal);
        EXPECT_FALSE(match.round == 2 && std::ranges::is_permutation(bots, pair));
    }
    const auto byes = byes_of(contest);
    const auto has = [&](const std::string& bot, engines::Score points) {
        const auto entrant = *contest.entrant_named(bot);
        return std::ranges::any_of(byes, [&](const auto& bye) {
            return std::get<0>(bye) == 3 && std::get<1>(bye) == entrant &&
                   std::get<2>(bye) == points;
        });
    };
    EXPECT_TRUE(has(other, engines::Score::halves(1)));
    EXPECT_TRUE(has(pair[0], {}));
    expect_same_after_restarts(begun);
}

TEST(Arbiter, ForbidsNothingWithoutWhichTheNextRoundCantBeDrawn) {
    Begun begun(swiss_of_eight);
    auto& [config, contest, player] = begun;
    ASSERT_TRUE(player.step());
    ASSERT_EQ(contest.round(), 1U);
    const auto all = names_of(contest, {0, 1, 2, 3, 4, 5, 6, 7});
    const auto apart = [&](std::ptrdiff_t bots) {
        return forbid(begun.contest,
                      {"t", {all.begin(), all.begin() + bots}, 2, 2, forbidden, "x", "ada"});
    };
    EXPECT_THAT(refusal_of(apart(8)),
                AllOf(HasSubstr("then round 2 of"), HasSubstr("could not be drawn")));
    EXPECT_FALSE(apart(5)) << "there are three others";
    player.order(apart(2));
    player.play();
    EXPECT_TRUE(contest.over());
    EXPECT_EQ(contest.ended_early(), "");
    expect_same_after_restarts(begun);
}

TEST(Arbiter, LiftsOnlyWhatIsForbidden) {
    auto config = config_of(swiss_of_eight);
    std::get<formats::SwissOptions>(config.format.options).forbidden_pairs = {{{"b3", "b4"}}};
    Begun begun(config, field_of(8));
    auto& contest = begun.contest;
    auto& player = begun.player;
    ASSERT_TRUE(player.step());
    const auto order = [&](std::vector<std::string> bots, records::PairOrder what) {
        return forbid(contest, {config.id, std::move(bots), 1, UINT32_MAX, what, {}, {}});
    };
    constexpr auto lifted = records::PairOrder::lifted;
    EXPECT_THAT(refusal_of(order({"b1", "b2"}, lifted)),
                HasSubstr("nothing keeps b1 and b2 apart in t"));
    player.order(order({"b1", "b2"}, forbidden));
    player.order(order({"b1", "b2"}, lifted));
    EXPECT_THAT(refusal_of(order({"b2", "b1"}, lifted)), HasSubstr("nothing keeps b2 and b1"));
    player.order(order({"b4", "b3", "b0"}, lifted));
    player.play();
    expect_same_after_restarts(begun);
}

TEST(Arbiter, RefusesWishesThatNoRoundCanGrant) {
    Begun begun(swiss_of_eight);
    const auto& config = begun.config;
    auto& contest = begun.contest;
    auto& player = begun.player;
    ASSERT_TRUE(player.step());
    const auto& id = config.id;
    const auto pairs = [&](std::vector<std::string> bots, std::uint32_t first = 1,
                           std::uint32_t last = UINT32_MAX) {
        return refusal_of(forbid(contest, {id, std::move(bots), first, last, forbidden, {}, {}}));
    };
    const auto bye = [&](const std::string& bot, std::uint32_t round) {
        return refusal_of(
            wish_bye(contest, {id, bot, round, records::ByeOrder::half_point, {}, {}}));
    };
    EXPECT_THAT(pairs({"b1"}), HasSubstr("expected two different bots"));
    EXPECT_THAT(pairs({"b1", "b1"}), HasSubstr("expected two different bots"));
    EXPECT_THAT(pairs({"b1", "zoe"}), HasSubstr("zoe does not take part"));
    EXPECT_THAT(pairs({"b1", "b2"}, 1, 1), HasSubstr("round 1 of"));
    EXPECT_THAT(pairs({"b1", "b2"}, 3, 2), HasSubstr("expected rounds such as 2-4"));
    EXPECT_THAT(pairs({"b1", "b2"}, 90, 91), HasSubstr("and no round 90"));
    EXPECT_THAT(bye("b1", 1), HasSubstr("has begun; the next is round 2"));
    EXPECT_THAT(bye("zoe", 2), HasSubstr("zoe does not take part"));
    EXPECT_EQ(pairs({"b1", ""}), "expected a bot's name, such as alice");
    const Begun table({"round_robin", FormatKind::round_robin, 4});
    EXPECT_THAT(refusal_of(forbid(table.contest, {id, {"b1", "b2"}, 1, 2, forbidden, {}, {}})),
                HasSubstr("only rounds of a swiss"));
}

TEST(Arbiter, AConfigsByesForNothingAreKeptOverARestart) {
    auto field = field_of(8);
    field[3].zero_point_byes = {2};
    Begun begun(config_of(swiss_of_eight), field);
    auto& [config, contest, player] = begun;
    player.play();
    const auto byes = byes_of(contest);
    EXPECT_TRUE(std::ranges::any_of(
        byes, [](const auto& bye) { return std::get<0>(bye) == 2 && std::get<1>(bye) == 3; }));
    EXPECT_TRUE(contest.arbiter().empty());
    expect_same_after_restarts(begun);
}

}  // namespace
}  // namespace referee::contests
