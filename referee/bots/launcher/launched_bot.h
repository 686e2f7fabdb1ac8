#pragma once

// One launched bot: all of its processes, from the first one to the last daemon.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "referee/bots/launcher/accounting.h"
#include "referee/bots/launcher/descriptor.h"
#include "referee/bots/launcher/launch_spec.h"
#include "referee/bots/sandbox/tier.h"

namespace referee::launcher {

class BotProcess;

// Not thread safe. Use it from the thread that runs the launcher's executor. Callbacks are called
// on that thread too, never from inside a call to the object. Callbacks may destroy it.
class LaunchedBot {
 public:
    explicit LaunchedBot(std::shared_ptr<BotProcess> bot);

    // Releases the bot: kills everything of it at once; the cleaning up goes on afterwards. No
    // callback comes any more.
    ~LaunchedBot();
    LaunchedBot(const LaunchedBot&) = delete;
    LaunchedBot& operator=(const LaunchedBot&) = delete;

    // The process id of the bot's first process.
    pid_t pid() const;

    // Our ends of the bot's standard input and output, non-blocking. Each is handed over once and
    // is empty afterwards. In dial-in mode there are none. Requires: the program ignores SIGPIPE.
    Descriptor take_input();
    Descriptor take_output();

    // Why the output is a pipe although a socket was asked for; empty where all is well.
    const std::string& no_socket() const;

    // Processor time of all the bot's processes, user and system, since it was launched. Never goes
    // down; keeps its last value when the bot is gone. A call takes a few microseconds under
    // control groups.
    std::uint64_t cpu_time_us();

    // A turn of the bot begins. Takes about as long as cpu_time_us(), and so do the two that
    // follow.
    void begin_turn();

    // How long the bot stood in the queue for a core since its turn began, through no fault of its
    // own, where the turn took `wall`: what is certain, and what may be. See CoreWait. Zero under
    // Accounting::proc, where a look takes milliseconds.
    std::chrono::nanoseconds waited_certainly(std::chrono::nanoseconds wall);
    std::chrono::nanoseconds waited_possibly(std::chrono::nanoseconds wall);
    std::optional<std::chrono::nanoseconds> worked_in_turn();

    // Dial-in mode in a sandbox with a network of its own: the socket that listens there, at the
    // port that the bot was told, for the referee to accept from. Handed over once; empty where the
    // bot reaches the referee's own port.
    Descriptor take_door();

    // The sandbox that it runs in; Tier::none where none was asked for.
    sandbox::Tier tier() const;

    // By which means the time is measured.
    Accounting accounting() const;

    // Whether background scheduling was asked for and granted.
    bool background_granted() const;

    // A frozen bot uses no processor time until it is thawed; it can be killed. Returns 0 or an
    // errno. Repeated calls do no harm.
    int freeze();
    int thaw();

    // Kills every process of the bot, also those that left its session. Returns at once; on_gone
    // tells when nothing is left. The bot can't be started again.
    void kill();

    // `call` is called once when the first process ends, by itself or killed; other processes may
    // still be there. It is called, too, when the first process has ended already. A new callback
    // replaces the old one.
    void on_exit(std::function<void(const ExitStatus&)> call);

    // The same, when not a single process is left.
    void on_gone(std::function<void()> call);

    // As it is known now; of a bot that has ended, as it was then. Takes some tens of microseconds.
    LimitsMet limits_met() const;

    // Nothing while the first process runs.
    std::optional<ExitStatus> exit_status() const;
    bool gone() const;

    // The end of what the bot printed on standard error, as raw bytes. Once the bot has exited, all
    // that it printed before is taken into account.
    std::string error_tail();
    std::uint64_t error_bytes() const;
    // Is given what the bot prints on standard error from now on, as it comes; also from inside
    // error_tail().
    void on_error_text(std::function<void(std::string_view)> call);

    // The same of standard output in dial-in mode; else empty.
    std::string output_tail();

 private:
    std::shared_ptr<BotProcess> bot_;
};

}  // namespace referee::launcher
