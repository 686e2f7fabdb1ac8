#pragma once

#include <cstdint>
#include <optional>
#include <vector>

// A Swiss tournament as far as pairing looks at it: who plays, what happened so far, and what is
// agreed about the next round. Plain data; everything else is worked out from it.

namespace referee::pairing {

enum class Colour : std::uint8_t { white, black };

constexpr Colour opposite(Colour colour) {
    return colour == Colour::white ? Colour::black : Colour::white;
}

// What one round brought to one player.
enum class PairingOutcome : std::uint8_t {
    win,
    draw,
    loss,
    forfeit_win,    // not played: no colour, no meeting
    forfeit_loss,   // the same
    allocated_bye,  // nobody was left to play with
    full_bye,       // asked for and granted: usually a win's points
    half_bye,       // asked for and granted: usually a draw's points
    absent,         // took no part: the zero-point bye
};

constexpr bool is_played(PairingOutcome outcome) {
    return outcome == PairingOutcome::win || outcome == PairingOutcome::draw ||
           outcome == PairingOutcome::loss;
}

inline constexpr int nobody = 0;  // where a player's number could stand; numbers start at 1

struct Game {
    PairingOutcome outcome = PairingOutcome::absent;
    int opponent = nobody;             // a number; also written when the game was forfeited
    std::optional<Colour> colour;      // required when the game was played
    std::optional<int> points_tenths;  // when the round gave other points than the point system

    bool operator==(const Game&) const = default;
};

// Points given or taken apart from any game, from some round on.
struct Bonus {
    int round = 1;
    int points_tenths = 0;

    bool operator==(const Bonus&) const = default;
};

struct Entrant {
    int number = nobody;                   // the tournament pairing number
    std::vector<Game> games;               // one a round; missing ones count as absent
    std::vector<int> acceleration_tenths;  // virtual points before each round; missing ones are 0
    std::vector<Bonus> bonuses;
    bool absent = false;  // takes no part in the next round (a bye asked for, away, withdrawn)

    bool operator==(const Entrant&) const = default;
};

// All in tenths of a point.
struct PairingPoints {
    int win = 10;
    int draw = 5;
    int loss = 0;
    int forfeit_win = 10;
    int forfeit_loss = 0;
    int full_bye = 10;
    int half_bye = 5;
    int absent = 0;
    int allocated_bye = 10;

    bool operator==(const PairingPoints&) const = default;
};

// No two of these players may be paired in these rounds.
struct ForbiddenGroup {
    int first_round = 1;
    int last_round = 1;
    std::vector<int> numbers;

    bool operator==(const ForbiddenGroup&) const = default;
};

struct PairingField {
    std::vector<Entrant> entrants;  // in ranking order, numbers all different
    int rounds_played = 0;
    int rounds_total = 0;  // 0: not known, so the next round isn't the last one
    Colour initial_colour = Colour::white;
    PairingPoints points;
    std::vector<ForbiddenGroup> forbidden;
    // If everybody who could be left over already had full points without a game, the bye goes to a
    // player who had them least often: FIDE's rules leave that round to the arbiter.
    bool bye_goes_round = false;
    // Whether colours say who may meet whom (C3, C10 to C13). Without, they only say who of a pair
    // has which, and the pairing is no longer one of FIDE's.
    bool colours = true;

    bool operator==(const PairingField&) const = default;
};

// The points that a round brought.
int points_of(const Game& game, const PairingPoints& points);

// The game of a round counted from 1; an absence when the entrant has no entry for it.
Game game_of(const Entrant& entrant, int round);

// The score before a round (1: before the first), without and with acceleration.
int score_tenths(const PairingField& field, const Entrant& entrant, int before_round);
int pairing_score_tenths(const PairingField& field, const Entrant& entrant, int before_round);

// Paired in that round, though perhaps not playing: an opponent, or the allocated bye.
bool took_part(const Game& game);

// The tournament as it stood before a round (1: nothing played): later games are cut off, and
// players who took no part in that round are marked absent. Requires: 1 <= round <= rounds_played.
PairingField before_round(const PairingField& field, int round);

// Writes the virtual points of Baku acceleration (C.04.7, chapter 1) for all rounds into the
// field. The upper group is the first half of the entrants, rounded up to an even number.
void accelerate_baku(PairingField& field);

}  // namespace referee::pairing
