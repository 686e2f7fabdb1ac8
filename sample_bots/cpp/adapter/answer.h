#pragma once

// What the players have in common.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sample_bots/cpp/adapter/child_program.h"
#include "sample_bots/cpp/kit/bot.h"

namespace bots::adapter {

// What is told of a student's program beside its moves: each turn's words are the move's `debug`,
// and stand on standard error unless they are those of the turn before.
class Notes {
 public:
    void add(std::string words);  // none where they are empty
    // All words since the last call. `turn`: the one that they belong to.
    std::string take(std::int64_t turn);

 private:
    std::string words_;
    std::string last_;
};

// What a program printed, as it may stand in a sentence: quoted, visible and not long.
inline constexpr std::size_t quoted_bytes_max = 60;
std::string quoted(const std::string& printed, std::size_t bytes_max = quoted_bytes_max);

// Until when an answer is awaited. The referee judges whether it came in time, and excuses waits
// that can't be seen from here, so this is later than the turn may last by the wall: it only keeps
// a program that never answers from holding up the next game.
Deadline deadline_of(const kit::Turn& turn);

// Why a program gave no answer, or an odd one, from how its output stopped and how it ended.
std::string told_of(Stopped stopped, const std::string& ending);

// Why a program gave no answer, or ended badly, as its last line on standard error has it; empty
// where it wrote nothing there.
std::string last_error_of(const ChildProgram& program);

// The text as JSON; bytes that no text has become '?', which no game takes for a move.
std::string move_text(std::string_view text);

inline constexpr std::string_view no_move = "null";

// How long a program whose output has ended may take to end.
inline constexpr std::chrono::milliseconds time_to_end{200};

// A player for each kind of a student's program. `words`: its command. ../../adapters/README.md
// tells what each program is given and what it prints.

kit::MakePlayer snake_challenge(std::vector<std::string> words);
kit::MakePlayer superball_moves(std::vector<std::string> words);
kit::MakePlayer walls_lines(std::vector<std::string> words);

}  // namespace bots::adapter
