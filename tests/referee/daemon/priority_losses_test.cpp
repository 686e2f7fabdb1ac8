#include "referee/daemon/priority_losses.h"

#include <gtest/gtest.h>

namespace referee::daemon {
namespace {

using namespace std::chrono_literals;

constexpr Instant begin{100h};

bool has(const std::optional<std::string>& text, const std::string& part) {
    return text && text->find(part) != std::string::npos;
}

TEST(PriorityLosses, AreToldAtOnceTheFirstTimeWithWhatHelps) {
    PriorityLosses losses;
    DoubtedTurns doubted;
    EXPECT_EQ(losses.news(begin, doubted), std::nullopt);
    losses.lost();
    const auto first = losses.news(begin, doubted);
    EXPECT_TRUE(has(first, "lost its real-time class")) << *first;
    EXPECT_TRUE(has(first, "deadlines")) << "what it means";
    EXPECT_TRUE(has(first, "games_at_once")) << "what helps";
    EXPECT_EQ(losses.news(begin, doubted), std::nullopt) << "nothing new";
}

// As it was seen under load: eleven times in twelve seconds, and on and on.
TEST(PriorityLosses, AreToldAtMostOnceAMinuteAndNoneIsForgotten) {
    PriorityLosses losses;
    DoubtedTurns doubted;
    std::vector<Duration> told;
    std::string last;
    for (Duration at{}; at <= 5min; at += 1s) {
        losses.lost();
        const auto news = losses.news(begin + at, doubted);
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
    DoubtedTurns doubted;
    losses.lost();
    losses.news(begin, doubted);
    losses.lost();
    EXPECT_EQ(losses.news(begin + 59s, doubted), std::nullopt);
    EXPECT_TRUE(
        has(losses.news(begin + 90s, doubted), " 1 time more in the last 90 s, 2 times in all"));
    EXPECT_EQ(losses.news(begin + 1h, doubted), std::nullopt) << "told already";
    losses.lost();
    EXPECT_TRUE(has(losses.news(begin + 2h, doubted), "3 times in all"));
}

TEST(PriorityLosses, NameWhoseTurnsPassedByDoubtMeanwhile) {
    PriorityLosses losses;
    DoubtedTurns doubted;
    doubted.add("ann", "10.1.1.7", {.turns = 40, .by_doubt = 3});
    losses.lost();
    const std::string named = "; in time only by doubt since the last such line: ";
    EXPECT_TRUE(has(losses.news(begin, doubted), named + "ann from 10.1.1.7 3 of 40 turns"));
    losses.lost();
    doubted.add("bob", "10.1.1.8", {.turns = 20, .by_doubt = 1});
    EXPECT_EQ(losses.news(begin + 1s, doubted), std::nullopt);
    const auto later = losses.news(begin + 2min, doubted);
    EXPECT_TRUE(has(later, named + "bob from 10.1.1.8 1 of 20 turns")) << *later;
    losses.lost();
    EXPECT_FALSE(has(losses.news(begin + 4min, doubted), named)) << "nobody's";
}

}  // namespace
}  // namespace referee::daemon
