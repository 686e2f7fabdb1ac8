#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "protocol/base/enum_names.h"

// How a game's time is kept, as games, messages and clocks all name it.

namespace base {

enum class ClockKind : std::uint8_t { turn, game, none };  // what a budget is for
enum class Measure : std::uint8_t { wall, cpu };

inline constexpr std::array<Named<ClockKind>, 3> clock_kinds{{
    {ClockKind::turn, "turn"},
    {ClockKind::game, "game"},
    {ClockKind::none, "none"},
}};
inline constexpr std::array<Named<Measure>, 2> measures{{
    {Measure::wall, "wall"},
    {Measure::cpu, "cpu"},
}};
static_assert(in_order(clock_kinds) && in_order(measures));

constexpr std::string_view name_of(ClockKind kind) {
    return row_of(clock_kinds, kind).name;
}
constexpr std::string_view name_of(Measure measure) {
    return row_of(measures, measure).name;
}

}  // namespace base
