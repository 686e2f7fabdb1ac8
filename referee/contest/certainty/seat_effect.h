#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "referee/contest/certainty/significance.h"

namespace referee::certainty {

// The chance, over all effects of a table together, of calling any real though none is.
inline constexpr double seats_alpha = 0.05;
// With fewer matches nothing is said of an effect.
inline constexpr std::uint64_t effect_matches_min = 6;
// How many matches it takes is said for an advantage of so much of a game's points, to be found in
// four of five cases.
inline constexpr double advantage_of_note = 0.05;

// A game, and what it gave to each seat: 1 for the one ahead of all, a half for an average seat.
struct SeatGame {
    std::uint64_t match = 0;  // games of one match stand together; they may depend on each other
    std::size_t setup = 0;
    std::optional<std::size_t> mover{};  // the seat that moves first, if one does
    std::vector<std::size_t> players{};  // by seat; one that plays itself has more than one
    std::vector<double> shares{};        // by seat
};

// Many of these. Most have players and shares that others have too: such a list is kept once.
class SeatGames {
 public:
    struct Kept {
        std::uint64_t match = 0;
        std::size_t setup = 0;
        std::optional<std::size_t> mover;
        const std::vector<std::size_t>& players;
        const std::vector<double>& shares;
    };
    void add(SeatGame game) {
        const auto& players = *players_.insert(std::move(game.players)).first;
        const auto& shares = *shares_.insert(std::move(game.shares)).first;
        games_.push_back({game.match, game.setup, game.mover, players, shares});
    }
    const std::deque<Kept>& all() const { return games_; }

 private:
    std::deque<Kept> games_;  // never copied to grow
    std::set<std::vector<std::size_t>> players_;
    std::set<std::vector<double>> shares_;
};

enum class EffectKind : std::uint8_t { seat, setup, first_move };

// What a seat gives beside what its bots are worth.
struct SeatEffect {
    EffectKind kind = EffectKind::seat;
    std::size_t seat = 0;   // of all but first moves
    std::size_t setup = 0;  // of setups
    std::uint64_t games = 0;
    std::uint64_t matches = 0;
    // Whether it comes from matches in which everybody had the seat equally often, so that what the
    // bots are worth cancels. Else that is taken off by strengths that are fitted to all games.
    bool paired = false;
    // Nothing: it can't be told, for there are too few matches, or a bot's worth and its seat can't
    // be told apart, because seats hardly changed, or nothing scattered.
    std::optional<double> advantage{};  // of a game's points, against a half
    Interval interval{};                // 95%
    double p = 1;                       // corrected for all effects of the table
    bool real = false;                  // p is at most seats_alpha
    std::uint64_t needed = 0;           // matches to find advantage_of_note; 0: not known
};

// What rotation left: who gained or lost most by the seats that it had, or by moving first, with
// the advantages that were found.
struct SeatLeft {
    EffectKind kind = EffectKind::seat;  // or first_move
    double alone = 0;  // what the best seat, or the worst, would give to who always has it
    std::size_t player = 0;
    double gained = 0;   // of a game's points
    bool alike = false;  // everybody had each seat, or moved first, equally often
};

struct SeatTable {
    std::vector<SeatEffect> effects;
    std::uint64_t games = 0;
    std::uint64_t matches = 0;
    std::vector<SeatLeft> left;  // of seats and of first moves, as far as they could be told
};

// Of games of the same number of seats, two or more; others are passed over. Where games have two
// seats the second one's advantage is the first one's with the other sign, and isn't listed.
// Requires: players are below `players`; setups below `setups`.
SeatTable seat_table(std::size_t players, std::size_t setups, const SeatGames& games);

}  // namespace referee::certainty
