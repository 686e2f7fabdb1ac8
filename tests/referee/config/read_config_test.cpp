// Good configs: what is read, what is completed, what is warned of.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/config/read_config.h"
#include "tests/folder_of_test.h"
#include "tests/json.h"
#include "tests/referee/config/config_reading.h"

namespace referee::config {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(ReadConfigTest, WarnsOfABudgetThatIsShorterThanWhatIsAllowedForTheWay) {
    struct Row {
        const char* what;
        const char* members;
        const char* clock;
        bool warns;
    };
    for (
        const auto& [what, members, clock, warns] : {
            Row{"anybody may come", R"("listen": {"address": "0.0.0.0"},)", R"("budget": "50ms")",
                true},
            Row{"only from here", "", R"("budget": "50ms")", false},
            Row{"long turns", R"("listen": {"address": "0.0.0.0"},)", R"("budget": "1s")", false},
            Row{"a low cap of the clock", R"("listen": {"address": "0.0.0.0"},)",
                R"("budget": "50ms", "allowance_max": "20ms")", false},
            Row{"a low cap of all",
                R"("listen": {"address": "::"}, "network": [{"range": "::/0", "allowance_max": "20ms"}],)",
                R"("budget": "50ms")", false},
            Row{"a low cap of some",
                R"("listen": {"address": "::"}, "network": [{"range": "10.0.0.0/8", "allowance_max": "2ms"}],)",
                R"("budget": "50ms")", true},
        }) {
        const auto config =
            good("{" + std::string(members) +
                 R"("bots": [{"name": "a"}, {"name": "b"}], "tournaments": [{"id": "t",)" +
                 R"("game": "walls", "clock": {)" + clock + "}}]}");
        EXPECT_THAT(config.warnings, SizeIs(warns ? 1 : 0)) << what;
        if (warns && !config.warnings.empty()) {
            EXPECT_THAT(
                config.warnings[0],
                testing::HasSubstr("up to 250.000 ms are allowed for a bot's way, more than "
                                   "a turn's budget of 50.000 ms"));
        }
    }
}

// What is allowed in each turn adds up.
TEST(ReadConfigTest, WarnsOfAGamesBudgetThatIsShorterThanWhatIsAllowedForAllItsWays) {
    const auto warnings = [](const std::string& clock) {
        return good(R"({"listen": {"address": "0.0.0.0"}, "bots": [{"name": "a"}, {"name": "b"}],
                    "tournaments": [{"id": "t", "game": "walls", "clock": {"kind": "game", )" +
                    clock + "}}]}")
            .warnings;
    };
    EXPECT_THAT(
        warnings(R"("budget": "20s")"),
        ElementsAre("tournament t: up to 250.000 ms are allowed for a bot's way each turn, "
                    "25000.000 ms in a game of 100 turns: more than its budget of 20000.000 ms: "
                    "whoever delays its acknowledgements may think that much longer. Expected a "
                    "lower \"allowance_max\" in \"network\" or in the clock, or a budget of at "
                    "least 25000.000 ms"));
    EXPECT_THAT(warnings(R"("budget": "10s", "increment": "100ms")"),
                ElementsAre(testing::AllOf(HasSubstr("its budget of 20000.000 ms"),
                                           HasSubstr("at least 15000.000 ms"))));
    EXPECT_THAT(warnings(R"("budget": "25s")"), IsEmpty());
    EXPECT_THAT(warnings(R"("budget": "20s", "increment": "50ms")"), IsEmpty());
    EXPECT_THAT(warnings(R"("budget": "20s", "allowance_max": "200ms")"), IsEmpty());
}

TEST(ReadConfigTest, AFullOne) {
    const auto config = good(R"(// everything at once
{
  "$schema": "schema.json",
  "listen": {"address": "0.0.0.0", "port": 0},
  "connections": {"total": 100, "per_address": 7, "strangers": 50, "strangers_per_address": 5},
  "network": [{"range": "10.0.0.0/8", "allowance_max": "30ms"},
              {"range": "10.8.0.0/16", "allowance_max": 150000, "peers": false},
              {"range": "fd00::/8", "allowance_max": "1ms"}],
  "join_within": "2m",
  "games_at_once": 3, "replays_mb": 20, "game_files": "none",
  "sandbox": {"min_tier": "A"},
  "bots": [
    {"name": "alice", "token": "secret", "team": "red", "rating": 1800},
    {"name": "bob", "launch": ["python3", "bot.py"], "directory": "bots/../bob", "environment": {"LEVEL": "3"},
     "speaks": "tcp", "lifetime": "game", "start_within": "2m", "freeze_between_turns": true, "memory_mb": 512,
     "processes": 20, "disk_mb": 3, "reads": ["tables/../books", "/opt/jdk-17/", "bob.d/x"]},
    {"name": "carol", "launch": ["./carol"]} /* the rest by default */,
    {"name": "dora", "launch": ["./dora"], "stdout": "pipe", "freeze_between_turns": false}
  ],
  "tournaments": [{
    "id": "friday-1_A", "game": "walls", "seed": 4294967295, "bots": ["carol", "alice"],
    "format": {"kind": "round_robin", "cycles": 2, "swap_last_rounds": true},
    "match": {"best_of": 5, "seats": "rotate", "points": "scores", "seeds": [1, 4294967295], "same_seeds": true},
    "params": {"size": 7},
    "tie_breaks": ["points", "buchholz"],
    "clock": {"kind": "game", "budget": "1m", "increment": "100ms", "hard_limit": "10s", "network_allowance": false,
              "allowance_max": 1000, "jitter_max": "25ms"},
    "faults": {"late": "strike", "illegal": "forfeit", "strikes": 5},
    "ready": "3s", "no_show_after": "30s", "withdraw_after": 3
  }]
})");
    EXPECT_EQ(config.file, "class.json");
    EXPECT_EQ(config.address, "0.0.0.0");
    EXPECT_EQ(config.port, 0);
    EXPECT_EQ(config.connections.bots_max, 100U);
    EXPECT_EQ(config.connections.bots_per_address_max, 7U);
    EXPECT_EQ(config.connections.strangers_max, 50U);
    EXPECT_EQ(config.connections.strangers_per_address_max, 5U);
    using clock::Address;
    using clock::NetworkRange;
    Address local;
    local.bytes[0] = 0xFD;
    EXPECT_THAT(
        config.network,
        ElementsAre(NetworkRange{Address::v4({10, 0, 0, 0}), 96 + 8, 30ms, true, "10.0.0.0/8"},
                    NetworkRange{Address::v4({10, 8, 0, 0}), 96 + 16, 150ms, false, "10.8.0.0/16"},
                    NetworkRange{local, 8, 1ms, true, "fd00::/8"}));
    EXPECT_EQ(config.join_within, 2min);
    EXPECT_EQ(config.games_at_once, 3U);
    EXPECT_EQ(config.replays_mb, 20U);
    EXPECT_EQ(config.game_files, GameFiles::none);
    EXPECT_THAT(config.warnings, IsEmpty());
    ASSERT_THAT(config.bots, SizeIs(4));
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
    EXPECT_EQ(bob.start_within, 2min);
    EXPECT_TRUE(bob.has_own_directory);
    EXPECT_TRUE(bob.freeze_between_turns);
    EXPECT_EQ(bob.memory_mb_max, 512U);
    EXPECT_EQ(bob.processes_max, 20U);
    EXPECT_EQ(bob.disk_mb_max, 3U);
    EXPECT_THAT(bob.reads, ElementsAre("/srv/class/books", "/opt/jdk-17", "/srv/class/bob.d/x"));
    EXPECT_EQ(config.min_tier, SandboxTier::a);
    EXPECT_EQ(config.bots[3].standard_output, StandardOutput::pipe);
    EXPECT_FALSE(config.bots[3].freeze_between_turns);
    EXPECT_EQ(config.bots[2].speaks, Speaks::stdio);
    EXPECT_EQ(config.bots[2].standard_output, StandardOutput::socket);
    EXPECT_EQ(config.bots[2].lifetime, Lifetime::tournament);
    EXPECT_TRUE(config.bots[2].freeze_between_turns);
    EXPECT_FALSE(config.bots[2].has_own_directory);
    EXPECT_EQ(config.bots[2].memory_mb_max, 0U);
    EXPECT_THAT(config.bots[2].reads, IsEmpty());
    EXPECT_EQ(config.bots[2].start_within, 30s);
    ASSERT_THAT(config.tournaments, SizeIs(1));
    const auto& friday = config.tournaments[0];
    EXPECT_EQ(friday.id, "friday-1_A");
    EXPECT_EQ(friday.game, "walls");
    EXPECT_EQ(friday.seed, 4294967295U);
    EXPECT_THAT(friday.bots, ElementsAre(2, 0));
    const auto* format = friday.format.as<formats::RoundRobinOptions>();
    ASSERT_NE(format, nullptr);
    EXPECT_EQ(format->cycles, 2U);
    EXPECT_TRUE(format->swap_last_rounds);
    EXPECT_TRUE(friday.match.best_of);
    EXPECT_EQ(friday.match.games, 5U);
    EXPECT_EQ(friday.match.seat_order, formats::SeatOrder::rotate);
    EXPECT_EQ(friday.match.points, formats::MatchPoints::scores);
    EXPECT_THAT(friday.match.seeds, ElementsAre(1, 4294967295U));
    EXPECT_TRUE(friday.match.same_seeds);
    EXPECT_THAT(friday.tie_breaks,
                ElementsAre(standings::TieBreak::points, standings::TieBreak::buchholz));
    EXPECT_EQ(friday.clock, (clock::ClockConfig{.kind = clock::ClockKind::game,
                                                .budget = 1min,
                                                .increment = 100ms,
                                                .hard_limit = 10s,
                                                .allowance = false,
                                                .allowance_max = 1ms,
                                                .jitter_max = 25ms}));
    EXPECT_EQ(friday.faults.of(FaultCode::late), Consequence::strike);
    EXPECT_EQ(friday.faults.of(FaultCode::illegal), Consequence::forfeit);
    EXPECT_EQ(friday.faults.of(FaultCode::malformed), Consequence::missing_move);
    EXPECT_EQ(friday.faults.strikes_max, 5U);
    EXPECT_EQ(friday.ready_budget, 3s);
    EXPECT_EQ(friday.no_show_after, 30s);
    EXPECT_EQ(friday.withdraw_after, 3U);
}

TEST(ReadConfigTest, DefaultsOfATournament) {
    const auto friday = tournament(R"("game": "walls")");
    EXPECT_THAT(friday.bots, ElementsAre(0, 1)) << "all";
    EXPECT_EQ(friday.seed, 1U);
    EXPECT_EQ(friday.format.kind(), formats::FormatKind::round_robin);
    EXPECT_EQ(formats::seats_of(friday.format), 2U);
    EXPECT_THAT(friday.tie_breaks,
                ElementsAre(standings::TieBreak::points, standings::TieBreak::scores));
    const engines::Registry registry;
    EXPECT_EQ(friday.clock, clock::default_clock(registry.find("walls")->info()));
    EXPECT_EQ(friday.no_show_after, 60s);
}

TEST(ReadConfigTest, AsManyStrangersAsBotsMayComeFromAnAddress) {
    const struct {
        std::string_view connections;
        std::size_t strangers;
        std::size_t strangers_per_address;
    } table[] = {
        {"{}", 1024, 512},
        {R"({"per_address": 7, "total": 10})", 1024, 512},
        {R"({"per_address": 600})", 1024, 600},
        {R"({"per_address": 3000})", 3000, 3000},
        {R"({"per_address": 3000, "strangers_per_address": 50})", 1024, 50},
        {R"({"strangers_per_address": 2000})", 2000, 2000},
    };
    for (const auto& one : table) {
        const auto config = good(R"({"connections": )" + std::string(one.connections) +
                                 R"(, "tournaments": [{"id": "t", "game": "walls"}],
                                    "bots": [{"name": "a"}, {"name": "b"}]})");
        EXPECT_EQ(config.connections.strangers_max, one.strangers) << one.connections;
        EXPECT_EQ(config.connections.strangers_per_address_max, one.strangers_per_address)
            << one.connections;
    }
}

TEST(ReadConfigTest, AWallsMatchLetsEachBeginOnce) {
    const auto friday = tournament(R"("game": "walls", "params": {"size": 3})");
    EXPECT_EQ(friday.match.games, 2U);
    EXPECT_FALSE(friday.match.best_of);
    EXPECT_EQ(friday.match.seat_order, formats::SeatOrder::same);
    EXPECT_EQ(friday.match.setups, 2U);
    EXPECT_THAT(setups_of(friday), ElementsAre(nlohmann::json({{"size", 3}, {"first", 0}}),
                                               nlohmann::json({{"size", 3}, {"first", 1}})));
}

TEST(ReadConfigTest, StartsCanBeDrawn) {
    const auto config = good(
        R"({"bots": [{"name": "a"}, {"name": "b"}], "tournaments": [{"id": "t", "game": "walls",
        "setups": [{"size": 5}, {"size": 7}], "match": {"games": 2, "seats": "rotate", "starts": "drawn"}}]})");
    ASSERT_EQ(config.tournaments.size(), 1U);
    EXPECT_EQ(config.tournaments[0].match.starts, formats::Starts::drawn);
    check(
        R"({"bots": [{"name": "a"}, {"name": "b"}], "tournaments": [{"id": "t", "game": "walls",)",
        R"rows(
        "match": {"games": 2, "starts": "drawn"}
            -> tournaments[0].match: starts: expected "seats": "rotate"
        "match": {"games": 2, "starts": "often"} -> tournaments[0].match.starts: "drawn"
        "match": {"games": 3, "seats": "rotate", "starts": "drawn"}, "setups": [{"size": 5}, {}]
            -> tournaments[0].match: a multiple of 2, found 3
        "match": {"games": 2, "starts": "drawn"}, "setups": [{}, {}, {}, {}, {}]
            -> tournaments[0].match: a multiple of 2 of them, found 5
        "match": {"games": 2, "seats": "rotate", "starts": "drawn"}, "setups": [{}]
            -> tournaments[0].match: at least two starts
    )rows",
        "}]}");
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
    EXPECT_EQ(friday.format.kind(), formats::FormatKind::leaderboard);
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

