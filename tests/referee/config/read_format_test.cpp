// Formats and matches: what is read of them, what is completed, and what is wrong with them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "referee/config/config.h"
#include "referee/config/read_config.h"
#include "tests/json.h"
#include "tests/referee/config/config_reading.h"

namespace referee::config {

namespace {

using testing::ElementsAre;
using testing::SizeIs;

// A tournament of five bots that dial in, with these members too.
TournamentConfig tournament_of_five(const std::string& members) {
    auto config = good(
        R"({"bots": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}, {"name": "e"}],
        "tournaments": [{"id": "t", )" +
        members + "}]}");
    return config.tournaments.size() == 1 ? std::move(config.tournaments[0]) : TournamentConfig{};
}

TEST(ReadFormatTest, AllOptionsOfASwiss) {
    const auto friday =
        tournament_of_five(R"("game": "walls", "format": {"kind": "swiss", "rounds": 3,
        "accelerated": true, "keep_teams_apart": true, "draw_numbers": true, "colours": false,
        "forbidden_pairs": [["a", "b"], {"bots": ["b", "d"], "first_round": 2, "last_round": 3}],
        "win_points": 3, "draw_points": 1, "bye_points": 1.5},
        "bots": ["a", {"name": "b", "first_round": 2, "last_round": 3, "half_point_byes": [3],
        "zero_point_byes": [2]}, "d"])");
    const auto* swiss = friday.format.as<formats::SwissOptions>();
    ASSERT_NE(swiss, nullptr);
    EXPECT_EQ(swiss->rounds, 3U);
    EXPECT_TRUE(swiss->accelerated && swiss->keep_teams_apart && swiss->draw_numbers);
    EXPECT_FALSE(swiss->colours);
    EXPECT_THAT(swiss->forbidden_pairs, ElementsAre(formats::ForbiddenPairs{{"a", "b"}},
                                                    formats::ForbiddenPairs{{"b", "d"}, 2, 3}));
    EXPECT_EQ(friday.format.win_points, engines::Score::whole(3));
    EXPECT_EQ(friday.format.draw_points, engines::Score::whole(1));
    EXPECT_EQ(friday.format.bye_points, engines::Score::halves(3));
    EXPECT_THAT(friday.bots, ElementsAre(0, 1, 3));
    ASSERT_THAT(friday.attendance, SizeIs(1));
    const auto& b = friday.attendance.at(1);
    EXPECT_EQ(b.first_round, 2U);
    EXPECT_EQ(b.last_round, 3U);
    EXPECT_THAT(b.half_point_byes, ElementsAre(3));
    EXPECT_THAT(b.zero_point_byes, ElementsAre(2));
    const auto entries = entries_of(friday, std::vector<BotConfig>(5));
    EXPECT_EQ(entries[1].first_round, 2U);
    EXPECT_EQ(entries[2].first_round, 1U);
}

TEST(ReadFormatTest, OptionsOfTheOtherFormats) {
    const auto cup =
        std::get<formats::KnockoutOptions>(tournament_of_five(
                                               R"("game": "walls", "format": {"kind": "knockout",
        "double_elimination": true, "third_place_match": false, "second_final": false,
        "extra_games": 6})")
                                               .format.options);
    EXPECT_EQ(cup.extra_games, 6U);
    EXPECT_TRUE(cup.double_elimination);
    EXPECT_FALSE(cup.third_place_match || cup.second_final);
    const auto test =
        std::get<formats::GauntletOptions>(tournament(
                                               R"("game": "walls", "format": {"kind": "gauntlet",
        "sprt": {"elo0": -5, "elo1": 5, "alpha": 0.1, "beta": 0.2}})")
                                               .format.options);
    ASSERT_TRUE(test.sprt);
    EXPECT_EQ(test.sprt->elo0, -5);
    EXPECT_EQ(test.sprt->beta, 0.2);
    EXPECT_EQ(test.sprt->elo, formats::EloOf::match);
    const auto of_games =
        std::get<formats::GauntletOptions>(tournament(
                                               R"("game": "walls", "format": {"kind": "gauntlet",
        "sprt": {"elo": "game"}}, "match": {"games": 2})")
                                               .format.options);
    EXPECT_EQ(of_games.sprt->elo, formats::EloOf::game);
    EXPECT_EQ(test.cycles, 10'000U) << "it ends by itself";
    const auto board =
        tournament_of_five(
            R"("game": "walls", "format": {"kind": "leaderboard", "opponents": ["c"]})")
            .format;
    EXPECT_THAT(formats::fixed_opponents(board), ElementsAre(2));
    EXPECT_EQ(formats::seats_of(board), 2U);
    const auto pods = std::get<formats::RoundRobinOptions>(
        tournament_of_five(R"("game": "light_cycles", "format": {"seats": 4, "cycles": 2})")
            .format.options);
    EXPECT_EQ(pods.seats, 4U);
    EXPECT_EQ(pods.cycles, 2U);
}

