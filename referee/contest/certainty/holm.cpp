#include "referee/contest/certainty/holm.h"

#include <algorithm>
#include <cstddef>

namespace referee::certainty {

std::vector<double> holm_corrected(std::vector<double> p) {
    std::vector<std::size_t> order(p.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t x, std::size_t y) { return p[x] < p[y]; });
    double most = 0;
    for (std::size_t place = 0; place < order.size(); ++place) {
        auto& one = p[order[place]];
        most = std::max(most, std::min(1.0, one * static_cast<double>(p.size() - place)));
        one = most;
    }
    return p;
}

}  // namespace referee::certainty
