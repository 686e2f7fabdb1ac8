#include "referee/store/records/later_orders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace referee::records {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const GameKey play{"friday", 12, 1, 1};
const GameKey next_play{"friday", 12, 1, 2};
const GameKey other_game{"friday", 12, 2, 1};

GameRecord played(const GameKey& key, GameStatus status = GameStatus::played) {
    GameRecord record;
    record.result.key = key;
    record.result.status = status;
    return record;
}

std::vector<std::string> told_of(const GameKey& key, const std::vector<Record>& records) {
    LaterOrders orders(key);
    for (const auto& record : records) orders.take(record);
    return orders.sentences();
}

TEST(LaterOrders, AnAnnulledPlayNamesTheOneThatCounts) {
    const std::string annulled = "This play of the game does not count, by order: a cable. ";
    std::vector<Record> records{played(play), played(other_game)};
    EXPECT_THAT(told_of(play, records), IsEmpty());
    records.emplace_back(AnnulmentRecord{play, "a cable"});
    EXPECT_THAT(told_of(play, records), ElementsAre(annulled + "It is still to be played again."));
    EXPECT_THAT(told_of(other_game, records), IsEmpty());
    auto restored = records;
    restored.emplace_back(RestorationRecord{play, "a slip"});
    EXPECT_THAT(told_of(play, restored), IsEmpty());
    records.emplace_back(played(next_play, GameStatus::interrupted));
    records.emplace_back(played({"friday", 12, 1, 3}));
    EXPECT_THAT(told_of(play, records),
                ElementsAre(annulled + "The play that counts is friday/12.1~3."));
    EXPECT_THAT(told_of({"friday", 12, 1, 3}, records), IsEmpty());
}

TEST(LaterOrders, ARulingIsOfItsMatchUntilItIsTakenBack) {
    const std::vector<Record> ruled{played(play), RulingRecord{"friday", 12, {2, 1}, "agreed", ""}};
    EXPECT_THAT(told_of(play, ruled),
                ElementsAre("An arbiter set the result of its match, " + match_id("friday", 12) +
                            ", whatever its games came to: agreed."));
    EXPECT_THAT(told_of({"friday", 13, 1, 1}, ruled), IsEmpty());
    EXPECT_THAT(told_of({"monday", 12, 1, 1}, ruled), IsEmpty());
    auto taken_back = ruled;
    taken_back.emplace_back(RulingRecord{"friday", 12, {}, "no", ""});
    EXPECT_THAT(told_of(play, taken_back), IsEmpty());
}

}  // namespace
}  // namespace referee::records
