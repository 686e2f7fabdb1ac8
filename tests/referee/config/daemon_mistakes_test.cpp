// Mistakes in what only a daemon's config has: each with its line, its member and what was
// expected.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/referee/config/config_reading.h"

namespace referee::config {
namespace {

const std::string bots = R"("bots": [{"name": "a"}, {"name": "b"}])";
const std::string ladder = R"({"id": "practice", "game": "walls", "format": {"kind": "ladder"}})";

TEST(DaemonConfigTest, MistakesInTheNetwork) {
    check("{" + bots + ",", R"rows(
        "network": ["10.0.0.0/8"] -> network[0]: expected an object such as
        "network": [{"allowance_max": "1ms"}]
            -> network[0].range: missing; expected a range such as "10.0.0.0/8"
        "network": [{"range": "10.0.0.0", "allowance_max": "1ms"}]
            -> network[0].range: found "10.0.0.0"
        "network": [{"range": "10.0.0.0/33", "allowance_max": "1ms"}]
            -> network[0].range: found "10.0.0.0/33"
        "network": [{"range": "fd00::/129", "allowance_max": "1ms"}]
            -> network[0].range: found "fd00::/129"
        "network": [{"range": "10.0.0.1/8", "allowance_max": "1ms"}]
            -> network[0].range: expected "10.0.0.0/8"
        "network": [{"range": "10.0.0.0/8"}] -> network[0].allowance_max: missing
        "network": [{"range": "::/0", "allowance_max": 5, "factor": 2}]
            -> network[0].factor: no such member here
        "network": [{"range": "::/0", "allowance_max": 5}, {"range": "0::/0", "allowance_max": 9}]
            -> network[1].range: is there twice
    )rows",
          R"(,"tournaments": [{"id": "t", "game": "walls"}]})");
}

TEST(DaemonConfigTest, MistakesInTheWholeFile) {
    check("{" + bots + ",", R"rows(
        "registration": "SECRETVAL" -> registration: what stands there is not shown
        "control": "SECRETVAL" -> control: what stands there is not shown
        "registration": {} -> registration.password: expected the class password
        "registration": {"password": 70017001} -> registration.password: not shown
        "registration": {"roster": ""} -> registration.roster: "students.csv"
        "registration": {"password": "y", "roster": "nowhere.csv"}
            -> registration.roster: /srv/class/nowhere.csv: can't be read
        "control": {"port": 7780, "token": [70017001]} -> control.token: not shown
        "control": {"port": 7780} -> control.token: at least 8 bytes
        "control": {"address": "127.0.0.1", "token": "short"} -> control.token: at least 8 bytes
        "control": {"address": "0.0.0.0", "token": "long enough"}
            -> control.address: other machines may reach "0.0.0.0"
        "control": {"address": "192.0.2.1", "port": 5, "token": "long enough"}
            -> control.address: expected "tls": true
        "control": {"address": "::", "tls": false, "token": "long enough"}
            -> control.address: "127.0.0.1"
        "control": {"tls": true, "token": "long enough"}
            -> control.tls: expected an "address" or a "port" beside it
    )rows",
          R"(, "tournaments": [)" + ladder + "]}");
}

TEST(DaemonConfigTest, MistakesInTls) {
    check("{" + bots + ",", R"rows(
        "listen": {"tls": {"port": 7777}} -> tls.port: a port of its own
        "listen": {"port": 7778, "tls": {}} -> tls.port: a port of its own
        "listen": {"tls": {"address": "lab-server"}}
            -> tls.address: expected an IP address such as "0.0.0.0"
        "listen": {"tls": {"certificate": "a.pem"}} -> tls.key: missing; expected both
        "listen": {"tls": {"key": "a.key"}} -> tls.certificate: missing; expected both
    )rows",
          R"(, "tournaments": [)" + ladder + "]}", "listen.");
}

TEST(DaemonConfigTest, MistakesInWeb) {
    check("{" + bots + ",", R"rows(
        "listen": {"address": "lab-server"}
            -> listen.address: expected an IP address such as "0.0.0.0"
        "listen": {"web": {"port": 7777}} -> listen.web.port: a port of its own
        "listen": {"tls": {}, "web": {"port": 7778}} -> listen.web.port: a port of its own
        "listen": {"web": {"address": "lab-server"}}
            -> listen.web.address: expected an IP address such as "127.0.0.1"
        "listen": {"web": {"url": "lab-server"}}
            -> listen.web.url: such as "https://referee.example.org"
        "listen": {"web": {"url": "https://a/b"}} -> listen.web.url: without a path
        "names": "pseudonyms", "listen": {"web": {"names": "shown"}}
            -> listen.web.names: hides them everywhere; expected "pseudonyms"
        "listen": {"web": {"delay": "soon"}} -> listen.web.delay: expected a time such as
        "listen": {"web": {"delay": "2h"}} -> listen.web.delay: from 1 s to 1 h
        "listen": {"web": {"delay": 30}} -> listen.web.delay: from 1 s to 1 h
        "listen": {"web": {"delay": {}}} -> listen.web.delay.turns: expected a number of turns
        "listen": {"web": {"registration": true}} -> listen.web.registration: the class password
    )rows",
          R"(, "tournaments": [)" + ladder + "]}");
}

