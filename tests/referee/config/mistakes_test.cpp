// Bad configs: each mistake with its line, its member and what was expected.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/config/config_reading.h"

namespace referee::config {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

const std::string two_bots = R"("bots": [{"name": "a", "launch": ["./a"]}, {"name": "b"}])";
const std::string one_tournament = R"("tournaments": [{"id": "t", "game": "walls"}])";

TEST(ConfigMistakesTest, InTheWholeFile) {
    check("{" + two_bots + "," + one_tournament + ",",
          {
              {R"("listen": 5)", "listen", "expected an object {...}, found 5"},
              {R"("listen": {"port": 65536})", "listen.port",
               "expected an integer from 0 to 65535, found 65536"},
              {R"("listen": {"port": "http"})", "listen.port", "found \"http\""},
              {R"("listen": {"address": 5})", "listen.address", "expected a text"},
              {R"("listen": {"host": "x"})", "listen.host",
               "no such member here; expected \"address\", \"port\""},
              {R"("connections": {"total": 0})", "connections.total", "expected an integer from 1"},
              {R"("connections": {"per_address": 1.5})", "connections.per_address",
               "expected an integer"},
              {R"("connections": {"strangers": 1})", "connections.strangers",
               "expected an integer from 2"},
              {R"("connections": {"strangers_per_address": 1})",
               "connections.strangers_per_address", "expected an integer from 2"},
              {R"("join_within": "5")", "join_within", "expected a time such as"},
              {R"("join_within": -1)", "join_within", "expected a time such as"},
              {R"("games_at_once": 0)", "games_at_once", "expected an integer from 1"},
              {R"("tournement": [])", "tournement", "; did you mean \"tournaments\"?"},
          },
          "}");
}

TEST(ConfigMistakesTest, InABot) {
    check(
        R"({"tournaments": [{"id": "t", "game": "walls", "bots": ["x", "y"]}], "bots": [{"name": "x"}, {"name": "y"},)",
        {
            {R"(5)", "bots[2]", "expected an object such as {\"name\""},
            {R"({"token": "t"})", "bots[2].name", "expected a name of 1 to 64 bytes"},
            {R"({"name": "a\nb"})", "bots[2].name", "printable"},
            {R"({"name": "x"})", "bots[2].name", "two bots have the name \"x\""},
            {R"({"name": "a", "rating": -1})", "bots[2].rating",
             "expected an integer from 0 to 10000"},
            {R"({"name": "a", "launch": []})", "bots[2].launch", "expected a command"},
            {R"({"name": "a", "launch": ["a", 5]})", "bots[2].launch[1]", "expected a text"},
            {R"({"name": "a", "launch": ["a"], "environment": {"K": 5}})", "bots[2].environment.K",
             "expected a text"},
            {R"({"name": "a", "launch": ["a"], "speaks": "udp"})", "bots[2].speaks",
             "expected one of \"stdio\", \"tcp\", found \"udp\""},
            {R"({"name": "a", "launch": ["a"], "stdout": "file"})", "bots[2].stdout",
             "expected one of \"socket\", \"pipe\", found \"file\""},
            {R"({"name": "a", "launch": ["a"], "speaks": "tcp", "stdout": "pipe"})",
             "bots[2].stdout", "only a bot that speaks \"stdio\" has it"},
            {R"({"name": "a", "stdout": "pipe"})", "bots[2].stdout",
             "only a bot with a \"launch\" or a \"program\" has it"},
            {R"({"name": "a", "launch": ["a"], "lifetime": "day"})", "bots[2].lifetime",
             "\"tournament\", \"match\", \"game\""},
            {R"({"name": "a", "launch": ["a"], "freeze_between_turns": 1})",
             "bots[2].freeze_between_turns", "expected true or false"},
            {R"({"name": "a", "launch": ["a"], "start_within": "soon"})", "bots[2].start_within",
             "expected a time such as"},
            {R"({"name": "a", "launch": ["a"], "start_within": 0})", "bots[2].start_within",
             "expected more than no time, such as \"30s\""},
            {R"({"name": "a", "start_within": "5s"})", "bots[2].start_within",
             "only a bot with a \"launch\""},
            {R"({"name": "a", "speaks": "tcp"})", "bots[2].speaks",
             "only a bot with a \"launch\" or a \"program\" has it"},
            {R"({"name": "a", "memory_mb": 50})", "bots[2].memory_mb",
             "only a bot with a \"launch\""},
            {R"({"name": "a", "nick": "b"})", "bots[2].nick", "no such member here"},
        },
        "]}");
}

TEST(ConfigMistakesTest, InATournamentOfAnUnknownGameWhatNeedsNoGameIsToldToo) {
    const auto errors = errors_of("{" + two_bots + R"(, "tournaments": [{"id": "t", "game": "chess",
        "bots": ["a", "z"], "format": {"kind": "swiss"}, "match": {"games": 2}, "params": {}, "setups": [],
        "clock": {"budget": "1s"}, "starts": "at_once", "rest": "1s", "ready": "soon", "prize": 5}]})");
    EXPECT_THAT(errors, ElementsAre(Field(&ConfigError::member, "tournaments[0].game"),
                                    Field(&ConfigError::member, "tournaments[0].bots"),
                                    Field(&ConfigError::member, "tournaments[0].ready"),
                                    Field(&ConfigError::member, "tournaments[0].prize")));
}

