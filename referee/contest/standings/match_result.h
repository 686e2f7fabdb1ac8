#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/score.h"

// What standings are folded from: the results of matches, and the byes.

namespace referee::standings {

// A place in the field of a tournament: an index into its list of entrants.
using Entrant = std::size_t;

// A game of a match that counted: the match's ordinal, this number and this attempt are its key.
struct CountedGame {
    std::uint32_t number = 1;  // in the match, from 1
    std::uint32_t attempt = 1;
    std::string fingerprint;  // the same of games in which the same happened; empty: not known
    // By match seat. A solo game is played by one of them alone: the others have no score.
    std::vector<std::optional<engines::Score>> scores;
};

// What a match came to, folded from its games that count. Every list is by the seat in the first
// game of the match.
struct MatchResult {
    std::uint64_t match = 0;  // ordinal in the tournament, from 1
    std::uint32_t round = 1;  // from 1
    std::vector<Entrant> seats;
    std::vector<engines::Score> points;  // as the config says
    std::vector<engines::Score> scores;  // sums of the games' scores
    // What each game alone is worth, summed: 1 for each seat that is behind, 1/2 for each that is
    // level; of a solo game, on each setup that all have played.
    std::vector<engines::Score> game_points;
    std::vector<int> placing;           // 1 is best; equal seats share: 1, 2, 2, 4
    std::vector<std::int64_t> used_us;  // time charged over all games
    // The seats that never showed up: a match with an absent seat is a forfeit. For two seats it
    // isn't a game in the sense of tie-breaks and pairings: the two may meet again.
    std::vector<bool> absent;
    std::vector<std::uint32_t> wins;  // games (of solo games: setups) won alone
    // In a knockout one of the two goes on. If the match is level in everything, it is the seat
    // that was chosen by lot.
    bool one_goes_on = false;
    std::size_t lot = 0;
    // By seat: with which version of its program the bot played, numbered from 0 as they came in
    // this tournament. A program that nobody can name is the version before. Empty: all 0.
    std::vector<std::uint32_t> versions;
    // Which program of the seat's bot played, of several the last; empty where that isn't known.
    std::vector<std::string> programs;
    bool programs_mixed = false;       // some seat was played by more than one
    bool ruled = false;                // set by an arbiter, whatever the games came to
    std::uint32_t games = 0;           // how many counted
    std::vector<CountedGame> counted;  // those, in order

    std::uint32_t version_of(std::size_t seat) const {
        return seat < versions.size() ? versions[seat] : 0;
    }
    bool forfeit() const {
        for (const bool missing : absent) {
            if (missing) return true;
        }
        return false;
    }
};

enum class ByeKind : std::uint8_t {
    pairing,     // nobody was left to play: the schedule gave it
    half_point,  // asked for beforehand
    full_point,  // given by the organiser
    zero_point,  // absent, withdrawn, or not yet there
};

constexpr std::string_view name_of(ByeKind kind) {
    switch (kind) {
        case ByeKind::pairing:
            return "pairing";
        case ByeKind::half_point:
            return "half_point";
        case ByeKind::full_point:
            return "full_point";
        case ByeKind::zero_point:
            return "zero_point";
    }
    return {};
}

// A round without a match, and what it gives.
struct Bye {
    std::uint32_t round = 1;
    Entrant entrant = 0;
    engines::Score points;
    ByeKind kind = ByeKind::pairing;
};

}  // namespace referee::standings
