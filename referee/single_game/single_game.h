#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "engines/game.h"
#include "referee/config/config.h"
#include "referee/exit_code.h"
#include "referee/game/clock/clock_config.h"
#include "referee/game/play/play_setup.h"
#include "referee/game/result/game_result.h"

namespace referee::single_game {

// A game that is played at once, without a config.
struct SingleGame {
    std::string game;
    std::string params;  // JSON text; empty: the game's defaults
    std::uint32_t seed = 1;
    // In the game's id, from 1: bots that draw their random numbers from it play otherwise in each.
    std::uint32_t number = 1;
    std::string maps_directory;
    // Commands by seat, without the person's seat. "random" is the referee's random player, which
    // also takes all seats where no command is given.
    std::vector<std::string> bots;
    std::optional<std::size_t> person;                 // the seat of a person at the terminal
    std::optional<clock::ClockConfig> clock;           // none: the game's own
    Duration start_within = std::chrono::seconds(30);  // from a bot's launch to its login
    config::StandardOutput standard_output = config::StandardOutput::socket;  // of the bots
    std::string directory;           // in which the commands are meant, absolute
    std::vector<std::string> reads;  // more files and folders that the bots may read
    bool unsandboxed = false;        // bots are launched without a sandbox
    bool show = true;                // shows every position; else the last
    engines::Screen screen;          // of the person's terminal
    bool silent = false;             // shows nothing: the ending has the result
    std::string replay;              // file to write the replay to; empty: none
    std::optional<play::Past> past;  // the game goes on from there
    // The seat of the bot of which the exit status tells; none: the first that is no person's.
    std::optional<std::size_t> told_seat;
};

struct GameEnding : Ending {
    std::string result{};              // of a game that was played, as JSON text
    std::optional<GameResult> game{};  // the same
};

// Plays the game in the foreground and shows it on `screen`; a person's lines come from `in`.
GameEnding play_game(SingleGame options, std::istream& in, std::ostream& screen);

}  // namespace referee::single_game
