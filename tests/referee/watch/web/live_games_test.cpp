#include "referee/watch/web/live_games.h"

#include <gtest/gtest.h>

#include "tests/referee/watch/web/quiet_loop.h"

namespace referee::web {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view wall_turn = "{\"moves\":[\"R\",null],\"used_us\":[1,0]}\n";

struct WallTest : QuietSite {
    WallTest() {
        TournamentNews news{.id = "t", .game = "walls"};
        site.tournament(news);
    }
    std::shared_ptr<Spectator> look() { return ask(request("/api/v1/wall"))->stream; }
    // The first match hangs, for who looks.
    std::shared_ptr<Spectator> hang() {
        begin();
        auto stream = look();
        pass(1s);
        show();
        pass(1s);
        return stream;
    }
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
    begin();
    pass(2s);
    EXPECT_TRUE(loop.watched.empty());
    const auto stream = look();
    ASSERT_NE(stream, nullptr);
    pass(1s);
    EXPECT_EQ(loop.watched, std::vector<std::string>{"t/1.1"});
    stream->leave();
    pass(unwatched_followed + 2s);
    EXPECT_EQ(loop.unwatched, std::vector<std::string>{"t/1.1"});
    EXPECT_EQ(site.games_watched(), 0U);
}

TEST_F(WallTest, AGameIsToldOnceAndItsPositionWhenItChanges) {
    const auto stream = hang();
    const auto first = told(*stream);
    EXPECT_THAT(first, HasSubstr("event: game\ndata: {\"order\":1,\"game_id\":\"t/1.1\""));
    EXPECT_THAT(first, Not(HasSubstr("seed")));
    EXPECT_THAT(first, HasSubstr("event: position\ndata: {\"game_id\":\"t/1.1\",\"turn\":0,"));
    pass(2s);
    EXPECT_EQ(told(*stream), "") << "nothing was played";
    site.more("t/1.1", wall_turn);
    pass(1s);
    const auto more = told(*stream);
    EXPECT_THAT(more, HasSubstr("\"turn\":1,"));
    EXPECT_THAT(more, Not(HasSubstr("event: game")));
    const auto late = look();
    const auto all = told(*late);
    EXPECT_THAT(all, HasSubstr("event: game")) << "who comes later is told at once";
    EXPECT_THAT(all, HasSubstr("\"turn\":1,"));
}

TEST_F(WallTest, AGameThatIsOverStandsForAWhileWithItsLastPosition) {
    const auto stream = hang();
    told(*stream);
    site.more("t/1.1", wall_turn);
    end();
    const auto end = told(*stream);
    EXPECT_LT(end.find("\"turn\":1,"), end.find("event: over")) << end;
    pass(wall_stands - 1s);
    EXPECT_THAT(told(*stream), Not(HasSubstr("event: gone")));
    pass(2s);
    EXPECT_THAT(told(*stream), HasSubstr("event: gone"));
}

// Whoever looks may sort them: each tells when it began, and its place is free when it is over.
TEST_F(WallTest, AGameThatLeavesMakesRoomForTheNewestThatDoesNotHang) {
    for (std::uint64_t match = 1; match <= wall_games_max + 2; ++match) begin(match);
    const auto stream = look();
    pass(1s);
    EXPECT_EQ(loop.watched.size(), wall_games_max);
    for (std::uint64_t match = 1; match <= wall_games_max + 2; ++match) show(match);
    pass(1s);
    const auto first = told(*stream);
    for (std::uint64_t match = 1; match <= wall_games_max + 2; ++match) {
        const auto event = "{\"order\":" + std::to_string(match) + ",\"game_id\":\"t/" +
                           std::to_string(match) + ".1\"";
        EXPECT_EQ(first.find(event) != std::string::npos, match > 2) << event;
    }
    end(5);
    pass(wall_stands + 1s);
    const auto later = told(*stream);
    EXPECT_THAT(later, HasSubstr("event: gone\ndata: {\"game_id\":\"t/5.1\"}"));
    show(2);
    pass(1s);
    EXPECT_THAT(told(*stream), HasSubstr("{\"order\":2,\"game_id\":\"t/2.1\""));
}

TEST_F(WallTest, AGameThatCantBeShownIsTakenAway) {
    begin();
    const auto stream = look();
    pass(1s);
    site.so_far("t/1.1", {walls_setup(), "", true});
    EXPECT_THAT(told(*stream), Not(HasSubstr("event: game")));
    end();
    pass(10s);
    EXPECT_EQ(site.games_watched(), 0U);
}

}  // namespace
}  // namespace referee::web
