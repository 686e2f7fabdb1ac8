#include "referee/net/lobby/guesses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/lobby_room.h"
#include "tests/sim/world.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using base::RecentTable;
using referee::lobby::Guesses;
using referee::lobby::GuessNews;
using ::testing::HasSubstr;

const Guesses::Try ada_here{"10.0.0.7", "the token of ada"};
const Guesses::Try ada_there{"10.0.0.8", "the token of ada"};
const Guesses::Try bob_here{"10.0.0.7", "the token of bob"};
const Guesses::Try class_here{"10.0.0.7", "the class password", true};

class GuessesTest : public ::testing::Test {
 protected:
    void wrong(const Guesses::Try& tried, std::int64_t times) {
        for (; times > 0; --times) guesses.was_wrong(tried);
    }
    void wrong_names_here(int names) {
        for (int i = 0; i < names; ++i)
            guesses.was_wrong({"10.0.0.7", "the token of bot " + std::to_string(i)});
    }

    World world{1};
    std::vector<std::string> news;
    Guesses guesses{world.referee(), [this](const auto& line) { news.push_back(line); }};
};

TEST_F(GuessesTest, cost_a_wait_that_doubles_up_to_the_most) {
    wrong(ada_here, referee::lobby::tries_of_pair.free);
    EXPECT_EQ(guesses.wait_of(ada_here), 0s);
    auto expected = referee::lobby::try_wait_first;
    for (int i = 0; i < 20; ++i) {
        guesses.was_wrong(ada_here);
        EXPECT_EQ(guesses.wait_of(ada_here), std::min(expected, referee::lobby::try_wait_max)) << i;
        expected = std::min(expected * 2, referee::lobby::try_wait_max);
    }
}

TEST_F(GuessesTest, are_forgiven_one_by_one) {
    wrong(ada_here, 1000);
    EXPECT_EQ(guesses.wait_of(ada_here), referee::lobby::try_wait_max);
    const auto& terms = referee::lobby::tries_of_pair;
    world.pass((terms.counted_max - terms.free - 1) * terms.forgiven_every);
    EXPECT_EQ(guesses.wait_of(ada_here), referee::lobby::try_wait_first);
    world.pass(terms.forgiven_every);
    EXPECT_EQ(guesses.wait_of(ada_here), 0s);
}

TEST_F(GuessesTest, at_many_secrets_are_counted_by_network) {
    wrong_names_here(200);
    EXPECT_EQ(guesses.wait_of(ada_here), 0s) << "never tried from here";
    EXPECT_EQ(guesses.wait_of({"10.0.0.7", "the token of bot 7"}), referee::lobby::try_wait_max);
    EXPECT_EQ(guesses.wait_of(class_here), referee::lobby::try_wait_max);
    EXPECT_EQ(guesses.wait_of({"10.0.0.8", "the class password", true}), 0s);
    guesses.was_wrong(ada_here);
    EXPECT_EQ(guesses.wait_of(ada_here), referee::lobby::try_wait_max) << "tried once";
    guesses.was_right(ada_here);
    EXPECT_EQ(guesses.wait_of(ada_here), 0s) << "known to come from here";
}

// Many addresses, each with a try or two.
TEST_F(GuessesTest, at_one_secret_from_everywhere_slow_down_those_who_never_told_it) {
    guesses.was_right(ada_here);
    for (int i = 0; i < 300; ++i)
        guesses.was_wrong({"192.0.2." + std::to_string(i), ada_here.secret});
    EXPECT_EQ(guesses.wait_of(ada_there), referee::lobby::try_wait_max);
    EXPECT_EQ(guesses.wait_of(ada_here), 0s);
    EXPECT_EQ(guesses.wait_of(bob_here), 0s);
}

TEST_F(GuessesTest, wait_in_a_row_of_bounded_length) {
    std::vector<Guesses::Place> places;
    for (std::size_t i = 0; i < referee::lobby::tries_waiting_of_pair_max; ++i)
        ASSERT_NE(places.emplace_back(guesses.take_place(ada_here)), nullptr) << i;
    EXPECT_EQ(guesses.take_place(ada_here), nullptr);
    while (places.size() < referee::lobby::tries_waiting_of_network_max) {
        const auto name = "the token of bot " + std::to_string(places.size());
        ASSERT_NE(places.emplace_back(guesses.take_place({"10.0.0.7", name})), nullptr) << name;
    }
    EXPECT_EQ(guesses.take_place(bob_here), nullptr);
    EXPECT_NE(guesses.take_place(ada_there), nullptr);
    places.erase(places.begin());
    EXPECT_NE(guesses.take_place(ada_here), nullptr);
}