// Superball begins with stones by lot.
TEST(ReadConfigTest, ASeedThatAnybodyKnowsIsRemarkedOnWhereGamesBeginByChance) {
    const auto remark = [](const std::string& members) {
        return remark_on_seed(tournament(members));
    };
    EXPECT_THAT(remark(R"("game": "superball")"), HasSubstr("tournament t has the seed 1"));
    for (const auto* members :
         {R"("game": "superball", "seed": 4711)",
          R"("game": "superball", "match": {"seeds": [1, 2]})", R"("game": "walls")"})
        EXPECT_THAT(remark(members), IsEmpty()) << members;
}

TEST(ReadConfigTest, AFileThatIsNotThere) {
    const auto read = read_config_file("/nowhere/class.json");
    ASSERT_FALSE(read);
    ASSERT_THAT(read.error(), SizeIs(1));
    EXPECT_EQ(describe(read.error().front(), "/nowhere/class.json"),
              "/nowhere/class.json: can't be read: No such file or directory; expected a config "
              "file such as class.json");
}

TEST(ReadConfigTest, Descriptions) {
    EXPECT_EQ(describe({12, "tournaments[0].clock.budget", "expected a time"}, "class.json"),
              "class.json:12: tournaments[0].clock.budget: expected a time");
    EXPECT_EQ(describe({3, "", "syntax"}, "class.json"), "class.json:3: syntax");
}

TEST(RegistryForTest, WhatCantBeLookedAtIsNoMap) {
    const tests::FolderOfTest folder;
    std::filesystem::create_symlink("itself", folder.at("itself"));
    TournamentConfig tournament;
    tournament.game = "walls";
    tournament.maps_directory = folder.path;
    EXPECT_TRUE(registry_for(tournament));
}

}  // namespace
}  // namespace referee::config
