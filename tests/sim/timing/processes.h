#pragma once

#include <bitset>
#include <vector>

#include "referee/launch/process/core_wait.h"
#include "referee/net/lobby/bot.h"
#include "tests/sim/world.h"

namespace tests::sim::timing {

// What all processes of launched bots have in common here: they never end.
class LivingProcess : public referee::lobby::Process {
 public:
    std::string_view cpu_means() const override { return "simulated"; }
    std::optional<bool> freezes_between_turns() const override { return std::nullopt; }
    std::optional<Exit> exited() const override { return std::nullopt; }
    referee::LaunchedProgram program() const override { return {}; }
};

// A bot of several threads on a machine of few cores, beside other programs that want them too. Its
// first thread thinks about the turn. The kernel's counters of its threads are all that the
// referee's arithmetic is given.
class ScheduledProcess final : public LivingProcess {
 public:
    struct Traits {
        std::size_t cores = 1;
        std::size_t threads = 1;
        std::size_t others = 0;  // programs that never rest
    };
    ScheduledProcess(const World& world, Traits traits, Random random);

    // A turn has come to the bot, and its first thread needs so much of a core: draws who runs
    // when, and returns how long it takes.
    Duration schedule(Duration work);
    // How long nothing of the bot ran between the two though something of it wanted to.
    Duration truly_waited(Instant from, Instant to) const;
    // Processor time of all its threads between the two.
    Duration truly_used(Instant from, Instant to) const;

    std::optional<Duration> cpu_time() override { return std::nullopt; }
    void begin_turn() override { wait_.begin(times()); }
    Duration core_wait_min(Duration wall) override { return wait_.certain(times(), wall); }
    Duration core_wait_max(Duration wall) override { return wait_.possible(times(), wall); }
    // It forgets what it thought about.
    bool freeze() override;
    void thaw() override {}

 private:
    static constexpr std::size_t threads_max = 4;
    using Threads = std::bitset<threads_max>;
    // In a slice of time the same threads run and want to.
    struct Slice {
        Instant from{};
        Instant to{};
        Threads runs;
        Threads wants;  // those that run too
    };
    Threads pick(Threads wants);
    referee::process::BotCpuTimes times() const;

    const World& world_;
    Traits traits_;
    Random random_;
    std::vector<Slice> slices_;
    referee::process::CoreWait wait_;
};

// A bot that computes whenever it isn't frozen, on a machine that may refuse to freeze it.
class PonderingProcess final : public LivingProcess {
 public:
    PonderingProcess(const World& world, bool can_be_frozen)
        : world_(world), can_be_frozen_(can_be_frozen), looked_at_(world.now()) {}

    std::optional<Duration> cpu_time() override;
    void begin_turn() override {}
    Duration core_wait_min(Duration /*wall*/) override { return {}; }
    Duration core_wait_max(Duration /*wall*/) override { return {}; }
    bool freeze() override;
    void thaw() override;

 private:
    const World& world_;
    bool can_be_frozen_;
    bool frozen_ = false;
    Instant looked_at_;
    Duration used_{};
};

}  // namespace tests::sim::timing
