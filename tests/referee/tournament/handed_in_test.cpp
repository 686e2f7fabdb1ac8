// Programs that were handed in play in their owners' names: who may come, and what becomes of whom.

#include <gtest/gtest.h>

#include "tests/referee/tournament/class_room.h"
#include "tests/sim/simulated_bot.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;

class HostingTest : public ::testing::Test {
 protected:
    HostingTest() {
        for (const auto* name : {"ada", "bob", "cleo"}) {
            auto& bot = room.config.bots.emplace_back();
            bot.name = name;
            bot.token = std::string(name) + "'s token";
        }
        room.config.bots.emplace_back().name = "anybody";
        auto& house_bot = room.config.bots.emplace_back();
        house_bot.name = "house";
        house_bot.launch = {"house"};
        room.open();
    }

    auto owner(const std::string& name, const std::string& purpose = "play") {
        return room.log_in(name, "192.0.2.1", name + "'s token", {{"purpose", purpose}});
    }
    // The bot's program comes, as the supply brings it.
    std::shared_ptr<ScriptedBot> program(const std::string& name) {
        auto& place = room.referee->lobby().bot(name);
        place.set_process(&process);
        return room.log_in(name, "127.0.0.1", room.referee->roster().launch_tokens().at(name));
    }
    base::Result<void, std::string> host(const std::string& name) {
        referee::config::BotConfig bot;
        bot.name = name;
        bot.launch = {"program"};
        return room.referee->launch_for(bot, {"walls"});
    }
    bool is_entrant(const std::string& name) const {
        const auto ladder = room.ladder();
        for (const auto& entry : *ladder.entries) {
            if (entry.name == name) return true;
        }
        return false;
    }

    ClassRoom room;
    SimulatedProcess process;
};

TEST_F(HostingTest, OnlyTheProgramPlaysInItsOwnersName) {
    ASSERT_TRUE(host("ada"));
    room.world.pass(100ms);
    EXPECT_TRUE(room.is_handed_in("ada"));
    EXPECT_FALSE(is_entrant("ada")) << "nobody knows yet what it plays";
    const auto own = owner("ada");
    const auto asks = owner("ada", "ask");
    const auto hands_in = owner("ada", "submit");
    const auto thief = room.log_in("ada", "192.0.2.9", "some token", {{"purpose", "submit"}});
    room.world.pass(100ms);
    EXPECT_EQ(own->error(), "program_plays");
    EXPECT_EQ(asks->heard("welcome").size(), 1U);
    EXPECT_EQ(hands_in->heard("welcome").size(), 1U);
    EXPECT_EQ(hands_in->last("welcome")["purpose"], "submit");
    EXPECT_EQ(thief->error(), "wrong_token");
    const auto played_by = program("ada");
    room.world.pass(100ms);
    EXPECT_EQ(played_by->heard("welcome").size(), 1U);
    EXPECT_TRUE(is_entrant("ada"));
}

TEST_F(HostingTest, ItPlaysAndItsOwnerPlaysAgainOnceItIsWithdrawn) {
    ASSERT_TRUE(host("ada"));
    const auto ada = program("ada");
    const auto bob = owner("bob");
    room.play_on(20s, {ada, bob});
    const auto played = room.played()["ada"];
    EXPECT_GE(played, 2U);
    EXPECT_FALSE(ada->closed) << "nobody but its owner makes way for it";
    room.referee->launch_no_more("ada");
    EXPECT_EQ(room.retired, std::vector<std::string>{"ada"});
    EXPECT_FALSE(room.is_launched("ada"));
    ada->link->close();
    room.referee->lobby().bot("ada").set_process(nullptr);
    room.world.pass(100ms);
    const auto own = owner("ada");
    room.play_on(20s, {own, bob});
    EXPECT_EQ(own->heard("error").size(), 0U);
    EXPECT_GT(room.played()["ada"], played);
}

