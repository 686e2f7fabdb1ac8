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
// out. gauntlet.h has its own.

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

// Everybody meets everybody, two by two or in pods.

// FIDE's Berger tables (C.05, annex 1) for any number of players, worked out pair by pair.

namespace referee::formats::berger {

// Rounds of one cycle: n-1, or n where n is odd.
std::uint32_t rounds(std::uint32_t players);
// Boards of a round, the board of the bye included.
std::uint32_t boards(std::uint32_t players);

struct Pair {
    std::uint32_t white = 0;  // pairing numbers from 1
    std::uint32_t black = 0;
};
// The pair on a board of a round, both from 0, in the order of the printed table. With an odd
// number of players board 0 has the bye: one of its numbers is players + 1.
// Requires: at least 2 players; round and board within the table.
Pair pair(std::uint32_t players, std::uint32_t round, std::uint32_t board);

}  // namespace referee::formats::berger

namespace referee::formats {

// The fewest pods in which so many members can meet so often, by Schönheim's bound: nobody meets
// more than seats - 1 others in a pod.
std::uint64_t pods_least(std::uint64_t members, std::uint64_t seats, std::uint64_t meetings);

// Everybody meets everybody by FIDE's Berger tables: entrant i has number i+1; the seats are
// white and black. Even cycles have the seats reversed. Requires: at least two entrants.
RoundTable berger_table(std::size_t entrants, std::uint32_t cycles, bool swap_last_rounds);

// Pods in which everybody meets everybody at least `cycles` times, by a greedy cover: each pod
// takes the members with the most pairs that still have to meet; of those the ones with the fewest
// matches, then those that met each other least, then the lower number. Numbers of matches, and of
// one entrant's seats, differ by at most one. Nobody plays twice in a round; whoever doesn't play
// has no bye. Requires: 2 <= seats <= entrants.
RoundTable pod_table(std::size_t entrants, std::size_t seats, std::uint32_t cycles);

}  // namespace referee::formats
