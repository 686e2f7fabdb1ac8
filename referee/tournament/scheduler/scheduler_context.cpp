#include "referee/tournament/scheduler/scheduler_context.h"

namespace referee::scheduler {

void Wakeups::wake_by(Instant at) {
    if (timer_ != 0 && timer_at_ <= at) return;
    timers_.cancel(timer_);
    timer_at_ = at;
    timer_ = timers_.schedule(at, [this] {
        timer_ = 0;
        look_();
    });
}

void Wakeups::cancel() {
    timers_.cancel(std::exchange(timer_, 0));
}

}  // namespace referee::scheduler