TEST(ConfigMistakesTest, ANameThatStandsTwiceIsOneMistake) {
    const auto errors = errors_of(
        R"({"bots": [{"name": "a"}, {"name": "a"}], "tournaments": [{"id": "t", "game": "walls"}]})");
    EXPECT_THAT(errors, ElementsAre(Field(&ConfigError::member, "bots[1].name")));
}

TEST(ConfigMistakesTest, InATournament) {
    check(
        "{" + two_bots + R"(, "tournaments": [{"id": "t", "game": "walls",)",
        {
            {R"("seed": -1)", "tournaments[0].seed", "expected an integer from 0 to 4294967295"},
            {R"("bots": ["a", "b", "z"])", "tournaments[0].bots", "\"z\" is not a name"},
            {R"("bots": ["a", "b", "a"])", "tournaments[0].bots", "\"a\" is listed twice"},
            {R"("maps": "nowhere")", "tournaments[0].maps",
             "expected a folder with map files, found /srv/class/nowhere"},
            {R"("format": {"kind": "league"})", "tournaments[0].format.kind",
             "\"round_robin\", \"swiss\""},
            {R"("format": {"seats": 1})", "tournaments[0].format.seats",
             "matches have at least 2 seats"},
            {R"("format": {"seats": 9})", "tournaments[0].format.seats",
             "expected an integer from 1 to 8"},
            {R"("format": {"cycles": 0})", "tournaments[0].format.cycles",
             "expected an integer from 1"},
            {R"("format": {"kind": "stages"})", "tournaments[0].format.stages",
             "expected at least one stage"},
            {R"("format": {"kind": "stages", "stages": [{"kind": "round_robin"}, {"kind": "cup"}]})",
             "tournaments[0].format.stages[1].kind", "expected one of"},
            {R"("format": {"kind": "stages", "stages": [{"kind": "round_robin"}, 5]})",
             "tournaments[0].format.stages[1]", "expected an object such as"},
            {R"("match": {"games": 0})", "tournaments[0].match.games",
             "expected an integer from 1"},
            {R"("match": {"games": 2, "best_of": 3})", "tournaments[0].match.best_of", "not both"},
            {R"("match": {"seats": "swap"})", "tournaments[0].match.seats", "\"rotate\", \"same\""},
            {R"("match": {"points": "goals"})", "tournaments[0].match.points",
             "\"result\", \"scores\""},
            {R"("match": {"seeds": [1, -1]})", "tournaments[0].match.seeds",
             "expected integers from 0"},
            {R"("params": {"size": 4})", "tournaments[0].params",
             "params.size: expected an odd integer from 3 to 99, found 4"},
            {R"("params": 4)", "tournaments[0].params", "expected an object"},
            {R"("setups": [{"size": 3}, {"first": 2}])", "tournaments[0].setups",
             "params.first: expected 0 or 1"},
            {R"("setups": [5])", "tournaments[0].setups", "expected a list of objects"},
            {R"("setups": [])", "tournaments[0].setups", "expected at least one"},
            {R"("tie_breaks": ["points", "luck"])", "tournaments[0].tie_breaks",
             "\"luck\" is no tie-break"},
            {R"("ready": "soon")", "tournaments[0].ready", "expected a time such as"},
            {R"("no_show_after": true)", "tournaments[0].no_show_after", "expected a time such as"},
            {R"("withdraw_after": -1)", "tournaments[0].withdraw_after",
             "expected an integer from 0 to 1000"},
            {R"("prize": 5)", "tournaments[0].prize", "no such member here"},
        },
        "}]}");
}

