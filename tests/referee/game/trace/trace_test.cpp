#include "referee/game/trace/trace.h"
#include "tests/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace referee::trace {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

class TraceTest : public testing::Test {
 protected:
    trace::Setup setup_of(const std::string& text) {
        auto read = read_setup(text, "setup.json", registry_);
        if (!read) {
            ADD_FAILURE() << read.error().message;
            return {};
        }
        return *std::move(read);
    }

    // Traces these lines; what was written, line by line.
    std::vector<Json> traced(const std::string& moves) {
        auto setup = setup_of(setup_text_);
        std::istringstream in(moves);
        std::ostringstream out;
        traced_ = trace::trace(setup, in, "moves.ndjson", out);
        std::vector<Json> lines;
        std::istringstream stream(out.str());
        for (std::string line; std::getline(stream, line);) lines.push_back(Json::parse(line));
        return lines;
    }

    engines::Registry registry_;
    std::string setup_text_ = R"({"game": "walls", "params": {"size": 3}})";
    base::Result<void, Refusal> traced_;
};

TEST_F(TraceTest, ReadsASetup) {
    const auto whole =
        setup_of(R"({"seed": 4294967295, "params": {"size": 3, "first": 1}, "game": "walls"})");
    EXPECT_EQ(whole.game, registry_.find("walls"));
    EXPECT_EQ(whole.seed, 4294967295U);
    EXPECT_EQ(Json::parse(whole.params), Json::parse(R"({"size": 3, "first": 1})"));
    EXPECT_TRUE(whole.state->to_move().test(1));
    const auto least = setup_of(R"({"game": "walls"})");
    EXPECT_EQ(least.seed, 1U);
    EXPECT_EQ(least.params, "");
    EXPECT_TRUE(least.state->to_move().test(0));
}

TEST_F(TraceTest, RefusesSetupsWithFileLineAndField) {
    struct Case {
        const char* text;
        const char* begins;
        const char* says;
    };
    for (const auto& [text, begins, says] : {
             Case{"", "setup.json:1: ", ""},
             Case{"{\n\"game\": \"walls\",\n\"seed\" 5}", "setup.json:3: ", ""},
             Case{"[]", "setup.json:1: expected an object", "an array"},
             Case{"{}", "setup.json:1: game: expected one of", "found nothing"},
             Case{"{\n\"game\": \"chess\"}", "setup.json:2: game: expected one of",
                  "\"light_cycles\""},
             Case{"{\"game\": \"walls\",\n\n\"seed\": -1}",
                  "setup.json:3: seed: expected an integer", "4294967295"},
             Case{"{\"game\": \"walls\", \"seed\": 4294967296}", "setup.json:1: seed: ", ""},
             Case{"{\"game\": \"walls\",\n\"params\": []}",
                  "setup.json:2: params: expected an object", "an array"},
             Case{"{\"game\": \"walls\",\n\"params\": {\"size\": 4}}",
                  "setup.json:2: params.size: ", "found 4"},
             Case{"{\"game\": \"walls\",\n\"params\": {\"colour\": 4}}",
                  "setup.json:2: params.colour: ", ""},
             Case{"{\"game\": \"walls\",\n\"bots\": []}", "setup.json:2: bots: no such member here",
                  "\"params\""},
         }) {
        const auto read = read_setup(text, "setup.json", registry_);
        ASSERT_FALSE(read) << text;
        EXPECT_THAT(read.error().message, StartsWith(begins));
        EXPECT_THAT(read.error().message, HasSubstr(says));
    }
}

TEST_F(TraceTest, WritesEachStateAndTheOutcome) {
    const auto lines =
        traced("{\"moves\": [\"R\", null]}\n{\"moves\": [null, \"X\"], \"used_us\": [0, 7]}\n");
    EXPECT_TRUE(traced_);
    ASSERT_EQ(lines.size(), 4U);
    for (int turn = 0; turn < 3; ++turn)
        EXPECT_EQ(lines[static_cast<std::size_t>(turn)].at("turn"), turn);
    EXPECT_EQ(lines[0].at("state").at("to_move"), 0);
    EXPECT_EQ(lines[1].at("state").at("to_move"), 1);
    EXPECT_EQ(lines[1].at("state").at("players")[0].at("facing"), "N");
    EXPECT_FALSE(lines[1].contains("notes"));
    EXPECT_EQ(lines[2].at("notes")[0].at("code"), "malformed_move");
    EXPECT_EQ(lines[2].at("notes")[0].at("seat"), 1);
    EXPECT_EQ(lines[3], Json::parse(R"({"outcome": null})")) << "the game isn't over";
}

TEST_F(TraceTest, EmptyLinesArePassedOverAndCounted) {
    const auto lines = traced("\n{\"moves\": [\"R\", null]}\n  \t\r\n\n{\"moves\": [null, \"R\"]}");
    EXPECT_TRUE(traced_);
    EXPECT_EQ(lines.size(), 4U);
    traced("\n\n{\"moves\": 5}\n");
    ASSERT_FALSE(traced_);
    EXPECT_THAT(traced_.error().message, StartsWith("moves.ndjson:3: "));
}

TEST_F(TraceTest, WhatWasTracedBeforeABadLineStays) {
    struct Case {
        const char* line;
        const char* says;
    };
    for (const auto& [line, says] : {
             Case{"hello", ""},
             Case{"[]", "expected an object such as {\"moves\": [...]}, found an array"},
             Case{"{}", "moves: expected an array of 2 entries, one for each seat, found nothing"},
             Case{"{\"moves\": [\"F\"]}",
                  "moves: expected an array of 2 entries, one for each seat, found one of 1"},
             Case{"{\"moves\": [null, null], \"used_us\": [1]}", "used_us: expected an array"},
             Case{"{\"moves\": [null, null], \"used_us\": [0, -1]}",
                  "used_us[1]: expected an integer"},
             Case{"{\"moves\": [null, null], \"debug\": 1}", "debug: no such member here"},
             Case{"{\"forfeit\": 0}", "forfeit: no such member here"},
             Case{"{\"result\": {}}", "result: no such member here"},
         }) {
        const auto lines = traced("{\"moves\": [\"R\", null]}\n" + std::string(line) +
                                  "\n{\"moves\": [null, \"R\"]}\n");
        ASSERT_FALSE(traced_) << line;
        EXPECT_THAT(traced_.error().message, StartsWith("moves.ndjson:2: " + std::string(says)));
        EXPECT_EQ(lines.size(), 2U) << "the beginning and the good turn, no outcome";
    }
}

TEST_F(TraceTest, LinesAfterTheEndAreLeftUnread) {
    constexpr int idle_moves = 18;
    std::string moves;
    for (int i = 0; i < idle_moves; ++i) moves += "{\"moves\": [null, null]}\n";
    const auto lines = traced(moves + "this is no move\n");
    EXPECT_TRUE(traced_);
    ASSERT_EQ(lines.size(), idle_moves + 2U);
    EXPECT_EQ(lines.back().at("outcome").at("scores"), Json({1, 1}));
}

}  // namespace
}  // namespace referee::trace
