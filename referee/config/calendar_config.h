#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "protocol/json/reader.h"

// Times of the wall clock, as an instructor writes them. Where a time names no zone, it is of the
// machine's: TZ, else /etc/localtime.

namespace referee::config {

using Moment = std::chrono::sys_seconds;

// "2026-11-27T14:00", "2026-11-27T14:00+01:00", "2026-11-27T13:00Z", with or without seconds;
// nothing for other texts.
std::optional<Moment> moment_in(const std::string& text);
// "Fri 2026-11-27 14:00 +0100", in the machine's zone.
std::string moment_text(Moment moment);

// A part of each day in the machine's zone, in minutes since midnight; it may go over midnight.
struct DailyHours {
    int from = 0;
    int to = 0;
};

// Of "18:00-23:00"; nothing for other texts, and for hours without a length.
std::optional<DailyHours> hours_in(const std::string& text);
bool is_within(const DailyHours& hours, Moment moment);
// The next moment after that one at which it is so many minutes since midnight.
Moment next_at(int minutes, Moment after);

// When a tournament begins and ends.
struct CalendarConfig {
    std::optional<Moment> starts;     // it begins by itself then
    std::optional<Moment> until;      // of a ladder: no match is drawn from then on
    std::optional<DailyHours> hours;  // its matches begin only within these

    bool empty() const { return !starts && !until && !hours; }
};

// "starts", "until" and "hours" of a tournament; whether it waits for an order or its start.
bool read_calendar(protocol::json::Reader& reader, CalendarConfig& calendar);

// What the calendar says, a phrase each: "begins on Fri 2026-11-27 14:00 +0100".
std::string describe(const CalendarConfig& calendar);

}  // namespace referee::config