TEST(ReadFormatTest, WhatAMatchIsWorth) {
    struct Case {
        const char* members;
        std::int64_t win, draw, bye;  // in halves
        formats::MatchPoints points;
    };
    using enum formats::MatchPoints;
    for (
        const auto& [members, win, draw, bye, points] : {
            Case{R"("game": "walls")", 2, 1, 2, result},
            Case{R"("game": "walls", "format": {"win_points": 3, "draw_points": 1})", 6, 2, 6,
                 result},
            Case{R"("game": "walls", "format": {"win_points": 3})", 6, 3, 6, result},
            // Two games of 2, 1, 0 points.
            Case{R"("game": "walls", "match": {"points": "scores"})", 8, 4, 8, scores},
            // Best of three: for each that is behind or level; a bye is the middle.
            Case{R"("game": "light_cycles")", 2, 1, 3, result},
            Case{R"("game": "light_cycles", "format": {"seats": 2})", 2, 1, 2, result},
            Case{R"("game": "light_cycles", "match": {"best_of": 5})", 2, 1, 3, result},
            // Two games of three points for the first of four.
            Case{R"("game": "light_cycles", "match": {"games": 2})", 4, 2, 6, scores},
            Case{R"("game": "light_cycles", "match": {"games": 2, "points": "result"})", 2, 1, 3,
                 result},
            Case{
                R"("game": "light_cycles", "match": {"games": 2}, "format": {"win_points": 3, "draw_points": 1})",
                6, 2, 6, result},
            Case{R"("game": "superball", "format": {"kind": "swiss"}, "match": {"games": 3})", 2, 1,
                 2, result},
            Case{
                R"("game": "superball", "format": {"kind": "swiss"}, "match": {"games": 3, "points": "scores"})",
                6, 3, 6, scores},
        }) {
        const auto friday = tournament_of_five(members);
        EXPECT_EQ(friday.format.win_points.in_halves(), win) << members;
        EXPECT_EQ(friday.format.draw_points.in_halves(), draw) << members;
        EXPECT_EQ(friday.format.bye_points.in_halves(), bye) << members;
        EXPECT_EQ(friday.match.points, points) << members;
    }
}

TEST(ReadFormatTest, SoloGamesAreAlsoPlayedHeadToHead) {
    for (const auto* kind : {"swiss", "round_robin", "knockout", "gauntlet"}) {
        const auto friday =
            tournament_of_five(R"("game": "superball", "format": {"kind": ")" + std::string(kind) +
                               R"("}, "match": {"games": 4, "seeds": [7, 8]})");
        EXPECT_EQ(formats::seats_of(friday.format), 2U) << kind;
        EXPECT_TRUE(friday.match.solo);
        EXPECT_THAT(friday.match.seeds, ElementsAre(7, 8));
    }
    EXPECT_EQ(formats::seats_of(tournament_of_five(R"("game": "superball")").format), 1U);
}

TEST(ReadFormatTest, PodsOfOtherSizesGetParamsOfTheirOwn) {
    for (const std::size_t seats : {2U, 3U, 4U, 5U}) {
        const auto friday = tournament_of_five(
            R"("game": "light_cycles", "params": {"grace_turns": 3}, "format": {"seats": )" +
            std::to_string(seats) + "}");
        const auto setup = setups_of(friday).front();
        EXPECT_EQ(setup["grace_turns"], 3);
        if (seats == 4) continue;
        EXPECT_EQ(setup["teams"], seats);
        EXPECT_EQ(setup["starts"].size(), seats * 3);
    }
}

