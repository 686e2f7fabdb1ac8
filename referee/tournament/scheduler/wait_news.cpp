#include "referee/tournament/scheduler/wait_news.h"

#include <algorithm>
#include <utility>

namespace referee::scheduler {
namespace {

// News come at most this often: most waits are over before a person could read of them.
constexpr Duration news_every = std::chrono::seconds(1);

bool same_news(const Waiting& one, const Waiting& other) {
    return same_wait(one, other) && one.bots == other.bots;
}

}  // namespace

WaitNews::WaitNews(loop::Timers& timers, Look look, Tell tell)
    : timers_(timers), present_(std::move(look)), tell_(std::move(tell)) {}

void WaitNews::look() {
    if (timer_ != 0) return;
    const auto now = timers_.now();
    if (looked_at_ && now < *looked_at_ + news_every) {
        timer_ = timers_.schedule(*looked_at_ + news_every, [this] {
            timer_ = 0;
            look();
        });
        return;
    }
    looked_at_ = now;
    auto present = present_();
    if (std::equal(present.begin(), present.end(), told_.begin(), told_.end(), same_news)) return;
    told_ = std::move(present);
    tell_(told_);
}

void WaitNews::cancel() {
    timers_.cancel(std::exchange(timer_, 0));
}

}  // namespace referee::scheduler
