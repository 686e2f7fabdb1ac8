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
    check("{" + two_bots + "," + one_tournament + ",", R"rows(
        "listen": {"host": "x"} -> listen.host: no such member here; expected "address", "port"
        "tournement": [] -> tournement: ; did you mean "tournaments"?
    )rows",
          "}");
}

TEST(ConfigMistakesTest, AreToldSoThatNoTerminalObeysThem) {
    const std::string odd = "\u009B\u202E";
    const auto errors = errors_of("{" + two_bots + R"(, "tournaments": [{"id": "t", "game": "walls",
        "clock": {"budget": ")" + odd +
                                  "\"}, \"" + odd + "\": 5}]}");
    ASSERT_EQ(errors.size(), 2U);
    EXPECT_THAT(errors[0].message, HasSubstr(R"(found "\x9b\u202e")"));
    EXPECT_EQ(errors[1].member, "tournaments[0].(a name)");
}

TEST(ConfigMistakesTest, InABot) {
    check(
        R"({"tournaments": [{"id": "t", "game": "walls", "bots": ["x", "y"]}], "bots": [{"name": "x"}, {"name": "y"},)",
        R"rows(
        5 -> bots[2]: expected an object such as {"name"
        {"token": "t"} -> bots[2].name: expected a name of 1 to 64 bytes
        {"name": "a\nb"} -> bots[2].name: printable
        {"name": "x"} -> bots[2].name: two bots have the name "x"
        {"name": "a", "progam": 5} -> bots[2].progam: ; did you mean "program"?
        {"name": "a", "launch": []} -> bots[2].launch: expected a command
        {"name": "a", "launch": ["a", 5]} -> bots[2].launch[1]: expected a text
        {"name": "a", "launch": ["a"], "environment": {"K": 5}}
            -> bots[2].environment.K: expected a text
        {"name": "a", "launch": ["a"], "speaks": "tcp", "stdout": "pipe"}
            -> bots[2].stdout: only a bot that speaks "stdio" has it
        {"name": "a", "stdout": "pipe"}
            -> bots[2].stdout: only a bot with a "launch" or a "program" has it
        {"name": "a", "launch": ["a"], "start_within": 0}
            -> bots[2].start_within: expected more than no time, such as "30s"
        {"name": "a", "speaks": "tcp"}
            -> bots[2].speaks: only a bot with a "launch" or a "program" has it
    )rows",
        "]}");
}

TEST(ConfigMistakesTest, InATournamentOfAnUnknownGameWhatNeedsNoGameIsToldToo) {
    const auto errors = errors_of("{" + two_bots + R"(, "tournaments": [{"id": "t", "game": "chess",
        "bots": ["a", "z"], "format": {"kind": "swis"}, "match": {"games": 2}, "params": {}, "setups": [],
        "clock": {"budget": "1s"}, "starts": "at_once", "rest": "1s", "ready": "soon", "prize": 5}]})");
    EXPECT_THAT(errors, ElementsAre(Field(&ConfigError::member, "tournaments[0].game"),
                                    Field(&ConfigError::member, "tournaments[0].bots"),
                                    Field(&ConfigError::member, "tournaments[0].format.kind"),
                                    Field(&ConfigError::member, "tournaments[0].ready"),
                                    Field(&ConfigError::member, "tournaments[0].prize")));
}

TEST(ConfigMistakesTest, WhereverABotOrALadderIsNamedItIsToldWhoWasMeant) {
    check(
        R"({"bots": [{"name": "alice"}, {"name": "bobby"}, {"name": "carol"}], "tournaments": [)"
        R"({"id": "practice", "game": "walls", "format": {"kind": "ladder"}}, {"id": "t", "game": "walls",)",
        R"rows(
        "bots": ["alise", "bobby", "carol"] -> bots: list of bots; did you mean "alice"?
        "bots": [{"name": "boby"}, "alice", "carol"] -> bots: did you mean "bobby"?
        "format": {"kind": "leaderboard", "opponents": ["boby"]}
            -> format.opponents: did you mean "bobby"?
        "format": {"kind": "swiss", "forbidden_pairs": [["alice", "boby"]]}
            -> format.forbidden_pairs: did you mean "bobby"?
        "format": {"kind": "adaptive", "question": "better_than", "better_than": "alcie"}
            -> format.better_than: did you mean "alice"?
        "field": {"ladder": "practise"} -> field.ladder: did you mean "practice"?
    )rows",
        "}]}", "tournaments[1].");
}

