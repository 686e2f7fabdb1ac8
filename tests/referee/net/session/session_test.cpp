#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include "tests/sim/bad_lines.h"
#include "tests/sim/lobby_room.h"

// What a connection says to lines of all kinds.

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using referee::session::CloseCause;

TEST(Session, answers_a_bad_line_and_keeps_the_connection_of_a_bot_that_is_in) {
    for (const auto& line : bad_lines()) {
        for (const bool logged_in : {false, true}) {
            SCOPED_TRACE(line);
            LobbyRoom room;
            auto& bot = logged_in ? room.log_in("ada") : room.dial();
            room.talk(bot, std::string_view(line));
            ASSERT_EQ(bot.heard("error").size(), 1U);
            EXPECT_EQ(bot.closed, !logged_in);
            if (!logged_in) continue;
            room.talk(bot, R"({"type":"ping","id":18446744073709551615})");
            EXPECT_EQ(bot.last("pong")["id"], UINT64_MAX);
        }
    }
}

// The line of the bot's own game, as long as one is awaited.
TEST(Session, shows_the_line_that_would_be_right) {
    Duel at;
    const auto expected = [&at] {
        at.room.pass(1ms);
        const auto error = at.ada.last("error");
        at.ada.forget();
        return error.value("expected", "nothing");
    };
    const auto awaited = R"({"type":"move","game_id":")" + at.id() + R"(","turn":1,"move":"F"})";
    for (const std::string_view line :
         {"F", R"({"type":"move","game_id":"t/1.1","turn":"1"})", R"({"type":"ready"})",
          R"({"type":"login","name":"a","games":["b"]})",
          R"({"type":"move","game_id":"g1","turn":3,"move":"F"})",
          R"({"type":"move","game_id":"t/1.1","turn":3,"move":"F"})"}) {
        at.ada.say(line);
        EXPECT_EQ(expected(), awaited) << line;
    }
    at.ada.say(R"({"type":"ping"})");
    EXPECT_EQ(expected(), R"({"type":"ping","id":1})");
    at.ada.say(std::string_view(awaited));
    at.ada.say(R"({"type":"move","game_id":"t/1.1","turn":2,"move":"F"})");
    EXPECT_EQ(expected(), "nothing") << "it is not to move";
}

struct SessionTest : ::testing::Test {
    LobbyRoom room;
};

TEST_F(SessionTest, speaks_first_and_tells_its_limits) {
    auto& bot = room.dial();
    const auto hello = bot.last("hello");
    EXPECT_EQ(hello["protocol"], 1);
    EXPECT_EQ(hello["limits"]["line_bytes"], 65536);
    EXPECT_EQ(hello["limits"]["login_ms"], 5000);
}

