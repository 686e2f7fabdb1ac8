#include "referee/game/trace/trace.h"

#include <istream>
#include <ostream>

#include "protocol/base/text.h"
#include "protocol/json/reader.h"
#include "protocol/json/text.h"

namespace referee::trace {

namespace {

namespace json = protocol::json;

std::string games_list(const engines::Registry& registry) {
    return base::joined(registry.games(), ", ",
                        [](const auto& game) { return base::quoted(game->info().id); });
}

auto refuse(const std::string& file, std::size_t line, const std::string& what) {
    return base::failure(Refusal{file + ":" + std::to_string(line) + ": " + what});
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
        array.wrong("expected " + expected + ", found one of " + std::to_string(array.size()));
    else
        array.expected(expected);
    return false;
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

base::Result<Setup, Refusal> read_setup(const std::string& text, const std::string& file,
                                        const engines::Registry& registry) {
    json::Document document;
    if (const auto parsed = document.parse(text, {.lines = true}); !parsed) {
        return refuse(file, parsed.error().line, parsed.error().message);
    }
    json::Mistakes mistakes;
    const auto mistaken = [&] {
        const auto& mistake = mistakes.first();
        return refuse(file, mistake.line, json::visible_line(mistake.text()));
    };
    const json::Placed root(document.root(), mistakes);
    if (!root.object(R"({"game": "walls"})")) return mistaken();
    json::Reader reader(root);
    Setup setup;
    const auto id = reader.member("game");
    setup.game = registry.find(id.view().string().value_or(""));
    if (setup.game == nullptr) id.expected("one of " + games_list(registry));
    reader.integer("seed", setup.seed, 0);
    const auto params = reader.optional_object("params").view();
    reader.only({"game", "seed", "params"});
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
        return base::failure(json::visible_line(mistakes.first().text()));
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
    if (mistakes) return base::failure(json::visible_line(mistakes.first().text()));
    return {};
}

}  // namespace referee::trace
