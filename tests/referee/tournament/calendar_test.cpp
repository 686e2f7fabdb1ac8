#include "referee/tournament/calendar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/machine_zone.h"
#include "tests/referee/tournament/class_room.h"

namespace tests::sim {
namespace {

using referee::config::Moment;
using referee::config::moment_in;
using referee::records::TournamentState;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A ladder, and a Friday for its best that begins at 14:00; the wall clock is set by the test.
class CalendarTest : public ::testing::Test {
 protected:
    CalendarTest() {
        live_in_vienna();
        room.wall_clock = [this] {
            return clock_set_to +
                   std::chrono::duration_cast<std::chrono::seconds>(room.world.now() - set_at);
        };
        auto friday = room.config.tournaments[0];
        friday.id = "friday";
        friday.format.options = referee::formats::RoundRobinOptions{};
        friday.field_from = {.ladder = "practice", .best = 0};
        friday.starts_by_order = true;
        friday.calendar.starts = moment_in("2026-11-27T14:00");
        room.config.tournaments.push_back(friday);
        set_clock("2026-11-27T13:00");
    }
    void set_clock(const std::string& text) {
        clock_set_to = *moment_in(text);
        set_at = room.world.now();
    }
    auto come(const std::string& name) {
        return room.log_in(name, "192.0.2.1", "a token of " + name);
    }
    void two_come() {
        for (const auto* name : {"ada", "bob"}) players.push_back(come(name));
        room.play_on(45s, players);
    }
    // The time has come at which friday begins.
    void friday_comes() {
        set_clock("2026-11-27T14:00");
        room.world.pass(15s);
    }
    // Another one like friday.
    referee::config::TournamentConfig& add_saturday() {
        auto saturday = room.config.tournaments[1];
        saturday.id = "saturday";
        return room.config.tournaments.emplace_back(saturday);
    }
    referee::contests::ContestStatus status(const std::string& id) const {
        return *room.referee->scheduler().status_of(id);
    }
    std::vector<std::string> news_of_friday() const {
        std::vector<std::string> news;
        for (const auto& one : room.states)
            if (one.starts_with("friday")) news.push_back(one);
        return news;
    }
    std::string wait_of(const std::string& id) const {
        for (const auto& wait : room.referee->scheduler().waits())
            if (wait.tournament == id) return describe(wait, room.world.now());
        return {};
    }
    std::size_t openings() const {
        const auto& records = room.journal.committed();
        return static_cast<std::size_t>(std::ranges::count_if(records, [](const auto& record) {
            const auto* opening = std::get_if<referee::records::OpeningRecord>(&record);
            return opening != nullptr && opening->tournament == "friday";
        }));
    }