TEST_F(GuessesTest, places_may_outlive_what_gave_them) {
    auto other = std::make_unique<Guesses>(world.referee(), [](const auto& /*line*/) {});
    auto place = other->take_place(ada_here);
    other.reset();
    place.reset();  // only sanitizers notice a mistake here
}

TEST_F(GuessesTest, are_told_when_a_burst_begins_and_when_it_is_over) {
    wrong(ada_here, referee::lobby::tries_of_pair.free);
    EXPECT_TRUE(news.empty());
    wrong(ada_here, 500);
    ASSERT_EQ(news.size(), 1U);
    EXPECT_EQ(news[0],
              "wrong secrets are tried from 10.0.0.7: 6 times lately, the last at the token of "
              "ada; answers to wrong tries come later and later from now on");
    world.pass(20s);
    guesses.was_wrong(bob_here);
    world.pass(referee::lobby::burst_silence - 1s);
    EXPECT_EQ(news.size(), 1U);
    world.pass(2s);
    ASSERT_EQ(news.size(), 2U);
    EXPECT_EQ(news[1],
              "no more wrong secrets from 10.0.0.7: 506 tries within 20 seconds, at 2 secrets, the "
              "last at the token of bob");
}

TEST_F(GuessesTest, from_many_addresses_are_told_as_one_burst) {
    for (int i = 0; i < 150; ++i)
        guesses.was_wrong({"192.0.2." + std::to_string(i), ada_here.secret});
    ASSERT_EQ(news.size(), 1U);
    EXPECT_EQ(news[0],
              "wrong secrets are tried from many addresses: 101 times lately, the last at the "
              "token of ada; answers to wrong tries come later and later from now on");
}

TEST(RecentTable, forgets_who_was_not_touched_for_longest) {
    RecentTable<int> table(2);
    table.touch("a") = 1;
    table.touch("b") = 2;
    table.touch("a") = 3;
    table.touch("c") = 4;
    EXPECT_EQ(table.size(), 2U);
    EXPECT_EQ(table.find("b"), nullptr);
    ASSERT_NE(table.find("a"), nullptr);
    EXPECT_EQ(*table.find("a"), 3);
    EXPECT_EQ(*table.find("c"), 4);
}

struct GuessNewsTest : ::testing::Test {
    World world{1};
    std::vector<std::string> lines;
    GuessNews news{world.referee(), [this](const auto& line) { lines.push_back(line); }};
};

TEST_F(GuessNewsTest, from_very_many_places_are_told_together) {
    for (std::size_t i = 0; i < 10 * referee::lobby::bursts_told_max; ++i)
        news.wrong("192.0.2." + std::to_string(i), "the token of ada", 6);
    ASSERT_EQ(lines.size(), referee::lobby::bursts_told_max + 1);
    EXPECT_THAT(lines.back(), HasSubstr("from further addresses"));
    news.turned_away("192.0.3.1");
    world.pass(referee::lobby::burst_silence + 1s);
    ASSERT_EQ(lines.size(), 2 * (referee::lobby::bursts_told_max + 1));
    EXPECT_THAT(lines, ::testing::Contains(HasSubstr("from further addresses: 581 tries")));
    EXPECT_THAT(lines, ::testing::Contains(HasSubstr("; 1 more were turned away unjudged")));
}

TEST_F(GuessNewsTest, tells_nothing_of_a_place_without_a_burst) {
    news.wrong_where_told("10.0.0.7", "the token of ada");
    news.turned_away("10.0.0.7");
    world.pass(referee::lobby::burst_silence + 1s);
    EXPECT_TRUE(lines.empty());
}

TEST_F(GuessNewsTest, begins_a_new_burst_after_a_silence) {
    for (int i = 0; i < 3; ++i) {
        news.wrong("10.0.0.7", "the token of ada", 6);
        world.pass(referee::lobby::burst_silence + 1s);
    }
    EXPECT_EQ(lines.size(), 6U);
}

TEST(Network, is_an_address_or_a_64th_of_them) {
    const struct {
        std::string_view address;
        std::string_view network;
    } table[] = {
        {"10.1.2.3", "10.1.2.3"},
        {"::ffff:10.1.2.3", "10.1.2.3"},
        {"2001:db8:0:1::1", "2001:db8:0:1::/64"},
        {"2001:db8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:1::/64"},
        {"2001:db8:0:2::1", "2001:db8:0:2::/64"},
        {"fe80::1%eth0", "fe80::/64"},
        {"::1", "::/64"},
        {"process 4711", "process 4711"},
        {"", ""},
    };
    for (const auto& one : table)
        EXPECT_EQ(referee::lobby::network_of(one.address), one.network) << one.address;
}

// Logins with wrong tokens, from the connection to the answer.

const LinkTraits here = from("10.0.0.7");

Json guess() {
    return {{"token", "guessed"}};
}

