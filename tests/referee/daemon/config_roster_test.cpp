#include "referee/tournament/config_roster.h"

#include <gtest/gtest.h>

#include "referee/daemon/host/token.h"
#include "tests/sim/world.h"

namespace referee::daemon {
namespace {

using tournament::ConfigRoster;
using Verdict = lobby::LoginRoster::Verdict;

const std::string here = "192.0.2.7";

config::Config config_of(const std::string& class_password) {
    config::Config config;
    config.registration.password = class_password;
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
    protocol::Login made{.name = name, .token = token, .password = password};
    return made;
}

class Roster : public ::testing::Test {
 protected:
    // Of that class password; what is to be registered is noted.
    ConfigRoster roster_of(const std::string& class_password) {
        return {config_of(class_password), tokens_, world_.referee(),
                [this](const auto& record) { asked_.push_back(record); }};
    }
    KernelTokens tokens_;
    tests::sim::World world_{1};
    std::vector<records::TokenRecord> asked_;
};

TEST_F(Roster, LetsInWhomTheConfigNames) {
    auto roster = roster_of("");
    EXPECT_EQ(roster.check(login("known", "its token"), here), Verdict::welcome);
    EXPECT_EQ(roster.check(login("known", "its tokem"), here), Verdict::wrong_token);
    EXPECT_EQ(roster.check(login("known", ""), here), Verdict::wrong_token);
    EXPECT_EQ(roster.check(login("open", "whatever"), here), Verdict::welcome);
    EXPECT_EQ(roster.check(login("launched", roster.launch_tokens().at("launched")), here),
              Verdict::welcome);
    EXPECT_EQ(roster.check(login("launched", ""), here), Verdict::wrong_token);
    EXPECT_EQ(roster.check(login("stranger", "long enough", "guess"), here), Verdict::unknown_name);
    ASSERT_EQ(roster.turned_away().size(), 2U) << "each once, whose token is wrong too";
    EXPECT_EQ(roster.turned_away()[0].why, "it came without its token");
    EXPECT_EQ(roster.turned_away()[1].why,
              "it came without its token; `referee ctl token new known` makes a new one");
    EXPECT_EQ(roster.check(login("known", "its token"), here), Verdict::welcome);
    EXPECT_EQ(roster.turned_away().size(), 1U) << "it came in since";
}

TEST_F(Roster, RegistersNewNamesForTheClassPassword) {
    auto roster = roster_of("open sesame");
    EXPECT_EQ(roster.check(login("ann", "long enough"), here), Verdict::wrong_password);
    EXPECT_EQ(roster.check(login("ann", "long enough", "open sesam"), here),
              Verdict::wrong_password);
    EXPECT_EQ(roster.check(login("ann", "short", "open sesame"), here), Verdict::token_needed);
    EXPECT_EQ(roster.check(login("ann", "long enough", "open sesame"), here), Verdict::pending);
    EXPECT_EQ(roster.check(login("ann", "another one", "open sesame"), here), Verdict::pending)
        << "not registered twice";
    ASSERT_EQ(asked_.size(), 1U);
    EXPECT_TRUE(matches("long enough", asked_[0].hash));
    roster.know(asked_[0]);
    EXPECT_EQ(roster.check(login("ann", "long enough"), here), Verdict::welcome);
    EXPECT_EQ(roster.check(login("ann", "another one", "open sesame"), here), Verdict::wrong_token);
    EXPECT_EQ(roster.check(login("known", "no", "open sesame"), here), Verdict::wrong_token)
        << "a name of the config is nobody's to take";
}

TEST_F(Roster, TellsWhoIsRefusedWhy) {
    auto roster = roster_of("open sesame");
    const auto told_after = [&](tournament::Standing standing, const std::string& reason) {
        roster.know(*roster.registered().judged("ann", standing, reason));
        return roster.why_refused(login("ann", "long enough"), here).message;
    };
    for (const std::string from : {"", "192.0.2.7"}) {
        roster.know(
            {"ann", hash_of("long enough"), origin_of(tournament::Standing::waiting, from)});
        EXPECT_EQ(told_after(tournament::Standing::refused, "not of this class"),
                  "the instructor has refused this name: not of this class");
        EXPECT_EQ(told_after(tournament::Standing::refused, ""),
                  "the instructor has refused this name; ask the instructor");
        EXPECT_EQ(roster.registered().find("ann")->from, from);
    }
}

TEST_F(Roster, AFailedRegistrationMayBeTriedAgain) {
    auto roster = roster_of("open sesame");
    EXPECT_EQ(roster.check(login("ann", "long enough", "open sesame"), here), Verdict::pending);
    roster.forget("ann");
    EXPECT_EQ(roster.check(login("ann", "long enough", "open sesame"), here), Verdict::pending);
    EXPECT_EQ(asked_.size(), 2U);
}

TEST_F(Roster, ANewTokenTakesThePlaceOfTheConfigsUntilItIsTakenBack) {
    auto roster = roster_of("");
    roster.know({"known", hash_of("a new one"), "ctl"});
    EXPECT_EQ(roster.check(login("known", "its token"), here), Verdict::wrong_token);
    EXPECT_EQ(roster.check(login("known", "a new one"), here), Verdict::welcome);
    roster.know({"known", "", "ctl"});
    EXPECT_EQ(roster.check(login("known", "its token"), here), Verdict::welcome);
}

TEST_F(Roster, AConfigThatIsReadAgainKeepsLaunchedBotsTokens) {
    auto roster = roster_of("");
    const auto token = roster.launch_tokens().at("launched");
    auto changed = config_of("");
    changed.bots[0].token = "changed";
    roster.set_config(changed);
    EXPECT_EQ(roster.check(login("launched", token), here), Verdict::welcome);
    EXPECT_EQ(roster.check(login("known", "changed"), here), Verdict::welcome);
    EXPECT_EQ(roster.check(login("known", "its token"), here), Verdict::wrong_token);
}

}  // namespace
}  // namespace referee::daemon
