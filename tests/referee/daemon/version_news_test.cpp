#include "referee/daemon/version_news.h"

#include <gmock/gmock.h>

namespace referee::daemon {
namespace {

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
}  // namespace referee::daemon
