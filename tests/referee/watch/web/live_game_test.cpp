#include "referee/watch/web/live_game.h"

#include <gtest/gtest.h>

#include "tests/referee/watch/web/quiet_loop.h"

namespace referee::web {
namespace {

using namespace std::chrono_literals;

Piece frame(int number) {
    return event_piece("frame", std::to_string(number), "{}");
}

TEST(EventPiece, HasItsIdOnlyWhereThereIsOne) {
    EXPECT_EQ(*event_piece("frame", "7", "{}"), "id: 7\nevent: frame\ndata: {}\n\n");
    EXPECT_EQ(*event_piece("end", "", "null"), "event: end\ndata: null\n\n");
}

TEST(Spectator, GetsWhatWasPushedInItsOrderAndIsTold) {
    Spectator spectator(1000);
    int told = 0;
    spectator.on_ready([&told] { ++told; });
    spectator.push(frame(1));
    spectator.push(frame(2));
    EXPECT_EQ(told, 2);
    EXPECT_EQ(*spectator.take(), *frame(1));
    EXPECT_EQ(*spectator.take(), *frame(2));
    EXPECT_EQ(spectator.take(), nullptr);
    EXPECT_FALSE(spectator.ended());
}

TEST(Spectator, WhoIsTooSlowIsToldToReloadAndNothingElse) {
    Spectator spectator(frame(1)->size() * 3);
    for (int i = 0; i < 3; ++i) spectator.push(frame(i));
    EXPECT_FALSE(spectator.ended());
    spectator.push(frame(3));
    EXPECT_TRUE(spectator.ended());
    EXPECT_THAT(*spectator.take(), HasSubstr("event: reload"));
    spectator.push(frame(4));
    EXPECT_EQ(spectator.take(), nullptr);
}

TEST(Spectator, WhatWasTakenMakesRoom) {
    Spectator spectator(frame(1)->size());
    for (int i = 0; i < 100; ++i) {
        spectator.push(frame(i % 10));
        ASSERT_NE(spectator.take(), nullptr);
    }
    EXPECT_FALSE(spectator.ended());
}

TEST(Spectator, WhoHasLeftGetsNothing) {
    Spectator spectator(1000);
    spectator.push(frame(1));
    spectator.leave();
    spectator.push(frame(2));
    EXPECT_EQ(spectator.take(), nullptr);
    EXPECT_TRUE(spectator.gone());
}

constexpr std::string_view first_turn = "{\"moves\":[\"R\",null],\"used_us\":[1,0]}\n";
constexpr std::string_view second_turn = "{\"moves\":[null,\"R\"],\"used_us\":[0,1]}\n";

struct LiveGameTest : testing::Test {
    engines::Registry registry;
    Instant now{100h};
    GameNews news{{"t", 1, 1, 1}, "t/1.1", "walls", {"a", "b"}};

    LiveGame begun(std::string_view history = {}, Delay delay = {}) const {
        LiveGame game(news, delay, {});
        EXPECT_TRUE(game.begin({walls_setup(), std::string(history), false}, registry, now));
        return game;
    }
    static std::shared_ptr<Spectator> join(LiveGame& game, std::size_t from = 0) {
        auto spectator = std::make_shared<Spectator>(100'000);
        game.join(spectator, from, false);
        return spectator;
    }
    static std::size_t waiting(Spectator& spectator) {
        std::size_t count = 0;
        while (spectator.take() != nullptr) ++count;
        return count;
    }
};

TEST_F(LiveGameTest, FramesOfWhatWasPlayedAndOfWhatIsPlayed) {
    auto game = begun(first_turn);
    EXPECT_EQ(game.frames(), 1U);
    const auto spectator = join(game, 1);
    game.more(second_turn, now);
    EXPECT_EQ(game.frames(), 2U);
    EXPECT_THAT(*spectator->take(), HasSubstr("id: 2\nevent: frame\n"));
    EXPECT_THAT(*game.showing({}), HasSubstr("\"live\":true"));
    EXPECT_THAT(*game.showing({}), HasSubstr("\"params\""));
    EXPECT_THAT(*game.showing({}), Not(HasSubstr("seed"))) << "it tells what is to come";
    game.over("{}", now);
    EXPECT_TRUE(game.ended());
    EXPECT_THAT(*spectator->take(), HasSubstr("event: end\ndata: {}"));
    EXPECT_TRUE(spectator->ended());
}

// Where everybody left for a moment, and somebody came again before the loop had answered.
TEST_F(LiveGameTest, ThatIsToldTwiceFromItsBeginningIsShownOnce) {
    auto game = begun(first_turn);
    const auto spectator = join(game, 1);
    const auto history = std::string(first_turn) + std::string(second_turn);
    EXPECT_TRUE(game.begin({walls_setup(), history, false}, registry, now));
    EXPECT_THAT(*spectator->take(), HasSubstr("event: reload"));
    EXPECT_TRUE(spectator->ended());
    EXPECT_EQ(game.frames(), 2U);
    protocol::json::Document showing;
    EXPECT_TRUE(showing.parse(*game.showing({}))) << *game.showing({});
}

TEST_F(LiveGameTest, ADelayInTurnsHoldsTheLastOnesBackUntilTheEnd) {
    auto game = begun(first_turn, {1, {}});
    EXPECT_EQ(game.frames(), 0U);
    game.more(second_turn, now);
    EXPECT_EQ(game.frames(), 1U);
    game.over("{}", now);
    EXPECT_EQ(game.frames(), 2U);
    EXPECT_TRUE(game.ended());
}

TEST_F(LiveGameTest, ADelayInTimeHoldsFramesAndTheEndBack) {
    auto game = begun({}, {0, 10s});
    const auto spectator = join(game);
    game.more(first_turn, now);
    game.over("{}", now + 5s);
    game.look(now + 9s);
    EXPECT_EQ(waiting(*spectator), 0U);
    game.look(now + 10s);
    EXPECT_EQ(waiting(*spectator), 1U);
    EXPECT_FALSE(game.ended());
    game.look(now + 15s);
    EXPECT_TRUE(game.ended());
    EXPECT_EQ(waiting(*spectator), 1U);
}

TEST_F(LiveGameTest, AGameThatIsTooLongIsToldAndShowsNothing) {
    LiveGame game(news, {}, {});
    EXPECT_FALSE(game.begin({walls_setup(), "", true}, registry, now));
    EXPECT_TRUE(game.failed());
    LiveGame gone(news, {}, {});
    EXPECT_FALSE(gone.begin({}, registry, now)) << "it is over already";
}

TEST_F(LiveGameTest, ALineThatTheEngineRefusesEndsTheStream) {
    auto game = begun();
    const auto spectator = join(game);
    game.more("{\"moves\":\n", now);
    EXPECT_TRUE(game.failed());
    EXPECT_THAT(*spectator->take(), HasSubstr("event: reload"));
    EXPECT_FALSE(game.watched());
}

TEST_F(LiveGameTest, ASlowSpectatorIsDroppedAndTheOthersGoOn) {
    auto game = begun();
    const auto slow = std::make_shared<Spectator>(1);
    game.join(slow, 0, false);
    const auto quick = join(game);
    game.more(first_turn, now);
    game.more(second_turn, now);
    EXPECT_TRUE(slow->ended());
    EXPECT_EQ(waiting(*quick), 2U);
    EXPECT_TRUE(game.watched());
    quick->leave();
    EXPECT_FALSE(game.watched());
}

}  // namespace
}  // namespace referee::web
