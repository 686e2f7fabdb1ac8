#include "referee/submit/exports/deadline.h"

#include <charconv>
#include <chrono>
#include <cstdio>

#include "protocol/base/text.h"

namespace referee::exports {
namespace {

constexpr int seconds_a_minute = 60;
constexpr int seconds_an_hour = 3600;
constexpr int hour_most = 23;
constexpr int minute_most = 59;

// Reads a text from its beginning; each part says whether it stood there.
class Cursor {
 public:
    explicit Cursor(std::string_view text) : rest_(text) {}

    bool number(std::size_t digits, int& into) {
        if (rest_.size() < digits) return false;
        const auto* end = rest_.data() + digits;
        const auto read = std::from_chars(rest_.data(), end, into);
        if (read.ec != std::errc() || read.ptr != end || into < 0) return false;
        rest_.remove_prefix(digits);
        return true;
    }
    bool one_of(std::string_view characters) {
        if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool next_is(char character) const { return !rest_.empty() && rest_.front() == character; }
    void skip_digits() {
        while (!rest_.empty() && base::is_digit(rest_.front())) rest_.remove_prefix(1);
    }
    bool at_end() const { return rest_.empty(); }

 private:
    std::string_view rest_;
};

// The zone's distance from UTC in seconds.
std::optional<int> zone_in(Cursor& cursor) {
    while (cursor.one_of(" ")) continue;
    if (cursor.one_of("Zz")) return 0;
    const bool west = cursor.next_is('-');
    int hours = 0, minutes = 0;
    if (!cursor.one_of("+-") || !cursor.number(2, hours)) return std::nullopt;
    cursor.one_of(":");
    if (!cursor.number(2, minutes) || hours > hour_most || minutes > minute_most)
        return std::nullopt;
    const int distance = hours * seconds_an_hour + minutes * seconds_a_minute;
    return west ? -distance : distance;
}

}  // namespace

std::optional<std::int64_t> moment_in(std::string_view text) {
    using namespace std::chrono;
    Cursor cursor(text);
    int y = 0, m = 0, d = 0, hour = 0, minute = 0, second = 0;
    const bool begins = cursor.number(4, y) && cursor.one_of("-") && cursor.number(2, m) &&
                        cursor.one_of("-") && cursor.number(2, d) && cursor.one_of("T ") &&
                        cursor.number(2, hour) && cursor.one_of(":") && cursor.number(2, minute);
    if (!begins) return std::nullopt;
    if (cursor.one_of(":") && !cursor.number(2, second)) return std::nullopt;
    if (cursor.one_of(".")) cursor.skip_digits();
    const auto zone = zone_in(cursor);
    const year_month_day date(year{y}, month{static_cast<unsigned>(m)},
                              day{static_cast<unsigned>(d)});
    if (!zone || !cursor.at_end() || !date.ok() || hour > hour_most || minute > minute_most ||
        second > minute_most)
        return std::nullopt;
    const auto days = sys_days(date).time_since_epoch();
    return duration_cast<seconds>(days).count() + hour * seconds_an_hour +
           minute * seconds_a_minute + second - *zone;
}

std::string moment_text(std::int64_t seconds_since) {
    using namespace std::chrono;
    const sys_seconds moment{seconds(seconds_since)};
    const auto days_since = floor<days>(moment);
    const year_month_day date(days_since);
    const hh_mm_ss time(moment - days_since);
    char text[sizeof "-2147483648-12-31T23:59:59Z"];
    std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ",
                  static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()), static_cast<int>(time.hours().count()),
                  static_cast<int>(time.minutes().count()),
                  static_cast<int>(time.seconds().count()));
    return text;
}

base::Result<Deadline, std::string> deadline_in(std::string_view text) {
    const auto sign = text.find('=');
    Deadline deadline;
    if (sign != std::string_view::npos) deadline.name = text.substr(0, sign);
    const auto moment = moment_in(sign == std::string_view::npos ? text : text.substr(sign + 1));
    if (!moment || sign == 0) {
        return base::failure(
            "expected a moment with its zone, such as 2026-05-01T23:59+02:00, or a name and a "
            "moment, such as challenge-1=2026-05-01T23:59+02:00, found " +
            std::string(text));
    }
    deadline.at_s = *moment;
    return deadline;
}

std::int64_t late_by(std::int64_t moment_s, const Deadline& deadline, std::int64_t grace_s) {
    const auto late_s = moment_s - deadline.at_s;
    return late_s > grace_s ? late_s : 0;
}

}  // namespace referee::exports
