// Good configs: what is read, what is completed, what is warned of.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "referee/config/entries.h"
#include "referee/config/reader.h"

namespace referee::config {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Config good(const std::string& text) {
    auto read = read_config(text, "class.json", "/srv/class");
    if (const auto* errors = std::get_if<std::vector<ConfigError>>(&read)) {
        for (const auto& error : *errors) ADD_FAILURE() << describe(error, "class.json");
        return {};
    }
    return std::get<Config>(std::move(read));
}

// A tournament of two bots that dial in, with these members too.
TournamentConfig tournament(const std::string& members) {
    auto config = good(R"({"bots": [{"name": "a"}, {"name": "b"}], "tournaments": [{"id": "t", )" +
                       members + "}]}");
    if (config.tournaments.size() != 1) return {};
    return std::move(config.tournaments[0]);
}

std::vector<nlohmann::json> setups_of(const TournamentConfig& config) {
    std::vector<nlohmann::json> setups;
    for (const auto& setup : config.setups) setups.push_back(nlohmann::json::parse(setup));
    return setups;
}

TEST(ReadConfigTest, AFullOne) {
    const auto config = good(R"(// everything at once
{
  "$schema": "schema.json",
  "listen": {"address": "0.0.0.0", "port": 0},
  "connections": {"total": 100, "per_address": 7},
  "join_within": "2m",
  "games_at_once": 3,
  "bots": [
    {"name": "alice", "token": "secret", "team": "red", "rating": 1800},
    {"name": "bob", "launch": ["python3", "bot.py"], "directory": "bots/../bob", "environment": {"LEVEL": "3"},
     "speaks": "tcp", "lifetime": "game", "freeze_between_turns": true, "memory_mb": 512},
    {"name": "carol", "launch": ["./carol"]} /* the rest by default */
  ],
  "tournaments": [{
    "id": "friday-1_A", "game": "walls", "seed": 4294967295, "bots": ["carol", "alice"],
    "format": {"kind": "round_robin", "cycles": 2, "swap_last_rounds": true},
    "match": {"best_of": 5, "seats": "rotate", "points": "scores", "seeds": [1, 4294967295], "same_seeds": true},
    "params": {"size": 7},
    "tie_breaks": ["points", "buchholz"],
    "clock": {"kind": "game", "budget": "1m", "increment": "100ms", "hard_limit": "10s", "network_allowance": false,
              "allowance_max": 1000},
    "faults": {"late": "strike", "illegal": "forfeit", "strikes": 5},
    "ready": "3s", "no_show_after": "30s"
  }]
})");
    EXPECT_EQ(config.file, "class.json");
    EXPECT_EQ(config.address, "0.0.0.0");
    EXPECT_EQ(config.port, 0);
    EXPECT_EQ(config.connections_max, 100U);
    EXPECT_EQ(config.connections_per_address_max, 7U);
    EXPECT_EQ(config.join_within, 2min);
    EXPECT_EQ(config.games_at_once, 3U);
    EXPECT_THAT(config.warnings, IsEmpty());
    ASSERT_THAT(config.bots, SizeIs(3));
    EXPECT_EQ(config.bots[0].token, "secret");
    EXPECT_EQ(config.bots[0].team, "red");
    EXPECT_EQ(config.bots[0].rating, 1800);
    EXPECT_FALSE(config.bots[0].launched());
    const auto& bob = config.bots[1];
    EXPECT_THAT(bob.launch, ElementsAre("python3", "bot.py"));
    EXPECT_EQ(bob.directory, "/srv/class/bob");
    EXPECT_THAT(bob.environment, ElementsAre(testing::Pair("LEVEL", "3")));
    EXPECT_EQ(bob.speaks, Speaks::tcp);
    EXPECT_EQ(bob.lifetime, Lifetime::game);
    EXPECT_TRUE(bob.freeze_between_turns);
    EXPECT_EQ(bob.memory_mb_max, 512U);
    EXPECT_EQ(config.bots[2].speaks, Speaks::stdio);
    EXPECT_EQ(config.bots[2].lifetime, Lifetime::tournament);
    ASSERT_THAT(config.tournaments, SizeIs(1));
    const auto& friday = config.tournaments[0];
    EXPECT_EQ(friday.id, "friday-1_A");
    EXPECT_EQ(friday.game, "walls");
    EXPECT_EQ(friday.seed, 4294967295U);
    EXPECT_THAT(friday.bots, ElementsAre(2, 0));
    EXPECT_EQ(friday.format.kind, tournament::FormatKind::round_robin);
    EXPECT_EQ(friday.format.cycles, 2U);
    EXPECT_TRUE(friday.format.swap_last_rounds);
    EXPECT_TRUE(friday.match.best_of);
    EXPECT_EQ(friday.match.games, 5U);
    EXPECT_EQ(friday.match.seat_order, tournament::SeatOrder::rotate);
    EXPECT_EQ(friday.match.points, tournament::MatchPoints::scores);
    EXPECT_THAT(friday.match.seeds, ElementsAre(1, 4294967295U));
    EXPECT_TRUE(friday.match.same_seeds);
    EXPECT_THAT(friday.tie_breaks,
                ElementsAre(standings::TieBreak::points, standings::TieBreak::buchholz));
    EXPECT_EQ(friday.clock, (clock::ClockConfig{.kind = clock::ClockKind::game,
                                                .budget = 1min,
                                                .increment = 100ms,
                                                .hard_limit = 10s,
                                                .allowance = false,
                                                .allowance_max = 1ms}));
    EXPECT_EQ(friday.faults.of(FaultCode::late), Consequence::strike);
    EXPECT_EQ(friday.faults.of(FaultCode::illegal), Consequence::forfeit);
    EXPECT_EQ(friday.faults.of(FaultCode::malformed), Consequence::missing_move);
    EXPECT_EQ(friday.faults.strikes_max, 5U);
    EXPECT_EQ(friday.ready_budget, 3s);
    EXPECT_EQ(friday.no_show_after, 30s);
}

TEST(ReadConfigTest, DefaultsOfATournament) {
    const auto friday = tournament(R"("game": "walls")");
    EXPECT_THAT(friday.bots, ElementsAre(0, 1)) << "all";
    EXPECT_EQ(friday.seed, 1U);
    EXPECT_EQ(friday.format.kind, tournament::FormatKind::round_robin);
    EXPECT_EQ(friday.format.seats, 2U);
    EXPECT_THAT(friday.tie_breaks,
                ElementsAre(standings::TieBreak::points, standings::TieBreak::scores));
    const engines::Registry registry;
    EXPECT_EQ(friday.clock, clock::default_clock(registry.find("walls")->info()));
    EXPECT_EQ(friday.no_show_after, 60s);
}

TEST(ReadConfigTest, AWallsMatchLetsEachBeginOnce) {
    const auto friday = tournament(R"("game": "walls", "params": {"size": 3})");
    EXPECT_EQ(friday.match.games, 2U);
    EXPECT_FALSE(friday.match.best_of);
    EXPECT_EQ(friday.match.seat_order, tournament::SeatOrder::same);
    EXPECT_EQ(friday.match.setups, 2U);
    EXPECT_THAT(setups_of(friday), ElementsAre(nlohmann::json({{"size", 3}, {"first", 0}}),
                                               nlohmann::json({{"size", 3}, {"first", 1}})));
}

TEST(ReadConfigTest, SetupsAreLaidOverTheParams) {
    const auto friday = tournament(
        R"("game": "walls", "params": {"size": 7, "first": 1}, "setups": [{}, {"first": 0}, {"size": 3}])");
    EXPECT_EQ(friday.match.setups, 3U);
    EXPECT_THAT(setups_of(friday), ElementsAre(nlohmann::json({{"size", 7}, {"first", 1}}),
                                               nlohmann::json({{"size", 7}, {"first", 0}}),
                                               nlohmann::json({{"size", 3}, {"first", 1}})));
}

TEST(ReadConfigTest, ASoloGamesFormatIsALeaderboard) {
    const auto friday = tournament(R"("game": "e7_planets", "params": {"map": "one_scrap"})");
    EXPECT_EQ(friday.format.kind, tournament::FormatKind::leaderboard);
    EXPECT_TRUE(friday.match.solo);
    EXPECT_TRUE(friday.clock.waits_for_late);
}

TEST(ReadConfigTest, ABudgetOfItsOwnTakesItsOwnHardLimit) {
    EXPECT_EQ(tournament(R"("game": "walls", "clock": {"budget": "50ms"})").clock.hard_limit, 50ms);
    EXPECT_EQ(tournament(R"("game": "walls", "clock": {"budget": 1000})").clock.budget, 1ms);
    EXPECT_EQ(tournament(R"("game": "walls", "clock": {"hard_limit": "2s"})").clock,
              (clock::ClockConfig{.budget = 1s, .hard_limit = 2s}));
    EXPECT_EQ(tournament(R"("game": "walls", "clock": {"kind": "none"})").clock,
              (clock::ClockConfig{.kind = clock::ClockKind::none,
                                  .hard_limit = clock::hard_limit_default}));
    const auto waits =
        tournament(R"("game": "walls", "clock": {"waits_for_late": true, "hung_after": "5s"})")
            .clock;
    EXPECT_TRUE(waits.waits_for_late);
    EXPECT_EQ(waits.hung_after, 5s);
}

TEST(ReadConfigTest, GamesOrBestOf) {
    EXPECT_TRUE(tournament(R"("game": "walls", "match": {"best_of": 3})").match.best_of);
    const auto fixed =
        tournament(R"("game": "light_cycles", "format": {"seats": 2}, "match": {"games": 4})")
            .match;
    EXPECT_FALSE(fixed.best_of) << "though the game's own match is";
    EXPECT_EQ(fixed.games, 4U);
}

TEST(ReadConfigTest, ProcessorTimeOfBotsThatDialInIsWarnedOf) {
    const std::string launched =
        R"({"name": "a", "launch": ["./a"]}, {"name": "c", "launch": ["./c"]})";
    const std::string rest =
        R"("tournaments": [{"id": "t", "game": "walls", "clock": {"measure": "cpu"}, "bots": )";
    const auto all =
        good(R"({"bots": [)" + launched + R"(, {"name": "b"}], )" + rest + R"(["a", "c"]}]})");
    ASSERT_THAT(all.tournaments, SizeIs(1));
    EXPECT_EQ(all.tournaments[0].clock.measure, clock::Measure::cpu);
    EXPECT_THAT(all.warnings, IsEmpty()) << "who doesn't play doesn't matter";
    const auto mixed =
        good(R"({"bots": [)" + launched + R"(, {"name": "b"}], )" + rest + R"(["a", "b", "c"]}]})");
    ASSERT_THAT(mixed.tournaments, SizeIs(1));
    EXPECT_EQ(mixed.tournaments[0].clock.measure, clock::Measure::wall);
    EXPECT_THAT(mixed.warnings,
                ElementsAre(testing::AllOf(HasSubstr("tournament t"), HasSubstr("b dials in"),
                                           HasSubstr("wall time"))));
}

TEST(ReadConfigTest, StagesAreReadWithThePath) {
    const auto friday = tournament(R"("game": "walls",
        "format": {"kind": "stages", "stages": [{"kind": "round_robin"}, {"kind": "knockout", "advance": 2}]})");
    ASSERT_THAT(friday.format.stages, SizeIs(2));
    EXPECT_EQ(friday.format.stages[1].kind, tournament::FormatKind::knockout);
    EXPECT_EQ(friday.format.stages[1].advance, 2U);
    EXPECT_EQ(friday.format.stages[1].seats, 2U);
}

// A tournament of five bots that dial in, with these members too.
TournamentConfig tournament_of_five(const std::string& members) {
    auto config = good(
        R"({"bots": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}, {"name": "e"}],
        "tournaments": [{"id": "t", )" +
        members + "}]}");
    return config.tournaments.size() == 1 ? std::move(config.tournaments[0]) : TournamentConfig{};
}

TEST(ReadConfigTest, AllOptionsOfASwiss) {
    const auto friday =
        tournament_of_five(R"("game": "walls", "format": {"kind": "swiss", "rounds": 3,
        "accelerated": true, "keep_teams_apart": true, "draw_numbers": true,
        "win_points": 3, "draw_points": 1, "bye_points": 1.5},
        "bots": ["a", {"name": "b", "first_round": 2, "last_round": 3, "half_point_byes": [3]}, "d"])");
    EXPECT_EQ(friday.format.kind, tournament::FormatKind::swiss);
    EXPECT_EQ(friday.format.rounds, 3U);
    EXPECT_TRUE(friday.format.accelerated && friday.format.keep_teams_apart &&
                friday.format.draw_numbers);
    EXPECT_EQ(friday.format.win_points, engines::Score::whole(3));
    EXPECT_EQ(friday.format.draw_points, engines::Score::whole(1));
    EXPECT_EQ(friday.format.bye_points, engines::Score::halves(3));
    EXPECT_THAT(friday.bots, ElementsAre(0, 1, 3));
    ASSERT_THAT(friday.attendance, SizeIs(1));
    const auto& b = friday.attendance.at(1);
    EXPECT_EQ(b.first_round, 2U);
    EXPECT_EQ(b.last_round, 3U);
    EXPECT_THAT(b.half_point_byes, ElementsAre(3));
    const auto entries = entries_of(friday, std::vector<BotConfig>(5));
    EXPECT_EQ(entries[1].first_round, 2U);
    EXPECT_EQ(entries[2].first_round, 1U);
}

TEST(ReadConfigTest, OptionsOfTheOtherFormats) {
    const auto cup = tournament_of_five(R"("game": "walls", "format": {"kind": "knockout",
        "double_elimination": true, "third_place_match": false, "second_final": false})")
                         .format;
    EXPECT_TRUE(cup.double_elimination);
    EXPECT_FALSE(cup.third_place_match || cup.second_final);
    const auto test = tournament(R"("game": "walls", "format": {"kind": "gauntlet",
        "sprt": {"elo0": -5, "elo1": 5, "alpha": 0.1, "beta": 0.2}})")
                          .format;
    ASSERT_TRUE(test.sprt);
    EXPECT_EQ(test.sprt->elo0, -5);
    EXPECT_EQ(test.sprt->beta, 0.2);
    EXPECT_EQ(test.cycles, 10'000U) << "it ends by itself";
    const auto board =
        tournament_of_five(
            R"("game": "walls", "format": {"kind": "leaderboard", "opponents": ["c"]})")
            .format;
    EXPECT_THAT(board.opponents, ElementsAre(2));
    EXPECT_EQ(board.seats, 2U);
    const auto pods =
        tournament_of_five(
            R"("game": "light_cycles", "format": {"seats": 4, "meetings": 3, "cycles": 2})")
            .format;
    EXPECT_EQ(pods.meetings, 3U);
    EXPECT_EQ(pods.cycles, 2U);
}

