#pragma once

#include <memory>

#include "referee/contest/pairing/criteria.h"
#include "referee/contest/pairing/optima.h"
#include "referee/contest/pairing/scope.h"

// Chapters 3 and 4 of C.04.3: of all candidates that fulfil the criteria best, the one that is
// generated first.

namespace referee::pairing {

// Narrows the optima down to one as far as the bracket's pairs go.
std::unique_ptr<Optima> first_candidate(const Scope& scope, const Criteria& criteria,
                                        std::unique_ptr<Optima> optima);

}  // namespace referee::pairing
