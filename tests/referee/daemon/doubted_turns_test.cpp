#include "referee/daemon/doubted_turns.h"

#include <gtest/gtest.h>

namespace referee::daemon {
namespace {

using namespace std::chrono_literals;

clock::Doubts doubts_of(std::int64_t by_doubt, std::int64_t turns) {
    return {.turns = turns, .by_doubt = by_doubt, .sum = by_doubt * Duration(2ms)};
}

TEST(DoubtedTurns, OfABotAddUpOverItsGames) {
    DoubtedTurns turns;
    EXPECT_EQ(turns.of("ann").turns, 0);
    turns.add("ann", "10.1.1.7", doubts_of(3, 20));
    turns.add("ann", "10.1.1.8", doubts_of(1, 20));
    turns.add("bob", "10.1.1.7", doubts_of(0, 20));
    EXPECT_EQ(turns.of("ann").by_doubt, 4);
    EXPECT_EQ(turns.of("ann").turns, 40);
    EXPECT_EQ(turns.of("bob").by_doubt, 0);
}

TEST(DoubtedTurns, OfSeveralBotsBehindAnAddressAreToldOnce) {
    DoubtedTurns turns;
    turns.add("ann", "10.1.1.7", doubts_of(12, 40));
    EXPECT_EQ(turns.many_from("10.1.1.7"), std::nullopt) << "one bot: that is told of the bot";
    turns.add("bob", "10.1.1.7", doubts_of(0, 20));
    EXPECT_EQ(turns.many_from("10.1.1.7"), std::nullopt) << "the other one has no part in it";
    turns.add("cid", "10.1.1.8", doubts_of(8, 20));
    EXPECT_EQ(turns.many_from("10.1.1.7"), std::nullopt) << "it is somewhere else";
    turns.add("dan", "10.1.1.7", doubts_of(2, 20));
    EXPECT_EQ(turns.many_from("10.1.1.7"),
              "2 bots from 10.1.1.7 (ann, dan): 14 of 80 turns were in time only by doubt, "
              "28.000 ms taken off in all");
    turns.add("dan", "10.1.1.7", doubts_of(20, 20));
    EXPECT_EQ(turns.many_from("10.1.1.7"), std::nullopt) << "told already";
    turns.add("eve", "", doubts_of(20, 20));
    turns.add("fay", "", doubts_of(20, 20));
    EXPECT_EQ(turns.many_from(""), std::nullopt) << "processes of ours have no address";
}

TEST(DoubtedTurns, FewOfManyTurnsAreNotToldByAddress) {
    DoubtedTurns turns;
    for (const auto* bot : {"ann", "bob", "cid"}) turns.add(bot, "10.1.1.7", doubts_of(1, 20));
    EXPECT_EQ(turns.many_from("10.1.1.7"), std::nullopt);
}

TEST(DoubtedTurns, OfLateNameWhoHadTheMost) {
    DoubtedTurns turns;
    EXPECT_EQ(turns.lately(), "");
    turns.add("ann", "10.1.1.7", doubts_of(1, 20));
    turns.add("bob", "", doubts_of(3, 20));
    turns.add("cid", "10.1.1.9", doubts_of(0, 20));
    EXPECT_EQ(turns.lately(), "bob 3 of 20 turns, ann from 10.1.1.7 1 of 20 turns");
    EXPECT_EQ(turns.lately(), "") << "since then nobody";
    for (const auto* bot : {"a", "b", "c", "d", "e", "f", "g"}) turns.add(bot, "", doubts_of(1, 9));
    EXPECT_EQ(turns.lately(),
              "a 1 of 9 turns, b 1 of 9 turns, c 1 of 9 turns, d 1 of 9 turns, e 1 of 9 turns, and "
              "2 more");
    EXPECT_EQ(turns.of("ann").by_doubt, 1) << "the sums stay";
}

}  // namespace
}  // namespace referee::daemon
