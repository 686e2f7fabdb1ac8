#include "referee/games/trace/turn_line.h"

namespace referee::trace {
namespace {

constexpr std::size_t depth_max = 64;  // a move is as deep as the protocol allows, and then some

std::string counted(std::size_t seats) {
    return std::to_string(seats) + (seats == 1 ? " entry" : " entries") + ", one for each seat";
}

}  // namespace

std::optional<std::string> TurnLine::read(std::string_view line, std::size_t seats,
                                          bool is_replay) {
    answers_.assign(seats, {});
    forfeit_.reset();
    result_ = {};
    if (const auto error = document_.parse(line, {.depth_max = depth_max})) return error->message;
    const auto root = document_.root();
    if (!root.is_object()) {
        return "expected an object such as {\"moves\": [...]}, found " +
               std::string(describe(root.kind()));
    }
    bool has_moves = false;
    for (const auto [name, value] : root.members()) {
        std::optional<std::string> wrong;
        if (name == "moves") {
            has_moves = true;
            wrong = read_moves(value, seats);
        } else if (name == "used_us") {
            wrong = read_used(value, seats);
        } else if (is_replay && name == "forfeit") {
            const auto seat = value.unsigned_integer();
            if (!seat || *seat >= seats)
                return "forfeit: expected a seat below " + std::to_string(seats);
            forfeit_ = *seat;
        } else if (is_replay && name == "result") {
            result_ = value;
        } else {
            return std::string(name) +
                   ": not a member of a line of moves; expected \"moves\" and \"used_us\" only";
        }
        if (wrong) return wrong;
    }
    if (!has_moves && !forfeit_ && !result_)
        return "moves: missing; expected an array of " + counted(seats);
    return std::nullopt;
}

std::optional<std::string> TurnLine::read_moves(engines::json::View moves, std::size_t seats) {
    if (!moves.is_array() || moves.size() != seats) {
        return "moves: expected an array of " + counted(seats) + ", found " +
               (moves.is_array() ? "one of " + std::to_string(moves.size())
                                 : std::string(describe(moves.kind())));
    }
    std::size_t seat = 0;
    for (const auto move : moves.elements()) answers_[seat++].move = move;
    return std::nullopt;
}

std::optional<std::string> TurnLine::read_used(engines::json::View used, std::size_t seats) {
    if (!used.is_array() || used.size() != seats) {
        return "used_us: expected an array of " + counted(seats) + ", found " +
               (used.is_array() ? "one of " + std::to_string(used.size())
                                : std::string(describe(used.kind())));
    }
    std::size_t seat = 0;
    for (const auto time : used.elements()) {
        const auto us = time.integer();
        if (!us || *us < 0) {
            return "used_us[" + std::to_string(seat) +
                   "]: expected an integer of microseconds, 0 or more";
        }
        answers_[seat++].used_us = *us;
    }
    return std::nullopt;
}

}  // namespace referee::trace
