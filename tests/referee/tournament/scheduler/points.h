#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <vector>

#include "referee/tournament/contests/contest_records.h"
#include "tests/sim/lobby_room.h"

namespace tests::sim {

// By match, the points of its seats.
using Points = std::map<std::uint64_t, std::vector<engines::Score>>;

// What a tournament of Walls came to, which is at its end by these records.
inline Points points_after(const std::vector<referee::records::Record>& records,
                           const referee::config::TournamentConfig& config) {
    referee::contests::Contest contest(config, *games().find("walls"));
    for (const auto& record : records) {
        const auto fits = referee::contests::RecordedPast(contest).apply(record);
        EXPECT_TRUE(fits) << fits.error();
    }
    EXPECT_EQ(contest.state(), referee::records::TournamentState::finished);
    Points points;
    for (const auto& [number, match] : contest.results()) points[number] = match.points;
    return points;
}

}  // namespace tests::sim
