#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/config/config.h"
#include "referee/config/read_config.h"
#include "referee/config/read_values.h"
#include "tests/machine_zone.h"
#include "tests/referee/config/config_reading.h"

namespace referee::config {
namespace {

using namespace std::chrono_literals;

std::string as_utc(const std::optional<Moment>& moment) {
    return moment ? std::to_string(moment->time_since_epoch().count()) : "none";
}

class CalendarConfigTest : public ::testing::Test {
 protected:
    CalendarConfigTest() { tests::live_in_vienna(); }
};

TEST_F(CalendarConfigTest, ATimeIsOfItsZoneOrOfTheMachines) {
    const Moment winter{1'795'784'400s};  // 2026-11-27, 13:00 UTC
    for (const auto* text : {"2026-11-27T14:00", "2026-11-27T14:00:00", "2026-11-27T13:00Z",
                             "2026-11-27T15:00+02:00", "2026-11-27T08:00-0500"})
        EXPECT_EQ(as_utc(moment_in(text)), as_utc(winter)) << text;
    EXPECT_EQ(moment_text(winter), "Fri 2026-11-27 14:00 +0100");
    EXPECT_EQ(moment_text(*moment_in("2026-06-05T14:00")), "Fri 2026-06-05 14:00 +0200");
    for (const auto* text : {"", "friday", "2026-11-27", "2026-02-30T14:00", "2026-11-27T25:00",
                             "2026-11-27T14:00 o'clock", "2026-11-27T14:00+", "27.11.2026 14:00"})
        EXPECT_FALSE(moment_in(text)) << text;
}

TEST_F(CalendarConfigTest, HoursHoldEachDayOfTheMachinesZone) {
    const auto evening = *hours_in("18:00-23:00");
    const auto night = *hours_in("22:30-02:00");
    struct Case {
        const char* at;
        bool in_the_evening;
        bool at_night;
    };
    for (const auto& [at, in_the_evening, at_night] :
         {Case{"T17:59", false, false}, Case{"T18:00", true, false}, Case{"T22:59", true, true},
          Case{"T23:00", false, true}, Case{"T01:59", false, true}, Case{"T02:00", false, false}}) {
        for (const std::string day : {"2026-11-27", "2026-06-05"}) {
            EXPECT_EQ(is_within(evening, *moment_in(day + at)), in_the_evening) << day << at;
            EXPECT_EQ(is_within(night, *moment_in(day + at)), at_night) << day << at;
        }
    }
    // In between the clocks are put back: that day has 25 hours.
    EXPECT_EQ(moment_text(next_at(evening.from, *moment_in("2026-10-24T18:00"))),
              "Sun 2026-10-25 18:00 +0100");
    EXPECT_EQ(moment_text(next_at(evening.from, *moment_in("2026-10-24T17:59"))),
              "Sat 2026-10-24 18:00 +0200");
    for (const auto* text : {"", "18-23", "18:00-18:00", "18:00-24:30", "18:00", "18:00-23:00h"})
        EXPECT_FALSE(hours_in(text)) << text;
}

TEST_F(CalendarConfigTest, ATournamentWaitsForItsStart) {
    const auto config =
        good(R"({"bots": [{"name": "a"}, {"name": "b"}], "tournaments": [{"id": "practice",
            "game": "walls", "format": {"kind": "ladder"}, "starts": "2026-11-23T08:00",
            "until": "2026-11-27T13:00", "hours": "18:00-23:00"}]})");
    const auto& practice = config.tournaments.at(0);
    EXPECT_TRUE(practice.starts_by_order);
    EXPECT_EQ(describe(practice.calendar),
              "begins on Mon 2026-11-23 08:00 +0100, ends on Fri 2026-11-27 13:00 +0100, begins "
              "matches only from 18:00 to 23:00");
    EXPECT_EQ(practice.text.find("until"), std::string::npos) << "a reload may change it";
    check(
        R"({"bots": [{"name": "a"}, {"name": "b"}], "tournaments": [{"id": "t", "game": "walls",)",
        R"rows(
        "format": {"kind": "ladder"}, "starts": "2026-11-27T14:00", "until": "2026-11-27T13:00"
            -> tournaments[0].until: after "starts", Fri 2026-11-27 14:00 +0100
    )rows",
        "}]}");
}

