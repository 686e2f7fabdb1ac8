#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "referee/net/loop/background.h"
#include "referee/net/loop/loop_watch.h"
#include "referee/net/loop/timers.h"
#include "tests/engines/conformance/driver.h"

namespace tests::sim {

using referee::Duration;
using referee::Instant;

// Drawn by lot, below `most`, which is more than zero.
inline Duration random_below(Random& random, Duration most) {
    return Duration(
        static_cast<Duration::rep>(random.below(static_cast<std::size_t>(most.count()))));
}
// The same, or `most` itself.
inline Duration random_up_to(Random& random, Duration most) {
    return random_below(random, most + Duration(1));
}

// Timers whose time is moved on by somebody else.
class SimulatedTimers final : public referee::loop::Timers {
 public:
    explicit SimulatedTimers(const Instant& now) : now_(now) {}
    Instant now() const override { return now_; }
    bool hears_more() const override { return true; }

    using Timers::earliest;
    using Timers::empty;
    using Timers::run_due;

 private:
    void wake_at(Instant /*at*/) override {}

    const Instant& now_;
};

// A simulated time line with two sides: the referee (its coroutines on a real io_context, its
// timers) and everything outside of it (network, bots, disk). Time moves only when neither side has
// anything left to do. At one instant the referee's timers and handlers run in an order that is
// drawn by lot, because nothing may depend on that order.
class World final : public referee::loop::StallSource {
 public:
    explicit World(std::uint64_t order_seed) : order_(order_seed), referee_(now_), outside_(now_) {}

    const Instant& now() const { return now_; }
    boost::asio::io_context& loop() { return loop_; }
    referee::loop::Timers& referee() { return referee_; }
    referee::loop::Timers& outside() { return outside_; }
    // So much later: outside, or in a handler of the referee's loop.
    void later(Duration time, std::function<void()> call);
    void later_on_loop(Duration time, std::function<void()> call);

    // The referee's machine does nothing for so long, while the world goes on.
    void stall(Duration length, referee::loop::StallKind kind = referee::loop::StallKind::stolen);
    // The referee's handler that runs now takes so long. The world outside goes on meanwhile; other
    // handlers run only between handlers.
    void spend(Duration time);
    // In all.
    Duration spent() const { return spent_; }
    // Tells what an honest watch of the loop would tell, also while the referee stands still.
    Duration stalled(referee::loop::StallsOf whose, Instant from, Instant to) const override {
        return stalls_.stalled(whose, from, to);
    }
    std::string_view cause(referee::loop::StallsOf /*whose*/, Instant /*from*/,
                           Instant /*to*/) const override {
        return "simulated";
    }
    // The times during which it stood still, one after the other.
    const std::vector<std::pair<Instant, Instant>>& stood() const { return stood_; }

    // Runs until `done` is true, and returns whether it became true. Otherwise it ends when nothing
    // happens any more, or when `at_most` has passed.
    bool run(const std::function<bool()>& done, Duration at_most);
    // Runs for so long.
    void pass(Duration time);
    // No timer is pending on either side.
    bool quiet() const { return referee_.empty() && outside_.empty(); }

 private:
    void settle();
    bool stands() const { return now_ < stands_until_; }
    bool poll();
    std::optional<Instant> next_event();

    // Later than zero, because zero means nothing to the referee.
    Instant now_{std::chrono::hours(1)};
    Random order_;
    boost::asio::io_context loop_{1};
    SimulatedTimers referee_;
    SimulatedTimers outside_;
    referee::loop::StallLog stalls_;
    Duration spent_{};
    Instant stands_until_{};
    std::vector<std::pair<Instant, Instant>> stood_;
};

// Work beside the loop takes no time here; still, its end is told later.
class InstantBackground final : public referee::loop::Background {
 public:
    explicit InstantBackground(World& world) : world_(world) {}
    void run(Work work, Work done) override;
    // How many pieces of work were done so far.
    int pieces() const { return pieces_; }

 private:
    World& world_;
    int pieces_ = 0;
};

}  // namespace tests::sim
