#pragma once

#include <algorithm>
#include <boost/asio/execution_context.hpp>

#include "referee/game/clock/time.h"

namespace referee::transport {

// How often all connections of a loop together ask the kernel for stamps of what they send. What
// comes back wakes the loop and has to be fetched, by several calls. So a thousand bots that play
// fast ask no more than a few that play slowly, and those ask for each turn. A service of the loop.
class AskingBudget final : public boost::asio::execution_context::service {
 public:
    static constexpr Duration ask_every = std::chrono::milliseconds(1);
    // Games that move on together send so many turns at once.
    static constexpr int asks_at_once_max = 64;

    using key_type = AskingBudget;
    inline static boost::asio::execution_context::id id;
    explicit AskingBudget(boost::asio::execution_context& context) : service(context) {}

    // Whether one more may ask now; then it has asked.
    bool take(Instant now) {
        const auto next = std::max(next_, now - asks_at_once_max * ask_every) + ask_every;
        if (next > now) return false;
        next_ = next;
        return true;
    }

 private:
    void shutdown() noexcept override {}

    Instant next_{};  // the last asking, had they come evenly
};

}  // namespace referee::transport
