#include "referee/tournament/scheduler/attendance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/tournament/scheduler/scheduled_room.h"

namespace tests::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class AttendanceTest : public ::testing::Test {
 protected:
    // Nothing is drawn yet: the first games wait for their bots.
    void enter(const std::vector<std::string>& names) { room.open(names); }
    // Games are drawn, and wait.
    void open(const std::vector<std::string>& names) {
        enter(names);
        room.draw();
    }
    referee::scheduler::Attendance& attendance() { return room.scheduled->attendance; }
    std::vector<Wait> arrivals() {
        return waits_of([this](auto& found) { attendance().add_arrivals(found); });
    }
    std::vector<Wait> absences() {
        return waits_of([this](auto& found) { attendance().add_absences(found); });
    }
    ScheduledRoom room;
};

TEST_F(AttendanceTest, the_first_games_wait_until_all_are_there) {
    enter({"ada", "bob"});
    room.log_in({"ada"});
    EXPECT_FALSE(attendance().gather());
    EXPECT_THAT(room.wanted, ElementsAre("bob")) << "who is away is called";
    room.pass(1s);
    EXPECT_EQ(room.looked, 1) << "it is looked for again each second";
    room.log_in({"bob"});
    EXPECT_TRUE(attendance().gather());
    room.log_out("bob");
    EXPECT_TRUE(attendance().gather()) << "once gathered, it waits no more";
}

TEST_F(AttendanceTest, the_first_games_wait_only_so_long) {
    enter({"ada", "bob"});
    EXPECT_FALSE(attendance().gather());
    room.pass(room.settings.join_within - 1s);
    EXPECT_FALSE(attendance().gather());
    room.pass(1s);
    EXPECT_TRUE(attendance().gather());
}

TEST_F(AttendanceTest, nobody_waits_for_the_withdrawn_nor_for_bots_that_are_launched) {
    room.launched = {"bob"};
    enter({"ada", "bob", "cam"});
    room.log_in({"ada"});
    room.withdraw("cam");
    EXPECT_TRUE(attendance().gather());
    EXPECT_THAT(room.wanted, ElementsAre("bob"));
}

TEST_F(AttendanceTest, a_ladder_waits_for_nobody) {
    room.config.format.options = referee::formats::LadderOptions{};
    room.open({"ada", "bob"});
    EXPECT_TRUE(attendance().gather());
    EXPECT_FALSE(attendance().waits_for_arrivals());
    EXPECT_THAT(room.wanted, IsEmpty());
}

TEST_F(AttendanceTest, an_order_begins_without_who_is_missing) {
    enter({"ada", "bob"});
    EXPECT_FALSE(attendance().gather());
    EXPECT_TRUE(attendance().waits_for_arrivals());
    attendance().begin_without();
    EXPECT_FALSE(attendance().waits_for_arrivals());
    EXPECT_TRUE(attendance().gather());
}

TEST_F(AttendanceTest, where_a_former_run_has_drawn_nobody_is_waited_for_before_the_games) {
    open({"ada", "bob"});
    EXPECT_FALSE(attendance().waits_for_arrivals());
    EXPECT_TRUE(attendance().gather());
    EXPECT_THAT(room.wanted, IsEmpty());
}

TEST_F(AttendanceTest, where_all_are_there_no_arrival_is_awaited) {
    enter({"ada", "bob"});
    room.log_in({"ada", "bob"});
    EXPECT_FALSE(attendance().waits_for_arrivals());
}

TEST_F(AttendanceTest, behind_a_break_the_first_games_wait_as_long_as_at_first) {
    enter({"ada", "bob"});
    EXPECT_FALSE(attendance().gather());
    room.pass(room.settings.join_within - 1s);
    attendance().wait_anew();
    room.pass(room.settings.join_within - 1s);
    EXPECT_FALSE(attendance().gather()) << "bots are called when it is asked";
    room.pass(room.settings.join_within - 1s);
    EXPECT_FALSE(attendance().gather());
    room.pass(1s);
    EXPECT_TRUE(attendance().gather());
}

