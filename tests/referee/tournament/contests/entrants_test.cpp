#include "referee/tournament/contests/entrants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/tournament/contests/contest_player.h"

namespace referee::contests {
namespace {

using formats::Presence;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class EntrantsTest : public ::testing::Test {
 protected:
    static constexpr std::uint32_t idle_most = 2;

    EntrantsTest() {
        for (const auto& entry : field_of(3)) entrants.add(entry);
    }
    void note(std::initializer_list<Presence> row) {
        for (const auto presence : row) entrants.note(1, presence);
    }
    Entrants entrants{idle_most};
};

TEST_F(EntrantsTest, stand_in_the_order_of_entry) {
    entrants.add({.name = "late"});
    EXPECT_EQ(entrants.size(), 4U);
    EXPECT_EQ(entrants.named("b1"), Entrant{1});
    EXPECT_EQ(entrants.named("late"), Entrant{3});
    EXPECT_EQ(entrants.named("nobody"), std::nullopt);
}

TEST_F(EntrantsTest, the_first_reason_of_a_withdrawal_stays) {
    entrants.withdraw(1, 3, "ill", {true, 7});
    entrants.withdraw(1, 5, "again", {false, 9});
    EXPECT_EQ(entrants.all_withdrawn().at(1), "ill");
    EXPECT_TRUE(entrants.leave_of(1).in_match);
    EXPECT_EQ(entrants.leave_of(1).last_match, 7U);
    EXPECT_EQ(entrants.entry(1).last_round, 4U) << "the round is that of the last record";
}

TEST_F(EntrantsTest, who_comes_back_plays_all_rounds_again) {
    entrants.withdraw(1, 3, "ill", {});
    ASSERT_TRUE(entrants.withdrawn(1));
    entrants.come_back(1);
    EXPECT_FALSE(entrants.withdrawn(1));
    EXPECT_THAT(entrants.all_withdrawn(), IsEmpty());
    EXPECT_EQ(entrants.entry(1).last_round, UINT32_MAX);
}

TEST_F(EntrantsTest, who_is_idle_too_often_in_a_row_is_to_be_withdrawn) {
    note({Presence::away, Presence::played, Presence::silent});
    EXPECT_THAT(entrants.idle_too_long(), IsEmpty()) << "that was no row";
    note({Presence::no_turn, Presence::away});
    EXPECT_THAT(entrants.idle_too_long(), ElementsAre(1U));
    EXPECT_EQ(entrants.idle_reason(1),
              "it did not show up or gave no valid move in 2 matches in a row");
    EXPECT_FALSE(entrants.withdrawn_as_idle(1)) << "not yet";
    entrants.withdraw(1, 3, entrants.idle_reason(1), {});
    EXPECT_TRUE(entrants.withdrawn_as_idle(1));
    EXPECT_THAT(entrants.idle_too_long(), IsEmpty()) << "it is withdrawn already";
    entrants.come_back(1);
    EXPECT_FALSE(entrants.withdrawn_as_idle(1));
    EXPECT_THAT(entrants.idle_too_long(), IsEmpty()) << "nothing is held against it";
}

TEST_F(EntrantsTest, where_none_is_the_most_nobody_is_too_often_idle) {
    entrants = Entrants(0);
    for (const auto& entry : field_of(3)) entrants.add(entry);
    note({Presence::away, Presence::silent, Presence::away});
    EXPECT_THAT(entrants.idle_too_long(), IsEmpty());
}

TEST_F(EntrantsTest, the_reason_of_who_is_idle_tells_the_last_cause_that_is_known) {
    entrants.note(1, Presence::away, "exit status 1");
    entrants.note(1, Presence::silent, "exit status 3");
    EXPECT_EQ(entrants.idle_reason(1),
              "it did not show up or gave no valid move in 2 matches in a row, the last time for "
              "this: exit status 3");
    entrants.note(1, Presence::played, "a fault that cost nothing");
    note({Presence::away, Presence::away});
    EXPECT_EQ(entrants.idle_reason(1), "it did not show up in 2 matches in a row");
}

TEST_F(EntrantsTest, a_withdrawal_by_order_is_not_for_being_idle) {
    note({Presence::away});
    entrants.withdraw(1, 3, "ill", {});
    EXPECT_FALSE(entrants.withdrawn_as_idle(1));
}

TEST_F(EntrantsTest, an_annulled_game_begins_the_row_anew) {
    note({Presence::away});
    entrants.annulled(1);
    note({Presence::away});
    EXPECT_THAT(entrants.idle_too_long(), IsEmpty());
}

TEST_F(EntrantsTest, a_match_that_is_played_ends_the_row_of_those_that_were_left) {
    EXPECT_EQ(entrants.left_in_a_row(1), 0U);
    entrants.left_match(1);
    entrants.left_match(1);
    EXPECT_EQ(entrants.left_in_a_row(1), 2U);
    EXPECT_EQ(entrants.left_in_a_row(0), 0U);
    entrants.played_match(1);
    EXPECT_EQ(entrants.left_in_a_row(1), 0U);
}

TEST_F(EntrantsTest, what_is_shared_never_changes) {
    const auto before = entrants.shared_entries();
    const auto nobody = entrants.shared_withdrawn();
    EXPECT_EQ(entrants.shared_entries(), before) << "nothing has changed";
    entrants.withdraw(1, 3, "ill", {});
    EXPECT_EQ((*before)[1].last_round, UINT32_MAX);
    EXPECT_EQ((*entrants.shared_entries())[1].last_round, 2U);
    EXPECT_THAT(*nobody, IsEmpty());
    EXPECT_EQ(entrants.shared_withdrawn()->size(), 1U);
}

}  // namespace
}  // namespace referee::contests
