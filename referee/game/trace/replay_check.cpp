#include <algorithm>
#include <istream>

#include "referee/game/trace/replay_lines.h"
#include "referee/game/trace/trace.h"

namespace referee::trace {
namespace {

namespace json = protocol::json;

// Of a first line that was read already.
std::string id_in(std::string_view first_line) {
    json::Document document;
    const auto parsed = document.parse(first_line);
    return parsed ? std::string(document.root().find("game_id").string().value_or("")) : "";
}

}  // namespace

base::Result<Setup, Refusal> set_up_again(std::string_view first_line, const std::string& file,
                                          const engines::Registry& registry) {
    json::Document document;
    if (const auto parsed = document.parse(first_line); !parsed)
        return base::failure(Refusal{file + ":1: " + parsed.error().message});
    const auto root = document.root();
    if (const auto checked = check_header(root, Header::any); !checked)
        return base::failure(Refusal{file + ":1: " + checked.error()});
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
    auto setup = read_setup(text, file, registry);
    if (setup && !root.find("seed"))
        return base::failure(
            Refusal{file + ":1: seed: missing; expected an integer from 0 to 4294967295"});
    return setup;
}

std::vector<std::string> differences(json::View result, const PlayedAgain& played) {
    std::vector<std::string> found;
    const auto status = result.find("status").string().value_or("");
    const auto recorded_turns = result.find("turns").integer().value_or(-1);
    if (recorded_turns != played.turns) {
        found.push_back("turns: recorded " + std::to_string(recorded_turns) + ", played again " +
                        std::to_string(played.turns));
    }
    const auto outcome = result.find("outcome");
    if (status == "annulled" || status == "interrupted") {
        if (!outcome.is_null()) found.emplace_back("outcome: a game that does not count has one");
        return found;
    }
    if (!played.state.over()) {
        found.emplace_back("outcome: the game is not over where the replay ends");
        return found;
    }
    std::string now;
    json::Writer writer(now);
    engines::write_outcome(writer, played.state.outcome());
    if (now != outcome.json_text())
        found.push_back("outcome: recorded " + outcome.json_text() + ", played again " + now);
    std::size_t recorded_faults = 0;
    for (const auto fault : result.find("faults").elements()) {
        const auto code = fault.find("code").string().value_or("");
        if (code == "illegal" || code == "malformed") ++recorded_faults;
    }
    const bool all_kept =
        static_cast<std::size_t>(result.find("faults_total").integer().value_or(0)) ==
        result.find("faults").size();
    if (all_kept && recorded_faults > played.engine_faults) {
        found.push_back("faults: recorded " + std::to_string(recorded_faults) +
                        " bad moves, played again " + std::to_string(played.engine_faults));
    }
    return found;
}

base::Result<ReplayVerdict, Refusal> check_replay(std::istream& replay, const std::string& file,
                                                  const engines::Registry& registry) {
    std::string line;
    ReplayVerdict verdict;
    if (!std::getline(replay, line))
        return base::failure(
            Refusal{file + ":1: expected a replay's first line, found an empty file"});
    if (auto begins = check_beginning(line, file); !begins)
        return base::failure(std::move(begins.error()));
    auto read = set_up_again(line, file, registry);
    if (!read) return base::failure(std::move(read.error()));
    verdict.game_id = id_in(line);
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
            verdict.differences =
                differences(turn_line.result(), {state, verdict.turns, engine_faults});
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