TEST(DaemonConfigTest, WebIsRead) {
    const auto of = [](const std::string& web) {
        return good("{" + bots + R"(, "listen": {"web": )" + web + R"(}, "tournaments": [)" +
                    ladder + "]}");
    };
    const auto least = of("{}");
    EXPECT_EQ(*least.web, WebConfig{});
    EXPECT_TRUE(least.warnings.empty());
    EXPECT_FALSE(least.speaks_tls());
    const auto by_time = of(R"({"address": "0.0.0.0", "tls": true, "delay": "30s"})");
    EXPECT_EQ(by_time.web->delay, std::chrono::seconds(30));
    EXPECT_TRUE(by_time.warnings.empty());
    EXPECT_TRUE(by_time.speaks_tls());
    EXPECT_EQ(of(R"({"delay": {"turns": 20}})").web->delay_turns, 20U);
    const auto open = of(R"({"address": "0.0.0.0"})");
    ASSERT_EQ(open.warnings.size(), 1U);
    EXPECT_NE(open.warnings.front().find("nobody logs in there"), std::string::npos);
    const auto warns_of_tokens = [&](const std::string& listen) {
        const auto all =
            of(R"({"address": "0.0.0.0", "tls": true}, "address": )" + listen).warnings;
        return std::ranges::any_of(all, [](const std::string& one) {
            return one.find("tokens cross the network as plain text") != std::string::npos;
        });
    };
    EXPECT_TRUE(warns_of_tokens(R"("0.0.0.0")"));
    EXPECT_FALSE(warns_of_tokens(R"("127.0.0.1")"));
    EXPECT_FALSE(warns_of_tokens(R"("0.0.0.0", "tls": {})"));
}

TEST(DaemonConfigTest, TlsIsRead) {
    const auto of = [](const std::string& members) {
        return good("{" + bots + members + R"(, "tournaments": [)" + ladder + "]}");
    };
    const auto plain = of("");
    EXPECT_FALSE(plain.tls);
    EXPECT_FALSE(plain.speaks_tls());
    const auto least = of(R"(, "listen": {"address": "0.0.0.0", "tls": {}})");
    ASSERT_TRUE(least.tls);
    EXPECT_EQ(*least.tls, (TlsPort{"0.0.0.0", 7778}));
    EXPECT_EQ(least.tls_certificate, "");
    const auto most = of(
        R"(, "listen": {"tls": {"address": "::", "port": 0, "certificate": "tls/a.pem", "key": "/etc/a.key"}})");
    EXPECT_EQ(*most.tls, (TlsPort{"::", 0}));
    EXPECT_EQ(most.address, "127.0.0.1");
    EXPECT_EQ(most.tls_certificate, "/srv/class/tls/a.pem");
    EXPECT_EQ(most.tls_key, "/etc/a.key");
    const auto orders = of(
        R"(, "control": {"address": "0.0.0.0", "port": 7780, "token": "long enough", "tls": true})");
    EXPECT_TRUE(orders.control.tls);
    EXPECT_TRUE(orders.speaks_tls());
    for (const auto* address : {"127.0.0.1", "127.9.9.9", "::1"}) {
        const auto here = of(R"(, "control": {"token": "long enough", "address": ")" +
                             std::string(address) + R"("})");
        EXPECT_FALSE(here.control.tls) << address;
    }
}

TEST(DaemonConfigTest, ANameThatIsRegisteredHasItsWayIntoATournament) {
    check("{" + bots + R"(, "registration": {"password": "open sesame"}, "tournaments": [)" +
              ladder + R"(, {"id": "friday", "game": "walls",)",
          R"rows(
        "bots": ["a", "ada"] -> tournaments[1].bots: "field": {"ladder": "practice"}
    )rows",
          "}]}");
}

