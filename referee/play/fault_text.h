#pragma once

#include <string>
#include <string_view>

#include "referee/record/result.h"

namespace referee::play {

// The rule that a fault of this kind broke, where it is one of the referee's own: its name and
// what it says.
struct Rule {
    std::string_view name;
    std::string_view text;
};
Rule rule_of(FaultCode code);

// A fault about time in plain words, with its numbers.
std::string fault_message(const Fault& fault, std::string_view bot);

}  // namespace referee::play
