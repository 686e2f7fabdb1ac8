#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "protocol/base/text.h"
#include "referee/contest/formats/match_fold.h"
#include "tests/referee/contest/formats/play_schedule.h"

namespace referee::formats {
namespace {

TEST(Knockout, SeedsMeetAsInAnyBracketAndPlacesAreByTheRoundOfTheLoss) {
    using Places = std::vector<std::size_t>;
    struct Case {
        std::size_t entrants;
        KnockoutOptions options;
        std::string text;
        Places places;
    };
    const KnockoutOptions third{};
    const KnockoutOptions no_third{.third_place_match = false};
    const KnockoutOptions twice{.double_elimination = true};
    for (const auto& [entrants, options, text, places] : {
             Case{2, third, "1-2", {1, 2}},
             Case{4, third, "1-4 2-3 | 1-2 3-4", {1, 2, 3, 4}},
             Case{4, no_third, "1-4 2-3 | 1-2", {1, 2, 3, 3}},
             Case{8, third, "1-8 4-5 2-7 3-6 | 1-4 2-3 | 1-2 3-4", {1, 2, 3, 4, 5, 5, 5, 5}},
             Case{8, no_third, "1-8 4-5 2-7 3-6 | 1-4 2-3 | 1-2", {1, 2, 3, 3, 5, 5, 5, 5}},
             Case{6, third, "4-5 3-6 (1) (2) | 1-4 2-3 | 1-2 3-4", {1, 2, 3, 4, 5, 5}},
             Case{3, third, "2-3 (1) | 1-2 (3)", {1, 2, 3}},
             Case{5, no_third, "4-5 (1) (2) (3) | 1-4 2-3 | 1-2", {1, 2, 3, 3, 5}},
             Case{8,
                  twice,
                  "1-8 4-5 2-7 3-6 | 1-4 2-3 5-8 6-7 | 1-2 3-5 4-6 | 3-4 | 2-3 | 1-2",
                  {1, 2, 3, 4, 5, 5, 7, 7}},
         }) {
        const auto schedule = make_schedule(config_of(options), field_of(entrants), 1);
        const auto played = play(*schedule, by_number);
        EXPECT_TRUE(played.finished);
        EXPECT_EQ(text_of(played), text);
        EXPECT_EQ(*schedule->places(), places) << text;
    }
}

TEST(Knockout, LevelMatchesGoToTheLotWhateverTimeTheyTook) {
    for (const std::size_t lot : {0U, 1U}) {
        const auto schedule = make_schedule(config_of(KnockoutOptions{}), field_of(2), 1);
        play(*schedule, [lot](const Pairing& pairing) {
            auto result = result_of(pairing, [](const Pairing&, std::size_t) { return 1.0; });
            result.used_us = {2000, 1000};
            result.lot = lot;
            return result;
        });
        EXPECT_EQ(*schedule->places(), (std::vector<std::size_t>{lot + 1, 2 - lot}));
    }
}

TEST(DoubleElimination, NobodyIsOutBeforeTwoLosses) {
    const auto config = config_of(KnockoutOptions{.double_elimination = true});
    for (std::size_t entrants = 2; entrants <= 33; ++entrants) {
        for (const std::uint64_t luck : {0U, 1U, 2U}) {
            const auto schedule = make_schedule(config, field_of(entrants), 1);
            const auto played = play(*schedule, [&](const Pairing& pairing, std::size_t seat) {
                const auto lot = (pairing.match * 7 + pairing.seats[seat] * 13) % 5;
                return luck == 0 ? by_number(pairing, seat) : static_cast<double>(lot * luck);
            });
            ASSERT_TRUE(played.finished);
            std::vector<int> losses(entrants, 0);
            // A level match goes to the better seed, who sits first.
            for (const auto& match : played.matches)
                ++losses[match.seats[match.placing[1] < match.placing[0] ? 0 : 1]];
            const auto places = *schedule->places();
            EXPECT_EQ(std::ranges::count(places, 1U), 1);
            for (std::size_t i = 0; i < entrants; ++i)
                EXPECT_TRUE(places[i] == 1 ? losses[i] <= 1 : losses[i] == 2)
                    << entrants << " place " << places[i] << ": " << losses[i];
        }
    }
}

TEST(Leaderboard, EverybodyPlaysAloneOrAgainstTheSame) {
    const auto alone = make_schedule(config_of(LeaderboardOptions{}), field_of(3), 1);
    EXPECT_EQ(text_of(play(*alone, by_number)), "1 2 3");
    const auto against = make_schedule(config_of(LeaderboardOptions{{1, 3}}), field_of(5), 1);
    EXPECT_EQ(text_of(play(*against, by_number)), "1-2-4 3-2-4 5-2-4");
}

TEST(Stages, TheBestOfASwissPlayAKnockoutSeededByIt) {
    const auto config =
        config_of(StagesOptions{{{.format = config_of(SwissOptions{.rounds = 4})},
                                 {.format = config_of(KnockoutOptions{}), .advance = 4}}});
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

TEST(Stages, WhoIsLetInAgainGoesOnWhateverRoundItWasToLeaveAfter) {
    const auto config =
        config_of(StagesOptions{{{.format = config_of(SwissOptions{.rounds = 3})},
                                 {.format = config_of(KnockoutOptions{}), .advance = 2}}});
    auto field = field_of(6);
    field[0].last_round = 2;
    const auto schedule = make_schedule(config, field, 1);
    play(*schedule, result_by_number, Order::first_to_last, 2);
    schedule->withdraw(0, 3);
    EXPECT_TRUE(schedule->come_back(0, 3));
    EXPECT_EQ(play(*schedule, by_number).matches.back().seats.front(), 0U);
    EXPECT_EQ(schedule->places()->front(), 1U);
}

// What a config's text can't ask for.
TEST(FormatCheck, FieldsThatNoFormatHasAreRefused) {
    const auto wrong = [](std::vector<Entry> field, FormatOptions options = {}) {
        const auto errors = check_format(config_of(std::move(options)), field, {2, 2, false});
        return errors.size() == 1 ? errors[0].message : "";
    };
    EXPECT_EQ(wrong({}), "the field is empty: there is no bot");
    auto twins = field_of(3);
    twins[2].name = "bot1";
    EXPECT_EQ(wrong(twins), "two bots are named \"bot1\"");
    const auto crowd = field_of(adaptive_entrants_most + 1);
    EXPECT_EQ(wrong(crowd, AdaptiveOptions{}).substr(0, 43),
              "an adaptive tournament has at most 500 bots");
}

// Rounds are counted on: the third is the first stage's, though the second stage has only two.
TEST(FormatCheck, OnlyTheFirstStageIsHeldToWhoLeavesItsRoundsOut) {
    const GameSeats two{2, 2, false};
    const auto config =
        config_of(StagesOptions{{{.format = config_of(SwissOptions{.rounds = 4})},
                                 {.format = config_of(SwissOptions{.rounds = 2}), .advance = 4}}});
    auto field = field_of(8);
    field[0].half_point_byes = {3};
    field[1].zero_point_byes = {4};
    field[2].first_round = 3;
    EXPECT_TRUE(check_format(config, field, two).empty());
    field[0].half_point_byes = {5};
    field[2].first_round = 5;
    const auto errors = check_format(config, field, two);
    ASSERT_EQ(errors.size(), 2U);
    EXPECT_EQ(errors[0].message, "\"bot1\" asks for a bye in round 5, and there are 4");
    EXPECT_EQ(errors[1].message, "\"bot3\" would enter in round 5, and there are 4");
}

TEST(FormatCheck, AFirstRoundThatNobodyCouldDrawIsKnown) {
    auto config = config_of(SwissOptions{.keep_teams_apart = true});
    auto field = field_of(4);
    field[0].team = field[1].team = field[2].team = "red";
    EXPECT_TRUE(check_format(config, field, {2, 2, false}).empty());
    const auto alone = first_round_error(config, field);
    ASSERT_TRUE(alone);
    EXPECT_EQ(alone->member, "keep_teams_apart");
    EXPECT_EQ(alone->message.find("round 1 can't be paired: "), 0U) << alone->message;
    field[2].first_round = 2;
    EXPECT_FALSE(first_round_error(config, field)) << "only two of a team are there at first";
    field[2] = {.name = "bot3"};
    EXPECT_FALSE(first_round_error(config, field));
    EXPECT_FALSE(first_round_error(config_of(KnockoutOptions{}), field));
    std::get<SwissOptions>(config.options).forbidden_pairs = {{{"bot1", "bot2", "bot3", "bot4"}}};
    EXPECT_EQ(first_round_error(config, field)->member, "forbidden_pairs");
}

// A later stage's too, whoever of the six goes on to it.
TEST(FormatCheck, AStageWhoseFirstRoundNobodyCouldDrawIsKnown) {
    struct Case {
        const char* what;
        std::size_t seats;
        std::vector<std::string> apart;
        std::size_t advance;
        std::string says;  // a part of it; empty: nothing
    };
    const std::vector<std::string> five{"bot1", "bot2", "bot3", "bot4", "bot5"};
    const std::vector<std::string> four(five.begin(), five.begin() + 4);
    for (const auto& [what, seats, apart, advance, says] :
         {Case{"all go on", 2, five, 0, "of the 6 bots that go on at most 2 can be, whoever"},
          Case{"four go on", 2, five, 4, "of the 4 bots that go on at most 2 can be, whoever"},
          Case{"three go on", 2, five, 3, ""}, Case{"four may be others", 2, four, 4, ""},
          Case{"pods of all", 3, five, 0, "round 1 can't be drawn: "},
          Case{"pods of some", 3, five, 3, ""}}) {
        SwissOptions options{.seats = seats, .seats_min = seats, .rounds = 1};
        options.forbidden_pairs = {{apart}};
        const auto config = config_of(
            StagesOptions{{{.format = {}}, {.format = config_of(options), .advance = advance}}});
        auto field = field_of(6);
        EXPECT_TRUE(check_format(config, field, {2, 3, false}).empty()) << what;
        const auto error = first_round_error(config, field);
        ASSERT_EQ(error.has_value(), !says.empty()) << what;
        if (!error) continue;
        EXPECT_EQ(error->member, "stages[1].forbidden_pairs") << what;
        EXPECT_EQ(error->message.find("stage 2: round 1 can't be "), 0U) << error->message;
        EXPECT_NE(error->message.find(says), std::string::npos) << error->message;
    }
    SwissOptions teams{.rounds = 1};
    teams.keep_teams_apart = true;
    auto field = field_of(4);
    field[0].team = field[1].team = field[2].team = "red";
    for (const std::size_t stage : {0U, 1U}) {
        StagesOptions options{{{.format = {}}, {.format = {}}}};
        options.stages[stage].format = config_of(teams);
        const auto error = first_round_error(config_of(options), field);
        ASSERT_TRUE(error);
        EXPECT_EQ(error->member, fmt::format("stages[{}].keep_teams_apart", stage));
    }
}

TEST(FormatCheck, OfWhichTeamsALaterStageIsNobodyKnows) {
    const GameSeats two{2, 2, false};
    SwissOptions apart{.rounds = 1};
    apart.keep_teams_apart = true;
    const auto config = config_of(StagesOptions{{{.format = config_of(SwissOptions{.rounds = 2})},
                                                 {.format = config_of(apart), .advance = 2}}});
    auto field = field_of(4);
    field[0].team = field[1].team = "red";
    EXPECT_TRUE(check_format(config, field, two).empty());
    field[2].team = field[3].team = "red";
    const auto errors = check_format(config, field, two);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].member, "stages[1].keep_teams_apart");
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
        {StagesOptions{{{.format = config_of(RoundRobinOptions{.seats = 5})}, {}}},
         FormatKind::stages, 5, 5},
        {LadderOptions{.seats = 2, .seats_min = 4}, FormatKind::ladder, 2, 2},
    };
    for (const auto& each : cases) {
        const auto format = config_of(each.options);
        EXPECT_EQ(format.kind(), each.kind);
        EXPECT_EQ(seats_of(format), each.seats) << name_of(each.kind);
        EXPECT_EQ(seats_min_of(format), each.fewest) << name_of(each.kind);
        EXPECT_EQ(options_of(each.kind).index(), each.options.index()) << name_of(each.kind);
    }
    const auto of_four = options_of(FormatKind::swiss, 4, 3);
    EXPECT_EQ(std::get<SwissOptions>(of_four).seats, 4U);
    EXPECT_EQ(std::get<SwissOptions>(of_four).seats_min, 3U);
}