TEST(ConfigMistakesTest, InAFormat) {
    check(
        R"({"bots": [{"name": "a", "team": "x"}, {"name": "b", "team": "x"}, {"name": "c"}, {"name": "d"}],)"
        R"("tournaments": [{"id": "t", "game": "walls",)",
        {
            {R"("format": {"kind": "swiss", "rounds": 4})", "tournaments[0].format.rounds",
             "4 bots can play at most 3 rounds"},
            {R"("format": {"kind": "swiss", "rounds": 0})", "tournaments[0].format.rounds",
             "expected an integer from 1"},
            {R"("format": {"kind": "swiss", "seats": 4})", "tournaments[0].format.seats",
             "this game seats 2, not 4"},
            {R"("format": {"kind": "swiss", "cycles": 2})", "tournaments[0].format.cycles",
             "only a format of kind \"round_robin\" or \"gauntlet\" has it"},
            {R"("format": {"rounds": 2})", "tournaments[0].format.rounds", "\"swiss\""},
            {R"("format": {"accelerated": true})", "tournaments[0].format.accelerated",
             "\"swiss\""},
            {R"("format": {"kind": "knockout", "keep_teams_apart": true})",
             "tournaments[0].format.keep_teams_apart", "\"swiss\""},
            {R"("format": {"kind": "swiss", "double_elimination": true})",
             "tournaments[0].format.double_elimination", "\"knockout\""},
            {R"("format": {"kind": "swiss", "third_place_match": true})",
             "tournaments[0].format.third_place_match", "\"knockout\""},
            {R"("format": {"kind": "swiss", "win_points": 0.3})",
             "tournaments[0].format.win_points",
             "expected points from 0.5 to 1000000 in whole or half points"},
            {R"("format": {"kind": "swiss", "win_points": 0, "draw_points": 0})",
             "tournaments[0].format.win_points",
             "expected points from 0.5 to 1000000 in whole or half points, such as 1 or 0.5, "
             "found 0"},
            {R"("format": {"kind": "stages", "stages": [{"kind": "knockout", "win_points": 0}]})",
             "tournaments[0].format.stages[0].win_points", "expected points from 0.5"},
            {R"("format": {"kind": "swiss", "draw_points": -1})",
             "tournaments[0].format.draw_points", "found -1"},
            {R"("format": {"draw_points": 2})", "tournaments[0].format.draw_points",
             "expected at most \"win_points\""},
            {R"("format": {"extra_games": 2})", "tournaments[0].format.extra_games",
             "\"knockout\""},
            {R"("format": {"kind": "knockout", "extra_games": -1})",
             "tournaments[0].format.extra_games", "expected an integer from 0 to 100"},
            {R"("format": {"kind": "swiss", "bye_points": "1"})",
             "tournaments[0].format.bye_points", "expected points"},
            {R"("format": {"swap_last_rounds": true})", "tournaments[0].format.swap_last_rounds",
             "two cycles"},
            {R"("format": {"kind": "leaderboard"})", "tournaments[0].format.opponents",
             "needs opponents"},
            {R"("format": {"kind": "leaderboard", "opponents": ["z"]})",
             "tournaments[0].format.opponents", "\"z\" is not one of the tournament's bots"},
            {R"("format": {"kind": "swiss", "opponents": ["a"]})",
             "tournaments[0].format.opponents", "only a format of kind \"leaderboard\""},
            {R"("format": {"kind": "gauntlet", "sprt": {"elo0": "low"}})",
             "tournaments[0].format.sprt.elo0", "expected a number from -10000 to 10000"},
            {R"("format": {"kind": "gauntlet", "sprt": {"gamma": 1}})",
             "tournaments[0].format.sprt.gamma", "no such member here"},
            {R"("format": {"kind": "gauntlet", "sprt": {"elo": "points"}})",
             "tournaments[0].format.sprt.elo", "\"match\""},
            {R"("bots": ["a", "b"], "match": {"best_of": 3}, "format": {"kind": "gauntlet", "sprt": {"elo": "game"}})",
             "tournaments[0].format.sprt.elo", "a game's Elo needs matches of so many games"},
            {R"("format": {"kind": "gauntlet", "sprt": {}})", "tournaments[0].format.sprt",
             "or those of one match"},
            {R"("bots": ["a", "b"], "format": {"kind": "gauntlet", "sprt": {"elo0": 5, "elo1": 1}})",
             "tournaments[0].format.sprt", "elo0 must be below elo1"},
            {R"("bots": ["a", "b"], "format": {"kind": "gauntlet", "sprt": {"alpha": 0.7}})",
             "tournaments[0].format.sprt.alpha", "below 0.5"},
            {R"("bots": ["a", "b"], "format": {"kind": "swiss", "keep_teams_apart": true})",
             "tournaments[0].format.keep_teams_apart", "all bots are of one team"},
            {R"("format": {"kind": "stages", "stages": [{"kind": "swiss"}, {"kind": "knockout", "advance": 5}]})",
             "tournaments[0].format.stages[1].advance", "only 4 are left, not 5"},
            {R"("format": {"kind": "stages", "stages": [{"kind": "swiss", "ranked_by": ["luck"]}]})",
             "tournaments[0].format.stages[0].ranked_by", "\"luck\" is no tie-break"},
            {R"("format": {"kind": "stages", "stages": [{"kind": "stages"}]})",
             "tournaments[0].format.stages[0].kind", "a stage can't be made of stages"},
            {R"("format": {"kind": "stages", "stages": [{"kind": "leaderboard", "opponents": ["a"]}]})",
             "tournaments[0].format.stages[0].opponents", "a stage has no fixed opponents"},
            {R"("format": {"advance": 2})", "tournaments[0].format.advance", "no such member here"},
            {R"("tie_breaks": ["wins", "wins"])", "tournaments[0].tie_breaks", "stands twice"},
            {R"("match": {"best_of": 4})", "tournaments[0].match.best_of",
             "expected an odd number"},
            {R"("match": {"seeds": []})", "tournaments[0].match.seeds", "at least one seed"},
        },
        "}]}");
}

