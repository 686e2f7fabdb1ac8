// Places of those who have logged in, and of those who have not; and what these take of the loop's
// time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/post.hpp>

#include "tests/sim/lobby_room.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using referee::lobby::LobbyLimits;

LobbyLimits few_places() {
    LobbyLimits limits;
    limits.connections.bots_max = 3;
    limits.connections.bots_per_address_max = 2;
    limits.connections.strangers_max = 6;
    limits.connections.strangers_per_address_max = 4;
    return limits;
}

struct StrangersTest : ::testing::Test {
    LobbyRoom room{few_places()};
};

TEST_F(StrangersTest, the_oldest_of_its_address_makes_room_for_a_new_one) {
    auto& neighbour = room.dial(from("10.0.0.9"));
    std::vector<ScriptedBot*> bots;
    for (int i = 0; i < 6; ++i) bots.push_back(&room.dial(from("10.0.0.1")));
    for (const std::size_t i : {0U, 1U}) {
        EXPECT_EQ(bots[i]->error(), "too_many_connections") << i;
        EXPECT_EQ(bots[i]->last("bye")["reason"], "refused") << i;
        EXPECT_TRUE(bots[i]->closed) << i;
    }
    for (const std::size_t i : {2U, 3U, 4U, 5U}) EXPECT_EQ(bots[i]->error(), "") << i;
    EXPECT_FALSE(neighbour.closed);
}

TEST_F(StrangersTest, the_oldest_of_all_makes_room_where_all_places_are_taken) {
    std::vector<ScriptedBot*> bots;
    for (int i = 0; i < 8; ++i) bots.push_back(&room.dial(from("10.0.0." + std::to_string(i))));
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(bots[i]->closed, i < 2) << i;
    EXPECT_EQ(room.lobby->connections(), 6U);
}

TEST_F(StrangersTest, of_one_IPv6_network_share_its_places) {
    auto& first = room.dial(from("2001:db8::1"));
    for (int i = 2; i < 6; ++i) room.dial(from("2001:db8::" + std::to_string(i)));
    EXPECT_TRUE(first.closed);
}

TEST_F(StrangersTest, never_keep_a_bot_out_nor_show_one_out) {
    auto& ada = room.log_in("ada", from("10.0.0.1"));
    for (int i = 0; i < 50; ++i) room.dial(from("10.0.0." + std::to_string(i % 3)));
    auto& bob = room.log_in("bob", from("10.0.0.1"));
    EXPECT_FALSE(bob.last("welcome").is_null());
    for (int i = 0; i < 50; ++i) room.dial(from("10.0.0." + std::to_string(i % 3)));
    EXPECT_FALSE(ada.closed);
    EXPECT_FALSE(bob.closed);
}

TEST_F(StrangersTest, who_say_something_stay_no_longer) {
    auto& speaker = room.dial(from("10.0.0.1"));
    speaker.say_raw("{\"type\":\"lo");
    room.pass(1ms);
    for (int i = 0; i < 4; ++i) room.dial(from("10.0.0.1"));
    EXPECT_TRUE(speaker.closed);
}

TEST_F(StrangersTest, become_bots_only_where_there_is_a_place_for_one) {
    auto& ada = room.log_in("ada", from("10.0.0.1"));
    auto& bob = room.log_in("bob", from("10.0.0.1"));
    auto& cleo = room.log_in("cleo", from("10.0.0.1"));
    EXPECT_EQ(cleo.error(), "too_many_connections") << "the places of its address";
    EXPECT_TRUE(cleo.closed);
    room.log_in("dan", from("10.0.0.2"));
    EXPECT_EQ(room.log_in("eve", from("10.0.0.3")).error(), "too_many_connections")
        << "the places of all";
    // A second login takes the place of the first, and needs none of its own.
    ada.answers_pings = false;
    auto& again = room.log_in("ada", from("10.0.0.1"));
    room.pass(3s);
    EXPECT_FALSE(again.last("welcome").is_null());
    bob.link->close();
    room.pass(1ms);
    EXPECT_FALSE(room.log_in("cleo", from("10.0.0.1")).last("welcome").is_null());
}

// Who only asks has a place while nobody plays who needs it, and there are few of each name.
TEST(Bystanders, make_room_for_who_plays) {
    LobbyRoom room(few_places());
    const Json asks{{"purpose", "ask"}};
    auto& oldest = room.log_in("ada", from("10.0.0.1"), asks);
    auto& newer = room.log_in("ada", from("10.0.0.1"), asks);
    EXPECT_EQ(room.log_in("ada", from("10.0.0.1"), asks).error(), "too_many_connections");
    EXPECT_FALSE(room.log_in("ada", from("10.0.0.1")).last("welcome").is_null());
    EXPECT_THAT(oldest.last("error")["message"].get<std::string>(),
                ::testing::HasSubstr("a bot that plays needs the place"));
    EXPECT_FALSE(newer.closed);
    room.log_in("bob", from("10.0.0.1"));
    EXPECT_EQ(newer.error(), "too_many_connections");
}

TEST(Bystanders, are_few_of_each_name_and_play_nothing) {
    LobbyRoom room;
    std::vector<ScriptedBot*> askers;
    for (int i = 0; i < 5; ++i) askers.push_back(&room.log_in("ada", {}, {{"purpose", "ask"}}));
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(askers[i]->closed, i == 4) << i;
    room.talk(*askers[0], Json{{"type", "ready"}, {"game_id", "t/1.1"}});
    EXPECT_EQ(askers[0]->error(), "unknown_game");
    EXPECT_THAT(askers[0]->last("error")["message"].get<std::string>(),
                ::testing::HasSubstr("this connection plays no game"));
    EXPECT_FALSE(room.log_in("ada").last("welcome").is_null()) << "they take no place of hers";
}

