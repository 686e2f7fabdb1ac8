// What one bot is told of its game, and what of the others it is not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "referee/game/trace/story.h"
#include "tests/places.h"

namespace referee::trace {

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string file_text(const std::string& name) {
    std::ifstream file(tests::source_root() + "/tests/golden/explain/" + name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// Of a replay that has these members in its first line and in its result.
std::string story_of(const std::string& result, const std::string& header = {}) {
    const auto story =
        tell_story("{\"replay\":1" + header + "}\n{\"result\":{" + result + "}}\n", "f");
    EXPECT_TRUE(story) << (story ? "" : story.error().message);
    return story.value_or("");
}

// To see what a change makes of them: print the story, look at it, and keep it.
TEST(StoryTest, IsAsItWas) {
    for (const std::string name : {"faults", "nobody"}) {
        const auto story = tell_story(file_text(name + ".ndjson"), name);
        ASSERT_TRUE(story) << story.error().message;
        EXPECT_EQ(story.value(), file_text(name + ".txt")) << name;
    }
}

TEST(StoryTest, RefusesWhatIsNoReplayWithFileAndReason) {
    const auto whole = file_text("nobody.ndjson");
    const auto header = whole.substr(0, whole.find('\n') + 1);
    struct Row {
        std::string replay;
        const char* message;
    };
    for (const auto& [replay, message] :
         {Row{"", "f:1: expected a replay's first line"},
          Row{header, "f: expected a last line with the result"},
          Row{header + "{\"result\":{\"gam", "f: expected a last line with the result"},
          Row{"{\"a\":1}\n{\"result\":{}}\n",
              "f:1: that is no replay: expected a first line such as"}}) {
        const auto story = tell_story(replay, "f");
        ASSERT_FALSE(story) << replay;
        EXPECT_THAT(story.error().message, HasSubstr(message));
    }
}

TEST(StoryTest, NoTextOfATamperedReplayReachesATerminalAsItIs) {
    auto replay = file_text("faults.ndjson");
    replay.insert(replay.find("\"result\":{") + 10,
                  R"("program":["said: \u001b[31mX","\u001b[31mX"],"sandbox":["","\u001b[31m"],)");
    const auto story = tell_story(replay, "faults");
    ASSERT_TRUE(story) << story.error().message;
    EXPECT_THAT(*story, HasSubstr("a program whose version it said: \\x1b[31mX"));
    EXPECT_THAT(*story, Not(HasSubstr("\x1b")));
}

// A line that is missing, or that is there twice, changes no other line.
TEST(StoryTest, RefusesAReplayWhoseLinesAndTurnsDisagree) {
    struct Row {
        const char* turns;
        const char* lines;
        const char* message;
    };
    const char* move = "{\"moves\":[\"U\"]}\n";
    const char* two_moves = "{\"moves\":[\"U\"]}\n{\"moves\":[\"D\"]}\n";
    for (const auto& [turns, lines, message] :
         {Row{"-7", "", "f:2: result.turns: expected a number of turns from 0 on, found -7"},
          Row{"\"two\"", two_moves, "f:4: result.turns: expected a number of turns from 0 on"},
          Row{"2", move, "f: the result tells 2 turns, and the replay has 1 of them"},
          Row{"1", two_moves, "f: the result tells 1 turn, and the replay has 2 of them"},
          Row{"1", "{\"forfeit\":0}\n", "f: the result tells 1 turn, and the replay has 0 of them"},
          Row{"1", "{\"moves\":[\"U\"\n", "f:2: "},
          Row{"1", "{\"move\":[\"U\"]}\n", "f:2: expected a line with \"moves\" or \"forfeit\""},
          Row{"1", "\n{\"moves\":[\"U\"]}\n", "f:2: "}}) {
        const auto story = tell_story(
            std::string("{\"replay\":1}\n") + lines + "{\"result\":{\"turns\":" + turns + "}}\n",
            "f");
        ASSERT_FALSE(story) << turns << '\n' << lines;
        EXPECT_THAT(story.error().message, HasSubstr(message));
    }
    EXPECT_TRUE(tell_story(std::string("{\"replay\":1}\n") + two_moves +
                               "{\"forfeit\":0}\n{\"result\":{\"turns\":2}}\n",
                           "f"));
}

TEST(StoryTest, SaysWhatItCanOfAResultThatLacksMembers) {
    EXPECT_NE(story_of(R"("faults":[{}],"faults_total":1)"), "");
}

TEST(StoryTest, OfABadMoveTheGamesRulesDecide) {
    struct Row {
        const char* code;
        const char* consequence;
        const char* follows;
    };
    for (const auto& [code, consequence, follows] :
         {Row{"illegal", "missing_move", ": nothing more; the game goes on"},
          Row{"malformed", "lost_turn", ": nothing more; the game goes on"},
          Row{"disconnected", "none", "turns that it misses while it is away"},
          Row{"illegal", "strike", "it counts as a strike"}, Row{"illegal", "forfeit", "lost"},
          Row{"late", "missing_move", "played without this bot's move"},
          Row{"protocol", "none", ": nothing\n"}}) {
        const auto story =
            story_of(R"("faults":[{"code":")" + std::string(code) + R"(","consequence":")" +
                     consequence + R"("}],"faults_total":1)");
        EXPECT_THAT(story, HasSubstr("what follows: "));
        EXPECT_THAT(story, HasSubstr(follows)) << code;
    }
}

// An answer that lay there before its turn was sent, and numbers that no referee writes.
TEST(StoryTest, DifferencesBelowZeroAreTold) {
    struct Row {
        const char* sent;
        const char* received;
        const char* told;
    };
    for (const auto& [sent, received, told] :
         {Row{"2002209", "2002104", "received: 2002.104 ms, 0.105 ms before the turn was sent\n"},
          Row{"2002209", "2002207", "received: 2002.207 ms, 0.002 ms before the turn was sent\n"},
          Row{"2002209", "2002209", "received: 2002.209 ms, 0.000 ms after the turn was sent\n"},
          Row{"1", "-2", "received: -0.002 ms, 0.003 ms before the turn was sent\n"},
          Row{"9223372036854775807", "-9223372036854775808",
              "received: -9223372036854775.808 ms, 18446744073709551.615 ms before"}}) {
        EXPECT_THAT(
            story_of(R"("faults":[{"evidence":{"received":"x","sent_us":)" + std::string(sent) +
                     ",\"received_us\":" + received + R"(}}],"faults_total":1)"),
            HasSubstr(told));
    }
}

TEST(StoryTest, NumbersThatNoRefereeWritesAreToldAsTheyStand) {
    struct Row {
        const char* result;
        const char* told;
    };
    for (const auto& [result, told] :
         {Row{R"("faults":[{"seat":-1}],"faults_total":1)", "seat -1"},
          Row{R"("faults":[{"evidence":{"charged_us":-105,"budget_us":-2}}],"faults_total":1)",
              "charged: -0.105 ms, of -0.002 ms"},
          Row{R"("faults":[],"faults_total":-1)", "Nobody did anything wrong."},
          Row{R"("faults":[{}],"faults_total":-1)", "what follows"}}) {
        EXPECT_THAT(story_of(result), AllOf(HasSubstr(told), Not(HasSubstr("more faults"))));
    }
}

TEST(StoryTest, ProgramsAreToldOfBotsThatWereLaunched) {
    const auto told = [](const std::string& members) {
        return story_of(R"("outcome":{"scores":[1,1,1],"placing":[1,1,1]})" + members,
                        R"(,"bots":["ada","bob","cid"])");
    };
    const auto story =
        told(R"(,"program":["sha256:01","",""],"sandbox":["B","none",""],"used_us":[1,2,3])");
    EXPECT_THAT(story, HasSubstr("    ada: score 1, place 1, charged 0.001 ms\n"
                                 "        launched in a sandbox of tier B, program sha256:01\n"
                                 "    bob: score 1, place 1, charged 0.002 ms\n"
                                 "        launched without a sandbox, program unknown\n"
                                 "    cid: score 1, place 1, charged 0.003 ms\n"));
    EXPECT_THAT(story, testing::EndsWith("0.003 ms\n\nNobody did anything wrong.\n"));
    for (const std::string damaged : {"", R"(,"sandbox":7)", R"(,"sandbox":[1],"program":[])"})
        EXPECT_THAT(told(damaged), testing::Not(HasSubstr("launched")));
}

TEST(StoryTest, HowAllEndedIsToldOnce) {
    const auto story = story_of(
        R"("status":"played","reason":"ada laid 3 bricks, the other player 2; the game )"
        R"(ended after 20 moves, when both were stalled: 9 moves in a row without a new brick",)"
        R"("outcome":{"scores":[2,0],"placing":[1,2],"detail":{"bricks":[3,2],"moves":20}})",
        R"(,"game":"walls","params":{"size":5},"bots":["ada","bob"])");
    EXPECT_THAT(story, HasSubstr("\n        laid 3 bricks, the other player 2\n"));
    EXPECT_EQ(story.find("both were stalled"), story.rfind("both were stalled")) << story;
}

TEST(StoryTest, TheSameFaultIsToldOnceAndThatNoAnswerWasAMove) {
    const auto fault = [](int turn, const std::string& found) {
        return R"({"seat":0,"code":"malformed","consequence":"missing_move","turn":)" +
               std::to_string(turn) + R"(,"message":"found )" + found + R"("})";
    };
    const auto told = [](const std::string& faults, const std::string& valid) {
        return story_of(R"("status":"played","reason":"so it ended","faults":[)" + faults +
                            "],\"valid_moves\":" + valid,
                        R"(,"bots":["kim","ada"])");
    };
    const auto story = told(fault(1, "no") + ',' + fault(3, "no") + ',' + fault(4, "eh"), "[0,9]");
    EXPECT_THAT(story, HasSubstr("None of the 3 answers of kim was a valid move.\n"));
    EXPECT_THAT(story, HasSubstr("Turn 1, kim: malformed, 2 times\n    found no\n"));
    EXPECT_THAT(story, HasSubstr("    the same in turn 3\n"));
    EXPECT_THAT(story, HasSubstr("Turn 4, kim: malformed\n    found eh\n"));
    EXPECT_LT(story.find("It ended after"), story.find("Turn 1")) << "what it came to is first";
    EXPECT_THAT(told(fault(1, "no"), "[1,9]"), Not(HasSubstr("None of")));
}

// No two times are the same to a microsecond.
TEST(StoryTest, FaultsThatDifferInTheirNumbersAloneAreToldOnce) {
    const auto fault = [](int turn, const std::string& members) {
        return R"({"seat":0,"consequence":"missing_move","turn":)" + std::to_string(turn) + ',' +
               members + '}';
    };
    const auto late = [&](int turn, const std::string& charged) {
        return fault(turn, R"("code":"late","message":"kim was charged )" + charged +
                               " ms; its answer to turn " + std::to_string(turn - 1) +
                               R"( came 0.095 ms into this turn")");
    };
    const auto illegal = [&](int turn, const std::string& cell) {
        return fault(turn, R"("code":"illegal","message":"[1,)" + cell + R"(] is occupied")");
    };
    const auto plain = [&](int turn, int line) {
        return fault(turn, R"("code":"protocol","message":"again no JSON object: line )" +
                               std::to_string(line) + '"');
    };
    const auto story =
        story_of(R"("status":"played","faults":[)" + late(3, "1000.189") + ',' +
                     late(5, "1000.031") + ',' + late(7, "999.8") + ',' + illegal(8, "2") + ',' +
                     illegal(9, "3") + ',' + plain(10, 2) + ',' + plain(11, 3) + ']',
                 R"(,"bots":["kim"])");
    EXPECT_THAT(story, HasSubstr("Turn 3, kim: late, 3 times\n    kim was charged 1000.189 ms;"));
    EXPECT_THAT(story, HasSubstr("    the same in turn 5, 7\n"));
    EXPECT_THAT(story, HasSubstr("Turn 10, kim: protocol, 2 times\n"));
    EXPECT_THAT(story, HasSubstr("Turn 9, kim: illegal\n")) << "there the numbers are what differs";
}

