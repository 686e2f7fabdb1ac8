#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "referee/game/clock/time.h"

namespace referee::daemon {

// How the referee's stalls are told: in a line each, but at most one in `line_every`. What was
// passed over is summed up in the next line.
class StallNews {
 public:
    static constexpr Duration line_every = std::chrono::seconds(1);

    // The line to tell; nothing where the last one is too young. `turns` ran while it stood still.
    std::optional<std::string> told(Instant now, std::string_view cause, Duration stood,
                                    std::size_t turns);

 private:
    std::optional<Instant> told_at_;
    std::size_t passed_over_ = 0;
    Duration passed_over_time_{};
};

}  // namespace referee::daemon
