#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sample_bots/cpp/adapter/child_program.h"
#include "sample_bots/cpp/adapter/notes.h"
#include "sample_bots/cpp/kit/bot.h"

// What the players have in common.

namespace bots::adapter {

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

}  // namespace bots::adapter