TEST(DaemonConfigTest, MistakesInATournament) {
    check("{" + bots + R"(, "tournaments": [)" + ladder + R"(, {"id": "friday", "game": "walls",)",
          R"rows(
        "starts": "soon"
            -> starts: expected "at_once", "by_order" or a time such as "2026-11-27T14:00"
        "starts": "2026-02-30T14:00" -> starts: 2026-11-27T14:00
        "until": "2026-11-27T14:00Z" -> until: only a ladder has it
        "format": {"kind": "swiss"}, "withdrawn": "drop" -> withdrawn: only a round_robin
        "hours": "18-23" -> hours: such as "18:00-23:00"
        "hours": "18:00-18:00" -> hours: such as "18:00-23:00"
        "rest": "5s" -> rest: only a ladder
        "field": {"ladder": "nowhere"} -> field.ladder: found "nowhere"
        "field": {"ladder": "practice", "best": 0} -> field.best: from 1
        "field": {"ladder": "practice"}, "bots": ["a", "b"] -> field: not both
        "field": {"ladder": "practice"}, "starts": "at_once" -> starts: by_order
    )rows",
          "}]}", "tournaments[1].");
}

// A ladder may bring fewer than the best four, never more.
TEST(DaemonConfigTest, AFieldFromALadderThatCantPlayTheFormat) {
    const auto with = [](const std::string& format) {
        return "{" + bots + R"(, "tournaments": [)" + ladder +
               R"(, {"id": "f", "game": "walls", "field": {"ladder": "practice", "best": 4},
                     "format": )" +
               format + "}]}";
    };
    const auto errors = errors_of(with(R"({"kind": "swiss", "rounds": 9})"));
    ASSERT_THAT(errors,
                testing::ElementsAre(testing::Field(&ConfigError::member, "tournaments[1].field")));
    EXPECT_EQ(errors[0].message,
              "the best 4 of the ladder can't begin: 4 bots can play at most 3 rounds without "
              "anybody meeting twice; 9 were asked for; change that, or \"best\"");
    EXPECT_THAT(errors_of(with(R"({"kind": "swiss", "rounds": 3})")), testing::IsEmpty());
}

TEST(DaemonConfigTest, IsRead) {
    const auto config = good(
        "{" + bots +
        R"(, "registration": {"password": "open sesame"}, "grace": "1m", "priority": "plain", "log_level": "debug",
        "control": {"socket": "run/ctl", "port": 0, "token": "long enough"},
        "tournaments": [)" +
        ladder +
        R"(, {"id": "friday", "game": "walls", "field": {"ladder": "practice", "best": 8}}]})");
    EXPECT_EQ(config.registration.password, "open sesame");
    EXPECT_EQ(config.grace, std::chrono::minutes(1));
    EXPECT_EQ(config.log_level, "debug");
    EXPECT_FALSE(config.high_priority);
    EXPECT_TRUE(config::Config().high_priority) << "unless it is asked for";
    EXPECT_EQ(config.control.socket, "/srv/class/run/ctl");
    EXPECT_EQ(config.control.address, "127.0.0.1");
    const auto& friday = config.tournaments.at(1);
    EXPECT_TRUE(friday.starts_by_order);
    ASSERT_TRUE(friday.field_from);
    EXPECT_EQ(friday.field_from->best, 8U);
    EXPECT_TRUE(friday.bots.empty());
}

TEST(DaemonConfigTest, ProcessorTimeIsNotMeasuredWhereAnybodyMayCome) {
    const std::string launched = R"("bots": [{"name": "a", "launch": ["./a"]}])";
    const std::string by_cpu =
        R"("tournaments": [{"id": "practice", "game": "walls", "format": {"kind": "ladder"}, "clock": {"measure": "cpu"}}])";
    for (const auto& [open, measure] :
         {std::pair("", clock::Measure::cpu),
          std::pair(R"("registration": {"password": "x"},)", clock::Measure::wall)}) {
        const auto config = good("{" + std::string(open) + launched + "," + by_cpu + "}");
        EXPECT_EQ(config.tournaments.at(0).clock.measure, measure);
        EXPECT_EQ(config.warnings.size(), measure == clock::Measure::wall ? 1U : 0U);
    }
}

// What decides nothing that is played is not compared between runs, nor is the order of members.
TEST(DaemonConfigTest, TheTextOfATournamentIsWhatDecidesIt) {
    const auto text_of = [](const std::string& members) {
        return tournament(R"("game": "walls")" + members).text;
    };
    EXPECT_EQ(text_of(""), R"({"game":"walls","id":"t"})");
    EXPECT_EQ(text_of(R"(, "seed": 5, "params": {"size": 3})"),
              text_of(R"(, "params": {"size": 3}, "seed": 5)"));
    EXPECT_EQ(
        text_of(
            R"(, "tie_breaks": ["wins"], "ready": "1s", "no_show_after": "1s", "bots": ["a", "b"])"),
        text_of(""));
    EXPECT_NE(text_of(R"(, "clock": {"budget": "2s"})"), text_of(""));
}

}  // namespace
}  // namespace referee::config
