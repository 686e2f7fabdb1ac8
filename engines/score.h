#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "protocol/json/writer.h"

namespace engines {

// Points of a game, counted in halves so that sums and comparisons are exact everywhere.
class Score {
 public:
    constexpr Score() = default;
    static constexpr Score whole(std::int64_t points) { return Score(points * 2); }
    static constexpr Score halves(std::int64_t halves) { return Score(halves); }

    constexpr std::int64_t in_halves() const { return halves_; }
    constexpr Score operator+(Score other) const { return Score(halves_ + other.halves_); }
    constexpr Score& operator+=(Score other) { return *this = *this + other; }
    constexpr auto operator<=>(const Score&) const = default;

    // "2", "1.5", "-0.5".
    std::string text() const {
        if (halves_ % 2 == 0) return std::to_string(halves_ / 2);
        const auto size = halves_ < 0 ? 0 - static_cast<std::uint64_t>(halves_)
                                      : static_cast<std::uint64_t>(halves_);
        return (halves_ < 0 ? "-" : "") + std::to_string(size / 2) + ".5";
    }
    void write(protocol::json::Writer& writer) const { writer.raw(text()); }

 private:
    constexpr explicit Score(std::int64_t halves) : halves_(halves) {}

    std::int64_t halves_ = 0;
};

}  // namespace engines
