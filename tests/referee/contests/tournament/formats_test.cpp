#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "referee/contests/tournament/bracket.h"
#include "referee/contests/tournament/gauntlet_test.h"
#include "tests/referee/contests/tournament/play.h"

namespace referee::tournament {
namespace {

FormatConfig knockout_config() {
    FormatConfig config;
    config.kind = FormatKind::knockout;
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
        auto config = knockout_config();
        config.third_place_match = third;
        const auto schedule = make_schedule(config, field_of(entrants), 1);
        const auto played = play(*schedule, by_number);
        EXPECT_TRUE(played.finished);
        EXPECT_EQ(text_of(played), text);
    }
}

TEST(Knockout, PlacesAreByTheRoundOfTheLoss) {
    auto config = knockout_config();
    auto schedule = make_schedule(config, field_of(8), 1);
    play(*schedule, by_number);
    EXPECT_EQ(*schedule->places(), (std::vector<std::size_t>{1, 2, 3, 4, 5, 5, 5, 5}));
    config.third_place_match = false;
    schedule = make_schedule(config, field_of(8), 1);
    play(*schedule, by_number);
    EXPECT_EQ(*schedule->places(), (std::vector<std::size_t>{1, 2, 3, 3, 5, 5, 5, 5}));
}

TEST(Knockout, LevelMatchesGoToTheLotWhateverTimeTheyTook) {
    const auto schedule = make_schedule(knockout_config(), field_of(2), 1);
    auto result = result_of(std::get<Pairing>(schedule->next()),
                            [](const Pairing&, std::size_t) { return 1.0; });
    result.used_us = {2000, 1000};
    auto by_lot = result;
    by_lot.lot = 1;
    schedule->record(by_lot);
    EXPECT_TRUE(std::holds_alternative<Schedule::Finished>(schedule->next()));
    EXPECT_EQ(*schedule->places(), (std::vector<std::size_t>{2, 1}));
    const auto level = make_schedule(knockout_config(), field_of(2), 1);
    level->next();
    level->record(result);
    level->next();
    EXPECT_EQ(*level->places(), (std::vector<std::size_t>{1, 2}));
}

TEST(DoubleElimination, NobodyIsOutBeforeTwoLosses) {
    for (std::size_t entrants = 2; entrants <= 33; ++entrants) {
        for (const std::uint64_t luck : {0U, 1U, 2U}) {
            auto config = knockout_config();
            config.double_elimination = true;
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
    auto config = knockout_config();
    config.double_elimination = true;
    const auto schedule = make_schedule(config, field_of(8), 1);
    const auto played = play(*schedule, by_number);
    EXPECT_EQ(text_of(played), "1-8 4-5 2-7 3-6 | 1-4 2-3 5-8 6-7 | 1-2 3-5 4-6 | 3-4 | 2-3 | 1-2");
    EXPECT_EQ(*schedule->places(), (std::vector<std::size_t>{1, 2, 3, 4, 5, 5, 7, 7}));
}

TEST(Leaderboard, EverybodyPlaysAloneOrAgainstTheSame) {
    FormatConfig config;
    config.kind = FormatKind::leaderboard;
    config.seats = 1;
    const auto alone = make_schedule(config, field_of(3), 1);
    EXPECT_EQ(text_of(play(*alone, by_number)), "1 2 3");
    config.opponents = {1, 3};
    const auto against = make_schedule(config, field_of(5), 1);
    EXPECT_EQ(text_of(play(*against, by_number)), "1-2-4 3-2-4 5-2-4");
}

TEST(Gauntlet, TheFirstMeetsEachOfTheOthers) {
    FormatConfig config;
    config.kind = FormatKind::gauntlet;
    config.cycles = 2;
    const auto schedule = make_schedule(config, field_of(3), 1);
    EXPECT_EQ(schedule->matches_total(), 4U);
    EXPECT_EQ(text_of(play(*schedule, by_number)), "1-2 | 1-3 | 2-1 | 3-1");
}

TEST(Gauntlet, ATestEndsItAndLooksAtTheFinishedPrefixOnly) {
    FormatConfig config;
    config.kind = FormatKind::gauntlet;
    config.cycles = 10'000;
    config.sprt = SprtBounds{0, 50, 0.05, 0.05};
    const auto schedule = make_schedule(config, field_of(2), 1);
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
    const auto test = gauntlet_test(*config.sprt, results);
    EXPECT_EQ(test.test.verdict, rating::SprtVerdict::stronger);
    EXPECT_LT(test.matches, 100U);
    std::reverse(results.begin(), results.end());
    EXPECT_EQ(gauntlet_test(*config.sprt, results).matches, test.matches);
    results.pop_back();
    EXPECT_EQ(gauntlet_test(*config.sprt, results).matches, 0U);
}

// Plays a gauntlet of two with a test to its end; `twist` changes each result.
std::vector<MatchResult> tested(const FormatConfig& config, Schedule& schedule,
                                const std::function<void(MatchResult&)>& twist) {
    std::vector<MatchResult> results;
    for (;;) {
        const auto next = schedule.next();
        const auto* pairing = std::get_if<Pairing>(&next);
        if (pairing == nullptr || results.size() == config.cycles) return results;
        results.push_back(result_of(*pairing, by_number));
        results.back().counted.resize(1);
        twist(results.back());
        schedule.record(results.back());
    }
}

FormatConfig gauntlet_with_test(double elo0, double elo1) {
    FormatConfig config;
    config.kind = FormatKind::gauntlet;
    config.cycles = 10'000;
    config.sprt = SprtBounds{elo0, elo1, 0.05, 0.05};
    return config;
}

TEST(Gauntlet, RepeatedGamesAreNoEvidenceAndEndTheTest) {
    const auto config = gauntlet_with_test(0, 50);
    const auto schedule = make_schedule(config, field_of(2), 1);
    // Two bots without chance: one game for each seat, again and again.
    const auto results = tested(config, *schedule, [](MatchResult& result) {
        result.counted[0].fingerprint = result.seats[0] == 0 ? "first" : "second";
    });
    EXPECT_EQ(results.size(), 2 + repeats_most);
    EXPECT_TRUE(std::holds_alternative<Schedule::Finished>(schedule->next()));
    EXPECT_NE(schedule->ended_early().find("repeated games"), std::string::npos);
    const auto state = gauntlet_test(*config.sprt, results);
    EXPECT_EQ(state.test.verdict, rating::SprtVerdict::undecided);
    EXPECT_EQ(state.test.matches, 2U);
    EXPECT_EQ(state.matches, 2 + repeats_most);
    // A match that is annulled may bring something new: the test goes on.
    EXPECT_TRUE(schedule->reopen(results.back().match));
    EXPECT_EQ(schedule->ended_early(), "");
}

TEST(Gauntlet, MatchesToWhichSomebodyDidNotComeDecideNothing) {
    const auto config = gauntlet_with_test(0, 50);
    const auto schedule = make_schedule(config, field_of(2), 1);
    const auto results = tested(config, *schedule, [](MatchResult& result) {
        result.absent[result.seats[0] == 0 ? 1 : 0] = true;
        result.counted[0].fingerprint = std::to_string(result.match);
    });
    EXPECT_EQ(gauntlet_test(*config.sprt, results).test.matches, 0U);
    EXPECT_EQ(results.size(), repeats_most);
}

TEST(Gauntlet, AGamesEloLooksAtGamesAMatchsEloAtPoints) {
    // Three of four games won: a match won, but three quarters of the games.
    auto config = gauntlet_with_test(150, 250);
    const auto twist = [](MatchResult& result) {
        const bool first = result.seats[0] == 0;
        result.game_points = {engines::Score::whole(first ? 3 : 1),
                              engines::Score::whole(first ? 1 : 3)};
    };
    const auto by_match =
        gauntlet_test(*config.sprt, tested(config, *make_schedule(config, field_of(2), 1), twist));
    EXPECT_EQ(by_match.test.verdict, rating::SprtVerdict::stronger);
    config.sprt->elo = EloOf::game;
    config.cycles = 500;
    const auto by_game =
        gauntlet_test(*config.sprt, tested(config, *make_schedule(config, field_of(2), 1), twist));
    // 400 log10(3) = 190.8 Elo: nearer to 150 than to 250.
    EXPECT_EQ(by_game.test.verdict, rating::SprtVerdict::not_stronger);
}

TEST(Stages, TheBestOfASwissPlayAKnockoutSeededByIt) {
    FormatConfig config;
    config.kind = FormatKind::stages;
    config.stages.resize(2);
    config.stages[0].kind = FormatKind::swiss;
    config.stages[0].rounds = 4;
    config.stages[1].kind = FormatKind::knockout;
    config.stages[1].advance = 4;
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
    const auto make = [](FormatKind kind, auto change) {
        FormatConfig config;
        config.kind = kind;
        change(config);
        return config;
    };
    const auto as_is = [](FormatConfig&) {};
    const std::vector<Wrong> cases = {
        {"nobody", {}, 0, two, "kind", "empty"},
        {"one bot", {}, 1, two, "kind", "at least 2 bots"},
        {"rounds", make(FormatKind::swiss, [](auto& c) { c.rounds = 6; }), 6, two, "rounds",
         "at most 5 rounds"},
        {"pods of a game for two", make(FormatKind::round_robin, [](auto& c) { c.seats = 4; }), 8,
         two, "seats", "seats 2, not 4"},
        {"a pod larger than the field", make(FormatKind::round_robin, [](auto& c) { c.seats = 4; }),
         3, pods, "kind", "at least 4 bots"},
        {"no cycle", make(FormatKind::round_robin, [](auto& c) { c.cycles = 0; }), 4, two, "cycles",
         "from 1"},
        {"leaderboard alone", make(FormatKind::leaderboard, as_is), 4, two, "opponents", "needs"},
        {"only opponents", make(FormatKind::leaderboard, [](auto& c) { c.opponents = {0}; }), 1,
         two, "opponents", "nobody is left"},
        {"bounds",
         make(FormatKind::gauntlet,
              [](auto& c) {
                  c.sprt = SprtBounds{5, 5, .05, .05};
              }),
         2, two, "sprt", "below"},
        {"no stage", make(FormatKind::stages, as_is), 4, two, "stages", "at least one"},
        {"too many go on",
         make(FormatKind::stages,
              [](auto& c) {
                  c.stages.resize(2);
                  c.stages[1].advance = 9;
              }),
         8, two, "stages[1].advance", "only 8"},
        {"knockout of one", make(FormatKind::knockout, as_is), 1, solo, "kind", "at least 2"},
        {"one team", make(FormatKind::swiss, [](auto& c) { c.keep_teams_apart = true; }), 0, two,
         "kind", ""},
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
