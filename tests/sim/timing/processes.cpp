#include "tests/sim/timing/processes.h"

#include <algorithm>

namespace tests::sim::timing {
namespace {

using namespace std::chrono_literals;

constexpr Duration slice_most = 4ms;
constexpr std::size_t wakes_of_a_hundred = 30;

Duration overlap(Instant from, Instant to, Instant begin, Instant end) {
    return std::max(std::min(to, end) - std::max(from, begin), Duration(Duration::zero()));
}

}  // namespace

ScheduledProcess::ScheduledProcess(const World& world, Traits traits, Random random)
    : world_(world), traits_(traits), random_(random) {}

// By lot, of all that want a core.
ScheduledProcess::Threads ScheduledProcess::pick(Threads wants) {
    Threads runs;
    auto others = traits_.others;
    for (std::size_t core = 0; core < traits_.cores; ++core) {
        const auto waiting = wants & ~runs;
        const auto ours = waiting.count();
        if (ours + others == 0) break;
        auto drawn = random_.below(ours + others);
        if (drawn >= ours) {
            --others;
            continue;
        }
        for (std::size_t thread = 0; thread < threads_max; ++thread) {
            if (!waiting.test(thread) || drawn-- > 0) continue;
            runs.set(thread);
            break;
        }
    }
    return runs;
}

Duration ScheduledProcess::schedule(Duration work) {
    const auto begin = world_.now();
    auto at = begin;
    Threads wants;
    while (work > Duration::zero()) {
        wants.set(0);
        // The other threads begin and end as they like.
        for (std::size_t thread = 1; thread < traits_.threads; ++thread) {
            if (random_.chance(wakes_of_a_hundred)) wants.flip(thread);
        }
        const auto runs = pick(wants);
        auto length = Duration(1) + random_below(random_, slice_most);
        if (runs.test(0)) length = std::min(length, work);
        slices_.push_back({at, at + length, runs, wants});
        at += length;
        if (runs.test(0)) work -= length;
    }
    return at - begin;
}

bool ScheduledProcess::freeze() {
    std::erase_if(slices_, [this](const Slice& slice) { return slice.from >= world_.now(); });
    if (!slices_.empty()) slices_.back().to = std::min(slices_.back().to, world_.now());
    return true;
}

Duration ScheduledProcess::truly_waited(Instant from, Instant to) const {
    Duration sum{};
    for (const auto& slice : slices_) {
        if (slice.runs.none() && slice.wants.any()) sum += overlap(from, to, slice.from, slice.to);
    }
    return sum;
}

Duration ScheduledProcess::truly_used(Instant from, Instant to) const {
    Duration sum{};
    for (const auto& slice : slices_)
        sum += overlap(from, to, slice.from, slice.to) *
               static_cast<Duration::rep>(slice.runs.count());
    return sum;
}

// A wait counts when it has ended, as the kernel has it.
referee::process::BotCpuTimes ScheduledProcess::times() const {
    referee::process::BotCpuTimes times;
    const auto now = world_.now();
    for (std::size_t thread = 0; thread < traits_.threads; ++thread) {
        auto& told = times.threads[static_cast<pid_t>(thread)];
        Duration waits{};
        Instant last{};
        for (const auto& slice : slices_) {
            if (slice.from > now) break;
            // Between its turns nothing of it wants to run.
            if (std::exchange(last, slice.to) != slice.from) waits = Duration::zero();
            const auto length = overlap(slice.from, slice.to, Instant{}, now);
            const bool lasts = slice.to > now;
            told.runs_or_waits = lasts && slice.wants.test(thread);
            if (slice.runs.test(thread)) {
                told.ran += length;
                told.waited += std::exchange(waits, Duration::zero());
            } else if (slice.wants.test(thread)) {
                waits += length;
            } else {
                waits = Duration::zero();
            }
        }
        times.used += told.ran;
    }
    return times;
}

std::optional<Duration> PonderingProcess::cpu_time() {
    if (!frozen_) used_ += world_.now() - looked_at_;
    looked_at_ = world_.now();
    return used_;
}

bool PonderingProcess::freeze() {
    cpu_time();
    frozen_ = can_be_frozen_;
    return can_be_frozen_;
}

void PonderingProcess::thaw() {
    cpu_time();
    frozen_ = false;
}

}  // namespace tests::sim::timing
