#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>

#include "protocol/base/enum_names.h"

namespace referee::rating {

// The share of the points that a strength difference should bring.
double expected_share(double elo);

enum class SprtVerdict : std::uint8_t { undecided, stronger, not_stronger };

inline constexpr std::array<base::Named<SprtVerdict>, 3> sprt_verdicts{
    {{SprtVerdict::undecided, "undecided"},
     {SprtVerdict::stronger, "stronger"},
     {SprtVerdict::not_stronger, "not_stronger"}}};
static_assert(base::in_order(sprt_verdicts));
constexpr std::string_view name_of(SprtVerdict verdict) {
    return base::row_of(sprt_verdicts, verdict).name;
}

// Is one stronger by elo1 rather than only by elo0?
struct SprtLimits {
    double elo0 = 0;
    double elo1 = 10;
    double alpha = 0.05;  // wrongly saying yes
    double beta = 0.05;   // wrongly saying no
};

struct SprtState {
    SprtVerdict verdict = SprtVerdict::undecided;
    double log_likelihood_ratio = 0;
    double lower = 0;         // below: not stronger
    double upper = 0;         // above: stronger
    std::size_t matches = 0;  // looked at
};

// A sequential test on what matches brought, one after the other: each is a share of the points
// from 0 to 1, whatever values these take (one game: lost, drawn, won; a pair of games: five).
// How often each value comes is not known: under either limit it is taken as it makes the results
// likeliest among all distributions with the limit's mean (a generalised likelihood ratio).
class SequentialTest {
 public:
    explicit SequentialTest(const SprtLimits& limits);
    // Nothing changes any more once there is a verdict.
    void add(double share);
    const SprtState& state() const { return state_; }

 private:
    double share0_;
    double share1_;
    std::map<double, double> seen_;  // how often each share came
    SprtState state_;
};

// A difference is estimated again and again while matches come in. When may it be called greater
// than 0? Its square must reach this many times its variance, at any look, for the chance of ever
// being wrong to stay below `alpha`: a confidence sequence, by Robbins's mixture of bell curves.
// `variance`: of the estimate at this look. Requires: variance > 0, 0 < alpha < 1/2.
double sequential_bound(double variance, double alpha);

}  // namespace referee::rating
