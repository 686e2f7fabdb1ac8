#pragma once

namespace referee::rating {

// A difference is estimated again and again while matches come in. When may it be called greater
// than 0? Its square must reach this many times its variance, at any look, for the chance of ever
// being wrong to stay below `alpha`: a confidence sequence, by Robbins's mixture of bell curves.
// `variance`: of the estimate at this look. Requires: variance > 0, 0 < alpha < 1/2.
double sequential_bound(double variance, double alpha);

}  // namespace referee::rating
