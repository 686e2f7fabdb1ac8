#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace referee::report {

// What a bot said of its moves, for people: a heading, and a line for each of the first `most`
// texts; one that stays the same is told once. `debug_lines` are as a game's debug file has them.
// `all_of_it` says where the rest is. Empty where the bot said nothing.
std::string said_text(const std::string& bot, std::string_view debug_lines, std::size_t most,
                      const std::string& all_of_it);

}  // namespace referee::report
