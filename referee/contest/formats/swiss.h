#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "referee/contest/formats/format.h"
#include "referee/contest/formats/match.h"

namespace referee::formats {

// The FIDE (Dutch) system for two seats: seat 0 is white. `numbers` gives the entrants in ranking
// order; late entries follow.
std::unique_ptr<Schedule> swiss_of_pairs(const FormatConfig& config, std::vector<Entry> entries,
                                         std::vector<Entrant> numbers, std::uint64_t seed);

// Whether the first of the ranking order begins with seat 0: drawn by lot, from the seed.
bool first_begins_in_first_seat(std::uint64_t seed);

// Pods of more than two seats (pods.h).
std::unique_ptr<Schedule> swiss_of_pods(const FormatConfig& config, std::vector<Entry> entries,
                                        std::vector<Entrant> numbers, std::uint64_t seed);

// Advice on a Swiss that was checked, also one that is a stage, for so many entrants: empty where
// there is none to give.
std::string swiss_advice(const FormatConfig& format, const MatchConfig& match,
                         std::size_t entrants);

}  // namespace referee::formats
