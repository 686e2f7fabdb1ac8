#include "referee/office/audit/recording.h"

#include <sstream>
#include <utility>

#include "protocol/json/document.h"
#include "protocol/json/printable.h"
#include "referee/games/trace/replay_lines.h"
#include "referee/games/trace/trace.h"

namespace referee::audit {
namespace {

namespace json = protocol::json;

// A bot of such a game knew what came before from `history`, which an audit doesn't give.
bool is_fork(std::string_view first_line) {
    json::Document document;
    return document.parse(first_line, {.depth_max = trace::line_depth_max}) &&
           document.root().find("forked_from");
}

// A result has a name of a program for each seat, or no such list.
std::vector<std::string> programs_in(std::string_view last_line, std::size_t seats) {
    std::vector<std::string> programs(seats);
    json::Document document;
    if (!document.parse(last_line, {.depth_max = trace::line_depth_max})) return programs;
    const auto told = trace::by_seat(document.root().find("result").find("program"), seats);
    for (std::size_t seat = 0; seat < seats; ++seat)
        programs[seat] = told[seat].string().value_or("");
    return programs;
}

std::string told_otherwise(const std::string& file, const std::vector<std::string>& differences) {
    std::string text = file +
                       ": the engine of today decides otherwise than this replay tells, so the "
                       "turns of then can't be given again; it was changed, or recorded under "
                       "older rules:";
    for (const auto& difference : differences) text += "\n  " + json::visible_line(difference);
    return text;
}

}  // namespace

base::Result<Recording, std::string> recording_of(std::string_view replay, const std::string& file,
                                                  const engines::Registry& registry) {
    std::istringstream text{std::string(replay)};
    const auto checked = trace::check_replay(text, file, registry);
    if (!checked) return base::failure(checked.error().message);
    if (!checked->differences.empty())
        return base::failure(told_otherwise(file, checked->differences));
    const auto lines = trace::lines_of(replay, file);
    if (!lines) return base::failure(lines.error().message);
    if (is_fork(lines->first))
        return base::failure(file +
                             ":1: expected a game that was played from its start, found one that "
                             "goes on from a turn of another game (forked_from)");
    auto whole = trace::whole_game(replay, file, registry);
    if (!whole) return base::failure(whole.error().message);
    Recording recording;
    recording.game = registry.find(whole->game);
    const auto key = game_key(whole->past.game_id);
    if (!key)
        return base::failure(file +
                             ":1: game_id: expected a game's id such as friday/12.1, found " +
                             json::visible_line(whole->past.game_id));
    recording.key = *key;
    recording.turns_text = lines->turns;
    recording.programs = programs_in(lines->last, whole->past.bots.size());
    recording.whole = *std::move(whole);
    return recording;
}

}  // namespace referee::audit
