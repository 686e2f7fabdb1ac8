#include "referee/arena/house/roster.h"

#include <gtest/gtest.h>

#include "referee/office/run/token.h"

namespace referee::run {
namespace {

using house::ConfigRoster;
using Verdict = lobby::Roster::Verdict;

config::Config config_of(const std::string& class_password) {
    config::Config config;
    config.class_password = class_password;
    config.bots.resize(3);
    config.bots[0].name = "known";
    config.bots[0].token = "its token";
    config.bots[1].name = "open";
    config.bots[2].name = "launched";
    config.bots[2].launch = {"./bot"};
    return config;
}

protocol::Login login(std::string_view name, std::string_view token,
                      std::string_view password = {}) {
    protocol::Login made;
    made.name = name;
    made.token = token;
    made.password = password;
    return made;
}

TEST(Roster, LetsInWhomTheConfigNames) {
    KernelTokens tokens;
    ConfigRoster roster(config_of(""), tokens, {});
    EXPECT_EQ(roster.check(login("known", "its token")), Verdict::welcome);
    EXPECT_EQ(roster.check(login("known", "its tokem")), Verdict::wrong_token);
    EXPECT_EQ(roster.check(login("known", "")), Verdict::wrong_token);
    EXPECT_EQ(roster.check(login("open", "whatever")), Verdict::welcome);
    EXPECT_EQ(roster.check(login("launched", roster.launch_tokens().at("launched"))),
              Verdict::welcome);
    EXPECT_EQ(roster.check(login("launched", "")), Verdict::wrong_token);
    EXPECT_EQ(roster.check(login("stranger", "long enough", "guess")), Verdict::unknown_name);
}

TEST(Roster, RegistersNewNamesForTheClassPassword) {
    std::vector<journal::TokenRecord> asked;
    KernelTokens tokens;
    ConfigRoster roster(config_of("open sesame"), tokens,
                        [&asked](const auto& record) { asked.push_back(record); });
    EXPECT_EQ(roster.check(login("ann", "long enough")), Verdict::wrong_password);
    EXPECT_EQ(roster.check(login("ann", "long enough", "open sesam")), Verdict::wrong_password);
    EXPECT_EQ(roster.check(login("ann", "short", "open sesame")), Verdict::token_needed);
    EXPECT_EQ(roster.check(login("ann", "long enough", "open sesame")), Verdict::pending);
    EXPECT_EQ(roster.check(login("ann", "another one", "open sesame")), Verdict::pending)
        << "not registered twice";
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_TRUE(matches("long enough", asked[0].hash));
    roster.know(asked[0]);
    EXPECT_EQ(roster.check(login("ann", "long enough")), Verdict::welcome);
    EXPECT_EQ(roster.check(login("ann", "another one", "open sesame")), Verdict::wrong_token);
    EXPECT_EQ(roster.check(login("known", "no", "open sesame")), Verdict::wrong_token)
        << "a name of the config is nobody's to take";
}

TEST(Roster, AFailedRegistrationMayBeTriedAgain) {
    int asked = 0;
    KernelTokens tokens;
    ConfigRoster roster(config_of("open sesame"), tokens,
                        [&asked](const journal::TokenRecord& /*record*/) { ++asked; });
    EXPECT_EQ(roster.check(login("ann", "long enough", "open sesame")), Verdict::pending);
    roster.forget("ann");
    EXPECT_EQ(roster.check(login("ann", "long enough", "open sesame")), Verdict::pending);
    EXPECT_EQ(asked, 2);
}

TEST(Roster, ANewTokenTakesThePlaceOfTheConfigsUntilItIsTakenBack) {
    KernelTokens tokens;
    ConfigRoster roster(config_of(""), tokens, {});
    roster.know({"known", hash_of("a new one"), "ctl"});
    EXPECT_EQ(roster.check(login("known", "its token")), Verdict::wrong_token);
    EXPECT_EQ(roster.check(login("known", "a new one")), Verdict::welcome);
    roster.know({"known", "", "ctl"});
    EXPECT_EQ(roster.check(login("known", "its token")), Verdict::welcome);
}

TEST(Roster, AConfigThatIsReadAgainKeepsLaunchedBotsTokens) {
    KernelTokens tokens;
    ConfigRoster roster(config_of(""), tokens, {});
    const auto token = roster.launch_tokens().at("launched");
    auto changed = config_of("");
    changed.bots[0].token = "changed";
    roster.set_config(changed);
    EXPECT_EQ(roster.check(login("launched", token)), Verdict::welcome);
    EXPECT_EQ(roster.check(login("known", "changed")), Verdict::welcome);
    EXPECT_EQ(roster.check(login("known", "its token")), Verdict::wrong_token);
}

}  // namespace
}  // namespace referee::run
