#pragma once

#include "referee/contest/pairing/matching.h"

// Inside of the matching only: what its source files share.

namespace referee::pairing {

template <typename W>
template <typename Visit>
void Matching<W>::each_vertex(int node, Visit&& visit) const {
    if (!is_blossom(node)) {
        visit(node);
        return;
    }
    for (const int v : blossom(node).vertices) visit(v);
}

}  // namespace referee::pairing

// The widths of weight that exist; each source file makes its part of each.
#define REFEREE_INSTANTIATE_MATCHING()   \
    template class Matching<Weight<1>>;  \
    template class Matching<Weight<2>>;  \
    template class Matching<Weight<4>>;  \
    template class Matching<Weight<8>>;  \
    template class Matching<Weight<16>>; \
    template class Matching<Weight<64>>;
