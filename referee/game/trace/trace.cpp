#include "referee/game/trace/trace.h"

#include <algorithm>
#include <istream>
#include <ostream>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/reader.h"
#include "referee/game/trace/replay.h"

namespace referee::trace {
namespace {

namespace json = protocol::json;

std::string games_list(const engines::Registry& registry) {
    return base::joined(registry.games(), ", ",
                        [](const auto& game) { return base::quoted(game->info().id); });
}

void write_turn(std::ostream& out, std::string& line, std::int64_t turn,
                const engines::State& state, const std::vector<engines::Note>& notes) {
    line.clear();
    json::Writer writer(line);
    writer.begin_object().member("turn", turn).key("state");
    state.write_state(writer);
    write_notes(writer, notes, false);
    writer.end_object();
    line += '\n';
    out << line;
}

void write_end(std::ostream& out, std::string& line, const engines::State& state) {
    line.clear();
    json::Writer writer(line);
    writer.begin_object().key("outcome");
    if (state.over()) {
        engines::write_outcome(writer, state.outcome());
    } else {
        writer.null();
    }
    writer.end_object();
    line += '\n';
    out << line;
}

bool has_each_seat(const json::Placed& array, std::size_t seats) {
    if (array.view().is_array() && array.size() == seats) return true;
    const auto expected =
        "an array of " + base::counted(seats, "entry", "entries") + ", one for each seat";
    if (array.view().is_array())
        array.wrong(fmt::format("expected {}, found one of {}", expected, array.size()));
    else
        array.expected(expected);
    return false;
}

// Of a first line that was read already.
std::string id_in(std::string_view first_line) {
    json::Document document;
    const auto parsed = document.parse(first_line);
    return parsed ? std::string(document.root().find("game_id").text()) : "";
}

}  // namespace

void write_notes(json::Writer& writer, const std::vector<engines::Note>& notes, bool with_faults) {
    if (notes.empty()) return;
    writer.key("notes").begin_array();
    for (const auto& note : notes) {
        writer.begin_object().member("seat", note.seat).member("code", note.code);
        writer.member("message", note.message);
        if (with_faults) writer.member("fault", note.is_fault);
        writer.end_object();
    }
    writer.end_array();
}

namespace {

// Of a text that was parsed with its lines. In a replay's header there may be more.
base::Result<Setup, Refusal> setup_in(json::View view, const std::string& file,
                                      const engines::Registry& registry, bool is_replay) {
    json::Mistakes mistakes;
    const auto mistaken = [&] {
        const auto& mistake = mistakes.first();
        return refuse(file, mistake.line, base::visible_line(mistake.text()));
    };
    const json::Placed root(view, mistakes);
    if (!root.object(R"({"game": "walls"})")) return mistaken();
    json::Reader reader(root);
    Setup setup;
    const auto id = reader.member("game");
    setup.game = registry.find(id.view().text());
    if (setup.game == nullptr) id.expected("one of " + games_list(registry));
    reader.integer("seed", setup.seed, 0);
    const auto params = reader.optional_object("params").view();
    if (!is_replay) reader.only({"game", "seed", "params"});
    if (mistakes) return mistaken();
    auto started = setup.game->start(params, setup.seed);
    if (!started) {
        return refuse(file, params ? params.line() : 1,
                      started.error().member + ": " + started.error().message);
    }
    if (params) {
        json::Writer writer(setup.params);
        params.write(writer);
    }
    setup.state = *std::move(started);
    return setup;
}

}  // namespace

base::Result<Setup, Refusal> read_setup(const std::string& text, const std::string& file,
                                        const engines::Registry& registry) {
    json::Document document;
    if (const auto parsed = document.parse(text, {.lines = true}); !parsed)
        return refuse(file, parsed.error().line, parsed.error().message);
    return setup_in(document.root(), file, registry, false);
}

base::Result<void, Refusal> trace(Setup& setup, std::istream& moves, const std::string& moves_file,
                                  std::ostream& out) {
    auto& state = *setup.state;
    std::string text;
    std::string line;
    std::vector<engines::Note> notes;
    TurnLine turn_line;
    std::int64_t turn = 0;
    write_turn(out, text, turn, state, notes);
    for (std::size_t number = 1; !state.over() && std::getline(moves, line); ++number) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        if (const auto read = turn_line.read(line, state.seats(), false); !read)
            return refuse(moves_file, number, read.error());
        notes.clear();
        state.apply(turn_line.answers(), notes);
        write_turn(out, text, ++turn, state, notes);
    }
    write_end(out, text, state);
    return {};
}

