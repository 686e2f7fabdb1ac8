#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/game/trace/replay.h"
#include "referee/game/trace/trace.h"
#include "tests/referee/game/play/play_driver.h"

// Games that go on from a position of another one.

namespace referee::play {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

PastTurn past_turn(std::string first, std::string second, std::int64_t first_us = 0,
                   std::int64_t second_us = 0) {
    return {{std::move(first), std::move(second)}, {first_us, second_us}};
}

PlaySetup forked_setup(std::vector<PastTurn> turns) {
    auto setup = walls_setup();
    setup.past = Past{"monday/3.1", "sha256:00", {"carol", "dave"}, std::move(turns)};
    return setup;
}

TEST(PastTest, TheGameGoesOnBehindItsPast) {
    PlayDriver driver(
        forked_setup({past_turn(R"("R")", "", 70, 0), past_turn("", R"("L")", 0, 30)}));
    EXPECT_TRUE(driver.play.is_fork());
    EXPECT_EQ(driver.play.turns_played(), 2);
    driver.begin();
    EXPECT_EQ(driver.play.turn(), 3);
    EXPECT_THAT(driver.done, ElementsAre("drop 1", "turn 0"));
    EXPECT_EQ(driver.moves(0, R"("F")"), AnswerFate::taken);
    EXPECT_EQ(driver.play.turn(), 4);
    driver.stop(GameStatus::interrupted, "enough");
    const auto replay = driver.play.replay();
    EXPECT_THAT(replay, HasSubstr(R"({"moves":["R",null],"used_us":[70,0]})"
                                  "\n"
                                  R"({"moves":[null,"L"],"used_us":[0,30]})"
                                  "\n"
                                  R"({"moves":["F",null],"used_us":[1000,0]})"
                                  "\n"));
    const std::string told =
        R"("forked_from":{"game_id":"monday/3.1","turn":3,"replay":"sha256:00","bots":["carol","dave"],"past_told_by":["resumed","history"]}})";
    EXPECT_THAT(replay, HasSubstr(told + "\n{\"moves\"")) << "the first line";
    EXPECT_THAT(replay.substr(replay.rfind("{\"result\"")), HasSubstr(told));
    // What was used before counts, and what others did well does not.
    EXPECT_THAT(driver.play.result().used_us, ElementsAre(1070, 30));
    EXPECT_THAT(driver.play.result().valid_moves, ElementsAre(1, 0));
}

TEST(PastTest, AGameWithoutAPastSaysNothingOfOne) {
    BegunPlay driver(walls_setup());
    driver.stop(GameStatus::interrupted, "enough");
    EXPECT_FALSE(driver.play.is_fork());
    EXPECT_THAT(driver.play.replay(), testing::Not(HasSubstr("forked_from")));
}

TEST(PastTest, AGamesClockHasLessTimeLeft) {
    auto setup =
        forked_setup({past_turn(R"("R")", "", 70'000, 0), past_turn("", R"("L")", 0, 30'000)});
    setup.clock =
        clock::completed({.kind = clock::ClockKind::game, .budget = 1s, .increment = 5ms});
    PlayDriver driver(std::move(setup));
    EXPECT_EQ(driver.play.budget(0), 1s - 70ms + 5ms);
    EXPECT_EQ(driver.play.budget(1), 1s - 30ms + 5ms);
}

TEST(PastTest, ASeatThatWasTakenOutStaysOut) {
    auto setup = cycles_setup(3);
    PastTurn first{{"[[1,0]]", "[[5,6]]", "[[5,0]]"}, {1, 1, 1}};
    PastTurn out{{}, {}, Seat{1}};
    PastTurn second{{"[[2,0]]", "", "[[4,0]]"}, {1, 0, 1}};
    setup.past = Past{"monday/3.1", "sha256:00", {"x", "y", "z"}, {first, out, second}};
    BegunPlay driver(std::move(setup));
    EXPECT_EQ(driver.play.turn(), 3);
    EXPECT_THAT(driver.done, ElementsAre("drop 2", "turn 0", "turn 2"));
    driver.stop(GameStatus::interrupted, "enough");
    EXPECT_THAT(driver.play.replay(), HasSubstr("\n{\"forfeit\":1}\n"));
}

TEST(PastTest, WhoWasTakenOutInItIsPartOfTheFingerprint) {
    const auto with_out = [](Seat seat) {
        auto setup = cycles_setup(3);
        setup.past = Past{"monday/3.1", "sha256:00", {"x", "y", "z"}, {{{}, {}, seat}}};
        BegunPlay driver(std::move(setup));
        for (Seat other = 0; other < 3; ++other) {
            if (other != seat) driver.misbehaved(other, FaultCode::crashed);
        }
        return driver.play.result().fingerprint;
    };
    EXPECT_EQ(with_out(1), with_out(1));
    EXPECT_NE(with_out(0), with_out(1));
}

const std::string header =
    R"({"replay":1,"game_id":"friday/1.1","game":"walls","seed":3,"params":{"size":3,"first":0},"bots":["a","b"],)"
    R"("clock":{"kind":"turn","measure":"wall","budget_us":1000000,"hard_limit_us":1000000,"hung_after_us":500}})"
    "\n";
const std::string left =
    "{\"moves\":[\"L\",null],\"used_us\":[5,0]}\n{\"moves\":[null,\"L\"],\"used_us\":[0,5]}\n";
const std::string ended = R"({"result":{"status":"forfeited","turns":4,"faults":[]}})"
                          "\n";

base::Result<trace::ForkPoint, trace::Refusal> point(const std::string& replay, std::int64_t turn) {
    return trace::fork_point(replay, "r.ndjson", turn, games());
}

std::string refusal(const std::string& replay, std::int64_t turn) {
    const auto read = point(replay, turn);
    return read ? "taken" : read.error().message;
}

TEST(ForkPointTest, HasAllThatWasBefore) {
    const auto read = point(header + left + left + ended, 3);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->game, "walls");
    EXPECT_EQ(read->seed, 3U);
    EXPECT_EQ(read->clock.budget, 1s);
    EXPECT_TRUE(read->clock.waits_for_late);
    EXPECT_EQ(read->clock.hung_after, 500us);
    EXPECT_EQ(read->past.game_id, "friday/1.1");
    ASSERT_EQ(read->past.turns.size(), 2U);
    EXPECT_THAT(read->past.turns[1].moves, ElementsAre("", R"("L")"));
    EXPECT_THAT(read->past.turns[1].used_us, ElementsAre(0, 5));
    // sha256sum of the very bytes.
    EXPECT_EQ(read->past.replay.size(), std::string("sha256:").size() + 64);
}

