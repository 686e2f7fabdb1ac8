#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "referee/arena/scheduler/waiting.h"
#include "referee/connections/runtime/timers.h"

namespace referee::scheduler {

// Tells what waits, when it is something else or somebody else that is waited for than when it was
// told last; not more often than each second. On the loop's thread.
class WaitNews {
 public:
    using Look = std::function<std::vector<Waiting>()>;
    using Tell = std::function<void(const std::vector<Waiting>&)>;

    // The timers outlive this. `look` says what waits at present.
    WaitNews(runtime::Timers& timers, Look look, Tell tell);
    ~WaitNews() { cancel(); }
    WaitNews(const WaitNews&) = delete;
    WaitNews& operator=(const WaitNews&) = delete;
    WaitNews(WaitNews&&) = delete;
    WaitNews& operator=(WaitNews&&) = delete;

    // There may be news: now, or when the second is over.
    void look();
    // Those that are due are told no more.
    void cancel();

 private:
    runtime::Timers& timers_;
    Look present_;
    Tell tell_;
    runtime::Timers::Id timer_ = 0;
    std::optional<Instant> looked_at_;
    std::vector<Waiting> told_;
};

}  // namespace referee::scheduler