TEST(StoryTest, LongLinesAreCutAtACharacter) {
    const auto letters = [](int count) {
        std::string text;
        for (int i = 0; i < count; ++i) text += "\xc3\xa4";
        return text;
    };
    for (const auto& [begin, shown] : {std::pair("x", 199), std::pair("", 200)}) {
        EXPECT_THAT(story_of(R"("faults":[{"evidence":{"received":")" + (begin + letters(1000)) +
                             R"("}}],"faults_total":1)"),
                    HasSubstr("the line: " + (begin + letters(shown)) + " ...\n"));
    }
}

// A traceback through a library ends far from the bot's own line.
TEST(StoryTest, TheEndOfAStandardErrorBeginsWithAWholeLine) {
    std::string tail = "first line\\n";
    for (int i = 0; i < 100; ++i) tail += "  File line " + std::to_string(1000 + i) + " of it\\n";
    const auto text =
        story_of(R"("faults":[{"evidence":{"stderr_tail":")" + tail + R"("}}],"faults_total":1)");
    EXPECT_THAT(text, HasSubstr("      ...\n        File line 1014 of it\n"));
    EXPECT_THAT(text, HasSubstr("line 1099 of it\n"));
    EXPECT_THAT(text, Not(HasSubstr("first line")));
}

std::string fault_of(int seat, const std::string& code, const std::string& secret) {
    return R"({"code":")" + code + R"(","consequence":"none","seat":)" + std::to_string(seat) +
           R"(,"turn":1,"message":"it did wrong: )" + (code == "protocol" ? secret : "so") +
           R"(","rule":"r","rule_text":"t","evidence":{"received":")" + secret +
           R"(","stderr_tail":")" + secret + R"(\n"}})";
}

