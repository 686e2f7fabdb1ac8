#include "referee/office/run/priority_losses.h"

#include <gtest/gtest.h>

namespace referee::run {
namespace {

using namespace std::chrono_literals;

constexpr Instant begin{100h};

bool has(const std::optional<std::string>& text, const std::string& part) {
    return text && text->find(part) != std::string::npos;
}

TEST(PriorityLosses, AreToldAtOnceTheFirstTimeWithWhatHelps) {
    PriorityLosses losses;
    EXPECT_EQ(losses.news(begin), std::nullopt);
    losses.lost();
    const auto first = losses.news(begin);
    EXPECT_TRUE(has(first, "lost its real-time class")) << *first;
    EXPECT_TRUE(has(first, "deadlines")) << "what it means";
    EXPECT_TRUE(has(first, "games_at_once")) << "what helps";
    EXPECT_EQ(losses.news(begin), std::nullopt) << "nothing new";
}

// As it was seen under load: eleven times in twelve seconds, and on and on.
TEST(PriorityLosses, AreToldAtMostOnceAMinuteAndNoneIsForgotten) {
    PriorityLosses losses;
    std::vector<Duration> told;
    std::string last;
    for (Duration at{}; at <= 5min; at += 1s) {
        losses.lost();
        const auto news = losses.news(begin + at);
        if (!news) continue;
        told.push_back(at);
        last = *news;
    }
    EXPECT_EQ(told, (std::vector<Duration>{0s, 1min, 2min, 3min, 4min, 5min}));
    EXPECT_TRUE(has(last, " 60 times more in the last 60 s, 301 times in all")) << last;
    EXPECT_EQ(losses.count(), 301U);
}

TEST(PriorityLosses, OfALastMomentAreToldLater) {
    PriorityLosses losses;
    losses.lost();
    losses.news(begin);
    losses.lost();
    EXPECT_EQ(losses.news(begin + 59s), std::nullopt);
    EXPECT_TRUE(has(losses.news(begin + 90s), " 1 time more in the last 90 s, 2 times in all"));
    EXPECT_EQ(losses.news(begin + 1h), std::nullopt) << "told already";
    losses.lost();
    EXPECT_TRUE(has(losses.news(begin + 2h), "3 times in all"));
}

}  // namespace
}  // namespace referee::run
