#pragma once

// What one launch started, a bot or a command: all of its processes, from the first one to the last
// daemon.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "referee/launch/process/control_group.h"
#include "referee/launch/process/core_wait.h"
#include "referee/launch/process/kernel_file.h"
#include "referee/launch/process/launch_parts.h"
#include "referee/launch/process/launch_spec.h"
#include "referee/launch/process/output_tail.h"
#include "referee/launch/process/process_tree.h"
#include "referee/launch/process/sandbox_means.h"
#include "referee/launch/sandbox/tier.h"

namespace referee::process {

// Whoever launched a bot has it as an OwnedProcess. Not thread safe: use it from the thread that
// runs the launcher's executor. Callbacks are called on that thread too, never from inside a call
// to the object. Callbacks may release the bot.
class BotProcess : public std::enable_shared_from_this<BotProcess> {
 public:
    // `tier`: of the sandbox that it is to run in. `user`: that is its alone until it is gone.
    BotProcess(const boost::asio::any_io_executor& executor, Accounting accounting,
               sandbox::Tier tier, UserSlots::Slot user, ShimSpec spec, ShimPageMapping page);
    ~BotProcess();
    BotProcess(const BotProcess&) = delete;
    BotProcess& operator=(const BotProcess&) = delete;

    // Kills everything of the bot at once; the cleaning up goes on afterwards. No callback comes
    // any more, and the pipes are closed.
    void release();

    // The process id of the bot's first process.
    pid_t pid() const { return bot_; }

    // Our ends of the bot's standard input and output, non-blocking. Each is handed over once and
    // is empty afterwards. In dial-in mode there are none. Requires: the program ignores SIGPIPE.
    Descriptor take_input() { return std::move(pipes_.input); }
    Descriptor take_output() { return std::move(pipes_.output); }

    // Why the output is a pipe although a socket was asked for; empty where all is well.
    const std::string& no_socket() const { return no_socket_; }

    // Processor time of all the bot's processes, user and system, since it was launched. Never goes
    // down; keeps its last value when the bot is gone. A call takes a few microseconds under
    // control groups.
    std::uint64_t cpu_time_us();

    // A turn of the bot begins. Takes about as long as cpu_time_us(), and so do core_wait_min(),
    // core_wait_max() and worked_in_turn().
    void begin_turn();
    // As begin_turn(), core_wait_min() or core_wait_max() has just read it; takes no time.
    std::uint64_t cpu_time_just_read_us();

    // How long the bot stood in the queue for a core since its turn began, through no fault of its
    // own, where the turn took `wall`: what is certain, and what may be. See CoreWait. Zero under
    // Accounting::proc, where a look takes milliseconds.
    nanoseconds core_wait_min(nanoseconds wall);
    nanoseconds core_wait_max(nanoseconds wall);
    // Processor time since begin_turn(); nothing where that is not measured.
    std::optional<nanoseconds> worked_in_turn();

    // Dial-in mode in a sandbox with a network of its own: the socket that listens there, at the
    // port that the bot was told, for the referee to accept from. Handed over once; empty where the
    // bot reaches the referee's own port.
    Descriptor take_listener() { return std::move(listener_); }

    // The sandbox that it runs in; Tier::none where none was asked for.
    sandbox::Tier tier() const { return tier_; }

    // By which means the time is measured.
    Accounting accounting() const { return accounting_; }

    // A frozen bot uses no processor time until it is thawed; it can be killed. Returns 0 or an
    // errno. Repeated calls do no harm.
    int freeze() { return set_frozen(true); }
    int thaw() { return set_frozen(false); }

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
    const std::optional<ExitStatus>& exit_status() const { return exit_status_; }
    bool gone() const { return phase_ == Phase::gone; }

    // The end of what the bot printed on standard error, as raw bytes. Once the bot has exited, all
    // that it printed before is taken into account.
    std::string error_tail() { return error_tail_->drained(); }
    std::uint64_t error_bytes() const { return error_tail_->bytes_total(); }
    // Is given what the bot prints on standard error from now on, as it comes; also from inside
    // error_tail().
    void on_error_text(std::function<void(std::string_view)> call) {
        error_tail_->on_bytes(std::move(call));
    }

    // The same of standard output in dial-in mode; else empty.
    std::string output_tail() { return output_tail_ ? output_tail_->drained() : std::string(); }

 private:
    // Starts the bot, and keeps it until everything of it is gone, also after its release.
    friend class Launcher;

    struct Failure {
        LaunchStage stage = LaunchStage::supervise;
        int error = 0;  // 0: the shim ended without a word
    };
    enum class Phase { starting, running, ended, gone };

    // Takes the launcher's ends of all pipes and sockets, before the shim is started. Returns 0 or
    // an errno.
    int connect(Descriptor control, BotPipes pipes, Speaks speaks);

    // The shim runs; after this advance() and watch() may be called.
    void attach(pid_t supervisor);

    // Takes in what has happened since the last call, without waiting and without calling anybody
    // back.
    void advance();

    // Calls advance() and the callbacks whenever something happens, until the bot is gone.
    void watch();

    // Gives up a bot that has not begun: this counts as a failed launch.
    void start_timed_out();

    // Called once: when the bot has been started or has failed to.
    void on_start(std::function<void()> call) { on_start_ = std::move(call); }

    int control_descriptor() { return control_.is_open() ? control_.native_handle() : -1; }
    int set_frozen(bool frozen);
    void read_reports();
    void take(const ShimReport& report, Descriptor given);
    void take_exit(int wait_status);
    void find_group();
    pid_t first_inside() const;
    LimitsMet limits_met_now() const;
    void control_ended();
    void finish();
    void notify();
    void notify_soon();
    void look_again_soon();
    const BotCpuTimes& look(bool with_state);
    BotCpuTimes look_at_frozen();
    std::uint64_t read_cpu_time_us();

    boost::asio::posix::stream_descriptor control_;  // of the supervisor
    boost::asio::steady_timer pause_;
    Accounting accounting_;
    sandbox::Tier tier_;
    UserSlots::Slot user_;
    ShimSpec spec_;
    ShimPageMapping page_;
    std::optional<GroupUsage> usage_;
    std::optional<GroupFreezer> freezer_;
    ThreadTimesReader thread_times_;
    CoreWait core_wait_;
    BotCpuTimes looked_at_;  // at the last look, unless it was thawed since
    bool saw_all_ = false;   // whether that look saw every thread that was there
    BotPipes pipes_;
    Descriptor listener_;
    std::string no_socket_;
    std::shared_ptr<OutputTail> error_tail_;
    std::shared_ptr<OutputTail> output_tail_;
    Phase phase_ = Phase::starting;
    pid_t supervisor_ = -1;
    bool supervisor_reaped_ = false;
    bool killed_ = false;
    bool frozen_ = false;
    LimitsMet met_at_exit_;
    std::uint64_t machine_kills_before_ = machine_memory_kills();
    pid_t bot_ = -1;
    std::uint64_t cpu_time_us_ = 0;
    std::optional<Failure> failure_;
    std::optional<ExitStatus> exit_status_;
    std::function<void()> on_start_;
    std::function<void(const ExitStatus&)> on_exit_;
    std::function<void()> on_gone_;
};

// Releases the bot; what must be done until it is gone goes on.
struct ProcessRelease {
    std::shared_ptr<BotProcess> kept;
    void operator()(BotProcess* bot) {
        bot->release();
        kept.reset();
    }
};
using OwnedProcess = std::unique_ptr<BotProcess, ProcessRelease>;

}  // namespace referee::process
