#pragma once

#include <algorithm>
#include <chrono>

namespace referee::relay {

// Pauses between tries: each twice as long as the one before, up to a most.
class BackOff {
 public:
    static constexpr std::chrono::milliseconds first{500};
    static constexpr std::chrono::milliseconds most{30'000};

    // `chance` from 0 to 1 shortens the pause by up to a quarter, so that a class whose connections
    // were lost together doesn't come back in one moment.
    std::chrono::milliseconds next(double chance) {
        constexpr double share_by_chance = 0.25;
        const auto pause = pause_;
        pause_ = std::min(pause_ * 2, most);
        return std::chrono::duration_cast<std::chrono::milliseconds>(
            pause * (1 - share_by_chance * chance));
    }
    void reset() { pause_ = first; }

 private:
    std::chrono::milliseconds pause_ = first;
};

}  // namespace referee::relay
