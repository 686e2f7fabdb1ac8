#include <gtest/gtest.h>

#include "referee/watch/web/live_game.h"
#include "referee/watch/web/request.h"
#include "tests/referee/watch/web/quiet_loop.h"

namespace referee::web {
namespace {

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
    EXPECT_NE(spectator.take()->find("event: reload"), std::string::npos);
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

}  // namespace

namespace {

using namespace std::chrono_literals;

constexpr std::string_view first_turn = "{\"moves\":[\"R\",null],\"used_us\":[1,0]}\n";
constexpr std::string_view second_turn = "{\"moves\":[null,\"R\"],\"used_us\":[0,1]}\n";

struct LiveGameTest : testing::Test {
    engines::Registry registry;
    Instant now{100h};
    GameNews news{{"t", 1, 1, 1}, "t/1.1", "walls", {"a", "b"}};

    bool begin(LiveGame& game, std::string_view history = {}) const {
        return game.begin({walls_setup(), std::string(history), false}, registry, now);
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
    LiveGame game(news, {}, {});
    ASSERT_TRUE(begin(game, first_turn));
    EXPECT_EQ(game.frames(), 1U);
    const auto spectator = join(game, 1);
    game.more(second_turn, now);
    EXPECT_EQ(game.frames(), 2U);
    EXPECT_NE(spectator->take()->find("id: 2\nevent: frame\n"), std::string::npos);
    EXPECT_NE(game.showing({})->find("\"live\":true"), std::string::npos);
    EXPECT_NE(game.showing({})->find("\"params\""), std::string::npos);
    EXPECT_EQ(game.showing({})->find("seed"), std::string::npos) << "it tells what is to come";
    game.over("{}", now);
    EXPECT_TRUE(game.ended());
    EXPECT_NE(spectator->take()->find("event: end\ndata: {}"), std::string::npos);
    EXPECT_TRUE(spectator->ended());
}

TEST_F(LiveGameTest, ADelayInTurnsHoldsTheLastOnesBackUntilTheEnd) {
    LiveGame game(news, {1, {}}, {});
    ASSERT_TRUE(begin(game, first_turn));
    EXPECT_EQ(game.frames(), 0U);
    game.more(second_turn, now);
    EXPECT_EQ(game.frames(), 1U);
    game.over("{}", now);
    EXPECT_EQ(game.frames(), 2U);
    EXPECT_TRUE(game.ended());
}

TEST_F(LiveGameTest, ADelayInTimeHoldsFramesAndTheEndBack) {
    LiveGame game(news, {0, 10s}, {});
    ASSERT_TRUE(begin(game));
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
    LiveGame game(news, {}, {});
    ASSERT_TRUE(begin(game));
    const auto spectator = join(game);
    game.more("{\"moves\":\n", now);
    EXPECT_TRUE(game.failed());
    EXPECT_NE(spectator->take()->find("event: reload"), std::string::npos);
    EXPECT_FALSE(game.watched());
}

TEST_F(LiveGameTest, ASlowSpectatorIsDroppedAndTheOthersGoOn) {
    LiveGame game(news, {}, {});
    ASSERT_TRUE(begin(game));
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

namespace {

using namespace std::chrono_literals;

constexpr std::string_view wall_turn = "{\"moves\":[\"R\",null],\"used_us\":[1,0]}\n";

struct WallTest : QuietSite {
    WallTest() {
        TournamentNews news{.id = "t", .game = "walls"};
        site.tournament(news);
    }
    void begin(std::uint64_t match) {
        const GameKey key{"t", match, 1, 1};
        site.game_began({key, game_id(key), "walls", {"a", "b"}});
    }
    void show(std::uint64_t match) {
        const auto id = game_id({"t", match, 1, 1});
        site.so_far(id, {walls_setup(id), "", false});
    }
    std::shared_ptr<Spectator> look() { return ask(request("/api/v1/wall"))->stream; }
    void pass(Duration time) {
        for (const auto until = now + time; now < until;) {
            now += 200ms;
            site.look();
        }
    }
    static std::string told(Spectator& stream) {
        std::string text;
        while (const auto piece = stream.take()) text += *piece;
        return text;
    }
};

TEST_F(WallTest, NothingIsWatchedUntilSomebodyLooks) {
    begin(1);
    pass(2s);
    EXPECT_TRUE(loop.watched.empty());
    const auto stream = look();
    ASSERT_NE(stream, nullptr);
    pass(1s);
    EXPECT_EQ(loop.watched, std::vector<std::string>{"t/1.1"});
    stream->leave();
    pass(limits::unwatched_followed + 2s);
    EXPECT_EQ(loop.unwatched, std::vector<std::string>{"t/1.1"});
    EXPECT_EQ(site.games_watched(), 0U);
}

TEST_F(WallTest, AGameIsToldOnceAndItsPositionWhenItChanges) {
    begin(1);
    const auto stream = look();
    pass(1s);
    show(1);
    pass(1s);
    const auto first = told(*stream);
    EXPECT_NE(first.find("event: game\ndata: {\"order\":1,\"game_id\":\"t/1.1\""),
              std::string::npos)
        << first;
    EXPECT_EQ(first.find("seed"), std::string::npos);
    EXPECT_NE(first.find("event: position\ndata: {\"game_id\":\"t/1.1\",\"turn\":0,"),
              std::string::npos);
    pass(2s);
    EXPECT_EQ(told(*stream), "") << "nothing was played";
    site.more("t/1.1", wall_turn);
    pass(1s);
    const auto more = told(*stream);
    EXPECT_NE(more.find("\"turn\":1,"), std::string::npos);
    EXPECT_EQ(more.find("event: game"), std::string::npos);
    const auto late = look();
    const auto all = told(*late);
    EXPECT_NE(all.find("event: game"), std::string::npos) << "who comes later is told at once";
    EXPECT_NE(all.find("\"turn\":1,"), std::string::npos);
}

TEST_F(WallTest, AGameThatIsOverStandsForAWhileWithItsLastPosition) {
    begin(1);
    const auto stream = look();
    pass(1s);
    show(1);
    pass(1s);
    told(*stream);
    site.more("t/1.1", wall_turn);
    site.game_ended({"t", 1, 1, 1}, nullptr);
    const auto end = told(*stream);
    EXPECT_LT(end.find("\"turn\":1,"), end.find("event: over")) << end;
    pass(limits::wall_stands - 1s);
    EXPECT_EQ(told(*stream).find("event: gone"), std::string::npos);
    pass(2s);
    EXPECT_NE(told(*stream).find("event: gone"), std::string::npos);
}

// Whoever looks may sort them: each tells when it began, and its place is free when it is over.
TEST_F(WallTest, AGameThatLeavesMakesRoomForTheNewestThatDoesNotHang) {
    for (std::uint64_t match = 1; match <= limits::wall_games_max + 2; ++match) begin(match);
    const auto stream = look();
    pass(1s);
    EXPECT_EQ(loop.watched.size(), limits::wall_games_max);
    for (std::uint64_t match = 1; match <= limits::wall_games_max + 2; ++match) show(match);
    pass(1s);
    const auto first = told(*stream);
    for (std::uint64_t match = 1; match <= limits::wall_games_max + 2; ++match) {
        const auto event = "{\"order\":" + std::to_string(match) + ",\"game_id\":\"t/" +
                           std::to_string(match) + ".1\"";
        EXPECT_EQ(first.find(event) != std::string::npos, match > 2) << event;
    }
    site.game_ended({"t", 5, 1, 1}, nullptr);
    pass(limits::wall_stands + 1s);
    const auto later = told(*stream);
    EXPECT_NE(later.find("event: gone\ndata: {\"game_id\":\"t/5.1\"}"), std::string::npos);
    show(2);
    pass(1s);
    EXPECT_NE(told(*stream).find("{\"order\":2,\"game_id\":\"t/2.1\""), std::string::npos);
}

TEST_F(WallTest, AGameThatCantBeShownIsTakenAway) {
    begin(1);
    const auto stream = look();
    pass(1s);
    site.so_far("t/1.1", {walls_setup("t/1.1"), "", true});
    EXPECT_EQ(told(*stream).find("event: game"), std::string::npos);
    site.game_ended({"t", 1, 1, 1}, nullptr);
    pass(10s);
    EXPECT_EQ(site.games_watched(), 0U);
}

}  // namespace
}  // namespace referee::web
