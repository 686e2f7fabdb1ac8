#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"
#include "referee/config/config.h"
#include "referee/exit_code.h"
#include "referee/game/clock/clock_config.h"
#include "referee/game/play/play_setup.h"
#include "referee/game/result/game_result.h"

namespace referee::table {
class Table;
}

namespace referee::single_game {

// This word stands for a random player where a bot's command is expected.
inline constexpr std::string_view random_command = "random";

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

// ---- bots.cpp: bots by their commands ------------------------------------------------------

// What is wrong with the students' programs among the commands, such as one that is for another
// game; empty where nothing is.
std::string mistake_in_commands(const std::vector<std::string>& commands, const std::string& game);

// Has the bot launched by the command ("python3 my_bot.py", "octave:FILE"). Requires: its directory
// and what else it reads are known, and nothing is wrong with the command.
void set_command(config::BotConfig& bot, const std::string& command);

// A name for the bot that none of the others has, after its program.
std::string bot_name(const std::string& command, const std::vector<config::BotConfig>& others);

// ---- game_report.cpp: what is told of a game -----------------------------------------------

// What a bot may have written, as it may stand on a terminal.
std::string terminal_text(std::string_view text);

// What a bot said of its moves, for people: a heading, and a line for each of the first `most`
// texts; one that stays the same is told once. `debug_lines` are as a game's debug file has them.
// `all_of_it` says where the rest is. Empty where the bot said nothing.
std::string said_text(const std::string& bot, std::string_view debug_lines, std::size_t most,
                      const std::string& all_of_it);

// What is shown of a single game that is over: scores, times, how it went by the game's rules,
// faults, what the bots that did something wrong said of their moves, and how it ended. Of the seat
// `left` no faults are told: the reason says that the person there left.
void tell_result(std::ostream& screen, const engines::Game& game, const table::Table& table,
                 std::optional<engines::Seat> left);

// {"status": 0, "result": {...}}: the exit status, what there is to say, and what was played.
std::string as_json(const GameEnding& ending);

// The result that stands at the end of a replay, as JSON text; empty where there is none
// (referee/game/play/README.md has its members).
std::string result_in(std::string_view replay);

}  // namespace referee::single_game
