#include "sample_bots/cpp/superball/champion/evaluation.h"

#include <algorithm>

namespace bots::superball::champion {
namespace {

constexpr float millionth = 1e-6F;
constexpr std::uint64_t learned_min_score_size = 5;

// Between which two knots a filling lies, and how near it is to the first, 1 on it.
struct BetweenKnots {
    std::size_t knot = 0;
    float share = 1;
};

BetweenKnots between_knots(int filling) {
    if (filling <= knot_filling.front()) return {0, 1};
    std::size_t knot = 0;
    while (knot + 2 < knots && filling > knot_filling[knot + 1]) ++knot;
    const int width = knot_filling[knot + 1] - knot_filling[knot];
    return {knot, static_cast<float>(knot_filling[knot + 1] - filling) / static_cast<float>(width)};
}

// The filling that leaves so many cells empty on the handout's board; the nearest there is.
int filling_of(int empty) {
    return std::clamp(fillings - 1 - empty, 0, fillings - 1);
}

}  // namespace

Evaluation::Evaluation(const Field& field, std::uint64_t min_score_size) : field_(field) {
    for (std::size_t size = 0; size < scaled_sizes_.size(); ++size) {
        const auto scaled = size * learned_min_score_size / min_score_size;
        scaled_sizes_[size] = static_cast<int>(std::min<std::uint64_t>(scaled, sizes - 1));
    }
}

const Weights& Evaluation::weights(int empty_then) {
    const int filling = filling_of(empty_then);
    const auto place = static_cast<std::size_t>(filling);
    auto& weights = cache_[place];
    if (cached_[place]) return weights;
    const auto [knot, share] = between_knots(filling);
    for (std::size_t i = 0; i < weights.of.size(); ++i) {
        const auto lower = static_cast<float>(learned_weights.by_knot[knot][i]);
        const auto upper = static_cast<float>(learned_weights.by_knot[knot + 1][i]);
        weights.of[i] = millionth * (share * lower + (1 - share) * upper);
    }
    weights.base = millionth * static_cast<float>(learned_weights.by_filling[place]);
    cached_[place] = true;
    return weights;
}

std::size_t Evaluation::liberty_weight(int zone, int size) {
    constexpr int small = 5;
    constexpr int large = 10;
    const int by_size = size == 1 ? 0 : size < small ? 1 : size < large ? 2 : 3;
    return static_cast<std::size_t>(liberty_begin + by_size +
                                    (zone == 0 ? liberty_classes / 2 : 0));
}

float Evaluation::worth_of_clusters(Bits pieces, Bits empty, const Weights& weights) const {
    float sum = 0;
    for (Bits rest = pieces; rest != 0;) {
        const Bits group = field_.connected(lowest(rest), pieces);
        rest &= ~group;
        const int size = count(group);
        const int zone = field_.zone(group);
        sum += group_worth(zone, size, weights);
        sum += liberty_worth(zone, size, count(field_.grown(group) & empty), weights);
    }
    for (Bits rest = pieces; rest != 0;) {
        const Bits cluster = field_.loosely_connected(lowest(rest), pieces);
        rest &= ~cluster;
        sum += cluster_worth(field_.zone(cluster), count(cluster), weights);
    }
    return sum;
}

float Evaluation::worth(Bits pieces, Bits empty, const Weights& weights) const {
    return weights.of[total_weight(count(pieces))] + worth_of_clusters(pieces, empty, weights);
}

}  // namespace bots::superball::champion