TEST(ConfigMistakesTest, ANameThatStandsTwiceIsOneMistake) {
    const auto errors = errors_of(
        R"({"bots": [{"name": "a"}, {"name": "a"}], "tournaments": [{"id": "t", "game": "walls"}]})");
    EXPECT_THAT(errors, ElementsAre(Field(&ConfigError::member, "bots[1].name")));
}

TEST(ConfigMistakesTest, InATournament) {
    check("{" + two_bots + R"(, "tournaments": [{"id": "t", "game": "walls",)", R"rows(
        "bots": ["a", "b", "z"] -> bots: "z" is not a name
        "bots": ["a", "b", "a"] -> bots: "a" is listed twice
        "maps": "nowhere" -> maps: expected a folder with map files, found /srv/class/nowhere
        "format": {"seats": 1} -> format.seats: matches have at least 2 seats
        "format": {"kind": "stages"} -> format.stages: expected at least one stage
        "format": {"kind": "stages", "stages": [{"kind": "round_robin"}, {"kind": "cup"}]}
            -> format.stages[1].kind: expected one of
        "format": {"kind": "stages", "stages": [{"kind": "round_robin"}, 5]}
            -> format.stages[1]: expected an object such as
        "match": {"games": 2, "best_of": 3} -> match.best_of: not both
        "match": {"bestof": 3} -> match.bestof: ; did you mean "best_of"?
        "clock": {"jiter_max": 1} -> clock.jiter_max: ; did you mean "jitter_max"?
        "match": {"seeds": [1, -1]} -> match.seeds: expected integers from 0
        "params": {"size": 4} -> params: params.size: expected an odd integer from 3 to 99, found 4
        "setups": [{"size": 3}, {"first": 2}] -> setups: params.first: expected 0 or 1
        "setups": [5] -> setups: expected a list of objects
        "setups": [] -> setups: expected at least one
        "tie_breaks": ["points", "luck"] -> tie_breaks: "luck" is no tie-break
    )rows",
          "}]}", "tournaments[0].");
}

