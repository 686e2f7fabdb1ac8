#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "referee/net/loop/timers.h"
#include "referee/tournament/referee/roster.h"

namespace referee::daemon {

// What an instructor must know of the names that were registered.
struct RegistrationsState {
    std::uint64_t waiting = 0;  // for approval, where the config asks for one
    std::uint64_t names = 0;    // that count for the total
    std::uint64_t total = 0;    // the most of them
    bool full = false;          // new names are refused because of the total
    std::string text;           // one line, with orders; empty where there is nothing to do
};
RegistrationsState state_of(const tournament::ConfigRoster& roster,
                            const config::RegistrationConfig& terms);

// Calls `tell` when registrations have changed, but at most once in `every`: what changes meanwhile
// is told at its end. The timers outlive it.
class RegistrationNews {
 public:
    static constexpr Duration every = std::chrono::minutes(1);

    RegistrationNews(loop::Timers& timers, std::function<void()> tell);
    ~RegistrationNews();
    RegistrationNews(const RegistrationNews&) = delete;
    RegistrationNews& operator=(const RegistrationNews&) = delete;
    RegistrationNews(RegistrationNews&&) = delete;
    RegistrationNews& operator=(RegistrationNews&&) = delete;

    void changed();

 private:
    void tell_now();

    loop::Timers& timers_;
    std::function<void()> tell_;
    std::optional<Instant> told_at_;
    loop::Timers::Id waiting_ = 0;  // 0: nothing waits to be told
};

}  // namespace referee::daemon
