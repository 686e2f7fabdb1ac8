#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "referee/contest/formats/format.h"
#include "referee/contest/formats/schedule.h"

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

// Everybody meets everybody by FIDE's Berger tables: entrant i has number i+1; the seats are
// white and black. Even cycles have the seats reversed. Requires: at least two entrants.
std::unique_ptr<RoundTable> berger_table(std::size_t entrants, std::uint32_t cycles,
                                         bool swap_last_rounds);

// Pods in which everybody meets everybody at least `cycles` times, by a greedy cover (pod_cover.h).
// Numbers of matches, and of one entrant's seats, differ by at most one. Nobody plays twice in a
// round; whoever doesn't play has no bye. Requires: 2 <= seats <= entrants.
std::unique_ptr<RoundTable> pod_table(std::size_t entrants, std::size_t seats,
                                      std::uint32_t cycles);

// Hands out the matches of a table, round after round. `numbers` gives the entrant for each number
// of the table. A bye gives no points.
std::unique_ptr<Schedule> table_schedule(std::unique_ptr<RoundTable> table,
                                         std::vector<Entrant> numbers);

// One match for everybody: alone, or with the fixed opponents in the seats after its own.
// MatchConfig::same_seeds gives all of them the same setups.
std::unique_ptr<Schedule> leaderboard(const LeaderboardOptions& options, std::size_t entrants);

}  // namespace referee::formats
