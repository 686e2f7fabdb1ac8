#pragma once

#include <functional>

namespace referee::runtime {

// Work that takes too long for the loop's thread. One piece after the other, on a thread of its own
// in production and at once in a simulation; `done` runs on the loop's thread, later than run().
class Background {
 public:
    using Work = std::function<void()>;

    virtual ~Background() = default;
    virtual void run(Work work, Work done) = 0;
};

}  // namespace referee::runtime
