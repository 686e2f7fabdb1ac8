#pragma once

#include <cstddef>

namespace referee::loop {

// How many descriptors this process may have open at once, at most: the hard limit. It is set by
// whoever started the process.
std::size_t descriptors_max();

// From now on the process may have so many open, or as many as the hard limit allows. The limit is
// never lowered.
void allow_descriptors(std::size_t wanted);

}  // namespace referee::loop
