#include "referee/tournament/scheduler/looks.h"

namespace referee::scheduler {

void Looks::at_latest(Instant at) {
    if (timer_ != 0 && timer_at_ <= at) return;
    timers_.cancel(timer_);
    timer_at_ = at;
    timer_ = timers_.schedule(at, [this] {
        timer_ = 0;
        look_();
    });
}

void Looks::cancel() {
    timers_.cancel(std::exchange(timer_, 0));
}

}  // namespace referee::scheduler
