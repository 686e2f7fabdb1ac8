#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "engines/registry.h"
#include "referee/game/play/play.h"

namespace referee::play {

using namespace std::chrono_literals;

inline constexpr Duration turn_budget = std::chrono::milliseconds(100);

inline Instant at(Duration since_begin) {
    return Instant{} + since_begin;
}

// The games as they are built in.
const engines::Registry& games();

// Walls on nine squares, A to move first, 100 ms a turn.
PlaySetup walls_setup();
// Light Cycles on a grid of 7 x 7 with a cycle in each of so many (2 or 3) corners, 100 ms a turn.
PlaySetup cycles_setup(std::size_t teams);

// A play, and somebody who tells it what happens and writes down what it asks for.
class PlayDriver {
 public:
    explicit PlayDriver(PlaySetup setup) : play(std::move(setup)) {}

    // What the last event brought: "turn 0", "arm 0 105000" (microseconds since the beginning), ...
    using Done = std::vector<std::string>;

    Done start(std::vector<Seat> absent = {});
    Done ready(Seat seat);
    // Start and ready of all.
    void begin();
    Done sent(Seat seat, Duration when, Duration round_trip = {});
    Done deadline(Seat seat, Duration when, Duration stalled = {});
    Done deadline(Seat seat, const Arrival& arrival);
    Done misbehaved(Seat seat, FaultCode code, Duration when = {});
    Done stop(GameStatus status, const std::string& reason);

    // An answer to the present turn; its move as JSON text.
    AnswerFate answer(Seat seat, std::string_view move, Duration when);
    AnswerFate answer(Seat seat, std::int64_t turn, std::string_view move, Arrival arrival);
    // Sends the present turn to the seat and answers it in a millisecond.
    AnswerFate moves(Seat seat, std::string_view move);

    Play play;
    Done done;  // of the last event

 private:
    Done told(const Actions& actions);

    Duration now_{};
};

// One that has begun.
class BegunPlay : public PlayDriver {
 public:
    explicit BegunPlay(PlaySetup setup) : PlayDriver(std::move(setup)) { begin(); }
};

}  // namespace referee::play
