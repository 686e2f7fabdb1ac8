#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/game.h"
#include "protocol/base/result.h"

namespace referee::review {

// What a game came to for each seat. Several seats: the share of the others that it was placed
// before, half of those beside it; so 1 for a win, a half for a draw, 0 for a loss. A single one:
// its score.
using Worth = std::vector<double>;

Worth worth_of(const engines::Outcome& outcome);

// Where playouts begin: in the position in which `turn` was to be played, from 1.
struct Branch {
    std::int64_t turn = 1;
    // What that turn is played with, by seat, as JSON text (empty: no move); without any, those who
    // play the playouts choose.
    std::vector<std::string> moves{};
};

struct PlayedOut {
    Worth worth;
    std::string course;  // the same for two playouts that went alike, move for move
};

// Plays games on to their end.
class Playouts {
 public:
    virtual ~Playouts() = default;

    // The playouts `first` to `first + count - 1` of that branch. Those of the same number on two
    // branches have the same luck, as far as there is a way to give it to them. `from` is the
    // branch's position, behind its moves; it is not over. An error says why none could be played.
    virtual base::Result<std::vector<PlayedOut>, std::string> play(const Branch& branch,
                                                                   const engines::State& from,
                                                                   std::uint64_t first,
                                                                   std::size_t count) = 0;
    // Programs are started for each: where chance has no part, few are enough.
    virtual bool cost_much() const = 0;
};

}  // namespace referee::review
