#pragma once

#include <functional>

namespace referee::loop {

// Work that takes too long for the loop's thread. Pieces run one after the other: on a thread of
// their own in production, at once in a simulation. `done` runs on the loop's thread, after run()
// has returned.
class Background {
 public:
    using Work = std::function<void()>;

    virtual ~Background() = default;
    virtual void run(Work work, Work done) = 0;
};

}  // namespace referee::loop
