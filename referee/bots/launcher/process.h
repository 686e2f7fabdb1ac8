#pragma once

// One bot that was launched: all of its processes, from the first to the last daemon.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "referee/bots/launcher/accounting.h"
#include "referee/bots/launcher/descriptor.h"
#include "referee/bots/launcher/launch_spec.h"

namespace referee::launcher {

class BotProcess;

// Not thread safe: to be used from the thread that runs the launcher's executor, on which the
// callbacks are called too, never from inside of a call to the object. Callbacks may destroy it.
class Process {
 public:
    explicit Process(std::shared_ptr<BotProcess> bot);

    // Release: everything of the bot is killed, at once, and cleaned up behind the scenes. No
    // callback comes any more.
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    // Of the bot's first process.
    pid_t pid() const;

    // Our ends of the bot's standard input and output, non-blocking; handed over once, then
    // empty. In dial-in mode there are none. Requires that the program ignores SIGPIPE.
    Descriptor take_input();
    Descriptor take_output();

    // Processor time of all the bot's processes, user and system, since it was launched. Never
    // goes down; stays at its last value when the bot is gone. A few microseconds a call under
    // control groups.
    std::uint64_t cpu_time_us();

    // How that is known.
    Accounting accounting() const;

    // Whether the background scheduling that was asked for was granted.
    bool background_granted() const;

    // A frozen bot uses no processor time until it is thawed; it can be killed. 0 or an errno.
    // Repeated calls do no harm.
    int freeze();
    int thaw();

    // Kills every process of the bot, also those that left its session. Returns at once;
    // on_gone tells when nothing is left. Nothing can be launched in its place.
    void kill();

    // When the first process ends, by itself or by a kill; others may still be there. Called
    // once, also when it has ended before. A new callback replaces the old one.
    void on_exit(std::function<void(const ExitStatus&)> call);

    // When not a single process is left.
    void on_gone(std::function<void()> call);

    // Nothing while it runs.
    std::optional<ExitStatus> exit_status() const;
    bool gone() const;

    // The end of what it printed on standard error, whatever bytes that were, with all that it
    // had printed when it exited.
    std::string error_tail();
    std::uint64_t error_bytes() const;

    // The same of standard output in dial-in mode; else empty.
    std::string output_tail();

 private:
    std::shared_ptr<BotProcess> bot_;
};

}  // namespace referee::launcher
