#include "referee/office/cli/forecast.h"

#include <string_view>
#include <utility>

#include "referee/office/report/text_table.h"

namespace referee::cli {
namespace {

constexpr std::int64_t seconds_a_minute = 60;
constexpr std::int64_t seconds_an_hour = 3600;
constexpr std::int64_t seconds_a_day = 24 * seconds_an_hour;
// From so many days on hours are no news.
constexpr std::int64_t days_alone = 3;
constexpr std::int64_t ms_a_second = 1000;

std::string counted(std::uint64_t count, const std::string& one, const std::string& several) {
    return std::to_string(count) + " " + (count == 1 ? one : several);
}

std::string range_text(const CountRange& range, const std::string& one,
                       const std::string& several) {
    if (range.least == range.most) return counted(range.most, one, several);
    return std::to_string(range.least) + " to " + counted(range.most, one, several);
}

// "2 h 10 min", "2 h".
std::string two_units(std::int64_t first, const std::string& unit, std::int64_t second,
                      const std::string& smaller) {
    return std::to_string(first) + " " + unit +
           (second == 0 ? std::string() : " " + std::to_string(second) + " " + smaller);
}

std::int64_t ms_of(Duration time) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

std::string basis_text(CurveBasis basis) {
    switch (basis) {
        case CurveBasis::played:
            return "games as long as those that are known";
        case CurveBasis::told:
            return "games as long as you say";
        case CurveBasis::assumed:
            return "no such game is known, so each is assumed to take a tenth of the longest";
    }
    return {};
}

std::string cell(const std::optional<Duration>& time) {
    return time ? time_text(*time) : "no end";
}

// A table of several lines, and what it comes to.
std::string curve_text(const CoresCurve& curve, const Machine& machine) {
    std::string text = "by the number of cores";
    if (machine.job_cores)
        text += " of all jobs, each with " + counted(*machine.job_cores, "core", "cores");
    text += " (expected: " + basis_text(curve.basis) +
            "; longest: each is the longest that its rules allow)";
    report::TextTable table({"cores", "expected", "longest", ""});
    for (const auto& point : curve.points)
        table.add({std::to_string(point.cores), cell(point.expected), cell(point.longest),
                   point.cores == machine.cores ? "as it is now" : ""});
    auto lines = table.text();
    if (curve.enough > 0)
        lines += "from " + counted(curve.enough, "core", "cores") +
                 " on, twice as many save less than a tenth\n";
    lines += "more than " + counted(curve.useful_most, "core doesn't", "cores don't") +
             " help: " + curve.why;
    for (std::size_t begin = 0; begin != std::string::npos;) {
        const auto end = lines.find('\n', begin);
        text += "\n    " + lines.substr(begin, end - begin);
        begin = end == std::string::npos ? end : end + 1;
    }
    return text;
}

std::string_view name_of(CurveBasis basis) {
    switch (basis) {
        case CurveBasis::played:
            return "played";
        case CurveBasis::told:
            return "told";
        case CurveBasis::assumed:
            return "assumed";
    }
    return {};
}

void write_curve(protocol::json::Writer& writer, const CoresCurve& curve) {
    writer.key("curve").begin_object().member("rests_on", name_of(curve.basis));
    writer.key("points").begin_array();
    for (const auto& point : curve.points) {
        writer.begin_object().member("cores", static_cast<std::uint64_t>(point.cores));
        if (point.expected) writer.member("expected_ms", ms_of(*point.expected));
        if (point.longest) writer.member("longest_ms", ms_of(*point.longest));
        writer.end_object();
    }
    writer.end_array();
    if (curve.enough > 0) writer.member("enough", static_cast<std::uint64_t>(curve.enough));
    writer.member("useful_most", static_cast<std::uint64_t>(curve.useful_most))
        .member("why", curve.why)
        .end_object();
}

}  // namespace

std::string time_text(Duration time) {
    const auto ms = ms_of(time);
    if (ms < ms_a_second) return "less than 1 s";
    const auto all = (ms + ms_a_second / 2) / ms_a_second;
    if (all < 2 * seconds_a_minute) return std::to_string(all) + " s";
    const auto minutes = (all + seconds_a_minute / 2) / seconds_a_minute;
    constexpr std::int64_t minutes_an_hour = seconds_an_hour / seconds_a_minute;
    if (minutes < 2 * minutes_an_hour) return std::to_string(minutes) + " min";
    if (all < 2 * seconds_a_day)
        return two_units(minutes / minutes_an_hour, "h", minutes % minutes_an_hour, "min");
    const auto hours = (all + seconds_an_hour / 2) / seconds_an_hour;
    constexpr std::int64_t hours_a_day = seconds_a_day / seconds_an_hour;
    const auto days = hours / hours_a_day;
    if (days >= days_alone) return std::to_string(days) + " days";
    return two_units(days, "days", hours % hours_a_day, "h");
}

std::vector<std::string> describe(const Forecast& forecast) {
    const auto head = forecast.tournament + ": ";
    if (!forecast.unknown.empty())
        return {head + "how many games it has can't be said: " + forecast.unknown};
    std::vector<std::string> lines;
    lines.push_back(head + range_text(forecast.matches, "match", "matches") + ", " +
                    range_text(forecast.games, "game", "games"));
    auto time = head + "takes " + time_text(forecast.best) + " at best, ";
    time += forecast.likely ? time_text(*forecast.likely) + " likely, "
                            : "a likely time isn't known before such games were played (--out), ";
    time += forecast.worst ? "at worst " + time_text(*forecast.worst)
                           : "and has no worst: by its rules a game may go on without end";
    time += "; " + counted(forecast.machine.games_at_once, "game", "games") + " at once";
    if (forecast.launches) {
        time += " on " + counted(forecast.machine.cores, "core", "cores");
        if (forecast.likely || forecast.worst)
            time += forecast.cores_to_halve > 0
                        ? ", and " + std::to_string(forecast.cores_to_halve) +
                              " cores would halve " +
                              (forecast.likely ? "the likely time" : "the worst")
                        : ", and no number of cores would halve it: bots wait for one another";
    } else {
        time += "; the bots think on their own machines";
    }
    lines.push_back(std::move(time));
    if (!forecast.curve.points.empty())
        lines.push_back(head + curve_text(forecast.curve, forecast.machine));
    return lines;
}

void write_members(protocol::json::Writer& writer, const Forecast& forecast) {
    if (!forecast.unknown.empty()) {
        writer.member("unknown", forecast.unknown);
        return;
    }
    const auto range = [&writer](std::string_view name, const CountRange& of) {
        writer.key(name).begin_object().member("least", of.least).member("most", of.most);
        writer.end_object();
    };
    writer.member("bots", static_cast<std::uint64_t>(forecast.bots));
    range("matches", forecast.matches);
    range("games", forecast.games);
    writer.member("games_at_once", static_cast<std::uint64_t>(forecast.machine.games_at_once))
        .member("cores", static_cast<std::uint64_t>(forecast.machine.cores))
        .member("best_ms", ms_of(forecast.best));
    if (forecast.likely) {
        writer.member("likely_ms", ms_of(*forecast.likely))
            .member("games_known", forecast.games_known);
    }
    if (forecast.worst) writer.member("worst_ms", ms_of(*forecast.worst));
    if (forecast.turns_most) writer.member("turns_most", *forecast.turns_most);
    if (forecast.cores_to_halve > 0)
        writer.member("cores_to_halve", static_cast<std::uint64_t>(forecast.cores_to_halve));
    if (forecast.machine.job_cores)
        writer.member("job_cores", static_cast<std::uint64_t>(*forecast.machine.job_cores));
    if (!forecast.curve.points.empty()) write_curve(writer, forecast.curve);
}

}  // namespace referee::cli