TEST(Session, without_login_is_closed_after_5_seconds) {
    struct Case {
        std::string_view name;
        std::string_view says;
    };
    for (const auto& one :
         {Case{"silent", ""}, Case{"half a login", R"({"type":"login","name":"a)"}}) {
        LobbyRoom room;
        auto& bot = room.dial();
        bot.say_raw(one.says);
        room.pass(4900ms);
        EXPECT_FALSE(bot.closed) << one.name;
        room.pass(200ms);
        EXPECT_TRUE(bot.closed) << one.name;
        EXPECT_EQ(bot.error(), "login_timeout") << one.name;
        EXPECT_EQ(bot.last("error")["message"], "no login came within 5 s") << one.name;
        EXPECT_EQ(room.lobby->connections(), 0U) << one.name;
    }
}

TEST(Session, before_the_login_one_wrong_line_ends_it) {
    for (const auto& [line, code] : std::vector<std::pair<std::string, std::string>>{
             {R"({"type":"ready","game_id":"g"})", "login_expected"},
             {R"({"type":"move","game_id":"g","turn":1,"move":"F"})", "login_expected"},
             {R"({"type":"login","name":5})", "wrong_type"}}) {
        LobbyRoom room;
        auto& bot = room.dial();
        bot.say_raw(line + '\n' + line + '\n');
        room.pass(1ms);
        EXPECT_EQ(bot.error(), code);
        EXPECT_EQ(bot.heard("error").size(), 1U) << line;
        EXPECT_EQ(bot.last("bye")["reason"], "refused") << line;
        EXPECT_TRUE(bot.closed) << line;
    }
}

TEST_F(SessionTest, before_the_login_few_pings_are_answered) {
    auto& bot = room.dial();
    std::string pings;
    for (int i = 0; i < 1000; ++i)
        pings += R"({"type":"ping","id":1})"
                 "\n";
    bot.say_raw(pings);
    room.pass(1ms);
    EXPECT_GT(bot.heard("pong").size(), 0U);
    EXPECT_LE(bot.heard("pong").size(), 25U);
}

TEST_F(SessionTest, a_login_comes_once) {
    auto& bot = room.log_in("ada");
    room.talk(bot, R"({"type":"login","name":"ada","token":"secret","games":["walls"]})");
    EXPECT_EQ(bot.error(), "already_logged_in");
    EXPECT_FALSE(bot.closed);
}

// The heap that each of some bots takes whose logins have such a member more.
std::size_t heap_a_bot(std::size_t member_bytes) {
    constexpr std::size_t bots = 32;
    LobbyRoom room;
    const Json extra = {{"more", std::string(member_bytes, 'x')}};
    room.log_in("first", {}, extra);
    const auto before = ::mallinfo2();
    for (std::size_t i = 0; i < bots; ++i) room.log_in("b" + std::to_string(i), {}, extra);
    const auto after = ::mallinfo2();
    return (after.uordblks + after.hblkhd - before.uordblks - before.hblkhd) / bots;
}

TEST(Session, keeps_no_room_for_its_login) {
    EXPECT_LT(heap_a_bot(20'000), heap_a_bot(1) + 500);
}

TEST_F(SessionTest, a_line_up_to_the_limit_is_read) {
    auto& bot = room.log_in("ada");
    std::string line = R"({"type":"move","game_id":"g","turn":1,"move":")";
    line += std::string(protocol::limits::line_bytes_max - line.size() - 2, 'x') + "\"}";
    ASSERT_EQ(line.size(), protocol::limits::line_bytes_max);
    room.talk(bot, std::string_view(line));
    EXPECT_EQ(bot.error(), "unknown_game");
    EXPECT_FALSE(bot.closed);
}

TEST(Session, a_line_beyond_the_limit_closes_before_it_ends) {
    for (const bool logged_in : {false, true}) {
        LobbyRoom room;
        auto& bot = logged_in ? room.log_in("ada") : room.dial();
        bot.say_raw(std::string(protocol::limits::line_bytes_max + 2, 'x'));
        room.pass(1ms);
        EXPECT_EQ(bot.error(), "line_too_long");
        EXPECT_TRUE(bot.closed);
    }
}

TEST_F(SessionTest, a_bye_ends_it) {
    auto& bot = room.log_in("ada");
    bot.say(R"({"type":"bye"})");
    room.talk(bot, R"({"type":"ping","id":1})");
    EXPECT_TRUE(bot.closed);
    EXPECT_TRUE(bot.heard("pong").empty());
    ASSERT_EQ(room.left.size(), 1U);
    EXPECT_EQ(room.left[0].second, CloseCause::left);
}

TEST_F(SessionTest, the_end_of_the_link_is_told_with_its_cause) {
    auto& ada = room.log_in("ada");
    auto& bob = room.log_in("bob");
    ada.link->close();
    bob.link->break_off();
    room.pass(1ms);
    EXPECT_THAT(room.left,
                ::testing::UnorderedElementsAre(std::pair("ada", CloseCause::left),
                                                std::pair("bob", CloseCause::link_failed)));
    EXPECT_EQ(room.lobby->connections(), 0U);
}

std::string pings(std::size_t bytes) {
    std::string flood;
    while (flood.size() < bytes) flood += "{\"type\":\"ping\",\"id\":7}\n";
    return flood;
}

TEST_F(SessionTest, a_flood_makes_reading_pause_and_then_ends_it) {
    auto& quiet = room.log_in("ada");
    auto& bot = room.log_in("bob");
    bot.link->send(pings(4'000'000));
    room.pass(500ms);
    EXPECT_FALSE(bot.closed);
    const auto answered = bot.heard("pong").size();
    EXPECT_GT(answered, 100U);
    EXPECT_LT(answered, 20'000U);  // the rest is not read yet
    room.talk(quiet, R"({"type":"ping","id":1})");
    EXPECT_EQ(quiet.heard("pong").size(), 1U);
    room.pass(10s);
    EXPECT_TRUE(bot.closed);
    EXPECT_EQ(bot.error(), "flooding");
    ASSERT_EQ(room.left.size(), 1U);
    EXPECT_EQ(room.left[0].second, CloseCause::flooding);
}

TEST_F(SessionTest, a_little_chatter_is_no_flood) {
    auto& bot = room.log_in("ada");
    for (int i = 0; i < 600; ++i) {
        bot.say(R"({"type":"ping","id":7})");
        room.pass(100ms);
    }
    EXPECT_FALSE(bot.closed);
    EXPECT_EQ(bot.heard("pong").size(), 600U);
}

TEST_F(SessionTest, floods_of_bad_lines_end_too) {
    auto& bot = room.log_in("ada");
    std::string flood;
    while (flood.size() < 200'000) flood += "?\n";
    bot.link->send(flood);
    room.pass(20s);
    EXPECT_TRUE(bot.closed);
}

// Bots that do not read what they are sent.

const LinkTraits narrow{.window = 4096};

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

using BacklogTest = SessionTest;

TEST_F(BacklogTest, of_a_mebibyte_ends_the_connection) {
    auto& other = room.log_in("ada");
    auto& deaf = room.log_in("deaf", narrow);
    deaf.link->read(false);
    ask_for(room, 1'000'000);
    room.pass(1ms);
    EXPECT_TRUE(room.left.empty());
    ask_for(room, 100'000);
    room.pass(1ms);
    ASSERT_EQ(room.left.size(), 1U);
    EXPECT_EQ(room.left[0], std::pair(std::string("deaf"), CloseCause::backlog));
    room.talk(other, R"({"type":"ping","id":1})");
    EXPECT_EQ(other.heard("pong").size(), 1U);
}

TEST_F(BacklogTest, of_ten_seconds_ends_the_connection) {
    auto& deaf = room.log_in("deaf", narrow);
    deaf.link->read(false);
    ask_for(room, 20'000);
    room.pass(9900ms);
    EXPECT_TRUE(room.left.empty());
    room.pass(200ms);
    ASSERT_EQ(room.left.size(), 1U);
    EXPECT_EQ(room.left[0].second, CloseCause::backlog);
}

TEST_F(BacklogTest, that_is_read_in_time_is_forgotten) {
    auto& bot = room.log_in("deaf", narrow);
    for (int i = 0; i < 5; ++i) {
        bot.link->read(false);
        ask_for(room, 100'000);
        room.pass(5s);
        bot.link->read(true);
        room.pass(1s);
    }
    room.pass(10s);
    EXPECT_TRUE(room.left.empty());
    EXPECT_EQ(bot.heard("note").size(), 500U);
}

TEST_F(BacklogTest, of_which_some_is_read_in_time_goes_on) {
    auto& bot = room.log_in("deaf", narrow);
    bot.link->read(false);
    ask_for(room, 30'000);
    for (int i = 0; i < 5; ++i) {
        room.pass(9s);
        // No more than has come.
        bot.link->read(true);
        bot.link->read(false);
    }
    ASSERT_TRUE(room.left.empty());
    EXPECT_GT(room.lobby->bot("deaf").session()->backlog(), 0U);
}

TEST(Backlog, is_told_to_whom_wakes_up_soon_enough) {
    struct Case {
        Duration sleeps;
        bool told;
    };
    for (const auto& one : {Case{15s, true}, Case{25s, false}}) {
        LobbyRoom room;
        auto& bot = room.log_in("deaf", narrow);
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
