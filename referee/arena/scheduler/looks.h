#pragma once

#include <cstddef>
#include <functional>
#include <utility>

#include "referee/connections/runtime/timers.h"

namespace referee::scheduler {

// When to look for games that can begin. Whoever waits for a moment sees to it that somebody looks
// then; whoever must not be looked past holds the looks off meanwhile. On the loop's thread.
class Looks {
 public:
    // The timers outlive this.
    Looks(runtime::Timers& timers, std::function<void()> look)
        : timers_(timers), look_(std::move(look)) {}
    ~Looks() { cancel(); }
    Looks(const Looks&) = delete;
    Looks& operator=(const Looks&) = delete;
    Looks(Looks&&) = delete;
    Looks& operator=(Looks&&) = delete;

    // At the latest then. The earliest time is kept: whoever still waits asks again at each look.
    void at_latest(Instant at);
    // None is due any more.
    void cancel();

    // No look begins while this lives. It ends before its Looks.
    class Hold {
     public:
        explicit Hold(Looks& looks) : looks_(looks) { ++looks_.holds_; }
        ~Hold() { --looks_.holds_; }
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;
        Hold(Hold&&) = delete;
        Hold& operator=(Hold&&) = delete;

     private:
        Looks& looks_;
    };
    // Whether somebody holds them. A look that is asked for now has to come later.
    bool held() const { return holds_ > 0; }

 private:
    runtime::Timers& timers_;
    std::function<void()> look_;
    std::size_t holds_ = 0;
    runtime::Timers::Id timer_ = 0;
    Instant timer_at_{};
};

}  // namespace referee::scheduler
