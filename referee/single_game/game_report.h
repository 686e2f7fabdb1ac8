#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "engines/game.h"
#include "referee/single_game/single_game.h"

namespace referee::table {
class Table;
}

namespace referee::single_game {

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