TEST_F(AttendanceTest, who_is_missing_is_told_from_the_call_on) {
    enter({"ada", "bob"});
    std::vector<Wait> found;
    EXPECT_FALSE(attendance().add_arrivals(found)) << "nobody was called";
    EXPECT_THAT(found, IsEmpty());
    room.log_in({"ada"});
    EXPECT_FALSE(attendance().gather());
    const auto called = room.now();
    room.pass(3s);
    ASSERT_EQ(arrivals().size(), 1U);
    EXPECT_EQ(arrivals()[0].kind, Wait::Kind::for_arrivals);
    EXPECT_THAT(arrivals()[0].bots, ElementsAre("bob"));
    EXPECT_EQ(arrivals()[0].until, called + room.settings.join_within);
    attendance().begin_without();
    EXPECT_THAT(arrivals(), IsEmpty());
}

TEST_F(AttendanceTest, a_game_waits_from_the_first_time_on_that_it_is_asked) {
    open({"ada", "bob"});
    const auto began = room.now();
    EXPECT_EQ(attendance().await(room.bot("ada")), began + 5s);
    room.pass(2s);
    EXPECT_EQ(attendance().await(room.bot("ada")), began + 5s);
    EXPECT_EQ(attendance().await(room.bot("bob")), began + 7s) << "another bot, another absence";
}

TEST_F(AttendanceTest, absences_up_to_an_excuse_do_not_count) {
    open({"ada", "bob"});
    attendance().await(room.bot("ada"));
    room.pass(4s);
    attendance().excuse();
    EXPECT_EQ(attendance().await(room.bot("ada")), room.now() + 5s);
    const auto excused = room.now();
    room.pass(2s);
    EXPECT_EQ(attendance().await(room.bot("ada")), excused + 5s);
}

TEST_F(AttendanceTest, games_wait_for_who_was_away_before_their_tournament_began) {
    room.launched = {"bob"};
    enter({"ada", "bob"});
    room.log_in({"ada"});
    attendance().await(room.bot("bob"));  // as another tournament's game
    room.pass(1min);
    EXPECT_TRUE(attendance().gather());
    EXPECT_EQ(attendance().await(room.bot("bob")), room.now() + 5s);
    room.pass(1min);
    EXPECT_TRUE(attendance().gather());
    EXPECT_EQ(attendance().await(room.bot("bob")), room.now() - 55s) << "it began before that";
    attendance().begin_without();
    EXPECT_EQ(attendance().await(room.bot("bob")), room.now() + 5s);
}

TEST_F(AttendanceTest, behind_a_break_a_game_waits_as_long_as_at_first) {
    open({"ada", "bob"});
    attendance().await(room.bot("ada"));
    room.pass(4s);
    attendance().wait_anew();
    EXPECT_EQ(attendance().await(room.bot("ada")), room.now() + 5s);
}

TEST_F(AttendanceTest, who_is_being_started_has_its_time_for_that) {
    open({"ada", "bob"});
    const auto began = room.now();
    room.comings["ada"].until = began + 30s;
    room.comings["bob"].until = began + 1s;
    EXPECT_EQ(attendance().await(room.bot("ada")), began + 30s);
    EXPECT_EQ(attendance().await(room.bot("bob")), began + 5s) << "it only lengthens the wait";
}

// Bots that are idle in a match are withdrawn at once here; "dead" gives no valid move.
class ComingBack : public AttendanceTest {
 protected:
    ComingBack() {
        room.config.withdraw_after = 1;
        open({"ada", "dead"});
        room.end_game(GameStatus::played);
    }
    std::vector<std::string> back() {
        std::vector<std::string> names;
        for (const auto& entry : attendance().back()) names.push_back(entry.name);
        return names;
    }
};

TEST_F(ComingBack, who_was_withdrawn_as_idle_is_let_in_again_once) {
    ASSERT_TRUE(room.contest().withdrawn_as_idle(1));
    room.log_in({"ada", "dead"});
    attendance().came(room.bot("ada"));
    attendance().came(room.bot("dead"));
    attendance().came(room.bot("dead"));
    EXPECT_THAT(back(), ElementsAre("dead")) << "ada was never withdrawn";
    EXPECT_THAT(back(), IsEmpty());
}

