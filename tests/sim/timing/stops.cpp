#include "tests/sim/timing/stops.h"

#include <algorithm>

namespace tests::sim::timing {

Duration Stops::lost(StopKind kind, Instant from, Instant to) const {
    Duration sum{};
    for (const auto& stop : stops_) {
        if (stop.kind != kind) continue;
        sum +=
            std::max(std::min(stop.to, to) - std::max(stop.from, from), Duration(Duration::zero()));
    }
    return sum;
}

Instant Stops::kernel_awake(Instant at) const {
    for (const auto& stop : stops_) {
        if (stop.kind == StopKind::machine && stop.from <= at && at < stop.to) return stop.to;
    }
    return at;
}

Instant Stops::after(Instant from, Duration time) const {
    auto end = kernel_awake(from) + time;
    for (const auto& stop : stops_) {
        if (stop.kind == StopKind::machine && stop.from >= from && stop.from < end)
            end += stop.to - stop.from;
    }
    return end;
}

Duration StoppedMachine::core_wait() const {
    return stops_.lost(StopKind::starved, Instant{}, world_.now());
}

// A beat was due some time after the stop began: on average half of the time between two.
std::optional<referee::loop::Machine::Pulse> StoppedMachine::heartbeat(Instant now) const {
    Duration stood{};
    for (const auto& stop : stops_.all()) {
        const auto lost = stops_.lost(StopKind::machine, stop.from, std::min(stop.to, now));
        if (stop.kind != StopKind::machine) continue;
        const auto until_due = stop.from.time_since_epoch() % beat_every;
        stood += std::max(lost - until_due, Duration(Duration::zero()));
    }
    return Pulse{.stood = stood, .core_wait = {}};
}

}  // namespace tests::sim::timing
