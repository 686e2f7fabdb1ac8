#include "referee/watch/review/kept_review.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/watch/review/kept_game.h"

namespace referee::review {
namespace {

using testing::HasSubstr;

// The text with a part of it in place of another.
std::string with(std::string text, const std::string& part, const std::string& instead) {
    const auto at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return at == std::string::npos ? text : text.replace(at, part.size(), instead);
}

TEST(KeptReview, LiesBesideItsReplay) {
    EXPECT_EQ(file_beside("out/games/friday_12.1.ndjson"), "out/games/friday_12.1.review.json");
    EXPECT_EQ(file_beside("friday_12.1"), "friday_12.1.review.json");
}

TEST(KeptReview, IsOfTheGameWhateverTheLastLineTells) {
    const auto replay = kept_replay();
    const auto less = replay.substr(0, replay.rfind("{\"result\"")) + "{\"result\":{}}\n";
    EXPECT_EQ(replay_mark(replay), replay_mark(less));
    EXPECT_NE(replay_mark(replay), replay_mark(with(replay, "\"L\"", "\"R\"")));
    EXPECT_NE(replay_mark(replay), replay_mark(with(replay, "\"ann\"", "\"bob\"")));
    EXPECT_EQ(replay_mark("hello"), "");
    EXPECT_TRUE(read_review(kept_review(replay), less));
}

TEST(KeptReview, ComesOutAsItWentIn) {
    const auto replay = kept_replay();
    const auto text = kept_review(replay);
    const auto read = read_review(text + "\n", replay);
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(*read, text);
}

TEST(KeptReview, TellsNoFolderOfTheMachine) {
    const auto replay = kept_replay();
    const auto text = kept_review(replay);
    const auto begin = text.find(R"("played_by":[)") + 13;
    auto told = text;
    told.replace(begin, text.find(']', begin) - begin,
                 R"("/usr/bin/python3 -B /home/ann/bot.py --to /tmp/x","walls-greedy")");
    told = with(told, "all of it", "played by /usr/bin/python3 /home/ann/bot.py (seat 0)");
    const auto read = read_review(told, replay);
    ASSERT_TRUE(read) << read.error();
    EXPECT_THAT(*read, HasSubstr(R"("played_by":["python3 -B bot.py --to x","walls-greedy"])"));
    EXPECT_THAT(*read, HasSubstr("played by python3 bot.py (seat 0)"));
}

// Whatever a file says, no page finds something there that it can't show.
TEST(KeptReview, WhatIsWrongIsToldWithItsPlace) {
    const auto replay = kept_replay();
    const auto good = kept_review(replay);
    struct {
        const char* part;
        const char* instead;
        const char* told;
    } cases[] = {
        {"\"review\":1", "\"review\":2", "review: "},
        {"\"replay\":\"", "\"replay\":\"0", "of another replay"},
        {"\"bots\":[\"ann\",\"eve\"]", "\"bots\":[\"ann\"]", "bots: "},
        {"\"bots\":[\"ann\",\"eve\"]", "\"bots\":[\"ann\",\"zoe\"]", "bots: "},
        {"\"bots\":[\"ann\",\"eve\"]", "\"bots\":[\"eve\",\"ann\"]", "bots: "},
        {"\"seat\":0", "\"seat\":2", "seat: "},
        {"\"seat\":0", "\"seat\":-1", "seat: "},
        {"\"scale\":\"share\"", "\"scale\":\"__proto__\"", "scale: "},
        {"\"scale\":\"share\"", "\"scale\":\"score\"", "points[0].seats[0].mean: "},
        {"\"turns\":2", "\"turns\":0", "turns: "},
        {"\"points\":[", "\"points\":[7,", "points[0]"},
        {"\"turn\":3", "\"turn\":1", "points[1].turn: "},
        {"\"turn\":3", "\"turn\":4", "points[1].turn: "},
        {"\"seats\":[", "\"seats\":[{\"value\":1,\"low\":1,\"high\":1},", "points[0].seats: "},
        {"\"value\":0.5", "\"value\":\"<b>\"", "points[0].seats[0].value: "},
        {"\"value\":0.5", "\"value\":1e300", "points[0].seats[0].value: "},
        {"\"lost\":[", "\"lost\":[null,", "lost[0]"},
        {"\"told\":\"Turn 1: ann played \\\"turn left\\\"\"", "\"told\":{\"toString\":1}",
         "lost[0].told: "},
        {"\"assumed\":[", "\"assumed\":[[],", "assumed[0]"},
        {"\"assumed\":[", "\"more\":1,\"assumed\":[", "more: "},
        {"\"review\":1", "\"review\":1,\"seat\":0", "no JSON"},
    };
    for (const auto& one : cases) {
        const auto read = read_review(with(good, one.part, one.instead), replay);
        ASSERT_FALSE(read) << one.instead;
        EXPECT_THAT(read.error(), HasSubstr(one.told)) << one.instead << "";
    }
    for (const auto* text : {"", "[]", "null", "{}", "{\"review\":1}", "[[[["})
        EXPECT_FALSE(read_review(text, replay)) << text;
    EXPECT_FALSE(read_review(good, "hello"));
    EXPECT_FALSE(read_review(std::string(kept_bytes_max + 1, ' '), replay));
}

}  // namespace
}  // namespace referee::review
