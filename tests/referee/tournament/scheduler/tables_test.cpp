#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "referee/tournament/scheduler/tables.h"
#include "tests/referee/tournament/scheduler/scheduled_room.h"

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
    ScheduledRoom room;
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
    room.tables.stop("enough");
    const auto sat = bots_at(id);
    EXPECT_THAT(awaiting(), ::testing::UnorderedElementsAreArray(sat));
    room.tables.await_record(id);
    room.tables.close(id);
    EXPECT_THAT(awaiting(), IsEmpty()) << "told twice, it counts once";
}

TEST_F(SlotTables, one_tournament_is_stopped_or_all_are) {
    const auto here = room.sit();
    const auto elsewhere = room.sit("other");
    room.tables.stop("by order", "t");
    EXPECT_TRUE(room.tables.at(here).table->play().finished());
    EXPECT_EQ(room.tables.at(here).table->play().result().status, GameStatus::interrupted);
    EXPECT_EQ(room.tables.at(here).table->play().result().reason, "by order");
    EXPECT_FALSE(room.tables.at(elsewhere).table->play().finished());
    room.tables.stop("all of them");
    EXPECT_TRUE(room.tables.at(elsewhere).table->play().finished());
}

// What the end of a game leads to may be the end of another one's place.
TEST_F(SlotTables, a_place_that_is_closed_while_all_are_stopped_is_passed_over) {
    const auto first = room.sit();
    const auto second = room.sit();
    room.on_finished = [&] {
        if (room.tables.find(second) != nullptr) room.tables.close(second);
    };
    room.tables.stop("enough");
    EXPECT_TRUE(room.tables.at(first).table->play().finished());
    EXPECT_EQ(room.tables.find(second), nullptr);
}

TEST_F(SlotTables, who_lost_its_connection_is_told_while_its_game_needs_it) {
    const auto id = room.sit();
    const auto waits = [&] {
        return told(waits_of([&](auto& found) { room.tables.add_returns(found); }), room.now());
    };
    EXPECT_THAT(waits(), IsEmpty()) << "both are here";
    const auto gone = bots_at(id)[0];
    room.log_out(gone);
    EXPECT_THAT(waits(), ElementsAre("game " + room.tables.at(id).table->game_id() + " waits for " +
                                     gone + " to connect again, while its clock runs, 0:10 left"));
    room.tables.stop("enough");
    EXPECT_THAT(waits(), IsEmpty()) << "its game is over";
}

}  // namespace

