#pragma once

#include "referee/contest/standings/standings.h"

namespace referee::standings {

// A match of two entrants, their points in halves; it took them `number` and twice as many
// microseconds.
inline MatchResult match(std::uint64_t number, std::uint32_t round, Entrant first, Entrant second,
                         std::int64_t first_halves, std::int64_t second_halves) {
    MatchResult result;
    result.match = number;
    result.round = round;
    result.seats = {first, second};
    result.points = {engines::Score::halves(first_halves), engines::Score::halves(second_halves)};
    result.scores = result.points;
    result.placing = {first_halves < second_halves ? 2 : 1, second_halves < first_halves ? 2 : 1};
    result.used_us = {static_cast<std::int64_t>(number), 2 * static_cast<std::int64_t>(number)};
    result.absent = {false, false};
    result.games = 1;
    return result;
}

}  // namespace referee::standings
