#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "referee/watch/showing/showing.h"
#include "referee/watch/terminal/terminal.h"

namespace referee::terminal {

enum class RunningPlayback : std::uint8_t { stopped, forward, backward };

// Where somebody is in a game of so many frames, and what happens by itself.
struct Playback {
    std::size_t frames = 1;
    std::vector<std::size_t> fault_frames{};  // rising
    std::size_t seats = 1;

    std::size_t frame = 0;
    RunningPlayback running = RunningPlayback::stopped;
    RunningPlayback paused = RunningPlayback::forward;  // what a pause goes on with
    int speed = 0;  // 0 is the speed at first; each step doubles or halves it
    bool help = false;
    std::size_t followed = 0;  // the seat around which a board is shown that is too large
};

// What the key does; `choose`, `close` and `interrupt` are for whoever holds several games.
void obey(Playback& playback, KeyAction action);

// A frame further, in the direction in which it runs. At the end it stops.
void advance(Playback& playback);

// How long a frame is shown while the game runs.
std::int64_t frame_us(const Playback& playback);

// A position and what was played and said in the turn that led to it, for whoever reads texts.
std::string told_frame(showing::ReplayFrames& replay_frames, std::size_t frame);

// Shows games on the terminal until somebody closes them. The result is the signal that ended it, 0
// where a key did; SIGINT for its key too. Requires at least one replay.
int watch(const std::vector<std::unique_ptr<showing::ReplayFrames>>& replays, Terminal& terminal);

}  // namespace referee::terminal
