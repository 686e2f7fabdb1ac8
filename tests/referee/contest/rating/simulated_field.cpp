#include "tests/referee/contest/rating/simulated_field.h"

#include <cmath>
#include <numeric>

#include "referee/contest/rating/sprt.h"

namespace referee::rating {

double drawn_share(Random& random, double expected, double draw_share) {
    const double win = expected - draw_share / 2;
    const double u = random.unit();
    return u < win ? 1 : u < win + draw_share ? 0.5 : 0;
}

double played_share(Random& random, double elo, double draw_share) {
    return drawn_share(random, expected_share(elo), draw_share);
}

std::vector<PairResult> round_robin(const std::vector<double>& strengths, int cycles,
                                    double draw_share, Random& random) {
    std::vector<PairResult> results;
    for (std::size_t a = 0; a < strengths.size(); ++a) {
        for (std::size_t b = a + 1; b < strengths.size(); ++b) {
            for (int cycle = 0; cycle < cycles; ++cycle)
                results.push_back(
                    {a, b, played_share(random, strengths[a] - strengths[b], draw_share)});
        }
    }
    return results;
}

double coverage(const std::vector<double>& strengths, int cycles, double draw_share, int runs,
                std::uint64_t seed) {
    Random random(seed);
    const double mean = std::accumulate(strengths.begin(), strengths.end(), 0.0) /
                        static_cast<double>(strengths.size());
    std::size_t held = 0;
    std::size_t all = 0;
    for (int run = 0; run < runs; ++run) {
        const auto table =
            elo_ratings(strengths.size(), round_robin(strengths, cycles, draw_share, random));
        for (std::size_t i = 0; i < strengths.size(); ++i) {
            const double off = *table.ratings[i].elo - (strengths[i] - mean);
            held += std::abs(off) <= table.ratings[i].error95 ? 1 : 0;
            ++all;
        }
    }
    return static_cast<double>(held) / static_cast<double>(all);
}

}  // namespace referee::rating
