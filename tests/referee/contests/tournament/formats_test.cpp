#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "referee/contests/tournament/gauntlet_test.h"
#include "tests/referee/contests/tournament/play.h"

namespace referee::tournament {
namespace {

FormatConfig format_of(FormatOptions options) {
    FormatConfig config;
    config.options = std::move(options);
    return config;
}

TEST(Knockout, SeedsMeetAsInAnyBracket) {
    struct Case {
        std::size_t entrants;
        bool third;
        std::string text;
    };
    const std::vector<Case> cases = {
        {2, true, "1-2"},
        {4, true, "1-4 2-3 | 1-2 3-4"},
        {4, false, "1-4 2-3 | 1-2"},
        {8, true, "1-8 4-5 2-7 3-6 | 1-4 2-3 | 1-2 3-4"},
        {6, true, "4-5 3-6 (1) (2) | 1-4 2-3 | 1-2 3-4"},
        {3, true, "2-3 (1) | 1-2 (3)"},
        {5, false, "4-5 (1) (2) (3) | 1-4 2-3 | 1-2"},
    };
    for (const auto& [entrants, third, text] : cases) {
        const auto config = format_of(KnockoutOptions{.third_place_match = third});
        const auto schedule = make_schedule(config, field_of(entrants), 1);
        const auto played = play(*schedule, by_number);
        EXPECT_TRUE(played.finished);
        EXPECT_EQ(text_of(played), text);
    }
}

TEST(Knockout, PlacesAreByTheRoundOfTheLoss) {
    auto schedule = make_schedule(format_of(KnockoutOptions{}), field_of(8), 1);
    play(*schedule, by_number);
    EXPECT_EQ(*schedule->places(), (std::vector<std::size_t>{1, 2, 3, 4, 5, 5, 5, 5}));
    schedule =
        make_schedule(format_of(KnockoutOptions{.third_place_match = false}), field_of(8), 1);
    play(*schedule, by_number);
    EXPECT_EQ(*schedule->places(), (std::vector<std::size_t>{1, 2, 3, 3, 5, 5, 5, 5}));
}

TEST(Knockout, LevelMatchesGoToTheLotWhateverTimeTheyTook) {
    const auto schedule = make_schedule(format_of(KnockoutOptions{}), field_of(2), 1);
    auto result = result_of(std::get<Pairing>(schedule->next()),
                            [](const Pairing&, std::size_t) { return 1.0; });
    result.used_us = {2000, 1000};
    auto by_lot = result;
    by_lot.lot = 1;
    schedule->record(by_lot);
    EXPECT_TRUE(std::holds_alternative<Schedule::Finished>(schedule->next()));
    EXPECT_EQ(*schedule->places(), (std::vector<std::size_t>{2, 1}));
    const auto level = make_schedule(format_of(KnockoutOptions{}), field_of(2), 1);
    level->next();
    level->record(result);
    level->next();
    EXPECT_EQ(*level->places(), (std::vector<std::size_t>{1, 2}));
}

TEST(DoubleElimination, NobodyIsOutBeforeTwoLosses) {
    for (std::size_t entrants = 2; entrants <= 33; ++entrants) {
        for (const std::uint64_t luck : {0U, 1U, 2U}) {
            const auto config = format_of(KnockoutOptions{.double_elimination = true});
            const auto schedule = make_schedule(config, field_of(entrants), 1);
            const auto played = play(*schedule, [&](const Pairing& pairing, std::size_t seat) {
                const auto lot = (pairing.match * 7 + pairing.seats[seat] * 13) % 5;
                return luck == 0 ? by_number(pairing, seat) : static_cast<double>(lot * luck);
            });
            ASSERT_TRUE(played.finished);
            const auto places = *schedule->places();
            std::vector<int> losses(entrants, 0);
            for (const auto& match : played.matches) {
                // A level match goes to the better seed, who sits first.
                const std::size_t loser = match.placing[1] < match.placing[0] ? 0 : 1;
                ++losses[match.seats[loser]];
            }
            EXPECT_EQ(std::count(places.begin(), places.end(), 1U), 1);
            for (std::size_t i = 0; i < entrants; ++i) {
                if (places[i] == 1) {
                    EXPECT_LE(losses[i], 1) << entrants;
                } else {
                    EXPECT_EQ(losses[i], 2) << entrants << " place " << places[i];
                }
            }
        }
    }
}

TEST(DoubleElimination, WithoutUpsetsTheBestWinUnbeaten) {
    const auto config = format_of(KnockoutOptions{.double_elimination = true});
    const auto schedule = make_schedule(config, field_of(8), 1);
    const auto played = play(*schedule, by_number);
    EXPECT_EQ(text_of(played), "1-8 4-5 2-7 3-6 | 1-4 2-3 5-8 6-7 | 1-2 3-5 4-6 | 3-4 | 2-3 | 1-2");
    EXPECT_EQ(*schedule->places(), (std::vector<std::size_t>{1, 2, 3, 4, 5, 5, 7, 7}));
}

TEST(Leaderboard, EverybodyPlaysAloneOrAgainstTheSame) {
    const auto alone = make_schedule(format_of(LeaderboardOptions{}), field_of(3), 1);
    EXPECT_EQ(text_of(play(*alone, by_number)), "1 2 3");
    const auto against = make_schedule(format_of(LeaderboardOptions{{1, 3}}), field_of(5), 1);
    EXPECT_EQ(text_of(play(*against, by_number)), "1-2-4 3-2-4 5-2-4");
}

TEST(Gauntlet, TheFirstMeetsEachOfTheOthers) {
    const auto schedule = make_schedule(format_of(GauntletOptions{2, {}}), field_of(3), 1);
    EXPECT_EQ(schedule->matches_total(), 4U);
    EXPECT_EQ(text_of(play(*schedule, by_number)), "1-2 | 1-3 | 2-1 | 3-1");
}

GauntletOptions gauntlet_of_four(std::uint32_t cycles) {
    GauntletOptions options;
    options.cycles = cycles;
    options.match_seats = 4;
    return options;
}

TEST(Gauntlet, MeetsSeveralAtOnceAndMovesOnByASeat) {
    const auto schedule = make_schedule(format_of(gauntlet_of_four(2)), field_of(7), 1);
    std::vector<std::vector<Entrant>> seats;
    for (;;) {
        const auto next = schedule->next();
        const auto* pairing = std::get_if<Pairing>(&next);
        if (pairing == nullptr) break;
        seats.push_back(pairing->seats);
        schedule->record(result_of(*pairing, by_number));
    }
    EXPECT_EQ(seats, (std::vector<std::vector<Entrant>>{
                         {0, 1, 2, 3}, {0, 4, 5, 6}, {3, 0, 1, 2}, {6, 0, 4, 5}}));
}

TEST(Gauntlet, OpponentsFillItsMatches) {
    const auto errors = check_format(format_of(gauntlet_of_four(1)), field_of(6), {2, 8, false});
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].member, "seats");
    EXPECT_EQ(errors[0].message,
              "expected opponents for full matches of 4 seats: 3 for each, found 5");
    auto tested = gauntlet_of_four(100);
    tested.sprt = SprtBounds{};
    EXPECT_TRUE(check_format(format_of(tested), field_of(4), {2, 8, false}).empty());
    EXPECT_EQ(check_format(format_of(tested), field_of(7), {2, 8, false}).size(), 1U);
}

