#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/base/result.h"
#include "protocol/json/document.h"
#include "referee/game/trace/trace.h"

namespace referee::trace {

// What the story says in place of faults.
inline constexpr std::string_view nobody_at_fault = "Nobody did anything wrong.";

// A game's story in plain words, from its replay (see referee/game/play/README.md): how it ended,
// and each fault with what was received, when, what was charged of what, how it was measured, which
// rule it broke and what followed. Faults that say the same are told once, of time and of lines
// that are no message also where their numbers differ. `file` is for messages.
base::Result<std::string, Refusal> tell_story(std::string_view replay, const std::string& file);

// What one of the bots may know of its game.
struct OwnStory {
    std::string text;
    std::string stderr_tail;  // of its process, as its latest fault has it; empty: none
};

// The same story for one bot. Of the others it leaves out what they sent and printed and which
// programs they are; and the seed of a game that doesn't count, because that one is played again,
// and of a game of one seat, because others play from the same seed.
// Nothing where the bot has no seat in the game.
base::Result<std::optional<OwnStory>, Refusal> tell_own_story(std::string_view replay,
                                                              const std::string& file,
                                                              std::string_view bot);

// ---- story_times.cpp: the times of a story's faults, in lines of their own -----------------

// A text of a replay as one line that shows what is in it.
std::string line_of(protocol::json::View view);

// What a replay says of the times of a seat's turn; absent where nobody kept it.
protocol::json::View times_of(protocol::json::View all, protocol::json::View turn,
                              protocol::json::View seat);
// The times of a fault.
std::string describe_times(protocol::json::View evidence);
// How the charge of a turn came about.
std::string describe_charge(protocol::json::View times, std::optional<std::int64_t> charged_us);
// Whether the bot was late, in a turn or over the whole game.
bool is_about_time(protocol::json::View fault);
// What became of the answer that was missing when a turn's time was over.
std::string describe_missing(protocol::json::View fault, protocol::json::View times);

}  // namespace referee::trace
