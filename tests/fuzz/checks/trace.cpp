// A setup and lines of moves: refused with a place, or played; then each line of the trace is JSON,
// a second time gives the same bytes, and the replay of that game agrees with itself.

#include <sstream>

#include "protocol/base/utf8.h"
#include "protocol/json/document.h"
#include "referee/game/trace/trace.h"
#include "tests/fuzz/target.h"

namespace fuzz {
namespace {

namespace json = protocol::json;
namespace trace = referee::trace;

struct Traced {
    std::string refusal;
    std::string text;
    std::size_t seats = 0;
    bool operator==(const Traced&) const = default;
};

Traced traced(const std::string& setup_text, const std::string& moves) {
    const engines::Registry registry;
    Traced answer;
    auto setup = trace::read_setup(setup_text, "f", registry);
    if (!setup) {
        answer.refusal = setup.error().message;
        return answer;
    }
    answer.seats = setup->state->seats();
    std::istringstream in(moves);
    std::ostringstream out;
    if (const auto told = trace::trace(*setup, in, "m", out); !told)
        answer.refusal = told.error().message;
    answer.text = std::move(out).str();
    return answer;
}

// The moves up to the end of the game, which a replay must not go beyond.
std::string played_moves(const std::string& moves, std::int64_t turns) {
    std::istringstream in(moves);
    std::string kept;
    for (std::string line; turns > 0 && std::getline(in, line);) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        kept += line + '\n';
        --turns;
    }
    return kept;
}

Complaint check_replay_of(json::View setup, const std::string& moves, const Traced& game,
                          std::int64_t turns, json::View outcome) {
    std::string replay;
    json::Writer header(replay);
    header.begin_object().member("replay", 1).member("game_id", "g/1.1");
    for (const auto [name, value] : setup.members()) {
        header.key(name);
        value.write(header);
    }
    // A trace begins with this seed where its setup names none; a replay always names one.
    if (!setup.find("seed")) header.member("seed", trace::Setup{}.seed);
    header.key("bots").begin_array();
    for (std::size_t seat = 0; seat < game.seats; ++seat) header.string("bot");
    header.end_array().end_object();
    replay += '\n' + played_moves(moves, turns);
    json::Writer result(replay);
    result.begin_object().key("result").begin_object().member("status", "played").key("outcome");
    outcome.write(result);
    result.member("turns", turns)
        .key("faults")
        .begin_array()
        .end_array()
        .member("faults_total", 0)
        .end_object()
        .end_object();
    const engines::Registry registry;
    std::istringstream in(replay);
    const auto verdict = trace::check_replay(in, "r", registry);
    if (!verdict) return "its replay is refused: " + verdict.error().message;
    return verdict->differences.empty() ? ""
                                        : "its replay differs: " + verdict->differences.front();
}

}  // namespace

Complaint check_trace(std::string_view bytes) {
    const auto end = std::min(bytes.find('\n'), bytes.size());
    const std::string setup(bytes.substr(0, end));
    const std::string moves(bytes.substr(std::min(end + 1, bytes.size())));
    const auto game = traced(setup, moves);
    const auto& refusal = game.refusal;
    if (!refusal.empty()) {
        const bool placed = refusal.starts_with("f:") || refusal.starts_with("m:");
        if (!placed || !base::is_utf8(refusal)) return "no place: " + refusal;
    }
    if (traced(setup, moves) != game) return "a second time it is another game";
    json::Document document;
    std::istringstream lines(game.text);
    std::int64_t turn = -1;
    for (std::string line; std::getline(lines, line);) {
        if (!document.parse(line)) return "no JSON: " + line;
        const auto number = document.root().find("turn").integer();
        if (number && *number != ++turn) return "turns that don't count up: " + line;
    }
    const auto outcome = document.root().find("outcome");
    if (!refusal.empty() || outcome.is_null()) return {};
    json::Document given;
    if (!given.parse(setup)) return "a setup that is no JSON";
    return check_replay_of(given.root(), moves, game, turn, outcome);
}

}  // namespace fuzz
