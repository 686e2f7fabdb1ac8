#pragma once

#include <chrono>
#include <thread>

namespace tests {

// Returns as soon as the condition holds; false where it doesn't for longer than any machine is
// slow.
template <typename Condition>
bool wait_until(Condition condition) {
    // time: the one place where a test without an event loop waits for a state
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::seconds patience{60};
    for (const auto end = Clock::now() + patience; !condition();) {
        if (Clock::now() > end) return false;
        // time: between two looks
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

}  // namespace tests
