#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/lobby_room.h"

// Bots that do not read what they are sent.

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using referee::session::CloseCause;

LinkTraits narrow() {
    return {.window = 4096};
}

// Makes the referee send about so many bytes, without flooding it.
void ask_for(LobbyRoom& room, std::size_t bytes) {
    auto& session = *room.lobby->bot("deaf").session();
    const std::string text(1000, 'x');
    const protocol::Note note{.code = "old_turn", .message = text};
    for (std::size_t sent = 0; sent < bytes && !session.closed(); sent += text.size()) {
        session.send(note);
        session.flush();
    }
}

TEST(Backlog, of_a_mebibyte_ends_the_connection) {
    LobbyRoom room;
    auto& other = room.log_in("ada");
    auto& deaf = room.log_in("deaf", narrow());
    deaf.link->read(false);
    ask_for(room, 1'000'000);
    room.pass(1ms);
    EXPECT_TRUE(room.left.empty());
    ask_for(room, 100'000);
    room.pass(1ms);
    ASSERT_EQ(room.left.size(), 1U);
    EXPECT_EQ(room.left[0], std::pair(std::string("deaf"), CloseCause::backlog));
    other.say(R"({"type":"ping","id":1})");
    room.pass(1ms);
    EXPECT_EQ(other.heard("pong").size(), 1U);
}

TEST(Backlog, of_ten_seconds_ends_the_connection) {
    LobbyRoom room;
    auto& deaf = room.log_in("deaf", narrow());
    deaf.link->read(false);
    ask_for(room, 20'000);
    room.pass(9900ms);
    EXPECT_TRUE(room.left.empty());
    room.pass(200ms);
    ASSERT_EQ(room.left.size(), 1U);
    EXPECT_EQ(room.left[0].second, CloseCause::backlog);
}

TEST(Backlog, that_is_read_in_time_is_forgotten) {
    LobbyRoom room;
    auto& bot = room.log_in("deaf", narrow());
    for (int i = 0; i < 5; ++i) {
        bot.link->read(false);
        ask_for(room, 100'000);
        room.pass(5s);
        bot.link->read(true);
        room.pass(1s);
    }
    EXPECT_TRUE(room.left.empty());
    EXPECT_EQ(bot.heard("note").size(), 500U);
}

TEST(Backlog, is_told_to_whom_wakes_up_soon_enough) {
    struct Case {
        Duration sleeps;
        bool told;
    };
    for (const auto& one : {Case{15s, true}, Case{25s, false}}) {
        LobbyRoom room;
        auto& bot = room.log_in("deaf", narrow());
        bot.link->read(false);
        ask_for(room, 20'000);
        room.pass(one.sleeps);
        EXPECT_EQ(room.lobby->connections(), 0U);
        bot.link->read(true);
        room.pass(1ms);
        EXPECT_EQ(bot.error(), one.told ? "backlog" : "");
        if (one.told) {
            EXPECT_EQ(bot.last("error").value("message", ""),
                      "too much waits to be read: at most 1048576 bytes may wait, and at most "
                      "10000 ms without any being read; expected a bot that keeps reading, also "
                      "while it thinks");
        }
        EXPECT_TRUE(bot.closed);
        EXPECT_LT(bot.heard("note").size(), 10U);  // the rest was dropped, by whole lines
    }
}

}  // namespace
}  // namespace tests::sim
