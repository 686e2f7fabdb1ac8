#include "referee/tournament/scheduler/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/tournament/scheduler/slot_room.h"

namespace tests::sim {
namespace {

using referee::scheduler::Tables;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

GamePlan plan_of(const std::string& tournament, std::uint64_t match) {
    GamePlan plan;
    plan.key = {tournament, match, 1, 1};
    return plan;
}

TEST(Tables, a_place_is_found_until_it_is_closed) {
    Tables tables;
    EXPECT_TRUE(tables.empty());
    const auto first = tables.open(plan_of("t", 7));
    const auto second = tables.open(plan_of("t", 8));
    EXPECT_NE(first, second);
    EXPECT_EQ(tables.size(), 2U);
    ASSERT_NE(tables.find(first), nullptr);
    const auto closed = tables.close(first);
    EXPECT_EQ(closed.plan.key.match, 7U) << "who closes it has all of it";
    EXPECT_EQ(tables.find(first), nullptr);
    EXPECT_NE(tables.find(second), nullptr);
    EXPECT_NE(tables.open(plan_of("t", 9)), first) << "no place is used twice";
}

TEST(Tables, games_are_counted_by_tournament_and_by_match) {
    Tables tables;
    const auto first = tables.open(plan_of("a", 1));
    const auto second = tables.open(plan_of("a", 2));
    tables.open(plan_of("b", 3));
    EXPECT_EQ(tables.of("a"), 2U);
    EXPECT_EQ(tables.of("b"), 1U);
    EXPECT_EQ(tables.of("c"), 0U);
    EXPECT_TRUE(tables.of_match("a", 2));
    EXPECT_FALSE(tables.of_match("b", 2)) << "that match is another tournament's";
    EXPECT_THAT(tables.games_of("a"), ElementsAre(first, second));
    tables.close(first);
    EXPECT_EQ(tables.of("a"), 1U);
    EXPECT_FALSE(tables.of_match("a", 1));
    tables.close(second);
    EXPECT_THAT(tables.games_of("a"), IsEmpty());
}

class SlotTables : public ::testing::Test {
 protected:
    SlotTables() {
        room.open({"ada", "bob", "cam", "dan"});
        room.draw();
        room.log_in({"ada", "bob", "cam", "dan"});
    }
    std::vector<std::string> bots_at(Tables::Id id) {
        std::vector<std::string> names;
        for (const auto* bot : room.tables.at(id).table->bots()) names.push_back(bot->name());
        return names;
    }
    SlotRoom room;
};

TEST_F(SlotTables, a_bot_awaits_its_record_from_the_end_of_its_game_until_the_place_is_closed) {
    const auto id = room.sit();
    const auto awaiting = [this] {
        std::vector<std::string> names;
        for (const char* name : {"ada", "bob", "cam", "dan"}) {
            if (room.tables.awaits_record(room.bot(name))) names.emplace_back(name);
        }
        return names;
    };
    EXPECT_THAT(awaiting(), IsEmpty()) << "they still play";
    room.tables.stop(std::nullopt, "enough");
    const auto sat = bots_at(id);
    EXPECT_THAT(awaiting(), ::testing::UnorderedElementsAreArray(sat));
    room.tables.await_record(id);
    room.tables.close(id);
    EXPECT_THAT(awaiting(), IsEmpty()) << "told twice, it counts once";
}

TEST_F(SlotTables, one_tournament_is_stopped_or_all_are) {
    const auto here = room.sit();
    const auto elsewhere = room.sit("other");
    room.tables.stop("t", "by order");
    EXPECT_TRUE(room.tables.at(here).table->play().finished());
    EXPECT_EQ(room.tables.at(here).table->play().result().status, GameStatus::interrupted);
    EXPECT_EQ(room.tables.at(here).table->play().result().reason, "by order");
    EXPECT_FALSE(room.tables.at(elsewhere).table->play().finished());
    room.tables.stop(std::nullopt, "all of them");
    EXPECT_TRUE(room.tables.at(elsewhere).table->play().finished());
}

// What the end of a game leads to may be the end of another one's place.
TEST_F(SlotTables, a_place_that_is_closed_while_all_are_stopped_is_passed_over) {
    const auto first = room.sit();
    const auto second = room.sit();
    room.on_finished = [&] {
        if (room.tables.find(second) != nullptr) room.tables.close(second);
    };
    room.tables.stop(std::nullopt, "enough");
    EXPECT_TRUE(room.tables.at(first).table->play().finished());
    EXPECT_EQ(room.tables.find(second), nullptr);
}

TEST_F(SlotTables, who_lost_its_connection_is_told_while_its_game_needs_it) {
    const auto id = room.sit();
    const auto waits = [&] {
        return waits_of([&](auto& found) { room.tables.add_returns(found); });
    };
    EXPECT_THAT(waits(), IsEmpty()) << "both are here";
    const auto gone = bots_at(id)[0];
    room.log_out(gone);
    const auto found = waits();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, Waiting::Kind::for_return);
    EXPECT_EQ(found[0].tournament, "t");
    EXPECT_EQ(found[0].game, room.tables.at(id).table->game_id());
    EXPECT_THAT(found[0].bots, ElementsAre(gone));
    EXPECT_EQ(found[0].until, room.tables.at(id).table->deadline(0));
    room.tables.stop(std::nullopt, "enough");
    EXPECT_THAT(waits(), IsEmpty()) << "its game is over";
}

}  // namespace
}  // namespace tests::sim