TEST_F(ComingBack, who_was_withdrawn_by_order_stays_out) {
    room.withdraw("ada");
    room.log_in({"ada"});
    attendance().came(room.bot("ada"));
    EXPECT_THAT(back(), IsEmpty());
}

TEST_F(ComingBack, a_bot_that_is_launched_stays_out) {
    room.launched = {"dead"};
    room.log_in({"dead"});
    attendance().came(room.bot("dead"));
    EXPECT_THAT(back(), IsEmpty());
}

TEST_F(ComingBack, a_bot_that_plays_other_games_stays_out) {
    room.room.log_in("dead", {}, Json{{"games", {"superball"}}});
    attendance().came(room.bot("dead"));
    EXPECT_THAT(back(), IsEmpty());
}

class Absent : public AttendanceTest {
 protected:
    // Three bots have a match each against each, and "bob" is away.
    Absent() {
        open({"ada", "bob", "cam"});
        room.log_in({"ada", "cam"});
    }
};

TEST_F(Absent, a_bot_for_which_games_wait_is_told_until_its_time_is_over) {
    EXPECT_THAT(absences(), IsEmpty()) << "no game waits for it yet";
    const auto until = attendance().await(room.bot("bob"));
    ASSERT_EQ(absences().size(), 1U);
    const auto wait = absences()[0];
    EXPECT_EQ(wait.kind, Wait::Kind::for_bot);
    EXPECT_THAT(wait.bots, ElementsAre("bob"));
    EXPECT_EQ(wait.count, 2U) << "of its games";
    EXPECT_EQ(wait.until, until);
    EXPECT_EQ(wait.detail, "is away");
    EXPECT_FALSE(wait.routine);
    room.pass(5s);
    EXPECT_THAT(absences(), IsEmpty());
}

TEST_F(Absent, it_is_told_what_keeps_the_bot) {
    attendance().await(room.bot("bob"));
    room.comings["bob"] = {.until = {}, .absence = {}, .launch = "is being launched"};
    ASSERT_EQ(absences().size(), 1U);
    EXPECT_EQ(absences()[0].detail, "is being launched");
    EXPECT_TRUE(absences()[0].routine);
    room.comings["bob"].failing = true;
    EXPECT_FALSE(absences()[0].routine);
    room.room.log_in("bob", {}, Json{{"games", {"superball"}}});
    EXPECT_EQ(absences().at(0).detail, "is here and does not play walls");
}

TEST_F(AttendanceTest, a_ladder_says_nothing_of_the_launch_of_a_bot_that_plays_another_game) {
    room.config.format.options = referee::formats::LadderOptions{};
    room.launched = {"ada", "bob"};
    room.comings["bob"].launch = "is being launched";
    room.open({"ada", "bob"});
    room.log_in({"ada"});
    room.room.log_in("bob", {}, Json{{"games", {"superball"}}});
    const auto waits = waits_of([&](auto& found) { room.scheduled->ladder.add_rests(found); });
    ASSERT_EQ(waits.size(), 1U);
    EXPECT_EQ(subject_of(waits[0]), "t waits for opponents to connect: 1 bot is here");
}

TEST_F(Absent, nobody_waits_for_who_is_here_or_withdrawn) {
    attendance().await(room.bot("bob"));
    attendance().await(room.bot("ada"));
    ASSERT_EQ(absences().size(), 1U) << "ada is here";
    room.withdraw("bob");
    EXPECT_THAT(absences(), IsEmpty());
}

TEST_F(AttendanceTest, who_is_launched_no_more_is_waited_for_only_where_an_order_may_launch_it) {
    for (const bool stays : {false, true}) {
        ScheduledRoom other;
        other.settings.stays = stays;
        other.launched = {"bob"};
        other.open({"ada", "bob"});
        other.draw();
        auto& attendance = other.scheduled->attendance;
        const auto until = attendance.await(other.bot("bob"));
        EXPECT_EQ(until, other.now() + other.config.no_show_after);
        other.pass(1s);
        other.comings["bob"].given_up = true;
        const auto given_up = attendance.await(other.bot("bob"));
        EXPECT_EQ(given_up, stays ? until : other.now() - 1s);
    }
}

}  // namespace
}  // namespace tests::sim
