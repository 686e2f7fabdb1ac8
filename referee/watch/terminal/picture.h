#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engines/game.h"
#include "referee/watch/showing/replay_frames.h"
#include "referee/watch/terminal/line.h"
#include "referee/watch/terminal/playback.h"

namespace referee::terminal {

// Which of several games is shown.
struct Choice {
    std::size_t chosen = 0;
    std::size_t games = 1;
};

// What a screen shows of a game at a frame: at most as many lines as it has.
std::vector<Line> picture(showing::ReplayFrames& replay_frames, const Playback& playback,
                          const Choice& choice, const engines::Screen& screen);

// The keys, for a screen.
std::vector<Line> help_picture(const engines::Screen& screen);

// A position and what was played and said in the turn that led to it, for whoever reads texts.
std::string told_frame(showing::ReplayFrames& replay_frames, std::size_t frame);

}  // namespace referee::terminal