TEST(ReadConfigTest, WhatAMatchIsWorth) {
    struct Case {
        const char* members;
        std::int64_t win, draw, bye;  // in halves
        tournament::MatchPoints points;
    };
    using enum tournament::MatchPoints;
    for (
        const auto& [members, win, draw, bye, points] : {
            Case{R"("game": "walls")", 2, 1, 2, result},
            // Two games of 2, 1, 0 points.
            Case{R"("game": "walls", "match": {"points": "scores"})", 8, 4, 8, scores},
            // Best of three: two games of three points for the first of four; a bye is the middle.
            Case{R"("game": "light_cycles")", 12, 6, 6, scores},
            Case{R"("game": "light_cycles", "format": {"seats": 2})", 2, 1, 2, result},
            Case{R"("game": "light_cycles", "match": {"points": "result"})", 6, 3, 3, result},
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

TEST(ReadConfigTest, SoloGamesAreAlsoPlayedHeadToHead) {
    for (const auto* kind : {"swiss", "round_robin", "knockout", "gauntlet"}) {
        const auto friday =
            tournament_of_five(R"("game": "superball", "format": {"kind": ")" + std::string(kind) +
                               R"("}, "match": {"games": 4, "seeds": [7, 8]})");
        EXPECT_EQ(friday.format.seats, 2U) << kind;
        EXPECT_TRUE(friday.match.solo);
        EXPECT_THAT(friday.match.seeds, ElementsAre(7, 8));
    }
    EXPECT_EQ(tournament_of_five(R"("game": "superball")").format.seats, 1U);
}

TEST(ReadConfigTest, PodsOfOtherSizesGetParamsOfTheirOwn) {
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

TEST(ReadConfigTest, SmallerPodsKeepTheFirstSeatsStarts) {
    const engines::Registry registry;
    const auto& cycles = *registry.find("light_cycles");
    const auto four = tournament_of_five(R"("game": "light_cycles")").setups.front();
    for (const std::size_t seats : {2U, 3U}) {
        const auto fewer = nlohmann::json::parse(tournament::setup_for(cycles, four, seats));
        EXPECT_EQ(fewer["teams"], seats);
        ASSERT_EQ(fewer["starts"].size(), 3 * seats);
        EXPECT_EQ(fewer["starts"][0], nlohmann::json({169, 45}));
        EXPECT_EQ(fewer["starts"][5], nlohmann::json({125, 169}));
    }
    EXPECT_EQ(tournament::setup_for(cycles, four, 4), four);
    const auto own = tournament::setup_for(
        cycles,
        R"({"width": 9, "height": 9, "cycles_per_team": 1, "starts": [[1,1],[2,2],[3,3],[4,4]]})",
        3);
    EXPECT_EQ(nlohmann::json::parse(own)["starts"], nlohmann::json::parse("[[1,1],[2,2],[3,3]]"));
    EXPECT_EQ(tournament::setup_for(*registry.find("walls"), "{}", 2), "{}");
}

TEST(ReadConfigTest, EveryGameHasEveryFormat) {
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

TEST(ReadConfigTest, TieBreaksOfASwissAndOfItsStages) {
    using enum standings::TieBreak;
    EXPECT_THAT(tournament(R"("game": "walls", "format": {"kind": "swiss"})").tie_breaks,
                ElementsAre(points, scores, buchholz_cut_1, buchholz, sonneborn_berger));
    EXPECT_THAT(
        tournament(R"("game": "superball", "tie_breaks": ["average", "points"])").tie_breaks,
        ElementsAre(average, points))
        << "points where they are named";
    const auto stages =
        tournament_of_five(R"("game": "walls", "tie_breaks": ["wins"], "format": {"kind": "stages",
        "stages": [{"kind": "swiss"}, {"kind": "round_robin", "advance": 4, "ranked_by": ["points", "BH"]},
                   {"kind": "knockout", "advance": 2}]})")
            .format.stages;
    EXPECT_THAT(stages[0].ranked_by, ElementsAre(points, wins));
    EXPECT_THAT(stages[1].ranked_by, ElementsAre(points, buchholz));
}

TEST(ReadConfigTest, TheDemoIsGood) {
    const auto file = std::string(TEST_SOURCE_ROOT) + "/configs/demo.json";
    const auto read = read_config_file(file);
    const auto* config = std::get_if<Config>(&read);
    ASSERT_NE(config, nullptr) << describe(std::get<std::vector<ConfigError>>(read).front(), file);
    EXPECT_THAT(config->warnings, IsEmpty());
}

TEST(ReadConfigTest, AFileThatIsNotThere) {
    const auto read = read_config_file("/nowhere/class.json");
    const auto* errors = std::get_if<std::vector<ConfigError>>(&read);
    ASSERT_NE(errors, nullptr);
    ASSERT_THAT(*errors, SizeIs(1));
    EXPECT_EQ(describe(errors->front(), "/nowhere/class.json"),
              "/nowhere/class.json: can't be read; expected a config file");
}

TEST(ReadConfigTest, Descriptions) {
    EXPECT_EQ(describe({12, "tournaments[0].clock.budget", "expected a time"}, "class.json"),
              "class.json:12: tournaments[0].clock.budget: expected a time");
    EXPECT_EQ(describe({3, "", "syntax"}, "class.json"), "class.json:3: syntax");
}

}  // namespace
}  // namespace referee::config
