#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "referee/game/clock/time.h"
#include "referee/game/result/result.h"

namespace referee::play {

// The rule that a fault of this kind broke, where it is one of the referee's own: its name and
// what it says.
struct Rule {
    std::string_view name;
    std::string_view text;
};
Rule rule_of(FaultCode code);

// For a late answer that passed the hard limit, not the budget.
inline constexpr Rule hard_limit_rule{
    "clock.hard_limit",
    "a turn is over after its hard limit of wall time, whatever else the clock counts"};

// A fault about time in plain words, with its numbers; `wall` is what the turn took.
std::string fault_message(const Fault& fault, std::string_view bot, Duration wall);
// "; its way takes 10.000 ms, and 7.000 ms are allowed for it"; empty where all of it is allowed.
std::string way_text(const protocol::Evidence& evidence);
// What came in a turn instead of its answer; `answered` is the earlier turn that it answered, 0
// where it answered none.
std::string stray_text(std::int64_t answered, std::int64_t turn, Duration into_turn);

// Of a bot that sent the beginning of a line, and no more.
std::string half_line_text(std::size_t bytes);
// Of a launched bot that sent nothing: whether it was thinking, by the processor time that it used.
std::string work_text(Duration worked, Duration wall, bool has_answered);

}  // namespace referee::play
