#pragma once

// How good a board is: a sum over groups of what each is worth by its size and its way to the goal
// cells, with other weights the fuller the board is. The weights were learned by playing.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "engines/superball/position.h"

namespace bots::superball::champion {

// The board as sets of cells, a bit each, so that groups are found by shifting.

using engines::superball::Board;

__extension__ typedef unsigned __int128 Bits;  // NOLINT(modernize-use-using): a warning else

inline constexpr int bits_max = 128;
inline constexpr int half_bits = 64;
inline constexpr int colors_max = 8;  // more than that is another game

// Both halves are summed in pairs, fours and bytes at once: without the processor's own
// instruction, which not every machine has, the library's way is a call for each half.
inline int count(Bits set) {
    constexpr std::uint64_t in_pairs = 0x5555555555555555ULL;
    constexpr std::uint64_t in_fours = 0x3333333333333333ULL;
    constexpr std::uint64_t in_bytes = 0x0F0F0F0F0F0F0F0FULL;
    constexpr std::uint64_t each_byte = 0x0101010101010101ULL;
    constexpr unsigned top_byte = 56;
    auto low = static_cast<std::uint64_t>(set);
    auto high = static_cast<std::uint64_t>(set >> half_bits);
    low -= low >> 1U & in_pairs;
    high -= high >> 1U & in_pairs;
    low = (low & in_fours) + (low >> 2U & in_fours);
    high = (high & in_fours) + (high >> 2U & in_fours);
    const auto sums =
        (low & in_bytes) + (low >> 4U & in_bytes) + (high & in_bytes) + (high >> 4U & in_bytes);
    return static_cast<int>(sums * each_byte >> top_byte);
}

// The place of the lowest bit. Requires: not empty.
inline int lowest_place(Bits set) {
    const auto low = static_cast<std::uint64_t>(set);
    if (low != 0) return std::countr_zero(low);
    return half_bits + std::countr_zero(static_cast<std::uint64_t>(set >> half_bits));
}

inline Bits lowest(Bits set) {
    return set & -set;
}
inline Bits bit(int place) {
    return Bits{1} << place;
}

// How far a set is from the goal cells: on one, one step off, two, or more.
inline constexpr int zones = 4;

// The shape of a board. Rows are a bit longer than the board's, so that shifting never goes
// around an edge.
class Field {
 public:
    // Whether a board of this shape fits into the bits.
    static bool fits(const Board& board);

    // Requires: fits.
    explicit Field(const Board& board);

    int place(int cell) const { return cell / cols_ * stride_ + cell % cols_; }
    int cell(int place) const { return place / stride_ * cols_ + place % stride_; }

    Bits all() const { return all_; }
    Bits goals() const { return within_[0]; }

    // The set and all cells beside it.
    Bits grown(Bits set) const {
        return (set | set << 1 | set >> 1 | set << stride_ | set >> stride_) & all_;
    }
    // All of `among` that hangs together with the seed, which is part of it.
    Bits connected(Bits seed, Bits among) const {
        for (;;) {
            const Bits next =
                (seed | seed << 1 | seed >> 1 | seed << stride_ | seed >> stride_) & among;
            if (next == seed) return seed;
            seed = next;
        }
    }
    // The same where a gap of one cell doesn't count.
    Bits loosely_connected(Bits seed, Bits among) const {
        for (;;) {
            const Bits next = grown(grown(seed)) & among;
            if (next == seed) return seed;
            seed = next;
        }
    }
    // The cells at most two steps from this place.
    Bits around(int place) const { return around_[static_cast<std::size_t>(place)]; }

    int zone(Bits set) const {
        for (int zone = 0; zone < zones - 1; ++zone) {
            if ((set & within_[static_cast<std::size_t>(zone)]) != 0) return zone;
        }
        return zones - 1;
    }

 private:
    int cols_;
    int stride_;
    Bits all_ = 0;
    std::array<Bits, zones - 1> within_{};  // the cells at most that many steps from a goal cell
    std::array<Bits, bits_max> around_{};
};

// The pieces of each colour.
struct Pieces {
    std::array<Bits, colors_max> of{};
    int colors = 0;

    Bits taken() const {
        Bits set = 0;
        for (int color = 0; color < colors; ++color) set |= of[static_cast<std::size_t>(color)];
        return set;
    }
};

Pieces pieces_on(const Board& board, const Field& field);

inline constexpr int sizes = 25;  // of a group, 0 to 24 and more
inline constexpr int liberty_classes =
    8;  // of groups, by size and by whether they touch a goal cell
inline constexpr int zone_weights = zones * sizes;
inline constexpr int group_begin = 0;                                // by zone and size
inline constexpr int cluster_begin = group_begin + zone_weights;     // groups with gaps of one cell
inline constexpr int liberty_begin = cluster_begin + zone_weights;   // empty cells beside a group
inline constexpr int total_begin = liberty_begin + liberty_classes;  // by pieces of a colour
inline constexpr int weights_count = total_begin + sizes;

// A board is worth the share of the turns to come that the player will still be in: 1 for ever, 0
// where the game is over. Each later turn counts so much of the one before.
inline constexpr double discount = 0.99;

inline constexpr int knots = 5;  // fillings at which the weights were learned; linear in between
inline constexpr std::array<int, knots> knot_filling{15, 35, 55, 68, 80};
inline constexpr int fillings = 81;  // the pieces on the handout's board, 0 to 80

// The learned numbers, in millionths.
struct LearnedWeights {
    std::array<std::array<std::int32_t, weights_count>, knots> by_knot;
    std::array<std::int32_t, fillings> by_filling;
};
extern const LearnedWeights learned_weights;

// Weights for one filling of the board.
struct Weights {
    std::array<float, weights_count> of{};
    float base = 0;
};

class Evaluation {
 public:
    Evaluation(const Field& field, std::uint64_t min_score_size);

    // For a board that will have so many empty cells once the next pieces have come. The
    // reference stays good.
    const Weights& weights(int empty_then);

    // What the pieces of one colour are worth together.
    float worth(Bits pieces, Bits empty, const Weights& weights) const;
    // The part of it that comes from groups and clusters: additive over clusters.
    float worth_of_clusters(Bits pieces, Bits empty, const Weights& weights) const;

    float group_worth(int zone, int size, const Weights& weights) const {
        return weights.of[group_weight(zone, size)];
    }
    float cluster_worth(int zone, int size, const Weights& weights) const {
        return weights.of[cluster_weight(zone, size)];
    }
    float liberty_worth(int zone, int size, int liberties, const Weights& weights) const {
        return liberty_unit * static_cast<float>(liberties) *
               weights.of[liberty_weight(zone, size)];
    }

 private:
    static constexpr float liberty_unit = 0.25F;

    std::size_t group_weight(int zone, int size) const {
        return static_cast<std::size_t>(group_begin + zone * sizes + scaled(size));
    }
    std::size_t cluster_weight(int zone, int size) const {
        return static_cast<std::size_t>(cluster_begin + zone * sizes + scaled(size));
    }
    static std::size_t liberty_weight(int zone, int size);
    static std::size_t total_weight(int pieces) {
        return static_cast<std::size_t>(total_begin + std::min(pieces, sizes - 1));
    }
    int scaled(int size) const { return scaled_sizes_[static_cast<std::size_t>(size)]; }

    const Field& field_;
    std::array<int, bits_max + 1> scaled_sizes_{};
    std::array<Weights, fillings> cache_{};
    std::array<bool, fillings> cached_{};
};

}  // namespace bots::superball::champion
