#include "referee/game/trace/trace.h"

#include <istream>
#include <ostream>

#include "protocol/base/text.h"
#include "protocol/json/reader.h"
#include "protocol/json/text.h"

namespace referee::trace {

namespace {

namespace json = protocol::json;

constexpr std::size_t setup_depth_max = 64;

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

constexpr std::size_t depth_max = 64;  // a move is as deep as the protocol allows, and then some

std::string counted(std::size_t seats) {
    return base::counted(seats, "entry", "entries") + ", one for each seat";
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
    if (const auto parsed = document.parse(text, {.depth_max = setup_depth_max, .lines = true});
        !parsed) {
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
    if (const auto parsed = document_.parse(line, {.depth_max = depth_max}); !parsed)
        return base::failure(parsed.error().message);
    const auto root = document_.root();
    if (!root.is_object()) {
        return base::failure("expected an object such as {\"moves\": [...]}, found " +
                             std::string(describe(root.kind())));
    }
    bool has_moves = false;
    for (const auto [name, value] : root.members()) {
        base::Result<void, std::string> read;
        if (name == "moves") {
            has_moves = true;
            read = read_moves(value, seats);
        } else if (name == "used_us") {
            read = read_used(value, seats);
        } else if (is_replay && name == "forfeit") {
            const auto seat = value.unsigned_integer();
            if (!seat || *seat >= seats)
                return base::failure("forfeit: expected a seat below " + std::to_string(seats));
            forfeit_ = *seat;
        } else if (is_replay && name == "result") {
            result_ = value;
        } else if (is_replay && name == "times" && value.is_array()) {
            continue;  // beside the result, for people: nothing follows from them
        } else {
            return base::failure(
                std::string(name) +
                ": not a member of a line of moves; expected \"moves\" and \"used_us\" only");
        }
        if (!read) return read;
    }
    if (!has_moves && !forfeit_ && !result_)
        return base::failure("moves: missing; expected an array of " + counted(seats));
    return {};
}

base::Result<void, std::string> TurnLine::read_moves(engines::json::View moves, std::size_t seats) {
    if (!moves.is_array() || moves.size() != seats) {
        return base::failure("moves: expected an array of " + counted(seats) + ", found " +
                             (moves.is_array() ? "one of " + std::to_string(moves.size())
                                               : std::string(describe(moves.kind()))));
    }
    std::size_t seat = 0;
    for (const auto move : moves.elements()) answers_[seat++].move = move;
    return {};
}

base::Result<void, std::string> TurnLine::read_used(engines::json::View used, std::size_t seats) {
    if (!used.is_array() || used.size() != seats) {
        return base::failure("used_us: expected an array of " + counted(seats) + ", found " +
                             (used.is_array() ? "one of " + std::to_string(used.size())
                                              : std::string(describe(used.kind()))));
    }
    std::size_t seat = 0;
    for (const auto time : used.elements()) {
        const auto us = time.integer();
        if (!us || *us < 0) {
            return base::failure("used_us[" + std::to_string(seat) +
                                 "]: expected an integer of microseconds, 0 or more");
        }
        answers_[seat++].used_us = *us;
    }
    return {};
}

}  // namespace referee::trace
