#pragma once

#include <cstdint>
#include <string_view>

#include "referee/games/clock/time.h"

namespace referee::runtime {

// Whose stalls are asked for.
enum class StallsOf : std::uint8_t {
    // What stopped the whole machine, or may have. A turn whose answer is stamped by the kernel is
    // touched by nothing else: the kernel goes on while the referee works, or waits for a core.
    machine,
    // And what kept the referee's process alone at the end of that time: where it takes the stamp
    // of an answer itself, and nothing else of it can have delayed the bot. What kept it before,
    // and was over in time, delayed no stamp.
    stamp,
    // And what it lost for want of a processor at any time: a bot on the same machine may have
    // wanted one just so.
    cores,
    // And all else that kept the process alone, at any time: where the bot waits for it.
    process,
};

// How much the referee itself stood still, as far as it knows: asked whenever a turn is judged.
class StallSource {
 public:
    virtual ~StallSource() = default;
    // Of the time between the two instants, as much as the referee did not live through: not more
    // than lies between them, but for time that the monotonic clock itself slept through.
    virtual Duration stalled(StallsOf whose, Instant from, Instant to) const = 0;
    // What most of it was, in plain words; empty where there was none.
    virtual std::string_view cause(StallsOf /*whose*/, Instant /*from*/, Instant /*to*/) const {
        return {};
    }
};

}  // namespace referee::runtime
