#include "referee/game/trace/turn_line.h"

namespace referee::trace {
namespace {

constexpr std::size_t depth_max = 64;  // a move is as deep as the protocol allows, and then some

std::string counted(std::size_t seats) {
    return std::to_string(seats) + (seats == 1 ? " entry" : " entries") + ", one for each seat";
}

}  // namespace

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
