#include "referee/net/loop/descriptor_limit.h"

#include <sys/resource.h>

#include <algorithm>
#include <limits>

namespace referee::loop {

std::size_t descriptors_max() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_max == RLIM_INFINITY)
        return std::numeric_limits<std::size_t>::max();
    return limit.rlim_max;
}

void allow_descriptors(std::size_t wanted) {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    const auto allowed = std::min<rlim_t>(wanted, limit.rlim_max);
    if (allowed <= limit.rlim_cur) return;
    limit.rlim_cur = allowed;
    // Where it fails, accepting pauses when descriptors run out, and the log says so.
    setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace referee::loop