struct GuessingTest : ::testing::Test {
    LobbyRoom room;

    // So many wrong tokens of ada's, one after the other, each answered.
    void guess_often(int times = 12) {
        for (int i = 0; i < times; ++i) {
            auto& bot = room.log_in("ada", here, guess());
            room.pass(referee::lobby::try_wait_max);
            EXPECT_EQ(bot.error(), "wrong_token") << i;
        }
    }
};

TEST_F(GuessingTest, in_many_connections_at_once_is_turned_away) {
    guess_often();
    for (std::size_t i = 0; i < 100; ++i) {
        const auto& bot = room.log_in("ada", here, guess());
        const bool waits = i < referee::lobby::tries_waiting_of_pair_max;
        EXPECT_EQ(bot.error(), waits ? "" : "too_many_tries") << i;
        EXPECT_EQ(bot.closed, !waits) << i;
    }
}

TEST_F(GuessingTest, delays_the_right_token_too_but_does_not_refuse_it) {
    guess_often();
    auto& bot = room.log_in("ada", here);
    room.pass(referee::lobby::try_wait_max - 1ms);
    EXPECT_TRUE(bot.last("welcome").is_null());
    room.pass(1ms);
    EXPECT_FALSE(bot.last("welcome").is_null());
    room.pass(10s);
    EXPECT_FALSE(bot.closed);
}

TEST_F(GuessingTest, what_a_login_said_is_kept_while_it_waits) {
    guess_often();
    auto& ada = room.log_in(
        "ada", here,
        {{"version", "7"}, {"games", {"superball"}}, {"parallel", 3}, {"protocol", "another"}});
    EXPECT_TRUE(ada.last("welcome").is_null());
    room.pass(referee::lobby::try_wait_max);
    EXPECT_EQ(ada.last("welcome")["games"], Json::array({"superball"}));
    EXPECT_EQ(ada.last("welcome")["parallel"], 3);
    EXPECT_EQ(room.lobby->bot("ada").version(), "7");
    EXPECT_THAT(ada.last("note")["message"].get<std::string>(), HasSubstr("\"another\""));
    for (int i = 0; i < 12; ++i) {
        room.log_in("free", here, {{"password", "guess"}});
        room.pass(referee::lobby::try_wait_max);
    }
    auto& newcomer = room.log_in("free", here, {{"password", "class"}});
    EXPECT_EQ(newcomer.error(), "");
    room.pass(referee::lobby::try_wait_max);
    EXPECT_EQ(newcomer.error(), "token_needed");
}

TEST_F(GuessingTest, who_waits_is_no_bot_yet) {
    guess_often();
    auto& bot = room.log_in("ada", here);
    room.talk(bot, R"({"type":"login","name":"ada","token":"secret","games":["walls"]})");
    EXPECT_EQ(bot.error(), "login_expected");
    EXPECT_THAT(bot.last("error")["message"].get<std::string>(), HasSubstr("wrong tries"));
    room.talk(bot, R"({"type":"ping","id":7})");
    EXPECT_EQ(bot.last("pong")["id"], 7);
    room.pass(referee::lobby::try_wait_max);
    EXPECT_FALSE(bot.last("welcome").is_null());
}

TEST_F(GuessingTest, who_leaves_is_forgotten) {
    guess_often();
    for (int i = 0; i < 30; ++i) {
        auto& bot = room.log_in("ada", here, guess());
        EXPECT_EQ(bot.error(), "") << i;
        bot.link->close();
        room.pass(1ms);
    }
    room.pass(10s);
    EXPECT_EQ(room.lobby->connections(), 0U);
}

TEST_F(GuessingTest, those_who_wait_take_half_of_the_places_at_most) {
    room.lobby->set_limits({.connections = {.strangers_max = 8, .strangers_per_address_max = 4}});
    guess_often();
    std::vector<ScriptedBot*> waiting;
    for (int i = 0; i < 2; ++i) waiting.push_back(&room.log_in("ada", here, guess()));
    EXPECT_EQ(room.log_in("ada", here, guess()).error(), "too_many_tries");
    // Strangers who only come don't show out those who wait.
    for (int i = 0; i < 20; ++i) room.dial(here);
    for (const auto* bot : waiting) EXPECT_FALSE(bot->closed);
    auto& bob = room.log_in("bob", here);
    EXPECT_FALSE(bob.last("welcome").is_null());
}

TEST_F(GuessingTest, ends_with_the_lobby) {
    guess_often();
    auto& bot = room.log_in("ada", here);
    room.lobby->close_all(protocol::ByeReason::shutdown, "over");
    room.pass(10s);
    EXPECT_TRUE(bot.last("welcome").is_null());
    EXPECT_TRUE(bot.closed);
}

}  // namespace
}  // namespace tests::sim
