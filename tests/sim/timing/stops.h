#pragma once

#include <vector>

#include "referee/net/loop/machine.h"
#include "tests/sim/world.h"

namespace tests::sim::timing {

// What can hold up the referee.
enum class StopKind : std::uint8_t {
    referee,  // its process is stopped, and nothing else
    machine,  // the whole machine stands still: its kernel, its bots, the heartbeat
    starved,  // there is no core for the referee; its bots and its heartbeat have one
};

// Stops of one run, known from the beginning: the truth.
class Stops {
 public:
    struct Stop {
        StopKind kind{};
        Instant from{};
        Instant to{};
    };

    // Requires: stops come one after the other.
    void add(const Stop& stop) { stops_.push_back(stop); }
    const std::vector<Stop>& all() const { return stops_; }
    // How much of the time between the two was lost to stops of that kind.
    Duration lost(StopKind kind, Instant from, Instant to) const;
    // The first moment from `at` on at which the machine's kernel runs.
    Instant kernel_awake(Instant at) const;
    // When a program of this machine has had so much time, from `from` on.
    Instant after(Instant from, Duration time) const;

 private:
    std::vector<Stop> stops_;
};

// What the machine tells the watch of the loop, while these stops happen.
class StoppedMachine final : public referee::loop::Machine {
 public:
    // Both outlive it.
    StoppedMachine(const World& world, const Stops& stops) : world_(world), stops_(stops) {}
    Clocks clocks() const override { return {.wall_ahead = Duration::zero(), .slept = {}}; }
    Duration processor_time() const override { return {}; }
    Duration core_wait() const override;
    Load load() const override { return {}; }
    std::optional<Pulse> heartbeat(Instant now) const override;
    void wake() override {}
    void fall_asleep() override {}

 private:
    const World& world_;
    const Stops& stops_;
};

}  // namespace tests::sim::timing