TEST_F(HostingTest, ItsOwnersConnectionEndsWithTheMatchThatItIsIn) {
    const auto own = owner("ada");
    const auto bob = owner("bob");
    std::string game;
    while (game.empty()) {
        room.world.pass(100ms);
        if (!own->heard("start").empty()) game = own->last("start")["game_id"];
    }
    ASSERT_TRUE(host("ada"));
    room.world.pass(100ms);
    EXPECT_FALSE(own->closed) << "its game goes on";
    for (int i = 0; i < 100 && own->heard("bye").empty(); ++i) room.play_on(10ms, {own, bob});
    EXPECT_EQ(own->last("bye")["reason"], "replaced");
    EXPECT_EQ(room.played()["ada"], 1U) << "the match counts";
}

TEST_F(HostingTest, WhoHasNoSecretHandsInNothing) {
    const auto open = room.log_in("anybody", "192.0.2.1", "", {{"purpose", "submit"}});
    const auto play = room.log_in("anybody", "192.0.2.2", "");
    const auto newcomer = room.log_in("dora", "192.0.2.1", "dora's token", {{"purpose", "submit"}});
    room.world.pass(200ms);
    EXPECT_EQ(open->error(), "token_needed");
    EXPECT_EQ(play->heard("welcome").size(), 1U);
    EXPECT_EQ(newcomer->heard("welcome").size(), 1U) << "it is registered by the class password";
}

TEST_F(HostingTest, WhatTheConfigLaunchesIsNobodyElses) {
    const auto hosted = host("house");
    ASSERT_FALSE(hosted);
    EXPECT_NE(hosted.error().find("the config launches house itself"), std::string::npos);
    ASSERT_TRUE(host("bob"));
    auto config = room.config;
    config.bots[1].launch = {"something"};
    const auto change = room.referee->prepare_change(config);
    ASSERT_FALSE(change);
    EXPECT_NE(change.error().find("withdrawn before"), std::string::npos) << change.error();
}

TEST_F(HostingTest, AllChangesThatAReloadMayNotMakeAreNamed) {
    auto config = room.config;
    config.high_priority = !config.high_priority;
    config.cores = 99;
    config.control.token = "another one";
    config.tournaments.clear();
    std::erase_if(config.bots, [](const auto& bot) { return bot.name != "house"; });
    config.bots[0].launch = {"another"};
    const auto change = room.referee->prepare_change(config);
    ASSERT_FALSE(change);
    for (const std::string named :
         {"tournament practice is gone", "; also: \"control\"", "; also: \"cores\"",
          "; also: \"priority\" can't be changed", "; also: bot ada is gone",
          "; also: bot bob is gone", "; also: bot house has another"})
        EXPECT_NE(change.error().find(named), std::string::npos) << named << "\n" << change.error();
}

TEST(Reload, OfManyChangesThatItMayNotMakeTheFirstAreNamed) {
    ClassRoom room;
    for (int i = 0; i < 13; ++i) room.config.bots.emplace_back().name = "b" + std::to_string(i);
    room.open();
    auto config = room.config;
    config.bots.clear();
    const auto change = room.referee->prepare_change(config);
    ASSERT_FALSE(change);
    EXPECT_NE(change.error().find("; also: bot b9 is gone"), std::string::npos) << change.error();
    EXPECT_EQ(change.error().find("bot b10"), std::string::npos) << change.error();
    EXPECT_TRUE(change.error().ends_with("; also: 3 more")) << change.error();
}

TEST_F(HostingTest, NobodyTakesProgramsWhereThereIsNoDesk) {
    const auto ada = owner("ada", "submit");
    room.world.pass(100ms);
    ada->say(Json{{"type", "submissions"}});
    room.world.pass(100ms);
    EXPECT_EQ(ada->error(), "no_submissions");
    const auto asks = owner("bob", "ask");
    const auto plays = owner("cleo");
    for (const auto& bot : {asks, plays}) {
        room.world.pass(100ms);
        bot->say(Json{{"type", "withdraw"}});
        room.world.pass(100ms);
        EXPECT_EQ(bot->error(), "submission_refused");
    }
}

}  // namespace
}  // namespace tests::sim