TEST(ConfigMistakesTest, InAFormat) {
    check(
        R"({"bots": [{"name": "a", "team": "x"}, {"name": "b", "team": "x"}, {"name": "c"}, {"name": "d"}],)"
        R"("tournaments": [{"id": "t", "game": "walls",)",
        R"rows(
        "format": {"kind": "swiss", "rounds": 4} -> format.rounds: 4 bots can play at most 3 rounds
        "format": {"kind": "swiss", "seats": 4} -> format.seats: this game seats 2, not 4
        "format": {"kind": "swiss", "cycles": 2}
            -> format.cycles: only a format of kind "round_robin" or "gauntlet" has it
        "format": {"rounds": 2} -> format.rounds: "swiss"
        "format": {"kind": "swis", "rounds": 2} -> format.kind: did you mean "swiss"?
        "format": {"kind": "swiss", "win_points": 0.3}
            -> format.win_points: expected points from 0.5 to 1000000 in whole or half points
        "format": {"kind": "swiss", "win_points": 0, "draw_points": 0} -> format.win_points:
            expected points from 0.5 to 1000000 in whole or half points, such as 1 or 0.5, found 0
        "format": {"kind": "stages", "stages": [{"kind": "knockout", "win_points": 0}]}
            -> format.stages[0].win_points: expected points from 0.5
        "format": {"draw_points": 2} -> format.draw_points: expected at most "win_points"
        "format": {"swap_last_rounds": true} -> format.swap_last_rounds: two cycles
        "format": {"kind": "leaderboard"} -> format.opponents: needs opponents
        "format": {"kind": "leaderboard", "opponents": ["z"]}
            -> format.opponents: "z" is not one of the tournament's bots
        "bots": ["a"], "format": {"kind": "swiss"} -> format.kind: a swiss needs at least 2 bots
        "bots": ["a"], "format": {"kind": "gauntlet"} -> format.kind: needs at least 2 bots
        "bots": ["a"], "format": {"kind": "knockout"} -> format.kind: needs at least 2 bots
        "bots": ["a"], "format": {"kind": "adaptive", "question": "order"}
            -> format.kind: an adaptive needs at least 2 bots
        "bots": ["a"], "format": {"kind": "leaderboard", "opponents": ["a"]}
            -> format.opponents: nobody is left to be ranked
        "format": {"kind": "gauntlet", "sprt": {"gamma": 1}}
            -> format.sprt.gamma: no such member here
        "bots": ["a", "b"], "match": {"best_of": 3}, "format": {"kind": "gauntlet", "sprt": {"elo":
            "game"}} -> format.sprt.elo: a game's Elo needs matches of so many games
        "format": {"kind": "gauntlet", "sprt": {}} -> format.sprt: or those of one match
        "bots": ["a", "b"], "format": {"kind": "gauntlet", "sprt": {"elo0": 5, "elo1": 1}}
            -> format.sprt: elo0 must be below elo1
        "bots": ["a", "b"], "format": {"kind": "gauntlet", "sprt": {"alpha": 0.7}}
            -> format.sprt.alpha: below 0.5
        "bots": ["a", "b"], "format": {"kind": "swiss", "keep_teams_apart": true}
            -> format.keep_teams_apart: all bots are of one team
        "format": {"kind": "stages", "stages": [{"kind": "swiss"}, {"kind": "knockout", "advance":
            5}]} -> format.stages[1].advance: only 4 are left, not 5
        "format": {"kind": "stages", "stages": [{"kind": "swiss", "ranked_by": ["luck"]}]}
            -> format.stages[0].ranked_by: "luck" is no tie-break
        "format": {"kind": "stages", "stages": [{"kind": "stages"}]}
            -> format.stages[0].kind: a stage can't be made of stages
        "format": {"kind": "stages", "stages": [{"kind": "leaderboard", "opponents": ["a"]}]}
            -> format.stages[0].opponents: a stage has no fixed opponents
        "format": {"advance": 2} -> format.advance: no such member here
        "tie_breaks": ["wins", "wins"] -> tie_breaks: stands twice
        "match": {"best_of": 4} -> match.best_of: expected an odd number
        "match": {"seeds": []} -> match.seeds: at least one seed
    )rows",
        "}]}", "tournaments[0].");
}

TEST(ConfigMistakesTest, InAFormatOnItsLine) {
    const auto errors = errors_of("{" + two_bots + R"(, "tournaments": [{"id": "t", "game": "walls",
        "format": {"kind": "stages", "stages": [{"kind": "swiss"},
                                                {"kind": "knockout", "advance": 5}]}}]})");
    EXPECT_THAT(
        errors,
        ElementsAre(AllOf(Field(&ConfigError::line, 3),
                          Field(&ConfigError::member, "tournaments[0].format.stages[1].advance"))));
}

