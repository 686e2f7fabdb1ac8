#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sample_bots/cpp/superball/champion/field.h"

// How good a board is: a sum over groups of what each is worth by its size and its way to the goal
// cells, with other weights the fuller the board is. The weights were learned by playing.
namespace bots::superball::champion {

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