TEST(ConfigMistakesTest, InABotsRounds) {
    check(
        R"({"bots": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}],)"
        R"("tournaments": [{"id": "t", "game": "walls", "format": {"kind": "swiss"},)",
        {
            {R"("bots": ["a", "b", 5])", "tournaments[0].bots[2]", "expected a name, or an object"},
            {R"("bots": ["a", "b", {"name": "z"}])", "tournaments[0].bots", "\"z\" is not a name"},
            {R"("bots": ["a", "b", {"name": "c", "first_round": 0}])",
             "tournaments[0].bots[2].first_round", "expected an integer from 1"},
            {R"("bots": [{"name": "a", "first_round": 2}, {"name": "b", "first_round": 2},
                {"name": "c", "first_round": 2}])",
             "tournaments[0].bots", "nobody plays in round 1"},
            {R"("bots": ["a", "b", {"name": "c", "first_round": 9}])", "tournaments[0].bots",
             "\"c\" would enter in round 9, and there are 3"},
            {R"("bots": ["a", "b", {"name": "c", "half_point_byes": [0]}])",
             "tournaments[0].bots[2].half_point_byes", "expected numbers of rounds"},
            {R"("bots": ["a", "b", {"name": "c", "half_point_byes": [2, 4]}])",
             "tournaments[0].bots", "\"c\" asks for a bye in round 4, and there are 3"},
            {R"("bots": ["a", "b", {"name": "c", "zero_point_byes": [4]}])", "tournaments[0].bots",
             "\"c\" asks for a bye in round 4, and there are 3"},
            {R"("bots": ["a", "b", {"name": "c", "half_point_byes": [2], "zero_point_byes": [2]}])",
             "tournaments[0].bots", "asks for two byes in round 2"},
            {R"("bots": ["a", "b", {"name": "c", "rounds": 3}])", "tournaments[0].bots[2].rounds",
             "no such member here"},
        },
        "}]}");
    const auto errors = errors_of(
        R"({"bots": [{"name": "a"}, {"name": "b"}], "tournaments": [{"id": "t", "game": "walls",
         "bots": ["a", {"name": "b", "last_round": 1}]}]})");
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].member, "tournaments[0].bots");
    EXPECT_THAT(errors[0].message, HasSubstr("only a swiss has late entries"));
}

