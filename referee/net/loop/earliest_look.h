#pragma once

#include <cstddef>
#include <functional>
#include <utility>

#include "referee/net/loop/timers.h"

namespace referee::loop {

// A look at what can be done now, such as games that can begin, at the earliest moment that was
// asked for. Who waits for a moment asks for a look at that moment. Who must not be disturbed holds
// the looks off. On the loop's thread.
class EarliestLook {
 public:
    // The timers outlive this.
    EarliestLook(Timers& timers, std::function<void()> look)
        : timers_(timers), look_(std::move(look)) {}
    ~EarliestLook() { cancel(); }
    EarliestLook(const EarliestLook&) = delete;
    EarliestLook& operator=(const EarliestLook&) = delete;

    // There is a look then, or earlier. Only the earliest moment is kept: at each look, those who
    // still wait ask again.
    void wake_by(Instant at) {
        if (timer_ != 0 && timer_at_ <= at) return;
        timers_.cancel(timer_);
        timer_at_ = at;
        timer_ = timers_.schedule(at, [this] {
            timer_ = 0;
            look_();
        });
    }
    // No look is due any more.
    void cancel() { timers_.cancel(std::exchange(timer_, 0)); }

    // No look begins while this lives. It ends before its EarliestLook.
    class Hold {
     public:
        explicit Hold(EarliestLook& looks) : looks_(looks) { ++looks_.holds_; }
        ~Hold() { --looks_.holds_; }
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;

     private:
        EarliestLook& looks_;
    };
    // Whether somebody holds the looks off: one that is wanted now has to come later.
    bool held() const { return holds_ > 0; }

 private:
    Timers& timers_;
    std::function<void()> look_;
    std::size_t holds_ = 0;
    Timers::Id timer_ = 0;
    Instant timer_at_{};
};

}  // namespace referee::loop