    ClassRoom room;
    Moment clock_set_to{};
    Instant set_at{};
    std::vector<std::shared_ptr<ScriptedBot>> players;
};

TEST_F(CalendarTest, ATournamentBeginsAtItsTime) {
    room.open();
    two_come();
    EXPECT_EQ(status("friday").comes_next, "begins on Fri 2026-11-27 14:00 +0100");
    EXPECT_EQ(wait_of("friday"), "friday begins on Fri 2026-11-27 14:00 +0100");
    EXPECT_EQ(room.told_next["friday"], "begins on Fri 2026-11-27 14:00 +0100");
    EXPECT_FALSE(room.waits.contains("friday waits for the order to begin"));
    room.world.pass(59min);
    EXPECT_FALSE(status("friday").begun);
    room.world.pass(30s);
    EXPECT_THAT(news_of_friday(), ElementsAre("friday running: started by the calendar"));
    EXPECT_EQ(status("friday").entries->size(), 2U);
    EXPECT_EQ(status("friday").comes_next, "");
    EXPECT_EQ(room.told_next["friday"], "");
}

TEST_F(CalendarTest, WhatBeganByOrderIsNotToBeginAnyMore) {
    room.open();
    two_come();
    EXPECT_EQ(status("practice").round, 0U) << "a ladder has no rounds";
    auto field = room.referee->field_of(room.config.tournaments[1]);
    ASSERT_TRUE(field) << field.error();
    room.referee->scheduler().orders().begin({"friday", "by order"}, field->entries, "{}", "test",
                                             [](const auto& begun) { EXPECT_TRUE(begun); });
    room.world.pass(1s);
    EXPECT_EQ(status("friday").comes_next, "");
}

TEST_F(CalendarTest, TheFieldTakesThoseFirstWhoHavePlayedOnTheLadder) {
    room.config.tournaments[1].field_from->best = 2;
    add_saturday().field_from->best = 3;
    room.open();
    two_come();
    room.play_on(3min, players);
    come("eve");
    room.world.pass(1s);
    friday_comes();
    EXPECT_EQ(status("friday").state_reason,
              "started by the calendar; left out with fewer than 3 matches of practice: eve");
    EXPECT_FALSE(status("friday").entrant_named("eve"));
    EXPECT_EQ(status("saturday").state_reason,
              "started by the calendar; taken with fewer than 3 matches of practice: eve");
    EXPECT_EQ(status("saturday").entries->back().name, "eve");
}

TEST_F(CalendarTest, AHouseBotIsInAFieldOnlyWhereThatIsAskedFor) {
    room.config.tournaments[1].house = {"bob"};
    add_saturday().field_from->has_house = true;
    room.open();
    players.push_back(come("cam"));
    two_come();
    friday_comes();
    EXPECT_EQ(status("friday").entries->size(), 2U);
    EXPECT_FALSE(status("friday").entrant_named("bob"));
    EXPECT_TRUE(status("saturday").entrant_named("bob"));
    EXPECT_THAT(status("saturday").state_reason, HasSubstr("; house bots in the field: bob"));
}

TEST_F(CalendarTest, WhoIsLeftOutOfAFieldIsToldWithTheOrderThatLetsItIn) {
    auto& friday = room.config.tournaments[1];
    friday.field_from->best = 2;
    friday.format.options = referee::formats::SwissOptions{};
    room.open();
    two_come();
    room.play_on(3min, players);
    const auto fay = come("fay");
    come("eve");
    come("gus");
    room.world.pass(1s);
    using referee::tournament::Standing;
    room.referee->give_tokens(
        {*room.referee->roster().registered().judged("gus", Standing::refused)}, [] {});
    room.referee->scheduler().orders().withdraw({"practice", "ill"}, "eve", [](const auto&) {});
    fay->link->close();
    friday_comes();
    EXPECT_EQ(status("friday").state_reason,
              "started by the calendar; left out, because refused or not approved: gus; left out "
              "without a match of practice, and not here: fay; "
              "left out, because withdrawn from practice: eve: `referee ctl admit friday eve` lets "
              "one in");
}

// Each start is on record: neither a clock that is set back nor another process begins it again.
TEST_F(CalendarTest, AnEventHappensOnceHoweverTheClockJumps) {
    room.open();
    two_come();
    set_clock("2026-11-27T14:30");
    room.world.pass(15s);
    EXPECT_THAT(news_of_friday(),
                ElementsAre("friday running: started 30 minutes late: it was to begin on Fri "
                            "2026-11-27 14:00 +0100"));
    set_clock("2026-11-27T13:59");
    room.world.pass(2min);
    room.cut_off();
    set_clock("2026-11-27T13:59");
    room.open();
    room.world.pass(2min);
    EXPECT_EQ(openings(), 1U);
}

TEST_F(CalendarTest, ADaemonThatWasDownBeginsLateAndSaysSo) {
    room.open();
    two_come();
    room.cut_off();
    set_clock("2026-11-27T16:05");
    room.open();
    EXPECT_THAT(
        news_of_friday(),
        ElementsAre(testing::StartsWith("friday running: started 125 minutes late: it was")));
    EXPECT_EQ(status("friday").state_reason.substr(0, 24), "started 125 minutes late");
}

TEST_F(CalendarTest, AFieldThatIsTooSmallIsToldAndAwaited) {
    room.open();
    room.world.pass(61min);
    EXPECT_THAT(wait_of("friday"),
                testing::StartsWith("friday was to begin on Fri 2026-11-27 14:00 +0100, and can't "
                                    "yet: "));
    EXPECT_THAT(news_of_friday(), IsEmpty());
    two_come();
    EXPECT_TRUE(status("friday").begun);
}

TEST_F(CalendarTest, AReloadMovesAStart) {
    room.open();
    two_come();
    auto config = room.config;
    config.tournaments[1].calendar.starts = moment_in("2026-11-27T15:00");
    auto change = room.referee->prepare_change(config);
    ASSERT_TRUE(change);
    room.referee->commit(config, *std::move(change));
    EXPECT_EQ(status("friday").comes_next, "begins on Fri 2026-11-27 15:00 +0100");
    room.world.pass(61min);
    EXPECT_FALSE(status("friday").begun);
    room.world.pass(1h);
    EXPECT_TRUE(status("friday").begun);
}

TEST_F(CalendarTest, ALadderEndsAtItsTimeForGood) {
    room.config.tournaments[0].calendar.until = moment_in("2026-11-27T13:30");
    room.open();
    two_come();
    EXPECT_EQ(status("practice").comes_next, "ends on Fri 2026-11-27 13:30 +0100");
    EXPECT_GT(status("practice").matches_played, 0U);
    set_clock("2026-11-27T13:30");
    room.play_on(30s, players);
    EXPECT_THAT(room.states, ElementsAre("practice finished: its time was over"));
    const auto played = status("practice").matches_played;
    set_clock("2026-11-27T13:00");
    room.play_on(30s, players);
    room.cut_off();
    room.open();
    EXPECT_EQ(status("practice").state, TournamentState::finished);
    EXPECT_EQ(status("practice").matches_played, played);
    EXPECT_TRUE(room.referee->lobby().bots().contains("ada")) << "known, although it is away";
    friday_comes();
    EXPECT_EQ(status("friday").entries->size(), 2U) << "who played has its place on Friday";
}

// Who was away while it was closed has all the time of a match to come.
TEST_F(CalendarTest, MatchesBeginWithinTheHours) {
    auto& practice = room.config.tournaments[0];
    practice.calendar.hours = referee::config::hours_in("18:00-23:00");
    practice.calendar.until = moment_in("2026-11-26T12:00");
    set_clock("2026-11-25T17:00");
    room.open();
    two_come();
    EXPECT_EQ(status("practice").matches_played, 0U);
    EXPECT_EQ(wait_of("practice"), "practice begins matches again on Wed 2026-11-25 18:00 +0100");
    set_clock("2026-11-25T18:00");
    room.play_on(1min, players);
    EXPECT_GT(status("practice").matches_played, 0U);
    EXPECT_EQ(status("practice").comes_next, "begins matches until Wed 2026-11-25 23:00 +0100");
    set_clock("2026-11-25T23:00");
    room.play_on(30s, players);
    const auto played = status("practice").matches_played;
    EXPECT_EQ(room.referee->scheduler().games_running(), 0U);
    room.play_on(2min, players);
    EXPECT_EQ(status("practice").matches_played, played);
    EXPECT_EQ(status("practice").comes_next, "ends on Thu 2026-11-26 12:00 +0100");
}

}  // namespace
}  // namespace tests::sim
