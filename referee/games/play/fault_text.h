#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "referee/games/result/result.h"

namespace referee::play {

// The rule that a fault of this kind broke, where it is one of the referee's own: its name and
// what it says.
struct Rule {
    std::string_view name;
    std::string_view text;
};
Rule rule_of(FaultCode code);

// Of a late answer where it is not the budget that was passed.
inline constexpr Rule hard_limit_rule{
    "clock.hard_limit",
    "a turn is over after its hard limit of wall time, whatever else the clock counts"};

// A fault about time in plain words, with its numbers.
std::string fault_message(const Fault& fault, std::string_view bot);

}  // namespace referee::play