TEST(ReadFormatTest, SmallerPodsKeepTheFirstSeatsStarts) {
    const engines::Registry registry;
    const auto& cycles = *registry.find("light_cycles");
    const auto four = tournament_of_five(R"("game": "light_cycles")").setups.front();
    for (const std::size_t seats : {2U, 3U}) {
        const auto fewer = nlohmann::json::parse(formats::setup_for(cycles, four, seats));
        EXPECT_EQ(fewer["teams"], seats);
        ASSERT_EQ(fewer["starts"].size(), 3 * seats);
        EXPECT_EQ(fewer["starts"][0], nlohmann::json({169, 45}));
        EXPECT_EQ(fewer["starts"][5], nlohmann::json({125, 169}));
    }
    EXPECT_EQ(formats::setup_for(cycles, four, 4), four);
    const auto own = formats::setup_for(
        cycles,
        R"({"width": 9, "height": 9, "cycles_per_team": 1, "starts": [[1,1],[2,2],[3,3],[4,4]]})",
        3);
    EXPECT_EQ(nlohmann::json::parse(own)["starts"], nlohmann::json::parse("[[1,1],[2,2],[3,3]]"));
    EXPECT_EQ(formats::setup_for(*registry.find("walls"), "{}", 2), "{}");
}

TEST(ReadFormatTest, EveryGameHasEveryFormat) {
    for (const auto* game :
         {"walls", "light_cycles", "e7_planets", "snake_labyrinth", "superball"}) {
        for (
            const auto* format :
            {R"({"kind": "round_robin"})", R"({"kind": "swiss"})", R"({"kind": "knockout"})",
             R"({"kind": "gauntlet"})", R"({"kind": "leaderboard", "opponents": ["e"]})",
             R"({"kind": "stages", "stages": [{"kind": "swiss"}, {"kind": "knockout", "advance": 2}]})"}) {
            tournament_of_five(R"("game": ")" + std::string(game) + R"(", "format": )" + format);
        }
    }
}

TEST(ReadFormatTest, TieBreaksOfASwissAndOfItsStages) {
    using enum standings::TieBreak;
    EXPECT_THAT(tournament(R"("game": "walls", "format": {"kind": "swiss"})").tie_breaks,
                ElementsAre(points, scores, buchholz_cut_1, buchholz, sonneborn_berger));
    EXPECT_THAT(
        tournament(R"("game": "superball", "tie_breaks": ["average", "points"])").tie_breaks,
        ElementsAre(average, points))
        << "points where they are named";
    const auto friday =
        tournament_of_five(R"("game": "walls", "tie_breaks": ["wins"], "format": {"kind": "stages",
        "stages": [{"kind": "swiss"}, {"kind": "round_robin", "advance": 4, "ranked_by": ["points", "BH"]},
                   {"kind": "knockout", "advance": 2}]})");
    const auto stages = formats::stages_of(friday.format);
    ASSERT_THAT(stages, SizeIs(3));
    EXPECT_THAT(stages[0].ranked_by, ElementsAre(points, wins));
    EXPECT_THAT(stages[1].ranked_by, ElementsAre(points, buchholz));
    EXPECT_EQ(stages[1].format.kind(), formats::FormatKind::round_robin);
    EXPECT_EQ(stages[1].advance, 4U);
}

using formats::AdaptiveOptions;
using formats::Question;

AdaptiveOptions adaptive_of(const std::string& members) {
    const auto config = good(
        R"({"bots": [{"name": "a"}, {"name": "b"}, {"name": "c"}], "tournaments": [{"id": "t",
        "game": "walls", "format": {"kind": "adaptive")" +
        members + "}}]}");
    const auto* read = config.tournaments.empty()
                           ? nullptr
                           : config.tournaments.front().format.as<AdaptiveOptions>();
    return read == nullptr ? AdaptiveOptions{} : *read;
}

TEST(AdaptiveFormatTest, Questions) {
    EXPECT_EQ(adaptive_of("").question, Question::top);
    EXPECT_EQ(adaptive_of("").top, 1U);
    EXPECT_EQ(adaptive_of(R"(, "question": "order")").question, Question::order);
    EXPECT_EQ(adaptive_of(R"(, "question": "top", "top": 2)").top, 2U);
    const auto border = adaptive_of(R"(, "question": "better_than", "better_than": "c")");
    EXPECT_EQ(border.question, Question::better_than);
    EXPECT_EQ(border.better_than, 2U);
}