TEST(ConfigMistakesTest, InPodsAndSoloGames) {
    check(
        R"({"bots": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}, {"name": "e"}], "tournaments": [)",
        {
            {R"({"id": "t", "game": "light_cycles", "format": {"kind": "swiss", "seats": 4, "accelerated": true}})",
             "tournaments[0].format.accelerated", "for two seats only"},
            {R"({"id": "t", "game": "light_cycles", "format": {"kind": "swiss", "seats": 4, "colours": false}})",
             "tournaments[0].format.colours", "pods have no colours"},
            {R"({"id": "t", "game": "light_cycles", "format": {"kind": "swiss", "seats": 3, "seats_min": 4}})",
             "tournaments[0].format.seats_min", "expected a number from 2 to 3"},
            {R"({"id": "t", "game": "light_cycles", "format": {"seats": 3}, "params": {"teams": 4}})",
             "tournaments[0].params", "params.starts"},
            {R"({"id": "t", "game": "light_cycles", "format": {"seats": 4}, "params": {"teams": 2, "cycles_per_team": 1, "starts": [[1, 1], [5, 5]]}})",
             "tournaments[0].params", "expected params for 4 seats, as the format has"},
            {R"({"id": "t", "game": "superball", "match": {"best_of": 3}})",
             "tournaments[0].match.best_of", "solo games are compared on all of their setups"},
            {R"({"id": "t", "game": "superball", "format": {"kind": "leaderboard", "seats": 2}})",
             "tournaments[0].format.seats", "only a format of kind"},
        },
        "]}");
}

TEST(ConfigMistakesTest, InAClockAndInFaults) {
    check(
        "{" + two_bots + R"(, "tournaments": [{"id": "t", "game": "walls",)",
        {
            {R"("clock": {"kind": "chess"})", "tournaments[0].clock.kind",
             "\"turn\", \"game\", \"none\""},
            {R"("clock": {"measure": "sun"})", "tournaments[0].clock.measure", "\"wall\", \"cpu\""},
            {R"("clock": {"budget": "0s"})", "tournaments[0].clock.budget",
             "expected a time above zero"},
            {R"("clock": {"budget": "1 s"})", "tournaments[0].clock.budget",
             "expected a time such as \"1s\""},
            {R"("clock": {"budget": 1.5})", "tournaments[0].clock.budget", "found 1.5"},
            {R"("clock": {"increment": "1s"})", "tournaments[0].clock.increment",
             "only a clock of kind \"game\""},
            {R"("clock": {"kind": "game", "budget": "1m", "waits_for_late": true})",
             "tournaments[0].clock.waits_for_late", "only a clock of kind \"turn\""},
            {R"("clock": {"waits_for_late": true, "hung_after": 0})",
             "tournaments[0].clock.hung_after", "above zero"},
            {R"("clock": {"hung_after": "5s"})", "tournaments[0].clock.hung_after",
             "only where \"waits_for_late\""},
            {R"("clock": {"hard_limit": "500ms"})", "tournaments[0].clock.hard_limit",
             "no less than the turn's budget"},
            {R"("clock": {"kind": "game"})", "tournaments[0].clock.kind", "needs a \"budget\""},
            {R"("clock": {"network_allowance": "yes"})", "tournaments[0].clock.network_allowance",
             "expected true or false"},
            {R"("clock": {"allowance": true})", "tournaments[0].clock.allowance",
             "no such member here"},
            {R"("faults": {"late": "death"})", "tournaments[0].faults.late",
             "expected one of \"none\", \"missing_move\""},
            {R"("faults": {"strikes": 0})", "tournaments[0].faults.strikes",
             "expected an integer from 1"},
            {R"("faults": {"lateness": "none"})", "tournaments[0].faults.lateness",
             "no such member here"},
        },
        "}]}");
}