TEST(ConfigMistakesTest, InABotsRounds) {
    check(R"({"bots": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}],)"
          R"("tournaments": [{"id": "t", "game": "walls", "format": {"kind": "swiss"},)",
          R"rows(
        "bots": ["a", "b", 5] -> bots[2]: expected a name, or an object
        "bots": ["a", "b", {"name": "z"}] -> bots: "z" is not a name
        "bots": ["a", "b", {"name": "c", "first_round": 0}]
            -> bots[2].first_round: expected an integer from 1
        "bots": [{"name": "a", "first_round": 2}, {"name": "b", "first_round": 2},                
            {"name": "c", "first_round": 2}] -> bots: nobody plays in round 1
        "bots": ["a", "b", {"name": "c", "first_round": 9}]
            -> bots: "c" would enter in round 9, and there are 3
        "bots": ["a", "b", {"name": "c", "half_point_byes": [0]}]
            -> bots[2].half_point_byes: expected numbers of rounds
        "bots": ["a", "b", {"name": "c", "half_point_byes": [2, 4]}]
            -> bots: "c" asks for a bye in round 4, and there are 3
        "bots": ["a", "b", {"name": "c", "zero_point_byes": [4]}]
            -> bots: "c" asks for a bye in round 4, and there are 3
        "bots": ["a", "b", {"name": "c", "half_point_byes": [2], "zero_point_byes": [2]}]
            -> bots: asks for two byes in round 2
    )rows",
          "}]}", "tournaments[0].");
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
        R"rows(
        {"id": "t", "game": "light_cycles", "format": {"kind": "swiss", "seats": 4, "accelerated":
            true}} -> format.accelerated: for two seats only
        {"id": "t", "game": "light_cycles", "format": {"kind": "swiss", "seats": 4, "colours":
            false}} -> format.colours: pods have no colours
        {"id": "t", "game": "light_cycles", "format": {"kind": "swiss", "seats": 3, "seats_min": 4}}
            -> format.seats_min: expected a number from 2 to 3
        {"id": "t", "game": "light_cycles", "bots": ["a", "b", "c"], "format": {"seats": 4}}
            -> format.kind: a round_robin needs at least 4 bots
        {"id": "t", "game": "light_cycles", "format": {"kind": "gauntlet", "seats": 4}}
            -> format.seats: opponents for full matches of 4 seats: 3 for each, found 4
        {"id": "t", "game": "light_cycles", "format": {"seats": 3}, "params": {"teams": 4}}
            -> params: params.starts
        {"id": "t", "game": "light_cycles", "format": {"seats": 4}, "params": {"teams": 2,
            "cycles_per_team": 1, "starts": [[1, 1], [5, 5]]}} -> params: expected params for 4
            seats, as the format has
        {"id": "t", "game": "superball", "match": {"starts": "drawn"}}
            -> match: starts: solo games are compared on the same setups
        {"id": "t", "game": "superball", "match": {"best_of": 3}}
            -> match.best_of: solo games are compared on all of their setups
        {"id": "t", "game": "superball", "format": {"kind": "leaderboard", "seats": 2}}
            -> format.seats: only a format of kind
    )rows",
        "]}", "tournaments[0].");
}

TEST(ConfigMistakesTest, InAClockAndInFaults) {
    check("{" + two_bots + R"(, "tournaments": [{"id": "t", "game": "walls",)", R"rows(
        "clock": {"budget": "0s"} -> clock.budget: expected a time above zero
        "clock": {"budget": "1 s"} -> clock.budget: expected a time such as "1s"
        "clock": {"increment": "1s"} -> clock.increment: only a clock of kind "game"
        "clock": {"kind": "game", "budget": "1m", "waits_for_late": true}
            -> clock.waits_for_late: only a clock of kind "turn"
        "clock": {"waits_for_late": true, "hung_after": 0} -> clock.hung_after: above zero
        "clock": {"hung_after": "5s"} -> clock.hung_after: only where "waits_for_late"
        "clock": {"hard_limit": "500ms"} -> clock.hard_limit: no less than the turn's budget
        "clock": {"kind": "game"} -> clock.kind: needs a "budget"
    )rows",
          "}]}", "tournaments[0].");
}

TEST(ConfigMistakesTest, OfIdsAndGames) {
    check("{" + two_bots + R"(, "tournaments": [{"id": "t", "game": "walls"},)", R"rows(
        5 -> tournaments[1]: expected an object such as
        {"game": "walls"} -> tournaments[1].id: expected 1 to 32 letters
        {"id": "a/b", "game": "walls"} -> tournaments[1].id: letters, digits, - or _
        {"id": "t", "game": "walls"} -> tournaments[1].id: two tournaments have the id "t"
        {"id": "u"} -> tournaments[1].game: missing; expected the id of a game
        {"id": "u", "game": "chess"} -> tournaments[1].game: "walls"
    )rows",
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
