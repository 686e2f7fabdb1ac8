#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

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

// Bots that say another version in nearly each game: an instructor is told once of each, because
// then no figure is of one program.
class VersionNews {
 public:
    // A match of the bot is over, in which that program played (empty: nobody can tell). What is to
    // be told, the first time that there is something.
    std::optional<std::string> played(const std::string& tournament, const std::string& bot,
                                      const std::string& program);

 private:
    struct Seen {
        std::string program;
        std::uint64_t matches = 0;
        std::uint64_t changes = 0;
        bool told = false;
    };
    std::map<std::pair<std::string, std::string>, Seen> seen_;  // by tournament and bot
};

}  // namespace referee::daemon
