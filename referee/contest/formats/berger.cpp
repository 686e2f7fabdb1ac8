#include "referee/contest/formats/berger.h"

#include "protocol/base/assertion.h"

namespace referee::formats::berger {

namespace {

std::uint32_t even(std::uint32_t players) {
    return players + players % 2;
}

}  // namespace

std::uint32_t rounds(std::uint32_t players) {
    return even(players) - 1;
}

std::uint32_t boards(std::uint32_t players) {
    return even(players) / 2;
}

Pair pair(std::uint32_t players, std::uint32_t round, std::uint32_t board) {
    REFEREE_ASSERT(players >= 2 && round < rounds(players) && board < boards(players));
    // The last number stays; all others stand in a ring. The place of the last number's opponent
    // moves half a ring on with each round, and the other boards pair the numbers at equal distance
    // from it.
    const std::uint32_t last = even(players);
    const std::uint32_t ring = last - 1;
    const auto half = static_cast<std::uint64_t>(last / 2);
    const auto pivot = static_cast<std::uint32_t>(round * half % ring);
    if (board == 0) {
        const bool last_is_black = round % 2 == 0;
        return last_is_black ? Pair{pivot + 1, last} : Pair{last, pivot + 1};
    }
    return {(pivot + board) % ring + 1, (pivot + ring - board) % ring + 1};
}

}  // namespace referee::formats::berger
