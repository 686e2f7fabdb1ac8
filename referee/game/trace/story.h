#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/base/result.h"
#include "referee/game/trace/trace.h"

namespace referee::trace {

// What the story says in place of faults.
inline constexpr std::string_view nobody_at_fault = "Nobody did anything wrong.";

// A game's story in plain words, from its replay (see referee/game/play/README.md): how it ended,
// and each fault with what was received, when, what was charged of what, how it was measured, which
// rule it broke and what followed. Faults that say the same are told once. `file` is for messages.
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

}  // namespace referee::trace