TEST(AdaptiveFormatTest, Options) {
    const auto read =
        adaptive_of(R"(, "confidence": 0.9, "margin": 0.05, "matches": 77, "opening": 3)");
    EXPECT_EQ(read.confidence, 0.9);
    EXPECT_EQ(read.margin, 0.05);
    EXPECT_EQ(read.matches, 77U);
    EXPECT_EQ(read.opening, 3U);
    EXPECT_EQ(read.time, std::chrono::seconds(0)) << "as long as it takes";
    EXPECT_EQ(adaptive_of(R"(, "time": "90m")").time, std::chrono::minutes(90));
}

TEST(AdaptiveFormatTest, Mistakes) {
    check(R"({"bots": [{"name": "a"}, {"name": "b"}, {"name": "c"}],)"
          R"("tournaments": [{"id": "t", "game": "walls",)",
          R"rows(
        "format": {"kind": "adaptive", "question": "top"} -> question: expected "top" beside it
        "format": {"kind": "adaptive", "top": 2} -> top: only "question": "top" has it
        "format": {"kind": "adaptive", "question": "top", "top": 3}
            -> top: expected a number from 1 to 2, one below the number of bots, found 3
        "format": {"kind": "adaptive", "question": "better_than", "better_than": "zoe"}
            -> better_than: "zoe" is not one of the tournament's bots
        "format": {"kind": "adaptive", "confidence": 0.3} -> confidence: at least 0.5 and below 1
        "format": {"kind": "stages", "stages": [{"kind": "adaptive", "time": "1h"}]}
            -> stages[0].time: only a tournament of its own ends
        "format": {"kind": "adaptive"}, "match": {"best_of": 3}
            -> kind: needs matches of so many games
    )rows",
          "}]}", "tournaments[0].format.");
}

TEST(ConfigMistakesTest, InWishesOfASwiss) {
    check(R"({"bots": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}],)"
          R"("tournaments": [{"id": "t", "game": "walls",)",
          R"rows(
        "format": {"kind": "swiss", "forbidden_pairs": ["a"]}
            -> forbidden_pairs[0]: such as ["alice", "bob"]
        "format": {"kind": "swiss", "forbidden_pairs": [["a"]]}
            -> forbidden_pairs[0]: such as ["alice", "bob"]
        "format": {"kind": "swiss", "forbidden_pairs": [["a", "a"]]}
            -> forbidden_pairs[0]: two different bots
        "format": {"kind": "swiss", "forbidden_pairs": [["a", "x"]]}
            -> forbidden_pairs: "x" is not one of the tournament's bots
        "format": {"kind": "swiss", "forbidden_pairs": [{"bots": ["a", "b"], "round": 2}]}
            -> forbidden_pairs[0].round: first_round
        "format": {"kind": "swiss", "forbidden_pairs": [{"bots": ["a", "b"], "first_round": 9}]}
            -> forbidden_pairs[0]: there are 3
    )rows",
          "}]}", "tournaments[0].format.");
}

// A ladder's best may be anybody who may register.
TEST(ConfigMistakesTest, InPairsOfAFieldThatALadderGives) {
    const auto before = [](const std::string& registration) {
        return R"({"bots": [{"name": "a"}, {"name": "b"}], )" + registration +
               R"("tournaments": [{"id": "l", "game": "walls", "format": {"kind": "ladder"}},)"
               R"({"id": "t", "game": "walls", "field": {"ladder": "l"}, )";
    };
    const std::string pairs = R"("format": {"kind": "swiss", "forbidden_pairs": [["a", "x"]]})";
    const auto open =
        good(before(R"("registration": {"password": "sesame open"}, )") + pairs + "}]}");
    EXPECT_EQ(open.tournaments.at(1).format.as<formats::SwissOptions>()->forbidden_pairs.size(),
              1U);
    const auto row = pairs + "\n            -> forbidden_pairs: \"x\" is not one of the\n";
    check(before(""), row, "}]}", "tournaments[1].format.");
}

}  // namespace

}  // namespace referee::config
