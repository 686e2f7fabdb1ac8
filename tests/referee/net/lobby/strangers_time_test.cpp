// What those who have not logged in take of the loop's time.

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>

#include "tests/sim/lobby_room.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;

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
        eve.say("nonsense");
        room.pass(1ms);
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
