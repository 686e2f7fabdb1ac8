#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

// How a game's time is kept, as games, messages and clocks all name it.

namespace base {

enum class ClockKind : std::uint8_t { turn, game, none };  // whom a budget is for
enum class Measure : std::uint8_t { wall, cpu };

// By their values.
inline constexpr std::array<std::string_view, 3> clock_kind_names = {"turn", "game", "none"};
inline constexpr std::array<std::string_view, 2> measure_names = {"wall", "cpu"};

constexpr std::string_view name_of(ClockKind kind) {
    return clock_kind_names.at(static_cast<std::size_t>(kind));
}
constexpr std::string_view name_of(Measure measure) {
    return measure_names.at(static_cast<std::size_t>(measure));
}

}  // namespace base
