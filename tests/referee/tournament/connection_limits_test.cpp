// Places for connections, and the descriptors that they take.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "referee/net/loop/process_resources.h"
#include "referee/tournament/config_limits.h"

namespace referee::tournament {
namespace {

using ::testing::HasSubstr;

config::Config config_of(std::size_t bots, std::size_t strangers) {
    config::Config config;
    config.connections.bots_max = bots;
    config.connections.strangers_max = strangers;
    return config;
}

TEST(ConnectionLimits, are_the_configs_where_there_are_descriptors_for_them) {
    const auto config = config_of(4096, 1024);
    const auto needed = descriptors_needed(config);
    EXPECT_EQ(needed, 4096 + 1024 + descriptors_kept);
    const auto limits = lobby_limits_of(config, needed);
    EXPECT_EQ(limits.connections.bots_max, 4096U);
    EXPECT_EQ(limits.connections.strangers_max, 1024U);
    EXPECT_EQ(limits.connections.strangers_per_address_max, 512U);
    EXPECT_FALSE(describe_lack(config, needed));
    EXPECT_TRUE(enough_descriptors(descriptors_least));
    EXPECT_THAT(enough_descriptors(descriptors_least - 1).error(), HasSubstr("ulimit -n"));
}

TEST(ConnectionLimits, fit_into_the_descriptors_that_there_are) {
    const auto config = config_of(4096, 1024);
    for (const std::size_t most : {0U, 100U, 300U, 1024U, 2000U, 5000U}) {
        const auto limits = lobby_limits_of(config, most);
        const auto places =
            std::max(most - std::min<std::size_t>(most, descriptors_kept), connections_least);
        EXPECT_LE(limits.connections.bots_max + limits.connections.strangers_max, places) << most;
        EXPECT_GE(limits.connections.bots_max, connections_least / 2) << most;
        EXPECT_GE(limits.connections.strangers_max, connections_least / 2) << most;
        EXPECT_LE(limits.connections.strangers_per_address_max, limits.connections.strangers_max)
            << most;
        ASSERT_TRUE(describe_lack(config, most)) << most;
    }
    EXPECT_THAT(*describe_lack(config, 1024),
                HasSubstr("5376 descriptors are needed, and this process may open 1024: there will "
                          "be places for 384 and 384"));
}

TEST(ConnectionLimits, count_launched_bots) {
    auto config = config_of(100, 100);
    config.bots.resize(3);
    config.bots[1].launch = {"bot"};
    EXPECT_EQ(descriptors_needed(config), 200 + descriptors_kept + descriptors_of_launched_bot);
}

// The house's two keep no class from playing.
TEST(GamesAtOnce, OfLaunchedBotsAreAsManyAsCoresAndOfAllWhatTheConfigSays) {
    config::Config config;
    config.bots.resize(3);
    config.bots[1].launch = {"bot"};
    EXPECT_EQ(games_at_once(config), games_at_once_max);
    EXPECT_EQ(launched_games_at_once(config), loop::usable_cores());
    config.cores = 3;
    EXPECT_EQ(launched_games_at_once(config), 3U) << "the bots have no more";
    config.games_at_once = 7;
    EXPECT_EQ(games_at_once(config), 7U);
    EXPECT_EQ(launched_games_at_once(config), 7U);
}

TEST(Descriptors, are_allowed_up_to_the_hard_limit_and_never_taken_away) {
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const auto soft = [] {
        rlimit now{};
        ::getrlimit(RLIMIT_NOFILE, &now);
        return now.rlim_cur;
    };
    const rlimit tight{std::min<rlim_t>(before.rlim_cur, 256), before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &tight), 0);
    loop::allow_descriptors(100);
    EXPECT_EQ(soft(), tight.rlim_cur);
    const auto wanted = std::min<rlim_t>(300, before.rlim_max);
    loop::allow_descriptors(300);
    EXPECT_EQ(soft(), wanted);
    loop::allow_descriptors(std::numeric_limits<std::size_t>::max());
    EXPECT_EQ(soft(), before.rlim_max);
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
}

}  // namespace
}  // namespace referee::tournament