base::Result<void, std::string> TurnLine::read(std::string_view line, std::size_t seats,
                                               bool is_replay) {
    answers_.assign(seats, {});
    forfeit_.reset();
    result_ = {};
    if (const auto parsed = document_.parse(line); !parsed)
        return base::failure(parsed.error().message);
    json::Mistakes mistakes;
    const json::Placed root(document_.root(), mistakes);
    json::Reader reader(root);
    if (!root.object(R"({"moves": [...]})"))
        return base::failure(base::visible_line(mistakes.first().text()));
    if (is_replay) {
        // "times" beside the result is for people: nothing follows from it.
        reader.only({"moves", "used_us", "forfeit", "result", "times"});
        reader.optional_array("times");
        result_ = reader.given("result");
        if (const auto given = reader.optional("forfeit")) {
            forfeit_ = given.view().unsigned_integer();
            if (!forfeit_ || *forfeit_ >= seats)
                given.expected("a seat below " + std::to_string(seats));
        }
    } else {
        reader.only({"moves", "used_us"});
    }
    const auto moves = reader.member("moves");
    if ((moves || (!forfeit_ && !result_)) && has_each_seat(moves, seats)) {
        std::size_t seat = 0;
        for (const auto move : moves.view().elements()) answers_[seat++].move = move;
    }
    const auto used = reader.optional("used_us");
    if (used && has_each_seat(used, seats)) {
        std::size_t seat = 0;
        for (const auto time : used.elements())
            answers_[seat++].used_us = time.integer({0}).value_or(0);
    }
    if (mistakes) return base::failure(base::visible_line(mistakes.first().text()));
    return {};
}

base::Result<Setup, Refusal> set_up_again(std::string_view first_line, const std::string& file,
                                          const engines::Registry& registry) {
    json::Document document;
    if (const auto parsed = document.parse(first_line, {.lines = true}); !parsed)
        return refuse(file, 1, parsed.error().message);
    const auto root = document.root();
    if (const auto checked = check_header(root, Header::any); !checked)
        return refuse(file, 1, checked.error());
    auto setup = setup_in(root, file, registry, true);
    if (setup && !root.find("seed"))
        return refuse(file, 1, "seed: missing; expected an integer from 0 to 4294967295");
    return setup;
}

std::vector<std::string> differences(json::View result, const PlayedAgain& played) {
    std::vector<std::string> found;
    const auto status = result.find("status").text();
    const auto recorded_turns = result.find("turns").integer().value_or(-1);
    if (recorded_turns != played.turns) {
        found.push_back(
            fmt::format("turns: recorded {}, played again {}", recorded_turns, played.turns));
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
        const auto code = fault.find("code").text();
        if (code == "illegal" || code == "malformed") ++recorded_faults;
    }
    const bool all_kept =
        static_cast<std::size_t>(result.find("faults_total").integer().value_or(0)) ==
        result.find("faults").size();
    if (all_kept && recorded_faults > played.engine_faults) {
        found.push_back(fmt::format("faults: recorded {} bad moves, played again {}",
                                    recorded_faults, played.engine_faults));
    }
    return found;
}

base::Result<ReplayVerdict, Refusal> check_replay(std::istream& replay, const std::string& file,
                                                  const engines::Registry& registry) {
    std::string line;
    ReplayVerdict verdict;
    if (!std::getline(replay, line))
        return refuse(file, 1, "expected a replay's first line, found an empty file");
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
        if (const auto turn = turn_line.read(line, state.seats(), true); !turn)
            return refuse(file, number, turn.error());
        if (turn_line.result()) {
            verdict.differences =
                differences(turn_line.result(), {state, verdict.turns, engine_faults});
            return verdict;
        }
        if (state.over()) {
            verdict.differences.push_back(
                fmt::format("line {}: a turn after the end of the game", number));
            return verdict;
        }
        if (turn_line.forfeit()) {
            state.forfeit(*turn_line.forfeit());
            continue;
        }
        notes.clear();
        state.apply(turn_line.answers(), notes);
        ++verdict.turns;
        engine_faults +=
            static_cast<std::size_t>(std::ranges::count_if(notes, &engines::Note::is_fault));
    }
    return base::failure(
        Refusal{file + ": expected a last line with the result; the replay is cut short"});
}

}  // namespace referee::trace
