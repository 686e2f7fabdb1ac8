#include "referee/tournament/scheduler/attendance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/tournament/scheduler/scheduled_room.h"

namespace tests::sim {
namespace {

using referee::scheduler::Attendance;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Names = std::vector<std::string>;

class AttendanceTest : public ::testing::Test {
 protected:
    // Games are drawn, and wait.
    void open(const Names& names) {
        room.open(names);
        room.draw();
    }
    Attendance& attendance() { return room.scheduled->attendance; }
    // Until when a game waits for the bot, from now on.
    Duration await(const std::string& name) {
        return attendance().await(room.bot(name)) - room.now();
    }
    Names arrivals() {
        return told(waits_of([this](auto& found) { attendance().add_arrivals(found); }),
                    room.now());
    }
    std::vector<Wait> absences() {
        return waits_of([this](auto& found) { attendance().add_absences(found); });
    }
    Names absences_told() { return told(absences(), room.now()); }

    ScheduledRoom room;
};

TEST_F(AttendanceTest, the_first_games_wait_until_all_are_there) {
    room.open({"ada", "bob"});
    room.log_in({"ada"});
    EXPECT_THAT(arrivals(), IsEmpty()) << "nobody was called";
    EXPECT_FALSE(attendance().gather());
    EXPECT_THAT(room.wanted, ElementsAre("bob")) << "who is away is called";
    room.pass(1s);
    EXPECT_EQ(room.looked, 1) << "it is looked for again each second";
    EXPECT_THAT(arrivals(), ElementsAre("t waits for bob to connect, 0:19 left"));
    EXPECT_TRUE(attendance().waits_for_arrivals());
    room.log_in({"bob"});
    EXPECT_FALSE(attendance().waits_for_arrivals());
    EXPECT_TRUE(attendance().gather());
    EXPECT_THAT(arrivals(), IsEmpty());
    room.log_out("bob");
    EXPECT_TRUE(attendance().gather()) << "once gathered, it waits no more";
}

TEST_F(AttendanceTest, the_first_games_wait_only_so_long_and_as_long_behind_a_break) {
    room.open({"ada", "bob"});
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

TEST(Attendance, waits_for_nobody_before_the_first_games_where_nobody_has_to_come) {
    struct Case {
        const char* name;
        std::function<void(ScheduledRoom&)> make;
        Names wanted;
    };
    for (const auto& [name, make, wanted] : std::vector<Case>{
             {"who is away is withdrawn or launched",
              [](auto& room) {
                  room.launched = {"bob"};
                  room.open({"ada", "bob", "cam"});
                  room.log_in({"ada"});
                  room.withdraw("cam");
              },
              {"bob"}},
             {"a ladder",
              [](auto& room) {
                  room.config.format.options = referee::formats::LadderOptions{};
                  room.open({"ada", "bob"});
              },
              {}},
             {"a former run has drawn",
              [](auto& room) {
                  room.open({"ada", "bob"});
                  room.draw();
              },
              {}},
             {"an order begins without them",
              [](auto& room) {
                  room.open({"ada", "bob"});
                  EXPECT_FALSE(room.scheduled->attendance.gather());
                  room.scheduled->attendance.begin_without();
              },
              {"ada", "bob"}},
         }) {
        SCOPED_TRACE(name);
        ScheduledRoom room;
        make(room);
        EXPECT_FALSE(room.scheduled->attendance.waits_for_arrivals());
        EXPECT_TRUE(room.scheduled->attendance.gather());
        EXPECT_EQ(room.wanted, wanted);
    }
}

TEST_F(AttendanceTest, a_game_waits_from_the_first_time_on_that_it_is_asked) {
    open({"ada", "bob"});
    EXPECT_EQ(await("ada"), 5s);
    room.pass(2s);
    EXPECT_EQ(await("ada"), 3s);
    EXPECT_EQ(await("bob"), 5s) << "another bot, another absence";
}

TEST_F(AttendanceTest, absences_up_to_an_excuse_or_a_break_do_not_count) {
    open({"ada", "bob"});
    for (const auto& excuse : {&Attendance::excuse, &Attendance::wait_anew}) {
        await("ada");
        room.pass(4s);
        (attendance().*excuse)();
        EXPECT_EQ(await("ada"), 5s);
        room.pass(2s);
        EXPECT_EQ(await("ada"), 3s);
    }
}

TEST_F(AttendanceTest, games_wait_for_who_was_away_before_their_tournament_began) {
    room.launched = {"bob"};
    room.open({"ada", "bob"});
    room.log_in({"ada"});
    await("bob");  // as another tournament's game
    room.pass(1min);
    EXPECT_TRUE(attendance().gather());
    EXPECT_EQ(await("bob"), 5s);
    room.pass(1min);
    EXPECT_TRUE(attendance().gather());
    EXPECT_EQ(await("bob"), -55s) << "it began before that";
    attendance().begin_without();
    EXPECT_EQ(await("bob"), 5s);
}

TEST_F(AttendanceTest, who_is_being_started_has_its_time_for_that) {
    open({"ada", "bob"});
    room.comings["ada"].until = room.now() + 30s;
    room.comings["bob"].until = room.now() + 1s;
    EXPECT_EQ(await("ada"), 30s);
    EXPECT_EQ(await("bob"), 5s) << "it only lengthens the wait";
}

TEST_F(AttendanceTest, who_is_launched_no_more_is_waited_for_only_where_an_order_may_launch_it) {
    room.launched = {"bob"};
    open({"ada", "bob"});
    await("bob");
    room.pass(1s);
    room.comings["bob"].given_up = true;
    EXPECT_EQ(await("bob"), -1s);
    room.settings.stays = true;
    EXPECT_EQ(await("bob"), room.config.no_show_after - 1s);
}

// Bots that are idle in a match are withdrawn at once here; "dead" gives no valid move.
TEST(Attendance, who_was_withdrawn_as_idle_and_comes_by_itself_is_let_in_again_once) {
    ScheduledRoom room;
    room.config.withdraw_after = 1;
    room.open({"ada", "dead"});
    room.draw();
    room.end_game(GameStatus::played);
    ASSERT_TRUE(room.contest().withdrawn_as_idle(1));
    auto& attendance = room.scheduled->attendance;
    const auto back = [&](const Names& came, const Json& login = Json::object()) {
        for (const auto& name : came) {
            if (!room.bot(name).connected()) room.log_in({name}, login);
            attendance.came(room.bot(name));
        }
        Names names;
        for (const auto& entry : attendance.back()) names.push_back(entry.name);
        for (const auto& name : came) room.log_out(name);
        return names;
    };
    EXPECT_THAT(back({"dead"}, other_games), IsEmpty()) << "it plays other games";
    room.launched = {"dead"};
    EXPECT_THAT(back({"dead"}), IsEmpty()) << "it is launched";
    room.launched = {};
    EXPECT_THAT(back({"ada", "dead", "dead"}), ElementsAre("dead")) << "ada was never withdrawn";
    EXPECT_THAT(back({}), IsEmpty());
    room.withdraw("ada");
    EXPECT_THAT(back({"ada"}), IsEmpty()) << "that was an order";
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
    await("bob");
    await("ada");
    EXPECT_THAT(absences_told(), ElementsAre("2 games of t wait for bob, who is away, 0:05 left; "
                                             "then they are forfeited"))
        << "ada is here";
    EXPECT_FALSE(absences()[0].routine);
    room.pass(5s);
    EXPECT_THAT(absences(), IsEmpty());
    attendance().excuse();
    EXPECT_EQ(absences().size(), 1U);
    room.withdraw("bob");
    EXPECT_THAT(absences(), IsEmpty()) << "nobody waits for it";
}

TEST_F(Absent, it_is_told_what_keeps_the_bot) {
    await("bob");
    room.comings["bob"] = {.until = {}, .absence = {}, .launch = "is being launched"};
    ASSERT_EQ(absences().size(), 1U);
    EXPECT_EQ(absences()[0].detail, "is being launched");
    EXPECT_TRUE(absences()[0].routine);
    room.comings["bob"].failing = true;
    EXPECT_FALSE(absences()[0].routine);
    room.log_in({"bob"}, other_games);
    EXPECT_EQ(absences().at(0).detail, "is here and does not play walls");
}

}  // namespace
}  // namespace tests::sim
