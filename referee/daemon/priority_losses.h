#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "referee/daemon/doubted_turns.h"
#include "referee/game/clock/time.h"

namespace referee::daemon {

// How often the loop has lost its real-time class, and when that is worth a line of the log: at
// once the first time, and then at most once a minute. Under load it is lost again and again.
class PriorityLosses {
 public:
    static constexpr Duration told_every = std::chrono::minutes(1);

    // It was found to be lost, once more.
    void lost() { ++count_; }
    // The line that is due at `now`, and counts as told: the first says what it means and what
    // helps, the others how many more there were. Nothing where there is nothing new, or where the
    // last line is less than a minute old. Ask again later: then what was held back is due.
    // It also names whose turns passed by doubt since the last line: judged late, or with lines
    // that were read together. That shows who was loud, or who had to bear it.
    std::optional<std::string> news(Instant now, DoubtedTurns& doubted);
    std::uint64_t count() const { return count_; }

 private:
    std::uint64_t count_ = 0;
    std::uint64_t told_ = 0;
    Instant told_at_{};
};

}  // namespace referee::daemon
