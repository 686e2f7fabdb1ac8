#pragma once

#include <string>
#include <vector>

#include "protocol/codec.h"

namespace protocol::testing {

// Every message that the encoder can write, with all members and with as few as possible, each
// without its line end.
inline std::vector<std::string> encoded_samples() {
    std::vector<std::string> lines;
    const auto add = [&lines](const auto& message) {
        std::string line;
        encode(line, message);
        line.pop_back();
        lines.push_back(line);
    };
    add(Login{"a", "", "", "", "", {"walls"}, 1, StateForm::full});
    add(Login{"a \"b\"",
              "secret",
              "open sesame",
              "mine",
              "2.1",
              {"walls", "superball"},
              9,
              StateForm::delta});
    add(Login{"a", "", "", "", "", {"walls"}, 1, StateForm::full, Purpose::ask, "2"});
    add(AskGames{});
    add(AskGames{"friday", "friday/12.1", 50});
    add(AskGame{"friday/12.1"});
    add(Submit{"bot.zip", 4812, std::string(64, 'a')});
    add(Piece{"UEsDBBQAAAAI"});
    add(AskSubmissions{});
    add(Withdraw{});
    add(Ready{"g1"});
    add(Move{"g1", 0, Payload("null"), "", false});
    add(Move{"g1", 3, Payload("[[1,2],null]"), "thought", false});
    add(Ping{7});
    add(Pong{18446744073709551615U});
    add(Bye{});
    add(Bye{"finished", "that was all"});
    add(Hello{protocol_version, "referee", "0.1.0", "s1", {}});
    add(Welcome{"a", "s1", protocol_version, 2, StateForm::delta, {"walls"}});
    add(Welcome{"a", "s1", protocol_version, 1, StateForm::full, {}, Purpose::ask});
    Start start{"m1", "g1", 1, 2, "walls", 1, {"a", "b"}, R"({"size":5})", {}, 0, "{}", false};
    add(start);
    start.clock = {ClockKind::game, Measure::cpu, 60'000'000, 5'000'000, 100'000};
    start.turn = 12;
    start.resumed = true;
    add(start);
    add(History{"g1", 0, "[]", true});
    add(History{"g1", 4, R"([{"moves":["F",null],"used_us":[12,0]}])", false});
    Turn turn{"g1", 1, 1'000'000, R"({"board":[]})", {}, {}};
    add(turn);
    turn.last = LastAnswer{0, 12, 3, false, "\"F\"", {}};
    add(turn);
    turn.last = LastAnswer{.turn = 3,
                           .charged_us = 50'000,
                           .allowed_us = 5'400,
                           .move = {},
                           .notes = {},
                           .wall_us = 131'000,
                           .round_trip_us = 45'000,
                           .allowance_us = 5'400,
                           .jitter_us = 2'300,
                           .waited_us = 30'000,
                           .corrected_us = 40'000,
                           .cause = "it slept",
                           .doubted_us = 5'600};
    add(turn);
    turn.state = {};
    turn.delta = R"([{"op":"replace","path":"/a","value":1},{"op":"remove","path":"/b"}])";
    turn.last = LastAnswer{0, 1'000'001, 0, true, {}, {{1, "late", "too late"}}};
    add(turn);
    Fault fault{"g1", 3, 0, FaultCode::late, "late by 1 us", "clock.turn", "", Consequence::none,
                {}};
    add(fault);
    fault.rule_text = "A turn takes at most 1 s.";
    fault.consequence = Consequence::forfeit;
    fault.evidence = {
        "{\"type\":\"x\"}", 5,  9,      4,    0, 1'000'000, Measure::cpu, "cgroup", 1, 11,
        "Traceback\n",      12, 10'000, 7'000};
    add(fault);
    add(Note{"game_over", "the game is over", "", {}});
    add(Note{"old_turn", "turn 3 is over", "g1", 3});
    add(Note{"old_turn", "turn 3 is over", "g1", 3, {}, 73'210, 23'160});
    add(Note{"left_matches", "you left a match; you wait 5 s", "", {}, 5'000'000});
    add(End{"g1",
            R"({"scores":[2,0],"placing":[1,2],"detail":{}})",
            {{"a", "2", 1, "more bricks"}, {"b", "0.5", 2, "fewer bricks"}},
            4294967295U,
            31,
            "every square has a brick"});
    add(MatchEnd{"m1", {"a", "b"}, "[3,1]", {1, 2}, 2, "all games are played"});
    add(GameList{});
    add(GameList{{{"friday/12.1",
                   "friday",
                   "walls",
                   {"a", "b"},
                   1,
                   "played",
                   2,
                   "0",
                   3,
                   31,
                   "every square has a brick",
                   61'000,
                   {}},
                  {"friday/11.1",
                   "friday",
                   "walls",
                   {"b", "a"},
                   0,
                   "annulled",
                   {},
                   {},
                   0,
                   4,
                   "the referee itself stood still",
                   99'000,
                   "the arbiter set the result of match friday/11: b 2, a 1; a wrong start"}},
                 true});
    add(Received{0, 40512});
    add(SubmissionList{});
    add(SubmissionList{{{2, "bot.zip", 40512, std::string(64, 'a'), SubmissionStatus::failed,
                         "exit status 1", "bot.c:12: error\n", 5200},
                        {1, "bot.c", 12, std::string(64, 'b'), SubmissionStatus::plays, "", "", 0}},
                       "version 1 plays"});
    add(GameStory{"friday/12.1", "Nobody did anything wrong.\n", {}, "", {}});
    add(GameStory{"friday/12.1",
                  "Turn 3, a: late\n",
                  {{1, "depth 4"}, {3, "depth 9"}},
                  "Traceback\n",
                  {"story", "debug"}});
    add(ProtocolError{ErrorCode::unknown_game, "there is no game \"g2\"", "", "", ""});
    add(ProtocolError{ErrorCode::wrong_type, "bad", "{}", "turn", "x\\xff"});
    return lines;
}

}  // namespace protocol::testing
