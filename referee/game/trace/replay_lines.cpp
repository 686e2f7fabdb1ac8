#include "referee/game/trace/replay_lines.h"

#include <algorithm>
#include <optional>

namespace referee::trace {
namespace {

namespace json = protocol::json;

std::string text_of_value(json::View view) {
    std::string text;
    json::Writer writer(text);
    view.write(writer);
    return text;
}

// The turns that the lines have. Each is an object with moves, or with a seat that forfeits.
base::Result<Charged, Refusal> turns_in(std::string_view lines, const std::string& file) {
    json::Document document;
    Charged turns;
    for (std::size_t number = 2; !lines.empty(); ++number) {
        const auto place = file + ':' + std::to_string(number) + ": ";
        const auto end = lines.find('\n');
        const auto parsed = document.parse(lines.substr(0, end), {.depth_max = line_depth_max});
        if (!parsed) return base::failure(Refusal{place + parsed.error().message});
        const auto line = document.root();
        if (line.find("moves")) {
            auto& charged = turns.emplace_back();
            for (const auto us : line.find("used_us").elements())
                charged.push_back(us.integer().value_or(0));
        } else if (!line.find("forfeit")) {
            return base::failure(
                Refusal{place + "expected a line with \"moves\" or \"forfeit\" in it"});
        }
        lines.remove_prefix(end + 1);
    }
    return turns;
}

}  // namespace

base::Result<Lines, Refusal> lines_of(std::string_view replay, const std::string& file) {
    while (replay.ends_with('\n')) replay.remove_suffix(1);
    const auto first_end = replay.find('\n');
    const auto last_begin = replay.rfind('\n');
    if (replay.empty())
        return base::failure(
            Refusal{file + ":1: expected a replay's first line, found an empty file"});
    if (first_end == std::string_view::npos)
        return base::failure(
            Refusal{file + ": expected a last line with the result; the replay is cut short"});
    return Lines{replay.substr(0, first_end), replay.substr(first_end + 1, last_begin - first_end),
                 replay.substr(last_begin + 1)};
}

base::Result<Charged, Refusal> compared_turns(json::View told, const Lines& lines,
                                              const std::string& file) {
    auto turns = turns_in(lines.turns, file);
    if (!turns || !told) return turns;
    const auto played = static_cast<std::int64_t>(turns->size());
    const auto number = told.integer();
    if (!number || *number < 0) {
        const auto last = 2 + std::count(lines.turns.begin(), lines.turns.end(), '\n');
        return base::failure(Refusal{
            file + ':' + std::to_string(last) +
            ": result.turns: expected a number of turns from 0 on, found " + text_of_value(told)});
    }
    if (*number == played) return turns;
    return base::failure(Refusal{file + ": the result tells " + std::to_string(*number) +
                                 (*number == 1 ? " turn" : " turns") + ", and the replay has " +
                                 std::to_string(played) +
                                 " of them; expected a replay as the referee wrote it"});
}

std::vector<json::View> by_seat(json::View array, std::size_t seats) {
    std::vector<json::View> all;
    for (const auto element : array.elements()) all.push_back(element);
    all.resize(seats);
    return all;
}

}  // namespace referee::trace
