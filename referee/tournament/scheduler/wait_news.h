#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "referee/net/loop/timers.h"
#include "referee/tournament/scheduler/waiting.h"

namespace referee::scheduler {

// Tells what waits, whenever other things wait than it told last, or for other bots; at most once a
// second. On the loop's thread.
class WaitNews {
 public:
    using Look = std::function<std::vector<Waiting>()>;
    using Tell = std::function<void(const std::vector<Waiting>&)>;

    // The timers outlive this. `look` says what waits at present.
    WaitNews(loop::Timers& timers, Look look, Tell tell);
    ~WaitNews() { cancel(); }
    WaitNews(const WaitNews&) = delete;
    WaitNews& operator=(const WaitNews&) = delete;
    WaitNews(WaitNews&&) = delete;
    WaitNews& operator=(WaitNews&&) = delete;

    // There may be news: tells them now, or when the second is over.
    void look();
    // News that are due are not told any more.
    void cancel();

 private:
    loop::Timers& timers_;
    Look present_;
    Tell tell_;
    loop::Timers::Id timer_ = 0;
    std::optional<Instant> looked_at_;
    std::vector<Waiting> told_;
};

}  // namespace referee::scheduler
