#include <gtest/gtest.h>

#include <bitset>
#include <vector>

#include "referee/launch/process/core_wait.h"
#include "referee/net/lobby/bot.h"
#include "tests/sim/timing/bounds.h"

// Launched bots: waits for a core, and processor time between turns.

namespace tests::sim::timing {
namespace {

using namespace std::chrono_literals;

// What all processes of launched bots have in common here: they never end.
class LivingProcess : public referee::lobby::Process {
 public:
    std::string_view cpu_means() const override { return "simulated"; }
    std::optional<bool> freezes_between_turns() const override { return std::nullopt; }
    std::optional<Exit> exited() const override { return std::nullopt; }
    referee::LaunchedProgram program() const override { return {}; }
};

constexpr Duration slice_most = 4ms;
constexpr std::size_t wakes_of_a_hundred = 30;

Duration overlap(Instant from, Instant to, Instant begin, Instant end) {
    return std::max(std::min(to, end) - std::max(from, begin), Duration(Duration::zero()));
}

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
    ScheduledProcess(const World& world, Traits traits, Random random)
        : world_(world), traits_(traits), random_(random) {}

    // A turn has come to the bot, and its first thread needs so much of a core: draws who runs
    // when, and returns how long it takes.
    Duration schedule(Duration work) {
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
    // How long nothing of the bot ran between the two though something of it wanted to.
    Duration truly_waited(Instant from, Instant to) const {
        Duration sum{};
        for (const auto& slice : slices_) {
            if (slice.runs.none() && slice.wants.any())
                sum += overlap(from, to, slice.from, slice.to);
        }
        return sum;
    }
    // Processor time of all its threads between the two.
    Duration truly_used(Instant from, Instant to) const {
        Duration sum{};
        for (const auto& slice : slices_)
            sum += overlap(from, to, slice.from, slice.to) *
                   static_cast<Duration::rep>(slice.runs.count());
        return sum;
    }

    std::optional<Duration> cpu_time() override { return std::nullopt; }
    void begin_turn() override { wait_.begin(times()); }
    Duration core_wait_min(Duration wall) override { return wait_.wait_min(times(), wall); }
    Duration core_wait_max(Duration wall) override { return wait_.wait_max(times(), wall); }
    // It forgets what it thought about.
    bool freeze() override {
        std::erase_if(slices_, [this](const Slice& slice) { return slice.from >= world_.now(); });
        if (!slices_.empty()) slices_.back().to = std::min(slices_.back().to, world_.now());
        return true;
    }
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

    // By lot, of all that want a core.
    Threads pick(Threads wants) {
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
    // A wait counts when it has ended, as the kernel has it.
    referee::process::BotCpuTimes times() const {
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

    std::optional<Duration> cpu_time() override {
        if (!frozen_) used_ += world_.now() - looked_at_;
        looked_at_ = world_.now();
        return used_;
    }
    void begin_turn() override {}
    Duration core_wait_min(Duration /*wall*/) override { return {}; }
    Duration core_wait_max(Duration /*wall*/) override { return {}; }
    bool freeze() override {
        cpu_time();
        frozen_ = can_be_frozen_;
        return can_be_frozen_;
    }
    void thaw() override {
        cpu_time();
        frozen_ = false;
    }

 private:
    const World& world_;
    bool can_be_frozen_;
    bool frozen_ = false;
    Instant looked_at_;
    Duration used_{};
};

constexpr std::int64_t turns_of_cores = 20;
constexpr Duration core_budget = 30ms;
constexpr Duration cpu_budget = 50ms;
constexpr Duration way_of_output = 40us;

LineTraits line_of_output() {
    return {
        .way = {.round_trip = way_of_output}, .address = "127.0.0.1", .from_this_machine = true};
}

struct Waits {
    std::size_t alone = 0;  // turns of bots of one thread
    Duration waited{};      // truly
    Duration excused{};
    std::size_t late = 0;
};

void check_wait(const Judged& judged, const ScheduledProcess& process, bool one_thread,
                Waits& waits) {
    const auto& truth = judged.truth;
    const auto& charge = judged.charge;
    const auto waited = process.truly_waited(truth.left, truth.arrived);
    const auto used = process.truly_used(truth.left, truth.arrived);
    waits.late += charge.late ? 1 : 0;
    if (charge.late || truth.arrived == Instant{}) {
        // What it may have waited is given to a silent bot, so it had its budget. Threads that run
        // at the same time hide some of their waits.
        const auto had = judged.told - truth.left - process.truly_waited(truth.left, judged.told);
        EXPECT_TRUE(!one_thread || had >= judged.budget) << describe(judged);
        EXPECT_FALSE(one_thread && truth.thought <= judged.budget) << describe(judged);
        return;
    }
    waits.waited += waited;
    waits.excused += charge.waited;
    EXPECT_LE(charge.waited, waited) << describe(judged);
    EXPECT_GE(charge.charged + charge.allowed + charge.doubted, std::min(used, truth.wall()))
        << describe(judged);
    if (!one_thread) return;
    ++waits.alone;
    EXPECT_EQ(charge.waited, waited) << describe(judged);
    EXPECT_EQ(charge.charged, truth.thought) << describe(judged);
}

void wait_for_cores(std::uint64_t seed, Waits& waits) {
    std::deque<ScheduledProcess> processes;
    TimedRoom room(seed);
    auto& random = room.random();
    std::vector<std::string> names;
    std::vector<std::size_t> threads;
    for (const auto* name : {"ada", "bob"}) {
        names.emplace_back(name);
        threads.push_back(random.chance(50) ? 1 : 2 + random.below(3));
        auto& process = processes.emplace_back(
            room.world,
            ScheduledProcess::Traits{1 + random.below(2), threads.back(), random.below(4)},
            Random(random.next()));
        auto& bot = room.add(name, line_of_output(), {.thinks_least = 100, .thinks_most = 1200});
        bot.takes([&process](Duration work) { return process.schedule(work); });
        room.launch(name, process);
    }
    room.open(names, {.budget = core_budget}, turns_of_cores);
    EXPECT_TRUE(room.play(1min));
    EXPECT_TRUE(room.annulled().empty());
    for (const auto& judged : room.verdicts()) {
        const auto seat = std::get<2>(judged.key) == names[0] ? 0U : 1U;
        check_wait(judged, processes[seat], threads[seat] == 1, waits);
    }
}

TEST(Cores, a_wait_behind_others_is_not_charged_and_one_behind_itself_is) {
    Waits waits;
    for_each_seed([&](std::uint64_t seed) { wait_for_cores(seed, waits); });
    EXPECT_GT(waits.alone, 0U);
    EXPECT_GT(waits.late, 0U);
    EXPECT_GT(waits.excused, waits.waited / 2);
}

// Whether it is frozen between its turns or not: all that it burns from the first turn on is
// charged to a turn. A turn is over when its budget is used up; who can't be frozen then burns on,
// and pays for that in its next turn; the last ones that are over so have no next one.
TEST(Cores, nothing_between_turns_is_free_under_a_clock_of_processor_time) {
    std::size_t pondered = 0;
    for_each_seed([&](std::uint64_t seed) {
        std::deque<PonderingProcess> processes;
        TimedRoom room(seed);
        std::vector<std::string> names;
        std::vector<bool> freezes;
        for (const auto* name : {"ada", "bob"}) {
            names.emplace_back(name);
            freezes.push_back(room.random().chance(50));
            auto& process = processes.emplace_back(room.world, freezes.back());
            room.add(name, line_of_output(), {.thinks_least = 100, .thinks_most = 900});
            room.launch(name, process);
        }
        const referee::clock::ClockConfig clock{.measure = referee::clock::Measure::cpu,
                                                .budget = cpu_budget};
        room.open(names, clock, turns_of_cores);
        EXPECT_TRUE(room.play(1min));
        for (std::size_t seat = 0; seat < names.size(); ++seat) {
            Duration charged{};
            Duration between{};  // its turns
            Duration in_turns{};
            std::optional<Instant> before;
            auto turns = room.verdicts();
            std::erase_if(
                turns, [&](const auto& judged) { return std::get<2>(judged.key) != names[seat]; });
            while (!turns.empty() && turns.back().charge.late) turns.pop_back();
            for (const auto& judged : turns) {
                // An answer that came when the turn was long over was read in none.
                const auto read = std::max(judged.truth.read, judged.truth.left);
                const bool stood_still = judged.charge.late && freezes[seat];
                charged += judged.charge.charged;
                in_turns += stood_still ? judged.charge.charged : read - judged.truth.left;
                if (before) between += judged.truth.left - *before;
                before = read;
            }
            EXPECT_GE(charged, in_turns + (freezes[seat] ? Duration::zero() : between));
            // Before its first turn it waited for the other bot, after it was ready itself.
            EXPECT_LE(charged, in_turns + (freezes[seat] ? Duration::zero() : between + 1ms));
            pondered += between > cpu_budget && !freezes[seat] ? 1 : 0;
        }
    });
    EXPECT_GT(pondered, 0U);
}

}  // namespace
}  // namespace tests::sim::timing