std::string replay_of(const std::string& status) {
    return R"({"replay":1,"game_id":"t/1.1","game":"walls","seed":4711,"bots":["ann","bob"],)"
           R"("clock":{"kind":"turn","measure":"wall","budget_us":1000}})"
           "\n"
           R"({"moves":["U"]})"
           "\n"
           R"({"result":{"status":")" +
           status + R"(","turns":1,"reason":"so it ended","faults":[)" +
           fault_of(0, "protocol", "anns-line") + ',' + fault_of(1, "protocol", "bobs-line") + ',' +
           fault_of(1, "crashed", "bobs-trace") +
           R"(],"program":["anns-program","bobs-program"],"sandbox":["A","A"],)"
           R"("outcome":{"scores":[1,0],"placing":[1,2]},"used_us":[1,2]}})"
           "\n";
}

TEST(OwnStory, leaves_out_what_the_others_sent_and_printed) {
    const auto told = tell_own_story(replay_of("played"), "f", "ann");
    ASSERT_TRUE(told) << told.error().message;
    ASSERT_TRUE(*told);
    const auto& own = **told;
    EXPECT_THAT(own.text, HasSubstr("anns-line"));
    EXPECT_THAT(own.text, HasSubstr("anns-program"));
    EXPECT_THAT(own.text, HasSubstr("bob: crashed"));
    EXPECT_THAT(own.text, HasSubstr("seed 4711"));
    EXPECT_THAT(own.text, Not(HasSubstr("bobs-")));
    EXPECT_EQ(own.stderr_tail, "anns-line\n");
    const auto other = tell_own_story(replay_of("played"), "f", "bob");
    ASSERT_TRUE(other && *other);
    EXPECT_THAT((*other)->text, HasSubstr("bobs-line"));
    EXPECT_THAT((*other)->text, Not(HasSubstr("anns-")));
    EXPECT_EQ((*other)->stderr_tail, "bobs-trace\n");
    EXPECT_THAT(*tell_story(replay_of("played"), "f"), HasSubstr("bobs-trace"))
        << "who may know all";
}

