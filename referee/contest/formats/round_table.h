#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "referee/contest/formats/format.h"
#include "referee/contest/formats/schedule.h"

// Formats in which it is known from the start who meets whom: their rounds, and how they are handed
// out. round_robin.h and gauntlet.h have theirs.

namespace referee::formats {

// Who meets whom in which round, known from the start.
struct RoundTable {
    std::uint64_t rounds = 0;
    std::uint64_t matches = 0;
    // By seat, who is in a place of a round, both from 0: matches, then byes; nobody behind them.
    std::function<std::vector<Entrant>(std::uint64_t round, std::size_t place)> seats;
    // Whether an entrant that is alone in its place has a bye rather than a match.
    bool alone_is_bye = true;
};

// One match for everybody: alone, or with the fixed opponents in the seats after its own.
// MatchConfig::same_seeds gives all of them the same setups.
RoundTable leaderboard_table(const std::vector<Entrant>& opponents, std::size_t entrants);

// Hands out the matches of a table, round after round. `numbers` gives the entrant for each number
// of the table. A bye gives no points. With a test it ends as soon as the finished matches, looked
// at in order without a gap, decide that, or bring nothing new any more.
std::unique_ptr<Schedule> table_schedule(RoundTable table, std::vector<Entrant> numbers,
                                         const std::optional<SprtBounds>& test = std::nullopt);

}  // namespace referee::formats
