#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"
#include "referee/game/clock/clock_config.h"
#include "referee/game/clock/seat_clock.h"
#include "referee/game/result/game_result.h"

namespace referee::play {

// Tells games apart by what happened in them: two games in which the same came in the same order
// have the same fingerprint, others nearly surely not.
class Fingerprint {
 public:
    void add(std::string_view part);
    // 16 hexadecimal digits.
    std::string text() const;

 private:
    static constexpr std::uint64_t offset_of_fnv = 0xCBF29CE484222325U;
    std::uint64_t hash_ = offset_of_fnv;
};

struct Overdue;
struct PlaySetup;

// Collects a game's replay as NDJSON: a line of setup, a line a turn, a line of result. See
// referee/game/play/README.md for the format. The turns' lines are what `referee trace` reads.
class ReplayWriter {
 public:
    // `result` as far as it is known when the game begins.
    void begin(const GameResult& result, const PlaySetup& setup);
    void begin_turn();
    void move(std::string_view json_text);
    void end_turn(std::span<const std::int64_t> used_us);
    // The referee took the seat out: {"forfeit": seat}.
    void forfeit(engines::Seat seat);

    // How the charge of a seat's turn came about. What follows from the turn's line alone is left
    // out.
    void times(std::int64_t turn, engines::Seat seat, const clock::Charge& charge,
               std::string_view stall_cause);
    // The answer to that turn came after all.
    void overdue(std::int64_t turn, engines::Seat seat, const Overdue& answer);

    // The line of setup, with its line feed.
    std::string_view header() const { return header_; }
    std::string_view turns() const { return turns_; }
    // The whole replay.
    std::string complete(const GameResult& result) const;

 private:
    std::string header_;
    std::string forked_from_;  // JSON text; empty: the game began at its beginning
    std::string turns_;
    // What else is told of seats' turns: members with a comma before each.
    std::string times_;
    struct Timed {
        std::int64_t turn = 0;
        engines::Seat seat = 0;
        std::int64_t waited_us = 0;
        std::size_t end = 0;  // of its members, in times_
    };
    std::vector<Timed> timed_;  // by turn
};

}  // namespace referee::play