TEST_F(StrangersTest, who_have_to_be_launched_bots_need_no_place) {
    ScriptedBot bot;
    bot.link = std::make_shared<Link>(room.world, 99, from("127.0.0.1"), Random(99), bot, nullptr);
    boost::asio::post(room.world.loop(), [&] {
        room.lobby->admit(bot.link->server_end(), {30s, "ada"});
    });
    room.pass(1ms);
    EXPECT_EQ(bot.last("hello")["limits"]["login_ms"], 30'000);
    for (int i = 0; i < 50; ++i) room.dial(from("127.0.0.1"));
    for (const auto* name : {"bob", "cleo"}) room.log_in(name, from("127.0.0.1"));
    room.log_in("dan", from("10.0.0.2"));
    room.talk(bot,
              Json{{"type", "login"}, {"name", "ada"}, {"token", "secret"}, {"games", {"walls"}}});
    EXPECT_FALSE(bot.last("welcome").is_null());
    bot.link->close();
    room.pass(1ms);
}

TEST_F(StrangersTest, keep_what_a_reload_leaves_them) {
    for (int i = 0; i < 4; ++i) room.dial(from("10.0.0.1"));
    auto limits = few_places();
    limits.connections.strangers_per_address_max = 2;
    room.lobby->set_limits(limits);
    EXPECT_EQ(room.lobby->connections(), 4U);
    room.dial(from("10.0.0.1"));
    EXPECT_EQ(room.lobby->connections(), 2U);
}

constexpr auto at_once = 100ms;
constexpr int share = 20;  // one part of so many

// A connection of which each read takes the referee a millisecond.
LinkTraits slow_to_read(std::string address) {
    auto traits = from(std::move(address));
    traits.read_time = 1ms;
    return traits;
}

// They were heard since it was made, and took their share of the loop's time and hardly more.
struct SpentTime {
    World& world;
    Instant began = world.now();
    Duration before = world.spent();

    void expect_a_share(Duration more) const {
        const auto spent = world.spent() - before;
        EXPECT_GT(spent, at_once);
        EXPECT_LE(spent, (world.now() - began) / share + at_once + more);
    }
};

struct Case {
    std::string_view name;
    std::string line;
};

// What strangers may send: each line is one read.
std::vector<Case> lines_of_strangers() {
    return {
        {"nonsense", "nonsense"},
        {"pings", R"({"type":"ping","id":1})"},
        {"half a login in a line", R"({"type":"login","na)"},
        {"wrong tokens", R"({"type":"login","name":"eve","token":"guessed","games":["walls"]})"}};
}

TEST(StrangersTime, is_a_twentieth_whatever_they_send) {
    for (const auto& one : lines_of_strangers()) {
        SCOPED_TRACE(one.name);
        LobbyRoom room;
        std::vector<ScriptedBot*> crowd;
        for (int i = 0; i < 400; ++i)
            crowd.push_back(&room.dial(slow_to_read("10.0.0." + std::to_string(i % 200))));
        const SpentTime time{room.world};
        for (int tick = 0; tick < 200; ++tick) {
            for (auto* stranger : crowd) {
                if (!stranger->closed) stranger->say(std::string_view(one.line));
            }
            room.pass(10ms);
        }
        time.expect_a_share(1ms);
    }
}

TEST(StrangersTime, a_newcomer_from_elsewhere_goes_before_a_crowd) {
    LobbyRoom room;
    for (int i = 0; i < 400; ++i)
        room.dial(slow_to_read("10.0.0.1")).say(R"({"type":"ping","id":1})");
    room.pass(1ms);
    auto& ada = room.log_in("ada", slow_to_read("10.0.0.2"));
    room.pass(40ms);  // two reads of a millisecond at their share
    EXPECT_FALSE(ada.last("welcome").is_null());
}

TEST(StrangersTime, is_given_back_by_who_logs_in) {
    LobbyRoom room;
    for (int i = 0; i < 400; ++i) {
        auto& bot = room.log_in("bot " + std::to_string(i), slow_to_read("10.0.0.1"));
        EXPECT_FALSE(bot.last("welcome").is_null()) << i;
    }
    EXPECT_EQ(room.lobby->strangers_time().wait(), 0ns);
}

TEST(StrangersTime, is_that_of_a_launched_bot_that_dials_in_without_end_too) {
    LobbyRoom room;
    std::vector<std::unique_ptr<ScriptedBot>> connections;
    const SpentTime time{room.world};
    for (std::uint64_t i = 1; i <= 400; ++i) {
        auto& eve = *connections.emplace_back(std::make_unique<ScriptedBot>());
        eve.link = std::make_shared<Link>(room.world, i, slow_to_read("its own network"), Random(i),
                                          eve, nullptr);
        boost::asio::post(room.world.loop(), [&room, &eve] {
            room.lobby->admit(eve.link->server_end(), {std::nullopt, "eve"});
        });
        room.pass(1us);
        room.talk(eve, "nonsense");
    }
    time.expect_a_share(2ms);
    for (const auto& one : connections) one->link->close();
    room.pass(1ms);
}

TEST(StrangersTime, is_given_back_once_by_who_comes_again_and_again) {
    for (const std::string_view purpose : {"play", "ask"}) {
        SCOPED_TRACE(purpose);
        LobbyRoom room;
        const SpentTime time{room.world};
        for (int i = 0; i < 400; ++i) {
            room.log_in("ada", slow_to_read("10.0.0.1"), {{"purpose", purpose}}).link->close();
            room.pass(1ms);
        }
        time.expect_a_share(3ms);
    }
}

}  // namespace
}  // namespace tests::sim
