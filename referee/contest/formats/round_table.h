#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "referee/contest/formats/format.h"
#include "referee/contest/formats/match.h"
#include "referee/contest/formats/schedule.h"
#include "referee/contest/rating/sprt.h"

namespace referee::formats {

// The entrant that is tested.
inline constexpr Entrant gauntlet_candidate = 0;

// After so many matches in a row without anything new, more are taken to bring nothing new either.
inline constexpr std::size_t repeats_most = 100;

struct GauntletTestState {
    rating::SprtState test;   // its matches are those that were new
    std::size_t matches = 0;  // looked at, repeats and matches to which somebody didn't come too
    std::size_t repeats = 0;  // the last so many of them brought nothing new

    bool gave_up() const {
        return test.verdict == rating::SprtVerdict::undecided && repeats >= repeats_most;
    }
    bool over() const { return test.verdict != rating::SprtVerdict::undecided || gave_up(); }
};

// The sequential test of a gauntlet. Looks at its matches in order, up to the first that is
// missing.
class GauntletTest {
 public:
    explicit GauntletTest(const SprtBounds& bounds);
    // The results may come in any order. Requires: each match once, unless it was forgotten.
    void record(const MatchResult& match);
    // The match has no result any more.
    void forget(std::uint64_t match);
    const GauntletTestState& state() const { return state_; }

 private:
    void look_at(const MatchResult& match);
    void look_on();

    SprtBounds bounds_;
    std::map<std::uint64_t, MatchResult> matches_;
    rating::SequentialTest test_;
    NewGames new_games_;
    GauntletTestState state_;
};

// The candidate's share of the points of these matches, on average; 0 where there are none.
double share_of_candidate(std::span<const MatchResult> results);

// Where the test of a gauntlet stands: `results` in any order.
GauntletTestState gauntlet_test(const SprtBounds& bounds, std::span<const MatchResult> results);

}  // namespace referee::formats

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

// Pods in which every two of the members meet at least `meetings` times: a greedy cover. Each pod
// takes the members with the most pairs that still have to meet; of those the ones with the fewest
// matches, then those that met each other least, then the lower number. It ends when all have met
// and no member has more than one match more than another.
// Requires: 2 <= seats <= members.
std::vector<std::vector<std::uint32_t>> pod_cover(std::uint32_t members, std::uint32_t seats,
                                                  std::uint32_t meetings);

// The fewest pods in which so many members can meet so often, by Schönheim's bound: nobody meets
// more than seats - 1 others in a pod.
std::uint64_t pods_least(std::uint64_t members, std::uint64_t seats, std::uint64_t meetings);

// Puts the pods into rounds in which nobody plays twice, everybody's pods in their order.
std::vector<std::vector<std::vector<std::uint32_t>>> rounds_of_pods(
    const std::vector<std::vector<std::uint32_t>>& pods, std::uint32_t members);

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

// Pods in which everybody meets everybody at least `cycles` times, by a greedy cover (pod_cover).
// Numbers of matches, and of one entrant's seats, differ by at most one. Nobody plays twice in a
// round; whoever doesn't play has no bye. Requires: 2 <= seats <= entrants.
std::unique_ptr<RoundTable> pod_table(std::size_t entrants, std::size_t seats,
                                      std::uint32_t cycles);

// One match for everybody: alone, or with the fixed opponents in the seats after its own.
// MatchConfig::same_seeds gives all of them the same setups.
std::unique_ptr<RoundTable> leaderboard_table(const std::vector<Entrant>& opponents,
                                              std::size_t entrants);

// The first entrant against each of the others in turn, `cycles` times, with seats moved on by one
// place each time. In matches of more seats than two it meets as many of the others at once as
// there are seats beside its own; there are enough of them to fill each match.
std::unique_ptr<RoundTable> gauntlet_table(const GauntletOptions& options, std::size_t entrants);

// Hands out the matches of a table, round after round. `numbers` gives the entrant for each number
// of the table. A bye gives no points. With a test it ends as soon as the finished matches, looked
// at in order without a gap, decide that, or bring nothing new any more.
std::unique_ptr<Schedule> table_schedule(std::unique_ptr<RoundTable> table,
                                         std::vector<Entrant> numbers,
                                         const std::optional<SprtBounds>& test = std::nullopt);

}  // namespace referee::formats
