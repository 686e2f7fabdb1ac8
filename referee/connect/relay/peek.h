#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace referee::relay {

// Which turn a line asks for. Refers to the line.
struct TurnPeek {
    std::string_view game_id;
    std::int64_t turn = 0;
};

// Looks only at the beginning of the line, where a referee of ours writes it: the state behind it
// is long, and the bot's clock runs. Nothing where the line is no `turn`, or is written otherwise;
// then it has to be read whole.
std::optional<TurnPeek> peek_at_turn(std::string_view line);

}  // namespace referee::relay
