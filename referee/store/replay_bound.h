#pragma once

#include <cstdint>

#include "referee/store/database.h"

namespace referee::store {

// How many replays were dropped, to stay within the bound.
struct DroppedReplays {
    std::uint64_t of_ladders = 0;
    std::uint64_t of_others = 0;  // of tournaments with final standings

    bool any() const { return of_ladders + of_others > 0; }
};

// Keeps all replays of a store within a number of packed bytes. The oldest of ladders are dropped
// first, the others only when no ladder has one left. A result is never dropped, and the digest of
// a dropped replay stands in its place: the chain stays whole.
class ReplayBound {
 public:
    ReplayBound(Database& database, std::uint64_t bytes_max)
        : database_(database), bytes_max_(bytes_max) {}

    // Called after commits. In one transaction drops as many as one may have; what is above the
    // bound then is dropped by the next call. Throws, and then nothing has changed.
    DroppedReplays keep();

 private:
    struct State {
        std::uint64_t bytes = 0;    // of replays up to `counted`
        std::uint64_t counted = 0;  // the last record with a replay
        // Behind which the oldest replays stand, of ladders and of others.
        std::uint64_t ladders_from = 0;
        std::uint64_t others_from = 0;
    };
    void count_new();
    std::uint64_t drop(State& state, bool of_ladders, std::uint64_t most);

    Database& database_;
    std::uint64_t bytes_max_;
    State state_;
};

}  // namespace referee::store
