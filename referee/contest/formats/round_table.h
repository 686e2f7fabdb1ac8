#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "referee/contest/formats/format.h"
#include "referee/contest/formats/schedule.h"

// Formats in which it is known from the start who meets whom: their rounds, and how they are handed
// out. round_robin.h and gauntlet.h have theirs.

namespace referee::formats {

// Who meets whom in which round, known from the start.
class RoundTable {
 public:
    virtual ~RoundTable() = default;

    virtual std::uint64_t rounds() const = 0;
    // Places of a round, from 0: matches, then byes.
    virtual std::size_t places(std::uint64_t round) const = 0;
    // The entrants of a place by seat, rounds from 0.
    virtual std::vector<Entrant> seats(std::uint64_t round, std::size_t place) const = 0;
    // Whether an entrant that is alone in its place has a bye rather than a match.
    virtual bool alone_is_bye() const { return true; }
    virtual std::uint64_t matches_total() const = 0;
};

// One match for everybody: alone, or with the fixed opponents in the seats after its own.
// MatchConfig::same_seeds gives all of them the same setups.
std::unique_ptr<RoundTable> leaderboard_table(const std::vector<Entrant>& opponents,
                                              std::size_t entrants);

// Hands out the matches of a table, round after round. `numbers` gives the entrant for each number
// of the table. A bye gives no points. With a test it ends as soon as the finished matches, looked
// at in order without a gap, decide that, or bring nothing new any more.
std::unique_ptr<Schedule> table_schedule(std::unique_ptr<RoundTable> table,
                                         std::vector<Entrant> numbers,
                                         const std::optional<SprtBounds>& test = std::nullopt);

}  // namespace referee::formats
