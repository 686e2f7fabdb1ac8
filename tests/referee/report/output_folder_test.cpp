#include <gmock/gmock.h>

#include "referee/report/output_folder.h"

namespace referee::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::int64_t minute = 60'000;
constexpr std::int64_t hour = 60 * minute;
constexpr std::int64_t day = 24 * hour;
constexpr std::int64_t friday = 1'795'737'600'000;  // 2026-11-27, 00:00
constexpr std::uint64_t gigabyte = 1'000'000'000;

TEST(DiskForecast, TellsTheDayOnceADayAndWhoAsksAtAnyTime) {
    DiskForecast forecast;
    EXPECT_FALSE(forecast.look(friday, {60 * gigabyte}, "out"));
    EXPECT_FALSE(forecast.look(friday + 59 * minute, {59 * gigabyte}, "out")) << "too soon to tell";
    // 7 GB in 12 hours: the other 53 GB last 3 days and 19 hours.
    const auto told = forecast.look(friday + 12 * hour, {53 * gigabyte, gigabyte}, "out");
    ASSERT_TRUE(told);
    EXPECT_THAT(
        *told, AllOf(HasSubstr("the disk of out is full on Tuesday, 2026-12-01"),
                     HasSubstr("14.00 GB more each day, of which 2.00 GB are the referee's records "
                               "and replays, 53.00 GB are free"),
                     HasSubstr("other programs fill it")));
    EXPECT_FALSE(forecast.look(friday + 13 * hour, {52 * gigabyte}, "out"));
    EXPECT_THAT(forecast.text(), HasSubstr("2026-12-0"));
    const auto later = forecast.look(friday + 36 * hour, {42 * gigabyte, 20 * gigabyte}, "out");
    EXPECT_THAT(later.value_or("nothing a day later"), HasSubstr("or lower replays_mb"));
}

TEST(DiskForecast, SaysNothingWhereTheDiskLastsOrGetsRoom) {
    DiskForecast slow;
    slow.look(friday, {600 * gigabyte}, "out");
    EXPECT_FALSE(slow.look(friday + day, {590 * gigabyte}, "out"));
    EXPECT_EQ(slow.text(), "");
    DiskForecast room;
    room.look(friday, {60 * gigabyte}, "out");
    EXPECT_TRUE(room.look(friday + hour, {50 * gigabyte}, "out"));
    EXPECT_FALSE(room.look(friday + 2 * hour, {70 * gigabyte}, "out"));
    EXPECT_EQ(room.text(), "");
}

TEST(DiskForecast, ReplaysGrowToTheirBoundAndThenOthersFillAlone) {
    constexpr auto bound = 8 * gigabyte;
    DiskForecast forecast;
    forecast.look(friday, {60 * gigabyte, 0, bound}, "out");
    // 6 GB a day, 4 of them replays, of which 6 GB are to come: others fill 51 GB in 25 days.
    EXPECT_FALSE(forecast.look(friday + 12 * hour, {57 * gigabyte, 2 * gigabyte, bound}, "out"));
    EXPECT_FALSE(forecast.look(friday + 18 * hour, {53 * gigabyte, bound, bound}, "out"));
    EXPECT_THAT(forecast.look(friday + day, {24 * gigabyte, bound, bound}, "out").value_or(""),
                HasSubstr("Saturday, 2026-11-28"));
}

TEST(DiskForecast, AClockThatIsSetBackBeginsAnew) {
    DiskForecast forecast;
    forecast.look(friday, {60 * gigabyte}, "out");
    EXPECT_FALSE(forecast.look(friday - hour, {50 * gigabyte}, "out"));
    EXPECT_FALSE(forecast.look(friday, {50 * gigabyte}, "out")) << "nothing was filled since";
}

}  // namespace
}  // namespace referee::report