// The candidate's share of the points of a match for four is what counts, from whichever seat.
TEST(Gauntlet, TestsOneAgainstThree) {
    auto options = gauntlet_of_four(10'000);
    options.sprt = SprtBounds{-100, 0, 0.05, 0.05};
    const auto play = [&](const std::function<int(Entrant, std::uint64_t)>& place) {
        const auto schedule = make_schedule(format_of(options), field_of(4), 1);
        std::vector<MatchResult> results;
        for (;;) {
            const auto next = schedule->next();
            const auto* pairing = std::get_if<Pairing>(&next);
            if (pairing == nullptr) break;
            results.push_back(result_of(*pairing, by_number));
            for (std::size_t seat = 0; seat < 4; ++seat) {
                const int own = place(pairing->seats[seat], pairing->match);
                results.back().points[seat] = engines::Score::whole(4 - own);
            }
            schedule->record(results.back());
        }
        return gauntlet_test(*options.sprt, results).test;
    };
    const auto fair = play([](Entrant entrant, std::uint64_t match) {
        return 1 + static_cast<int>((entrant + match) % 4);
    });
    EXPECT_EQ(fair.verdict, rating::SprtVerdict::stronger) << "as good as the others";
    const auto last = play([](Entrant entrant, std::uint64_t) { return entrant == 0 ? 4 : 1; });
    EXPECT_EQ(last.verdict, rating::SprtVerdict::not_stronger);
    EXPECT_LT(last.matches, 10U);
}

TEST(Gauntlet, ATestEndsItAndLooksAtTheFinishedPrefixOnly) {
    const GauntletOptions options{10'000, SprtBounds{0, 50, 0.05, 0.05}};
    const auto schedule = make_schedule(format_of(options), field_of(2), 1);
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
    const auto test = gauntlet_test(*options.sprt, results);
    EXPECT_EQ(test.test.verdict, rating::SprtVerdict::stronger);
    EXPECT_LT(test.matches, 100U);
    std::reverse(results.begin(), results.end());
    EXPECT_EQ(gauntlet_test(*options.sprt, results).matches, test.matches);
    results.pop_back();
    EXPECT_EQ(gauntlet_test(*options.sprt, results).matches, 0U);
}

// Plays a gauntlet of two with a test to its end; `twist` changes each result.
std::vector<MatchResult> tested(const GauntletOptions& options, Schedule& schedule,
                                const std::function<void(MatchResult&)>& twist) {
    std::vector<MatchResult> results;
    for (;;) {
        const auto next = schedule.next();
        const auto* pairing = std::get_if<Pairing>(&next);
        if (pairing == nullptr || results.size() == options.cycles) return results;
        results.push_back(result_of(*pairing, by_number));
        results.back().counted.resize(1);
        twist(results.back());
        schedule.record(results.back());
    }
}

GauntletOptions gauntlet_with_test(double elo0, double elo1) {
    return {10'000, SprtBounds{elo0, elo1, 0.05, 0.05}};
}

TEST(Gauntlet, RepeatedGamesAreNoEvidenceAndEndTheTest) {
    const auto options = gauntlet_with_test(0, 50);
    const auto schedule = make_schedule(format_of(options), field_of(2), 1);
    // Two bots without chance: one game for each seat, again and again.
    const auto results = tested(options, *schedule, [](MatchResult& result) {
        result.counted[0].fingerprint = result.seats[0] == 0 ? "first" : "second";
    });
    EXPECT_EQ(results.size(), 2 + repeats_most);
    EXPECT_TRUE(std::holds_alternative<Schedule::Finished>(schedule->next()));
    EXPECT_NE(schedule->ended_early().find("repeated games"), std::string::npos);
    const auto state = gauntlet_test(*options.sprt, results);
    EXPECT_EQ(state.test.verdict, rating::SprtVerdict::undecided);
    EXPECT_EQ(state.test.matches, 2U);
    EXPECT_EQ(state.matches, 2 + repeats_most);
    // A match that is annulled may bring something new: the test goes on.
    EXPECT_TRUE(schedule->reopen(results.back().match));
    EXPECT_EQ(schedule->ended_early(), "");
}

TEST(Gauntlet, MatchesToWhichSomebodyDidNotComeDecideNothing) {
    const auto options = gauntlet_with_test(0, 50);
    const auto schedule = make_schedule(format_of(options), field_of(2), 1);
    const auto results = tested(options, *schedule, [](MatchResult& result) {
        result.absent[result.seats[0] == 0 ? 1 : 0] = true;
        result.counted[0].fingerprint = std::to_string(result.match);
    });
    EXPECT_EQ(gauntlet_test(*options.sprt, results).test.matches, 0U);
    EXPECT_EQ(results.size(), repeats_most);
}

TEST(Gauntlet, AGamesEloLooksAtGamesAMatchsEloAtPoints) {
    // Three of four games won: a match won, but three quarters of the games.
    auto options = gauntlet_with_test(150, 250);
    const auto twist = [](MatchResult& result) {
        const bool first = result.seats[0] == 0;
        result.game_points = {engines::Score::whole(first ? 3 : 1),
                              engines::Score::whole(first ? 1 : 3)};
    };
    const auto by_match = gauntlet_test(
        *options.sprt, tested(options, *make_schedule(format_of(options), field_of(2), 1), twist));
    EXPECT_EQ(by_match.test.verdict, rating::SprtVerdict::stronger);
    options.sprt->elo = EloOf::game;
    options.cycles = 500;
    const auto by_game = gauntlet_test(
        *options.sprt, tested(options, *make_schedule(format_of(options), field_of(2), 1), twist));
    // 400 log10(3) = 190.8 Elo: nearer to 150 than to 250.
    EXPECT_EQ(by_game.test.verdict, rating::SprtVerdict::not_stronger);
}

TEST(Stages, TheBestOfASwissPlayAKnockoutSeededByIt) {
    const auto config =
        format_of(StagesOptions{{{.format = format_of(SwissOptions{.rounds = 4})},
                                 {.format = format_of(KnockoutOptions{}), .advance = 4}}});
    // Worse numbers are stronger here.
    const Strength strength = [](const Pairing& pairing, std::size_t seat) {
        return static_cast<double>(pairing.seats[seat]);
    };
    const auto schedule = make_schedule(config, field_of(12), 1);
    const auto played = play(*schedule, strength);
    EXPECT_TRUE(played.finished);
    std::set<Entrant> in_last;
    std::set<std::uint64_t> matches;
    for (const auto& match : played.matches) {
        EXPECT_TRUE(matches.insert(match.match).second);
        if (match.round > 4) in_last.insert(match.seats.begin(), match.seats.end());
    }
    EXPECT_EQ(in_last.size(), 4U);
    EXPECT_EQ(in_last.count(11), 1U);
    const auto places = *schedule->places();
    EXPECT_EQ(places[11], 1U);
    for (Entrant entrant = 0; entrant < 12; ++entrant) {
        EXPECT_EQ(in_last.count(entrant) == 1, places[entrant] <= 4) << entrant;
    }
    const auto again = make_schedule(config, field_of(12), 1);
    EXPECT_EQ(text_of(play(*again, strength, Order::last_to_first)), text_of(played));
}

struct Wrong {
    std::string what;
    FormatConfig config;
    std::size_t entrants;
    GameSeats game;
    std::string member;
    std::string says;
};

TEST(FormatCheck, ImpossibleRequestsAreRefusedInClearWords) {
    const GameSeats two{2, 2, false};
    const GameSeats pods{2, 8, false};
    const GameSeats solo{1, 1, true};
    const std::vector<Wrong> cases = {
        {"nobody", {}, 0, two, "kind", "empty"},
        {"one bot", {}, 1, two, "kind", "at least 2 bots"},
        {"rounds", format_of(SwissOptions{.rounds = 6}), 6, two, "rounds", "at most 5 rounds"},
        {"pods of a game for two", format_of(RoundRobinOptions{.seats = 4}), 8, two, "seats",
         "seats 2, not 4"},
        {"a pod larger than the field", format_of(RoundRobinOptions{.seats = 4}), 3, pods, "kind",
         "at least 4 bots"},
        {"no cycle", format_of(RoundRobinOptions{.cycles = 0}), 4, two, "cycles", "from 1"},
        {"leaderboard alone", format_of(LeaderboardOptions{}), 4, two, "opponents", "needs"},
        {"only opponents", format_of(LeaderboardOptions{{0}}), 1, two, "opponents",
         "nobody is left"},
        {"bounds", format_of(GauntletOptions{1, SprtBounds{5, 5, .05, .05}}), 2, two, "sprt",
         "below"},
        {"no stage", format_of(StagesOptions{}), 4, two, "stages", "at least one"},
        {"too many go on", format_of(StagesOptions{{{}, {{}, 9}}}), 8, two, "stages[1].advance",
         "only 8"},
        {"knockout of one", format_of(KnockoutOptions{}), 1, solo, "kind", "at least 2"},
        {"one team", format_of(SwissOptions{.keep_teams_apart = true}), 0, two, "kind", ""},
    };
    for (const auto& wrong : cases) {
        const auto errors = check_format(wrong.config, field_of(wrong.entrants), wrong.game);
        ASSERT_FALSE(errors.empty()) << wrong.what;
        EXPECT_EQ(errors[0].member, wrong.member) << wrong.what;
        EXPECT_NE(errors[0].message.find(wrong.says), std::string::npos) << errors[0].message;
    }
    auto twins = field_of(3);
    twins[2].name = "bot1";
    const auto errors = check_format({}, twins, two);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].message, "two bots are named \"bot1\"");
    EXPECT_TRUE(check_format({}, field_of(2), two).empty());
}

TEST(Formats, OptionsAreOfTheirKindAndKnowHowManySitInAMatch) {
    struct Case {
        FormatOptions options;
        FormatKind kind;
        std::size_t seats;
        std::size_t fewest;
    };
    const std::vector<Case> cases = {
        {RoundRobinOptions{.seats = 4}, FormatKind::round_robin, 4, 4},
        {SwissOptions{.seats = 4, .seats_min = 3}, FormatKind::swiss, 4, 3},
        {LeaderboardOptions{}, FormatKind::leaderboard, 1, 1},
        {LeaderboardOptions{{3, 5}}, FormatKind::leaderboard, 3, 3},
        {GauntletOptions{}, FormatKind::gauntlet, 2, 2},
        {KnockoutOptions{}, FormatKind::knockout, 2, 2},
        {StagesOptions{{{.format = format_of(RoundRobinOptions{.seats = 5})}, {}}},
         FormatKind::stages, 5, 5},
        {LadderOptions{.seats = 2, .seats_min = 4}, FormatKind::ladder, 2, 2},
    };
    for (const auto& each : cases) {
        const auto format = format_of(each.options);
        EXPECT_EQ(format.kind(), each.kind);
        EXPECT_EQ(seats_of(format), each.seats) << name_of(each.kind);
        EXPECT_EQ(seats_min_of(format), each.fewest) << name_of(each.kind);
        EXPECT_EQ(options_of(each.kind).index(), each.options.index()) << name_of(each.kind);
    }
    const auto of_four = options_of(FormatKind::swiss, 4, 3);
    EXPECT_EQ(std::get<SwissOptions>(of_four).seats, 4U);
    EXPECT_EQ(std::get<SwissOptions>(of_four).seats_min, 3U);
}

TEST(Formats, OnlyALadderHasNoEndAndOnlyATestMayEndAnyTime) {
    for (const auto kind :
         {FormatKind::round_robin, FormatKind::swiss, FormatKind::leaderboard, FormatKind::gauntlet,
          FormatKind::knockout, FormatKind::stages, FormatKind::ladder}) {
        const auto traits = traits_of(format_of(options_of(kind)));
        const bool ladder = kind == FormatKind::ladder;
        EXPECT_EQ(traits.ends, !ladder) << name_of(kind);
        EXPECT_EQ(traits.open_field, ladder) << name_of(kind);
        EXPECT_EQ(traits.pairs_who_is_free, ladder) << name_of(kind);
        EXPECT_EQ(traits.matches_kept.has_value(), ladder) << name_of(kind);
        EXPECT_FALSE(traits.may_end_any_time) << name_of(kind);
    }
    EXPECT_TRUE(traits_of(format_of(gauntlet_with_test(0, 5))).may_end_any_time);
}

TEST(Formats, HaveNames) {
    for (const auto* name :
         {"round_robin", "swiss", "leaderboard", "gauntlet", "knockout", "stages"}) {
        ASSERT_TRUE(format_named(name));
        EXPECT_EQ(name_of(*format_named(name)), name);
    }
    EXPECT_FALSE(format_named("cup"));
}

}  // namespace
}  // namespace referee::tournament
