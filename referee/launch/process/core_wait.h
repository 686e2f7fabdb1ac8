#pragma once

// How long a bot stood in the queue for a core in a turn through no fault of its own. Arithmetic
// only, but for ThreadTimesReader, which reads the counters. ../README.md has the rule and why.

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "referee/launch/process/kernel_file.h"

namespace referee::process {

using std::chrono::nanoseconds;

// What the kernel has counted of one thread since it was born.
struct ThreadTimes {
    nanoseconds ran{};
    nanoseconds waited{};        // runnable, but without a core; a wait counts when it has ended
    bool runs_or_waits = false;  // now; told only where it was asked for

    bool operator==(const ThreadTimes&) const = default;
};

// All of a bot at one moment.
struct BotCpuTimes {
    std::map<pid_t, ThreadTimes> threads;  // those that live, by their ids
    nanoseconds used{};                    // processor time of all, also of the dead
};

class CoreWait {
 public:
    // A turn begins.
    void begin(BotCpuTimes times) {
        *this = {};
        begun_ = std::move(times);
        has_begun_ = true;
    }
    // Processor time since then of a bot that has used `used` in all; nothing where no turn began.
    std::optional<nanoseconds> worked(nanoseconds used) const {
        return has_begun_ ? std::optional(used_since(used)) : std::nullopt;
    }

    // What is certain: so long, of a turn that took `wall`, nothing of the bot ran although
    // something of it wanted to. It never leaves less of `wall` than the processor time that all of
    // the bot used. What wait_max() found certain in this turn stays so, whoever has ended since.
    nanoseconds wait_min(const BotCpuTimes& now, nanoseconds wall) const;

    // What is possible. A wait that still lasts isn't counted by the kernel; nobody knows how much
    // of the time in which a thread that wants to run didn't run it was asleep. But it has begun
    // behind the last such look of this turn, unless the thread wanted to run then and hasn't run
    // since: who only wakes for the looks gets the time between two of them. Use it to decide how
    // long to wait for an answer, never for the charge of one.
    nanoseconds wait_max(const BotCpuTimes& now, nanoseconds wall);

 private:
    nanoseconds used_since(nanoseconds used) const {
        return std::max(used - begun_.used, nanoseconds::zero());
    }

    BotCpuTimes begun_;
    bool has_begun_ = false;
    // What wait_max() saw last, and how long a wait that lasted then may have lasted.
    std::map<pid_t, ThreadTimes> seen_;
    nanoseconds seen_at_{};
    nanoseconds lasts_{};
    nanoseconds certain_{};  // as wait_max() found it
};

// Reads what the kernel has counted of a bot's threads. It is read twice a turn, so the files of
// the first threads stay open.
class ThreadTimesReader {
 public:
    // How many files stay open at most. A virtual machine has dozens of threads: files of the
    // others are opened for each look, which takes four times as long.
    static constexpr std::size_t open_files_max = 4;

    // The counters of these threads; a thread that is gone meanwhile is left out. With
    // `with_state`, also whether each wants to run at this moment.
    std::map<pid_t, ThreadTimes> read(const std::vector<pid_t>& threads, bool with_state);

 private:
    bool read_counters(pid_t thread, ThreadTimes& times);

    std::map<pid_t, Descriptor> files_;
    std::string text_;
};

}  // namespace referee::process
