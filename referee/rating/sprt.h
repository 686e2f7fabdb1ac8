#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace referee::rating {

// The share of the points that a strength difference should bring.
double expected_share(double elo);

enum class SprtVerdict : std::uint8_t { undecided, stronger, not_stronger };

constexpr std::string_view name_of(SprtVerdict verdict) {
    switch (verdict) {
        case SprtVerdict::undecided:
            return "undecided";
        case SprtVerdict::stronger:
            return "stronger";
        case SprtVerdict::not_stronger:
            return "not_stronger";
    }
    return {};
}

struct SprtLimits {
    double elo0 = 0;
    double elo1 = 10;
    double alpha = 0.05;
    double beta = 0.05;
};

// A sequential test on what matches brought: each is a share of the points from 0 to 1, of one
// game (lost, drawn, won) or of a pair of games (five outcomes). Looks at matches in their order
// and stops at the first that decides.
struct SprtState {
    SprtVerdict verdict = SprtVerdict::undecided;
    double log_likelihood_ratio = 0;
    double lower = 0;         // below: not stronger
    double upper = 0;         // above: stronger
    std::size_t matches = 0;  // looked at
};
SprtState sprt(std::span<const double> shares, const SprtLimits& limits);

}  // namespace referee::rating