TEST(ForkPointTest, TheTurnAtWhichABotFailedCanBePlayedAnew) {
    const auto replay = header + left + left + "{\"forfeit\":0}\n" + ended;
    const auto read = point(replay, 5);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->past.turns.size(), 4U);
    EXPECT_EQ(refusal(replay, 6), "r.ndjson: expected a turn from 1 to 5, found 6");
}

TEST(ForkPointTest, TurnsThatThereAreNotAreRefused) {
    const auto replay = header + left + left + ended;
    EXPECT_EQ(refusal(replay, 0), "r.ndjson: expected a turn from 1 to 5, found 0");
    std::string whole = header;  // to the end: both are stalled after nine idle moves
    for (int i = 0; i < 9; ++i) whole += left;
    EXPECT_EQ(refusal(whole + ended, 18), "taken");
    EXPECT_EQ(refusal(whole + ended, 19), "r.ndjson: expected a turn from 1 to 18, found 19");
}

TEST(ForkPointTest, DamagedReplaysAreRefused) {
    auto clockless = header;
    clockless.replace(clockless.find("wall\""), 5, "sun\"");
    EXPECT_THAT(refusal(clockless + left + ended, 1),
                HasSubstr("r.ndjson:1: clock.measure: expected"));
    auto one = header;
    one.replace(one.find(R"("a",)"), 4, "");
    EXPECT_THAT(refusal(one + left + ended, 1), HasSubstr("r.ndjson:1: bots: expected 2 names"));
}

}  // namespace
}  // namespace referee::play
