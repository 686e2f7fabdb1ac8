#include "referee/daemon/host.h"
#include "referee/report/log/log.h"

// How the kernel prefers the referee to other programs, and what is told of it.

namespace referee::daemon {

void Host::keep_priority() {
    if (loop::has_lost_priority(priority_)) {
        priority_losses_.lost();
        priority_ = loop::raise_priority();
    }
    if (const auto news = priority_losses_.news(timers_.now(), doubted_turns_))
        log::warn("{}", *news);
}

std::string_view Host::present_priority() const {
    using Kind = loop::Priority::Kind;
    if (loop::has_lost_priority(priority_)) return "lost";
    if (priority_.kind == Kind::realtime) return "real-time";
    return priority_.kind == Kind::nice ? "nice" : "plain";
}

std::uint64_t Host::times_priority_was_lost() const {
    return priority_losses_.count() + (loop::has_lost_priority(priority_) ? 1 : 0);
}

std::string Host::priority() const {
    return config_.high_priority
               ? loop::describe(priority_)
               : "the referee runs as any other program, as \"priority\" in the config says";
}

}  // namespace referee::daemon
