#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace bots::snake_labyrinth {

// What of a budget may be spent on thinking: the rest is for the start, the way of the answer and
// the last step of thinking, which is not broken off.
constexpr std::int64_t thinking_us(std::int64_t budget_us) {
    return budget_us / 4 * 3;
}

// Says true once so much time has gone by since it was made. The only clock of these bots, and
// only a guard: their work is counted.
inline std::function<bool()> late_after(std::int64_t microseconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(microseconds);
    return [end] { return std::chrono::steady_clock::now() >= end; };
}

}  // namespace bots::snake_labyrinth