namespace {

using referee::scheduler::Seating;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

// A match of one game between "ada" and "bob".
class SeatingTest : public ::testing::Test {
 protected:
    SeatingTest() {
        room.open({"ada", "bob"});
        room.draw();
        room.log_in({"ada"});
    }
    referee::play::PlaySetup setup(const Seating& seating) {
        return room.scheduled->setup_of(room.first_game(), seating);
    }
    ScheduledRoom room;
};

// Who is absent; nothing where nobody sits down.
std::optional<std::vector<engines::Seat>> absent(ScheduledRoom& room) {
    const auto seating = room.seating();
    if (!seating) return std::nullopt;
    return seating->absent;
}

TEST_F(SeatingTest, bots_that_are_free_sit_down_by_seat) {
    room.log_in({"bob"});
    const auto seating = room.seating();
    ASSERT_TRUE(seating);
    EXPECT_THAT(seating->bots, ElementsAre(&room.bot("ada"), &room.bot("bob")));
    EXPECT_THAT(seating->absent, IsEmpty());
    EXPECT_THAT(room.wanted, IsEmpty());
}

TEST_F(SeatingTest, who_is_away_is_called_and_awaited_and_then_absent) {
    EXPECT_FALSE(room.seating());
    EXPECT_THAT(room.wanted, ElementsAre("bob"));
    room.pass(room.config.no_show_after - 1ms);
    EXPECT_FALSE(room.seating());
    EXPECT_EQ(room.looked, 0);
    room.log_in({"bob"}, other_games);
    EXPECT_FALSE(room.seating()) << "here it plays no more than where it was";
    room.pass(1ms);
    EXPECT_EQ(room.looked, 1) << "somebody looks then";
    EXPECT_THAT(absent(room), Optional(ElementsAre(1U)));
    EXPECT_EQ(room.seating()->bots[1], &room.bot("bob"));
}

TEST_F(SeatingTest, who_plays_elsewhere_is_waited_for_however_long_it_takes) {
    room.log_in({"bob"});
    std::optional<OtherGame> other(std::in_place, room.bot("bob"));
    EXPECT_FALSE(room.seating());
    room.pass(room.config.no_show_after * 2);
    EXPECT_FALSE(room.seating());
    room.log_out("bob");
    EXPECT_FALSE(room.seating()) << "that game's clock runs on";
    room.pass(room.config.no_show_after * 2);
    EXPECT_FALSE(room.seating());
    EXPECT_THAT(room.wanted, IsEmpty());
    other.reset();
    EXPECT_FALSE(room.seating()) << "only now it is awaited";
    EXPECT_THAT(room.wanted, ElementsAre("bob"));
}

TEST_F(SeatingTest, nobody_waits_for_a_bot_that_is_withdrawn_and_on_a_fixed_list_nor_plays_it) {
    room.withdraw("bob");
    EXPECT_THAT(absent(room), Optional(ElementsAre(1U)));
    EXPECT_THAT(room.wanted, IsEmpty());
    room.log_in({"bob"});
    EXPECT_THAT(absent(room), Optional(ElementsAre(1U))) << "though it is here";
}

TEST(SeatingInASwiss, a_bot_that_is_withdrawn_plays_the_round_that_is_drawn) {
    ScheduledRoom room;
    room.config.format.options = referee::formats::SwissOptions{.rounds = 1};
    room.open({"ada", "bob"});
    room.draw();
    room.log_in({"ada", "bob"});
    room.withdraw("bob");
    EXPECT_THAT(absent(room), Optional(IsEmpty()));
}

// "dead" gives no valid move, and is withdrawn for that after its first match.
TEST(SeatingOfIdle, a_bot_that_was_withdrawn_as_idle_is_absent_though_it_is_here) {
    ScheduledRoom room;
    room.config.withdraw_after = 1;
    room.config.format.options = referee::formats::RoundRobinOptions{.cycles = 2};
    room.open({"ada", "dead"});
    room.draw();
    room.log_in({"ada", "dead"});
    room.end_game(GameStatus::played);
    room.draw();
    ASSERT_TRUE(room.contest().withdrawn_as_idle(1));
    EXPECT_THAT(absent(room), Optional(ElementsAre(room.first_game().entrants[0] == 1 ? 0U : 1U)));
}

TEST(Seating, a_bot_that_leaves_after_each_game_sits_down_when_that_is_recorded) {
    ScheduledRoom two;
    two.config.match.games = 2;
    two.open({"ada", "bob", "cam"});
    two.draw();
    two.log_in({"ada", "bob", "cam"});
    const auto id = two.sit();
    two.tables.stop("enough");
    const auto bots = two.tables.at(id).table->bots();
    two.end(two.tables.at(id).plan, GameStatus::interrupted);
    EXPECT_TRUE(two.seating()) << "bots that stay may begin at once";
    two.leaves_after_games = {bots[0]->name()};
    EXPECT_FALSE(two.seating());
    two.tables.close(id);
    EXPECT_TRUE(two.seating());
}

TEST_F(SeatingTest, the_game_has_the_rules_of_its_contest) {
    const Seating seating{{&room.bot("ada"), &room.bot("bob")}, {}};
    const auto play = setup(seating);
    EXPECT_EQ(play.key, room.first_game().key);
    EXPECT_EQ(play.seed, room.first_game().seed);
    EXPECT_EQ(play.game, games().find("walls"));
    EXPECT_EQ(play.params, room.config.setups[0]);
    EXPECT_THAT(play.bots, ElementsAre("ada", "bob"));
    EXPECT_EQ(play.clock.budget, room.config.clock.budget);
    EXPECT_EQ(play.ready_budget, room.config.ready_budget);
    EXPECT_THAT(play.absences, IsEmpty());
}

TEST_F(SeatingTest, it_is_told_why_a_bot_is_absent) {
    room.comings["bob"].absence.cause = "it crashed at its launch";
    const Seating seating{{&room.bot("ada"), &room.bot("bob")}, {1}};
    auto play = setup(seating);
    ASSERT_EQ(play.absences.size(), 1U);
    EXPECT_EQ(play.absences.at(1).cause, "it crashed at its launch");
    EXPECT_EQ(play.absences.at(1).withdrawn, "");
    room.withdraw("bob");
    play = setup(seating);
    EXPECT_EQ(play.absences.at(1).withdrawn, "is withdrawn from t");
    EXPECT_EQ(play.absences.at(1).cause, "ill");
}

}  // namespace
}  // namespace tests::sim