TEST(ConfigMistakesTest, OfIdsAndGames) {
    check("{" + two_bots + R"(, "tournaments": [{"id": "t", "game": "walls"},)",
          {
              {R"(5)", "tournaments[1]", "expected an object such as"},
              {R"({"game": "walls"})", "tournaments[1].id", "expected 1 to 32 letters"},
              {R"({"id": "a/b", "game": "walls"})", "tournaments[1].id", "letters, digits, - or _"},
              {R"({"id": "t", "game": "walls"})", "tournaments[1].id",
               "two tournaments have the id \"t\""},
              {R"({"id": "u"})", "tournaments[1].game", "missing; expected the id of a game"},
              {R"({"id": "u", "game": "chess"})", "tournaments[1].game", "\"walls\""},
          },
          "]}");
}

TEST(ConfigMistakesTest, ThatLeaveNothingToRead) {
    struct Whole {
        const char* text;
        std::size_t line;
        const char* member;
        const char* says;
    };
    for (const auto& [text, line, member, says] : {
             Whole{"", 1, "", ""},
             Whole{"[]", 1, "", "expected an object such as"},
             Whole{"{\n\n\"bots\" 5}", 3, "", ""},
             Whole{"{\n\"bots\": [],\n\"bots\": []}", 3, "", ""},
             Whole{"// only\n// comments\n", 3, "", ""},
             Whole{"{\n}", 1, "tournaments",
                   "missing; expected a list with at least one tournament"},
             Whole{"{\n\"tournaments\":\n[]}", 3, "tournaments",
                   "expected at least one tournament"},
             Whole{"{\n\"tournaments\": {}}", 2, "tournaments", "expected a list [...]"},
         }) {
        const auto errors = errors_of(text);
        ASSERT_EQ(errors.size(), 1U) << text;
        EXPECT_EQ(errors[0].line, line) << text << errors[0].message;
        EXPECT_EQ(errors[0].member, member) << text;
        EXPECT_THAT(errors[0].message, HasSubstr(says)) << text;
    }
}

TEST(ConfigMistakesTest, AllAtOnceInTheOrderOfTheFile) {
    const auto errors = errors_of(R"({
  "tournaments": [
    {"id": "t", "game": "walls",
     "clock": {"budget": "1 day",
               "measure": "sun"},
     "seed": "x"}
  ],
  "bots": [{"name": "a"}, {"name": "b",
            "rating": "high"}],
  "listen": {"port": -1}
})");
    const auto is = [](std::size_t line, const char* member) {
        return AllOf(Field(&ConfigError::line, line), Field(&ConfigError::member, member));
    };
    EXPECT_THAT(
        errors,
        ElementsAre(is(4, "tournaments[0].clock.budget"), is(5, "tournaments[0].clock.measure"),
                    is(6, "tournaments[0].seed"), is(9, "bots[1].rating"), is(10, "listen.port")));
}

TEST(ConfigMistakesTest, TooFewBots) {
    EXPECT_THAT(errors_of("{" + one_tournament + "}"),
                ElementsAre(Field(&ConfigError::message, HasSubstr("there is no bot"))));
    const auto one = errors_of(
        "{" + two_bots + R"(, "tournaments": [{"id": "t", "game": "walls", "bots": ["a"]}]})");
    ASSERT_EQ(one.size(), 1U);
    EXPECT_EQ(one[0].member, "tournaments[0].format");
    EXPECT_THAT(one[0].message, HasSubstr("needs at least 2 bots"));
}

}  // namespace
}  // namespace referee::config