TEST(Repetitions, AreCountedInARowForTheSameSeats) {
    struct Case {
        std::vector<Entrant> seats;
        std::vector<std::string> games;  // by fingerprint
        unsigned times;
    };
    const std::vector<Case> cases = {
        {{0, 1}, {"a", "b"}, 0}, {{0, 1}, {"a", "b"}, 1}, {{1, 0}, {"a", "b"}, 0},
        {{0, 2}, {"a", "b"}, 0}, {{0, 1}, {"a", "b"}, 2}, {{1, 0}, {"a", "b"}, 1},
        {{0, 1}, {"b", "a"}, 0}, {{0, 1}, {"a", "b"}, 0}, {{0, 1}, {"a", "b"}, 1},
        {{0, 2}, {"a", ""}, 0},  {{0, 2}, {"a", ""}, 0},  {{0, 2}, {}, 0},
        {{0, 2}, {}, 0},         {{0, 2}, {"a"}, 0},      {{0, 2}, {"a"}, 1}};
    standings::ResultList results;
    for (const auto& [seats, games, times] : cases) {
        MatchResult match;
        match.match = results.size() + 1;
        match.seats = seats;
        match.counted = games_with(games);
        results.put(match);
    }
    for (const auto& [ordinal, match] : results)
        EXPECT_EQ(repetitions(results, match), cases[ordinal - 1].times) << "match " << ordinal;
}

}  // namespace
}  // namespace referee::formats
