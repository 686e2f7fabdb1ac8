#include <algorithm>
#include <istream>

#include "referee/games/trace/trace.h"
#include "referee/games/trace/turn_line.h"

namespace referee::trace {
namespace {

namespace json = protocol::json;

constexpr std::int64_t replay_version = 1;
constexpr std::size_t header_depth_max = 64;

std::string json_of(json::View view) {
    std::string text;
    json::Writer writer(text);
    view.write(writer);
    return text;
}

// The setup that a replay's first line holds, as the text of a setup file.
base::Result<std::string, Refusal> setup_text(std::string_view line, const std::string& file,
                                              std::string& game_id) {
    json::Document document;
    if (const auto parsed = document.parse(line, {.depth_max = header_depth_max}); !parsed)
        return base::failure(Refusal{file + ":1: " + parsed.error().message});
    const auto root = document.root();
    if (root.find("replay").integer() != replay_version) {
        return base::failure(Refusal{file + ":1: replay: expected a replay of version 1"});
    }
    game_id = root.find("game_id").string().value_or("");
    std::string text;
    json::Writer writer(text);
    writer.begin_object();
    for (const auto* name : {"game", "seed", "params"}) {
        if (const auto value = root.find(name)) {
            writer.key(name);
            value.write(writer);
        }
    }
    writer.end_object();
    return text;
}

// Compares what the engine says now with what the replay's result says.
void compare_result(json::View result, const engines::State& state, std::int64_t turns,
                    std::size_t engine_faults, ReplayVerdict& verdict) {
    const auto status = result.find("status").string().value_or("");
    const auto recorded_turns = result.find("turns").integer().value_or(-1);
    if (recorded_turns != turns) {
        verdict.differences.push_back("turns: recorded " + std::to_string(recorded_turns) +
                                      ", played again " + std::to_string(turns));
    }
    const auto outcome = result.find("outcome");
    if (status == "annulled" || status == "interrupted") {
        if (!outcome.is_null())
            verdict.differences.push_back("outcome: a game that does not count has one");
        return;
    }
    if (!state.over()) {
        verdict.differences.push_back("outcome: the game is not over where the replay ends");
        return;
    }
    std::string now;
    json::Writer writer(now);
    engines::write_outcome(writer, state.outcome());
    if (now != json_of(outcome)) {
        verdict.differences.push_back("outcome: recorded " + json_of(outcome) + ", played again " +
                                      now);
    }
    std::size_t recorded_faults = 0;
    for (const auto fault : result.find("faults").elements()) {
        const auto code = fault.find("code").string().value_or("");
        if (code == "illegal" || code == "malformed") ++recorded_faults;
    }
    const bool all_kept =
        static_cast<std::size_t>(result.find("faults_total").integer().value_or(0)) ==
        result.find("faults").size();
    if (all_kept && recorded_faults > engine_faults) {
        verdict.differences.push_back("faults: recorded " + std::to_string(recorded_faults) +
                                      " bad moves, played again " + std::to_string(engine_faults));
    }
}

}  // namespace

base::Result<ReplayVerdict, Refusal> check_replay(std::istream& replay, const std::string& file,
                                                  const engines::Registry& registry) {
    std::string line;
    ReplayVerdict verdict;
    if (!std::getline(replay, line))
        return base::failure(
            Refusal{file + ":1: expected a replay's first line, found an empty file"});
    const auto header = setup_text(line, file, verdict.game_id);
    if (!header) return base::failure(header.error());
    auto read = read_setup(*header, file, registry);
    if (!read) return base::failure(std::move(read.error()));
    auto& state = *read->state;
    TurnLine turn_line;
    std::vector<engines::Note> notes;
    std::size_t engine_faults = 0;
    for (std::size_t number = 2; std::getline(replay, line); ++number) {
        if (const auto turn = turn_line.read(line, state.seats(), true); !turn) {
            return base::failure(
                Refusal{file + ":" + std::to_string(number) + ": " + turn.error()});
        }
        if (turn_line.result()) {
            compare_result(turn_line.result(), state, verdict.turns, engine_faults, verdict);
            return verdict;
        }
        if (state.over()) {
            verdict.differences.push_back("line " + std::to_string(number) +
                                          ": a turn after the end of the game");
            return verdict;
        }
        if (turn_line.forfeit()) {
            state.forfeit(*turn_line.forfeit());
            continue;
        }
        notes.clear();
        state.apply(turn_line.answers(), notes);
        ++verdict.turns;
        engine_faults += static_cast<std::size_t>(std::count_if(
            notes.begin(), notes.end(), [](const auto& note) { return note.is_fault; }));
    }
    return base::failure(
        Refusal{file + ": expected a last line with the result; the replay is cut short"});
}

}  // namespace referee::trace
