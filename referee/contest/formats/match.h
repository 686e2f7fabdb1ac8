#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engines/game.h"
#include "referee/contest/formats/schedule.h"
#include "referee/game/result/game_result.h"

// A match: the list of its games, and what their results come to.

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

// ---- match_fold.cpp -----------------------------------------------------------------------------

// Whether a bot never took its seat in a game: it didn't show up, or it was gone before a first
// turn was played.
bool no_show(const GameResult& result, engines::Seat seat);

// How a bot took part in a game. For the match, the first of these values counts that any of its
// games has: a game that was over before the bot's turn excuses it from no other.
enum class Presence : std::uint8_t {
    played,   // gave a valid move, or nobody counted them
    away,     // never took its seat
    silent,   // was there, or crashed, and gave no valid move
    no_turn,  // did nothing wrong and gave none: the game was over before its turn
};
Presence presence_in(const GameResult& result, engines::Seat seat);
// Why it never took its seat, or that it crashed, in the words of its fault; empty where no fault
// tells.
std::string cause_of_idleness(const GameResult& result, engines::Seat seat);

// What is kept of a game that has ended: what its match is folded from, and what is asked of it
// later. A long tournament keeps all of them, so it is small.
struct KeptGame {
    struct Seat {
        engines::Score score;
        std::int64_t used_us = 0;              // charged over the whole game
        const std::string* program = nullptr;  // null: not known
        std::uint32_t turns = 0;               // in which it gave a move
        std::uint16_t placing = 1;
        Presence presence = Presence::played;
        bool scored : 1 = false;  // it has a score
        bool faulty : 1 = false;  // at least once
    };
    // What few games have.
    struct Rare {
        engines::Outcome outcome;         // of a solo game
        std::vector<std::string> causes;  // of idleness, by seat
    };
    std::span<const Seat> seats() const { return {first_seat.get(), width}; }

    std::uint32_t number = 1;  // in its match, from 1
    std::uint32_t attempt = 1;
    GameStatus status = GameStatus::played;
    bool by_order = false;    // annulled so
    std::uint16_t width = 0;  // how many seats
    standings::GameFingerprint fingerprint;
    std::unique_ptr<Seat[]> first_seat;     // a vector is larger
    std::unique_ptr<const Rare> rare;       // null: it has nothing of that
    const MachineFacts* machine = nullptr;  // null: nobody asks
};

// The names of programs, each once; it outlives the games.
using ProgramNames = std::set<std::string>;
KeptGame kept_game(const MatchConfig& config, const GameResult& result, ProgramNames& programs);

// ---- match.cpp ----------------------------------------------------------------------------------

// The part of a match's points that a seat got, 0 to 1: 1 for whoever is ahead of all others, a
// half for an average seat, and where there are no points.
double share_of(const MatchResult& result, std::size_t seat);

// The same of its games (of a solo game, its setups): 1 for each that it won, 1/2 for a level one.
double share_of_games(const MatchResult& result, std::size_t seat);

// The setup (params as JSON text) for a match of so many: unchanged where it seats so many already,
// else what the game makes of it when the last seats go. Requires: a setup that the game accepts
// and that seats at least so many.
std::string setup_for(const engines::Game& game, const std::string& setup, std::size_t seats);

// ---- match_fold.cpp -----------------------------------------------------------------------------

struct MatchTally {
    MatchResult result;            // complete only when `over`
    std::uint32_t games_due = 0;   // games up to this number are to be played, as it stands
    std::uint32_t games_left = 0;  // of these, still to come in the worst case
    bool over = false;
};

// What the results so far come to, in whatever order they are given. Results that don't count are
// passed over; of two for one game the later attempt stands. A best-of match, and a match from
// which one has to go on, is decided by its games in order: a game that came after the decision
// counts for nothing. Where one has to go on and the match is level (both are placed alike), more
// games are due, unless neither bot ever came. `game` compares the outcomes of solo games.
// Requires: results of this match.
MatchTally fold_match(const MatchConfig& config, const Pairing& pairing,
                      std::span<const KeptGame> results, const engines::Game& game,
                      const MatchTerms& terms = {});
MatchTally fold_match(const MatchConfig& config, const Pairing& pairing,
                      std::span<const GameResult> results, const engines::Game& game,
                      const MatchTerms& terms = {});

// What a match comes to where an arbiter says how its seats are placed (1 is best), whatever its
// games came to: the points of that placing, and no scores. Points of sums of scores are those of a
// placing here too, as in byes. Requires: a place for each seat; where one has to go on, not level.
MatchResult ruled_result(const Pairing& pairing, const std::vector<int>& placing,
                         const MatchTerms& terms);

// ---- match.cpp ----------------------------------------------------------------------------------

// Tells matches that bring something new from those that only repeat. Bots that choose their moves
// without chance play the same game again when they meet again at the same start; the second time
// shows nothing that the first didn't. Tell it the matches in their order.
class NewGames {
 public:
    // False where an earlier match had all of the same games. A match with a game that was recorded
    // without a fingerprint is new.
    bool is_new(const MatchResult& match);
    // The same for any games, by their fingerprints.
    bool is_new(const std::set<std::string>& fingerprints);

 private:
    std::set<std::string> seen_;  // all fingerprints of a match in one: copied often
};

// The matches of a list that are new, by their places in it.
std::vector<bool> new_matches(const std::vector<MatchResult>& matches);

// How many matches in a row came to the same games as the one before it of the same seats, up to
// this one: 0 where this one brought something new, or that isn't known. `results` may have it, and
// later ones.
unsigned repetitions(const standings::ResultList& results, const MatchResult& match);

}  // namespace referee::formats
