#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/report/instructor_news.h"
#include "tests/referee/tournament/plain_tokens.h"
#include "tests/sim/world.h"

namespace referee::report {

namespace {

using namespace std::chrono_literals;

TEST(RegistrationNews, ALineAMinuteAtMost) {
    tests::sim::World world{1};
    int told = 0;
    RegistrationNews news(world.referee(), [&told] { ++told; });
    news.changed();
    EXPECT_EQ(told, 1);
    for (int i = 0; i < 100; ++i) news.changed();
    EXPECT_EQ(told, 1);
    world.pass(59s);
    EXPECT_EQ(told, 1);
    world.pass(2s);
    EXPECT_EQ(told, 2) << "what changed meanwhile is told";
    world.pass(10min);
    EXPECT_EQ(told, 2) << "nothing has changed";
    news.changed();
    EXPECT_EQ(told, 3);
}

TEST(RegistrationNews, TellsWhoWaitsAndThatTheListIsFull) {
    tests::sim::World world{1};
    config::Config config;
    config.registration.password = "plum";
    config.registration.approval = true;
    config.registration.total = 2;
    tournament::PlainTokens tokens;
    tournament::ConfigRoster roster(config, tokens, world.referee(), [](const auto& /*record*/) {});
    EXPECT_EQ(registrations_state(roster, config.registration).text, "");
    roster.know({"ann", "#hers", "waiting 192.0.2.7"});
    auto state = registrations_state(roster, config.registration);
    EXPECT_EQ(state.waiting, 1U);
    EXPECT_FALSE(state.full);
    EXPECT_NE(state.text.find("1 name waits for approval"), std::string::npos);
    EXPECT_NE(state.text.find("referee ctl registrations"), std::string::npos);
    roster.know({"bob", "#his", "approved"});
    state = registrations_state(roster, config.registration);
    EXPECT_TRUE(state.full);
    EXPECT_EQ(state.names, 2U);
    EXPECT_NE(state.text.find("is full, 2 of 2"), std::string::npos) << state.text;
    config.registration.approval = false;
    config.registration.total = 3;
    EXPECT_EQ(registrations_state(roster, config.registration).text, "");
}

using ::testing::HasSubstr;

TEST(VersionNews, TellsOnceOfABotThatSaysAnotherVersionAgainAndAgain) {
    VersionNews news;
    std::string told;
    int times = 0;
    for (int match = 0; match < 30; ++match) {
        const auto one = news.played("ladder", "eve", "said: " + std::to_string(match % 2));
        if (!one) continue;
        ++times;
        told = *one;
    }
    EXPECT_EQ(times, 1);
    EXPECT_THAT(told, HasSubstr("the program of eve changed 4 times in its last 5 matches of "
                                "ladder"));
}

TEST(VersionNews, IsSilentOfWhoMendsItsProgramNowAndThen) {
    VersionNews news;
    for (int match = 0; match < 200; ++match) {
        EXPECT_FALSE(news.played("ladder", "ann", "said: " + std::to_string(match / 4)));
        EXPECT_FALSE(news.played("ladder", "bob", ""));
    }
}

}  // namespace

}  // namespace referee::report
