#include "referee/tournament/scheduler/drawing.h"

#include <utility>

#include "protocol/base/assertion.h"

namespace referee::scheduler {

void Drawing::run() {
    REFEREE_ASSERT(!next_);
    if (schedule_ == nullptr)
        schedule_ = formats::make_schedule(format_, std::move(entries_), seed_);
    next_ = schedule_->next();
}

}  // namespace referee::scheduler
