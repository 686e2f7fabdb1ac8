#include <gtest/gtest.h>

#include "tests/sim/lobby_room.h"

// Bots that lose their connection in a game, and come back.

namespace tests::sim {
namespace {

using namespace std::chrono_literals;

class ReconnectTest : public ::testing::Test, public Duel {};

TEST_F(ReconnectTest, brings_back_the_game_as_it_stands) {
    room.pass(10ms);
    move(ada, 1, "R");
    move(bob, 2, "L");
    ada.link->break_off();
    room.pass(400ms);
    EXPECT_EQ(game().faults().at(0).code, referee::FaultCode::disconnected);
    auto& again = room.log_in("ada");
    // These messages come in this order, before anything else.
    ASSERT_EQ(again.messages.size(), 5U);
    EXPECT_EQ(again.messages[1]["type"], "welcome");
    EXPECT_EQ(again.messages[2]["type"], "start");
    EXPECT_EQ(again.messages[3]["type"], "history");
    EXPECT_EQ(again.messages[4]["type"], "turn");
    EXPECT_EQ(again.messages[2]["resumed"], true);
    EXPECT_EQ(again.messages[2]["turn"], 2);
    EXPECT_EQ(again.messages[2]["state"], Json::parse(game().state_text()));
    EXPECT_EQ(again.messages[3]["turns"].size(), 2U);
    EXPECT_EQ(again.messages[3]["turns"][0]["moves"], Json({"R", nullptr}));
    EXPECT_EQ(again.messages[3]["last"], true);
    const auto turn = again.messages[4];
    EXPECT_EQ(turn["turn"], 3);
    EXPECT_EQ(turn["last"]["turn"], 1);
    EXPECT_NEAR(turn["budget_us"].get<double>(), 599'000, 1000);  // the clock ran on
    room.pass(100ms);
    move(again, 3, "F");
    EXPECT_EQ(game().turn(), 4);
    const auto history = std::string(game().history());
    EXPECT_NE(history.find("\"used_us\":[50"), std::string::npos)
        << history;  // 400 and 100 ms and a little
}

// As `referee connect` does for a program that crashed.
TEST_F(ReconnectTest, who_leaves_with_words_is_quoted_and_remembered_until_it_is_back) {
    ada.say(
        Json{{"type", "bye"}, {"message", "its program crashed: exit status 1\nKeyError: 'map'"}});
    room.pass(1ms);
    const auto& fault = game().faults().at(0);
    EXPECT_EQ(fault.message,
              "ada is disconnected: the bot closed the connection, and said: its program crashed: "
              "exit status 1; its clock runs on");
    EXPECT_EQ(fault.evidence.stderr_tail, "KeyError: 'map'");
    const auto& bot = room.lobby->bot("ada");
    EXPECT_EQ(bot.left_game(), id());
    room.log_in("ada");
    EXPECT_EQ(bot.left_game(), "");
}

// The state that a bot has in mind when it takes changes.
Json patched(const Json& state, const ScriptedBot& bot, std::size_t from) {
    auto result = state;
    for (std::size_t i = from; i < bot.messages.size(); ++i) {
        const auto& message = bot.messages[i];
        if (message["type"] != "turn") continue;
        if (message.contains("state")) result = message["state"];
        if (message.contains("delta")) result.patch_inplace(message["delta"]);
    }
    return result;
}

void play_turns(TableRoom& at, ScriptedBot& ada, ScriptedBot& bob, int turns) {
    for (int i = 0; i < turns; ++i) {
        auto& bot = at.game().awaits(0) ? ada : bob;
        bot.move(at.id(), at.game().turn(), i % 4 == 1 ? "F" : "L");
        at.room.pass(1ms);
    }
}

struct Forms {
    std::string_view name;
    std::string_view before;
    std::string_view after;
};

TEST(Reconnect, changes_count_from_the_state_that_was_sent_again) {
    for (const auto& forms :
         {Forms{"delta, delta", "delta", "delta"}, Forms{"full, delta", "full", "delta"},
          Forms{"delta, full", "delta", "full"}}) {
        TableRoom at;
        auto& ada = at.room.log_in("ada", {}, {{"state", forms.before}});
        auto& bob = at.room.log_in("bob");
        at.play({"ada", "bob"}, {&ada, &bob});
        play_turns(at, ada, bob, 4);
        EXPECT_EQ(patched(ada.last("start")["state"], ada, 0), Json::parse(at.game().state_text()))
            << forms.name;
        EXPECT_EQ(ada.last("turn").contains("delta"), forms.before == "delta") << forms.name;
        play_turns(at, ada, bob, 1);
        ada.link->close();
        at.room.pass(1ms);
        play_turns(at, ada, bob, 1);  // while it is away
        auto& again = at.room.log_in("ada", {}, {{"state", forms.after}});
        EXPECT_TRUE(again.last("turn").contains("state")) << forms.name;
        play_turns(at, again, bob, 4);
        EXPECT_EQ(again.last("turn").contains("delta"), forms.after == "delta") << forms.name;
        EXPECT_EQ(patched(again.last("start")["state"], again, 0),
                  Json::parse(at.game().state_text()))
            << forms.name;
    }
}

TEST(Reconnect, a_history_that_is_longer_than_what_may_wait_is_read_to_its_end) {
    TableRoom at("walls", R"({"size":9,"first":0})");
    auto& ada = at.room.log_in("ada");
    auto& bob = at.room.log_in("bob");
    at.play({"ada", "bob"}, {&ada, &bob});
    const Json large(std::vector<std::string>(60, std::string(1000, 'x')));  // and wrong
    while (at.game().history().size() < 2 * protocol::limits::backlog_bytes_max) {
        const auto turn = at.game().turn();
        (at.game().awaits(0) ? ada : bob).move(at.id(), turn, turn % 14 > 11 ? Json("F") : large);
        at.room.pass(1ms);
        ASSERT_EQ(at.finished, 0);
    }
    ada.link->close();
    at.room.pass(1ms);
    auto& again = at.room.log_in("ada");
    at.room.pass(1ms);
    EXPECT_EQ(again.error(), "");
    ASSERT_GT(again.heard("history").size(), 1U) << "it comes in pieces";
    EXPECT_EQ(again.heard("history")[1].value("from_turn", std::size_t{}),
              1 + again.heard("history")[0]["turns"].size());
    EXPECT_EQ(again.last("history")["last"], true);
    EXPECT_FALSE(again.closed);
    // Who doesn't read it is shown out all the same.
    LinkTraits narrow{.window = 4096};
    again.link->close();
    at.room.pass(1ms);
    at.room.left.clear();
    auto& deaf = at.room.dial(narrow);
    deaf.link->read(false);
    deaf.say(Json{{"type", "login"}, {"name", "ada"}, {"token", "secret"}, {"games", {"walls"}}});
    at.room.pass(11s);
    ASSERT_EQ(at.room.left.size(), 1U);
    EXPECT_EQ(at.room.left[0].second, referee::session::CloseCause::backlog);
}

}  // namespace
}  // namespace tests::sim
