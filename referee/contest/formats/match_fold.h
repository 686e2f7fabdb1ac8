#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engines/game.h"
#include "referee/contest/formats/match.h"
#include "referee/game/result/game_result.h"

// What is kept of a match's games, and what they come to.

namespace referee::formats {

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

}  // namespace referee::formats
