#include "referee/config/calendar_config.h"

#include <ctime>

namespace referee::config {
namespace {

using std::chrono::seconds;

constexpr int minutes_an_hour = 60;
constexpr std::size_t moment_bytes_max = 64;

std::tm local(Moment moment) {
    const auto since_1970 = static_cast<std::time_t>(moment.time_since_epoch().count());
    std::tm parts{};
    ::localtime_r(&since_1970, &parts);
    return parts;
}

Moment moment_of(std::time_t since_1970) {
    return Moment{seconds(since_1970)};
}

int minutes_of(const std::tm& parts) {
    return parts.tm_hour * minutes_an_hour + parts.tm_min;
}

std::string time_text(int minutes) {
    std::tm parts{};
    parts.tm_hour = minutes / minutes_an_hour;
    parts.tm_min = minutes % minutes_an_hour;
    char text[moment_bytes_max];
    return {text, std::strftime(text, sizeof text, "%H:%M", &parts)};
}

std::optional<Moment> read_moment(protocol::json::Reader& reader, std::string_view member,
                                  const std::string& expected) {
    const auto text = reader.optional_text(member);
    if (!text) return std::nullopt;
    const auto moment = moment_in(std::string(*text));
    if (!moment)
        reader.wrong(member, "expected " + expected +
                                 "a time such as \"2026-11-27T14:00\", in the machine's zone, or "
                                 "\"2026-11-27T14:00+01:00\"");
    return moment;
}

}  // namespace

std::optional<Moment> moment_in(const std::string& text) {
    std::tm date{};
    const char* rest = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M", &date);
    if (rest != nullptr && *rest == ':') rest = ::strptime(rest, ":%S", &date);
    if (rest == nullptr) return std::nullopt;
    const bool is_local = *rest == '\0';
    std::tm zone{};
    if (!is_local) rest = ::strptime(rest, "%z", &zone);
    if (rest == nullptr || *rest != '\0') return std::nullopt;
    const auto day = date.tm_mday;  // the 31st of a shorter month becomes another day
    date.tm_isdst = -1;
    const auto since_1970 = is_local ? ::mktime(&date) : ::timegm(&date) - zone.tm_gmtoff;
    if (date.tm_mday != day) return std::nullopt;
    return moment_of(since_1970);
}

std::string moment_text(Moment moment) {
    const auto parts = local(moment);
    char text[moment_bytes_max];
    return {text, std::strftime(text, sizeof text, "%a %Y-%m-%d %H:%M %z", &parts)};
}

std::optional<DailyHours> hours_in(const std::string& text) {
    std::tm from{};
    std::tm to{};
    const char* rest = ::strptime(text.c_str(), "%H:%M-", &from);
    if (rest != nullptr) rest = ::strptime(rest, "%H:%M", &to);
    if (rest == nullptr || *rest != '\0') return std::nullopt;
    const DailyHours hours{minutes_of(from), minutes_of(to)};
    if (hours.from == hours.to) return std::nullopt;
    return hours;
}

bool is_within(const DailyHours& hours, Moment moment) {
    const auto now = minutes_of(local(moment));
    if (hours.from < hours.to) return hours.from <= now && now < hours.to;
    return hours.from <= now || now < hours.to;
}

Moment next_at(int minutes, Moment after) {
    auto parts = local(after);
    parts.tm_hour = minutes / minutes_an_hour;
    parts.tm_min = minutes % minutes_an_hour;
    parts.tm_sec = 0;
    const auto on_day = [&parts](int days) {
        auto day = parts;
        day.tm_mday += days;
        day.tm_isdst = -1;
        return moment_of(::mktime(&day));
    };
    const auto today = on_day(0);
    return today > after ? today : on_day(1);
}

bool read_calendar(protocol::json::Reader& reader, CalendarConfig& calendar) {
    const auto starts = reader.optional_text("starts").value_or("at_once");
    if (starts != "at_once" && starts != "by_order")
        calendar.starts = read_moment(reader, "starts", "\"at_once\", \"by_order\" or ");
    calendar.until = read_moment(reader, "until", "");
    if (calendar.starts && calendar.until && *calendar.until <= *calendar.starts)
        reader.wrong("until", "expected a time after \"starts\", " + moment_text(*calendar.starts));
    const auto hours = reader.optional_text("hours");
    if (hours && !(calendar.hours = hours_in(std::string(*hours))))
        reader.wrong("hours",
                     "expected hours of each day in the machine's zone, such as \"18:00-23:00\"");
    return starts != "at_once";
}

std::string describe(const CalendarConfig& calendar) {
    std::string text;
    const auto add = [&text](const std::string& phrase) {
        text += (text.empty() ? "" : ", ") + phrase;
    };
    if (calendar.starts) add("begins on " + moment_text(*calendar.starts));
    if (calendar.until) add("ends on " + moment_text(*calendar.until));
    if (calendar.hours)
        add("begins matches only from " + time_text(calendar.hours->from) + " to " +
            time_text(calendar.hours->to));
    return text;
}

}  // namespace referee::config
