#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engines/game.h"
#include "referee/contest/formats/schedule.h"

// A match: the list of its games. What their results come to is in match_fold.h.

namespace referee::formats {

enum class SeatOrder : std::uint8_t {
    rotate,  // in game g (from 0) the entrant of match seat s sits on (s + g) mod k
    same,    // everybody keeps its seat; setups differ instead (Walls: `first` 0, then 1)
};

// Where in the list of setups the games of a match begin.
enum class Starts : std::uint8_t {
    first,  // with the first: all matches have the same
    drawn,  // by lot, from the tournament's seed and the match's number; both seats play each
};

enum class MatchPoints : std::uint8_t {
    result,  // so much for each entrant placed behind, so much for each that is level: 1, 1/2, 0
    scores,  // the sum of the games' scores; of a solo game, the points of its setups
};

struct MatchConfig {
    // Games of a match; of a solo game, setups: each is played once by every entrant, alone.
    std::uint32_t games = 1;
    // Stop as soon as somebody has won more than half of `games` (not for solo games).
    bool best_of = false;
    SeatOrder seat_order = SeatOrder::rotate;
    MatchPoints points = MatchPoints::result;
    Starts starts = Starts::first;
    // Different setups (maps, or params such as `first`), taken in turn: the config's list.
    std::uint32_t setups = 1;
    // The game seats one, whatever the number of entrants in the match.
    bool solo = false;
    // Seeds in order, taken in turn; empty: drawn from the tournament's seed.
    std::vector<std::uint32_t> seeds{};
    // Every match has the same seeds (leaderboards; solo games always have).
    bool same_seeds = false;
    // A best-of match that is level in wins and scores goes to the entrant that used less time. It
    // is for games whose rules say so, and never where one has to go on.
    bool least_time = true;
};

// What the format asks of a match; format.h makes it of a format.
struct MatchTerms {
    // Under points by result: for each entrant placed behind, and for each that is level.
    engines::Score behind = engines::Score::whole(1);
    engines::Score level = engines::Score::halves(1);
    // One of the two has to go on. A level match has so many more games at most, until it isn't
    // level any more; if it stays level, a lot decides, drawn from the tournament's seed.
    bool one_goes_on = false;
    std::uint32_t extra_games = 0;
    std::uint64_t seed = 0;
};

struct PlannedGame {
    std::uint32_t number = 1;  // in the match, from 1: GameKey's number
    std::size_t setup = 0;     // index into the config's list of setups
    std::uint32_t seed = 1;
    std::vector<Entrant> seats;  // by seat of this game
};

// How many games a match of so many entrants has, unless it is decided early or ends level.
std::uint32_t games_planned(const MatchConfig& config, std::size_t entrants);

// How many games it has at most. Extra games leave both with each seat equally often: all games
// together are an even number. Solo games have no seats to swap, so their number may be odd.
std::uint32_t games_most(const MatchConfig& config, std::size_t entrants,
                         const MatchTerms& terms = {});

// The seat that the entrant of match seat `seat` has in the game of that number.
std::size_t seat_in_game(const MatchConfig& config, std::uint32_t number, std::size_t seat,
                         std::size_t entrants);

// Why the starts of such matches can't be drawn so that everybody has each seat on each; empty
// where they can.
std::string wrong_starts(const MatchConfig& config, std::size_t entrants);

// The game of that number. Games that differ only in who sits where have the same seed and the same
// setup. So an extra game of an even number repeats the game before it, with the seats exchanged.
// Requires: 1 <= number <= games_most.
PlannedGame planned_game(const MatchConfig& config, const Pairing& pairing, std::uint32_t number,
                         std::uint64_t tournament_seed, const MatchTerms& terms);

// The setup (params as JSON text) for a match of so many: unchanged where it seats so many already,
// else what the game makes of it when the last seats go. Requires: a setup that the game accepts
// and that seats at least so many.
std::string setup_for(const engines::Game& game, const std::string& setup, std::size_t seats);

}  // namespace referee::formats