TEST_F(CalendarConfigTest, AFieldThatIsTakenBeforeItsLadderEndsIsWarnedOf) {
    const auto warnings = [](const std::string& starts) {
        return good(R"({"bots": [{"name": "a"}, {"name": "b"}], "tournaments": [
            {"id": "practice", "game": "walls", "format": {"kind": "ladder"},
             "until": "2026-11-27T13:00"},
            {"id": "friday", "game": "walls", "format": {"kind": "swiss"},
             "field": {"ladder": "practice"}, "starts": ")" +
                    starts + "\"}]}")
            .warnings;
    };
    EXPECT_THAT(warnings("2026-11-27T12:59"),
                testing::ElementsAre(
                    "tournament friday: starts: its field is taken on Fri 2026-11-27 12:59 +0100, "
                    "before the ladder practice ends on Fri 2026-11-27 13:00 +0100"));
    EXPECT_THAT(warnings("2026-11-27T13:00"), testing::IsEmpty());
}

TEST(ConfigTimeTest, Texts) {
    struct Case {
        const char* text;
        std::optional<Duration> time;
    };
    for (const auto& [text, time] : {
             Case{"50ms", 50ms},    Case{"1s", 1s},     Case{"1.5s", 1500ms}, Case{"0s", 0ms},
             Case{"250us", 250us},  Case{"10m", 10min}, Case{"2h", 2h},       Case{"744h", 744h},
             Case{"0.0005us", 1ns}, Case{"", {}},       Case{"s", {}},        Case{"5", {}},
             Case{"5 s", {}},       Case{" 5s", {}},    Case{"5s ", {}},      Case{"5S", {}},
             Case{"5sec", {}},      Case{"5d", {}},     Case{"-1s", {}},      Case{"+1s", {}},
             Case{"1,5s", {}},      Case{"745h", {}},   Case{"1e300s", {}},   Case{"1e999s", {}},
             Case{"infs", {}},      Case{"nans", {}},   Case{"-nans", {}},    Case{"0x10s", {}},
         }) {
        EXPECT_EQ(time_from(text), time) << '"' << text << '"';
    }
}

// A number counts microseconds, which few mean who write 1.
TEST(ConfigTimeTest, ABudgetBelowAMillisecondIsWarnedOf) {
    const auto warnings = [](const std::string& clock) {
        return good(R"({"bots": [{"name": "a", "launch": ["a"]}, {"name": "b", "launch": ["b"]}],
            "tournaments": [{"id": "t", "game": "walls", "clock": {)" +
                    clock + "}}]}")
            .warnings;
    };
    using testing::AllOf;
    using testing::ElementsAre;
    using testing::HasSubstr;
    EXPECT_THAT(warnings(R"("budget": 1)"),
                ElementsAre(AllOf(HasSubstr("tournament t: clock.budget: a turn's budget is 1 us"),
                                  HasSubstr("expected a time such as \"1s\""))));
    EXPECT_THAT(warnings(R"("budget": "999us")"), ElementsAre(HasSubstr("less than 1 ms")));
    EXPECT_THAT(warnings(R"("kind": "game", "budget": 500)"),
                ElementsAre(HasSubstr("a game's budget is 500 us")));
    EXPECT_THAT(warnings(R"("budget": "1ms")"), testing::IsEmpty());
    EXPECT_THAT(warnings(R"("kind": "none", "hard_limit": "1s")"), testing::IsEmpty());
}

TEST(ConfigTimeTest, AWaitBelowAMillisecondIsWarnedOf) {
    const auto config =
        good(R"({"bots": [{"name": "a"}, {"name": "b"}], "join_within": 10, "grace": 0,
            "tournaments": [{"id": "t", "game": "walls", "no_show_after": 60, "ready": "10s"}]})");
    using testing::StartsWith;
    EXPECT_THAT(config.warnings,
                testing::ElementsAre(StartsWith("join_within: 10 us is less than 1 ms. A number "),
                                     StartsWith("tournament t: no_show_after: 60 us is less")));
}

}  // namespace
}  // namespace referee::config
