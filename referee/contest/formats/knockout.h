#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "referee/contest/formats/format.h"

namespace referee::formats {

// Who goes on. A match that ends level goes to the one that won more of its games, then to the one
// with the greater sum of scores, then to the one that the lot has chosen.
struct KnockoutDecision {
    std::size_t winner = 0;     // the seat that goes on
    std::string_view level_by;  // what decided a match that ended level; empty where it didn't
};

// Requires: a match of a knockout, with the better seed in seat 0.
KnockoutDecision decision_of(const MatchResult& result);

// Single or double elimination. `numbers` gives the entrants by seed, the best first.
std::unique_ptr<Schedule> knockout(const KnockoutOptions& options, std::size_t entrants,
                                   std::vector<Entrant> numbers);

// Where somebody in a match comes from.
struct Source {
    enum class Kind : std::uint8_t { nobody, seed, winner_of, loser_of };
    Kind kind = Kind::nobody;
    std::size_t index = 0;  // of the seed (0 is the best) or of the node
};

struct KnockoutNode {
    std::uint32_t round = 1;
    Source first;
    Source second;
    // The loser here is out; it shares its place with those that go out in the same phase.
    bool loser_is_out = false;
    // Played only if the second of the node before, who came with a loss, won that one.
    bool only_if_second_won = false;
};

// Which match takes whom.
struct KnockoutTree {
    std::vector<KnockoutNode> nodes;  // by round; sources stand before those that use them
    std::uint32_t rounds = 0;
    std::size_t final_node = 0;               // decides the first place (a second final may follow)
    std::size_t third_place_node = SIZE_MAX;  // SIZE_MAX: none
};

// Best against worst, so that the first two seeds can meet in the final only; the best seeds have
// the byes. Requires: at least two entrants.
KnockoutTree single_elimination(std::size_t entrants, bool third_place_match);

// An entrant that lost once goes on in a second bracket, whose winner plays the final.
KnockoutTree double_elimination(std::size_t entrants, bool second_final);

}  // namespace referee::formats
