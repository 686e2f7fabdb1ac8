// Logins with wrong tokens, from the connection to the answer.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/limits.h"
#include "tests/sim/lobby_room.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
namespace limits = referee::limits;

Json guess(const std::string& name = "ada") {
    return {{"name", name}, {"token", "guessed"}};
}

// So many wrong tokens of ada's, one after the other, each answered.
void guess_often(LobbyRoom& room, int times) {
    for (int i = 0; i < times; ++i) {
        auto& bot = room.log_in("ada", from("10.0.0.7"), guess());
        room.pass(limits::try_wait_max);
        EXPECT_EQ(bot.error(), "wrong_token") << i;
    }
}

TEST(Guessing, is_answered_later_and_later) {
    LobbyRoom room;
    for (std::int64_t i = 0; i <= limits::tries_of_pair.free; ++i)
        EXPECT_EQ(room.log_in("ada", from("10.0.0.7"), guess()).error(), "wrong_token") << i;
    auto wait = limits::try_wait_first;
    for (int i = 0; i < 3; ++i, wait *= 2) {
        auto& bot = room.log_in("ada", from("10.0.0.7"), guess());
        room.pass(wait - 1ms);
        EXPECT_EQ(bot.error(), "") << i;
        room.pass(1ms);
        EXPECT_EQ(bot.error(), "wrong_token") << i;
        EXPECT_TRUE(bot.closed) << i;
    }
    EXPECT_EQ(room.guessing.size(), 1U);
}

TEST(Guessing, in_many_connections_at_once_is_turned_away) {
    LobbyRoom room;
    guess_often(room, 12);
    std::size_t turned_away = 0;
    for (int i = 0; i < 100; ++i) {
        auto& bot = room.log_in("ada", from("10.0.0.7"), guess());
        if (bot.error() == "too_many_tries") {
            ++turned_away;
            EXPECT_TRUE(bot.closed);
        }
    }
    EXPECT_EQ(turned_away, 100 - limits::tries_waiting_of_pair_max);
}

TEST(Guessing, delays_the_right_token_too_but_does_not_refuse_it) {
    LobbyRoom room;
    guess_often(room, 12);
    auto& bot = room.log_in("ada", from("10.0.0.7"));
    room.pass(limits::try_wait_max - 1ms);
    EXPECT_TRUE(bot.last("welcome").is_null());
    room.pass(1ms);
    EXPECT_FALSE(bot.last("welcome").is_null());
    room.pass(10s);
    EXPECT_FALSE(bot.closed);
}

TEST(Guessing, from_everywhere_keeps_the_owner_waiting_once) {
    LobbyRoom room;
    for (int i = 0; i < 300; ++i) room.log_in("ada", from("192.0.2." + std::to_string(i)), guess());
    auto& owner = room.log_in("ada", from("10.0.0.8"));
    room.pass(limits::try_wait_max);
    EXPECT_FALSE(owner.last("welcome").is_null());
    owner.link->close();
    room.pass(1ms);
    EXPECT_FALSE(room.log_in("ada", from("10.0.0.8")).last("welcome").is_null()) << "at once";
}

TEST(Guessing, who_waits_is_no_bot_yet) {
    LobbyRoom room;
    guess_often(room, 12);
    auto& bot = room.log_in("ada", from("10.0.0.7"));
    bot.say(R"({"type":"login","name":"ada","token":"secret","games":["walls"]})");
    room.pass(1ms);
    EXPECT_EQ(bot.error(), "login_expected");
    EXPECT_THAT(bot.last("error")["message"].get<std::string>(), HasSubstr("wrong tries"));
    bot.say(R"({"type":"ping","id":7})");
    room.pass(1ms);
    EXPECT_EQ(bot.last("pong")["id"], 7);
    room.pass(limits::try_wait_max);
    EXPECT_FALSE(bot.last("welcome").is_null());
}

TEST(Guessing, who_leaves_is_forgotten) {
    LobbyRoom room;
    guess_often(room, 12);
    for (int i = 0; i < 30; ++i) {
        auto& bot = room.log_in("ada", from("10.0.0.7"), guess());
        EXPECT_EQ(bot.error(), "") << i;
        bot.link->close();
        room.pass(1ms);
    }
    room.pass(10s);
    EXPECT_EQ(room.lobby->connections(), 0U);
}

TEST(Guessing, those_who_wait_take_half_of_the_places_at_most) {
    referee::lobby::LobbyLimits narrow{.strangers_max = 8, .strangers_per_address_max = 4};
    LobbyRoom room(narrow);
    guess_often(room, 12);
    std::vector<ScriptedBot*> waiting;
    for (int i = 0; i < 2; ++i) waiting.push_back(&room.log_in("ada", from("10.0.0.7"), guess()));
    EXPECT_EQ(room.log_in("ada", from("10.0.0.7"), guess()).error(), "too_many_tries");
    // Strangers who only come don't show out those who wait.
    for (int i = 0; i < 20; ++i) room.dial(from("10.0.0.7"));
    for (const auto* bot : waiting) EXPECT_FALSE(bot->closed);
    auto& bob = room.log_in("bob", from("10.0.0.7"));
    EXPECT_FALSE(bob.last("welcome").is_null());
}

TEST(Guessing, ends_with_the_lobby) {
    LobbyRoom room;
    guess_often(room, 12);
    auto& bot = room.log_in("ada", from("10.0.0.7"));
    room.lobby->close_all(protocol::ByeReason::shutdown, "over");
    room.pass(10s);
    EXPECT_TRUE(bot.last("welcome").is_null());
    EXPECT_TRUE(bot.closed);
}

}  // namespace
}  // namespace tests::sim
