#pragma once

#include <vector>

namespace referee::certainty {

// Chances of errors, corrected so that each is that of any error among all of them, by Holm's way.
std::vector<double> holm_corrected(std::vector<double> p);

}  // namespace referee::certainty