TEST(OwnStory, keeps_the_seed_of_a_game_that_is_played_again) {
    const auto told = tell_own_story(replay_of("annulled"), "f", "ann");
    ASSERT_TRUE(told && *told);
    EXPECT_THAT((*told)->text, Not(HasSubstr("4711")));
}

TEST(OwnStory, keeps_the_seed_of_a_game_that_others_play_too) {
    const std::string alone =
        R"({"replay":1,"game_id":"t/1.1","game":"superball","seed":4711,"bots":["ann"],)"
        R"("clock":{"kind":"turn","measure":"wall","budget_us":1000}})"
        "\n"
        R"({"result":{"status":"played","turns":0,"reason":"so it ended","faults":[],)"
        R"("outcome":{"scores":[1],"placing":[1]},"used_us":[1]}})"
        "\n";
    const auto told = tell_own_story(alone, "f", "ann");
    ASSERT_TRUE(told && *told) << (told ? "no seat" : told.error().message);
    EXPECT_THAT((*told)->text, Not(HasSubstr("4711")));
    EXPECT_THAT(*tell_story(alone, "f"), HasSubstr("4711"));
}

TEST(OwnStory, is_told_to_nobody_who_had_no_seat) {
    for (const auto* const name : {"", "an", "ann ", "Ann", "carl"}) {
        const auto told = tell_own_story(replay_of("played"), "f", name);
        ASSERT_TRUE(told);
        EXPECT_FALSE(*told) << name;
    }
    EXPECT_FALSE(tell_own_story("nonsense", "f", "ann"));
}

}  // namespace

}  // namespace referee::trace
