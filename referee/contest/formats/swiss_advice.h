#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "referee/contest/formats/format.h"
#include "referee/contest/formats/match.h"

namespace referee::formats {

// From how many rounds on a Swiss of two seats often comes to one that can't be paired, because
// those who are left have met; found by simulation (configs/README.md has the numbers).
std::uint32_t rounds_at_risk(std::size_t entrants);

// Whether everybody has each seat equally often in every match, so that there is no colour to
// balance.
bool balances_seats(const MatchConfig& match, std::size_t seats);

// Advice on a Swiss that was checked, also one that is a stage, for so many entrants: empty where
// there is none to give.
std::string swiss_advice(const FormatConfig& format, const MatchConfig& match,
                         std::size_t entrants);

}  // namespace referee::formats
