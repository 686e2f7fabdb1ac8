#pragma once

#include "referee/watch/review/review.h"
#include "referee/watch/review/sampler.h"

namespace referee::review {

// What a turn of the seat cost, and what the playouts would have had it play.
base::Result<CostlyTurn, std::string> look_at_turn(Sampler& sampler, std::int64_t turn,
                                                   const ReviewOptions& terms, Scale scale);

}  // namespace referee::review
