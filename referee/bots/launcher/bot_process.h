#pragma once

// The launcher's inner view of one bot: its supervisor, its group, its pipes, its end. It lives
// until everything of the bot is gone, also after the LaunchedBot that was handed out.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "referee/bots/launcher/accounting.h"
#include "referee/bots/launcher/control_group.h"
#include "referee/bots/launcher/core_wait.h"
#include "referee/bots/launcher/descriptor.h"
#include "referee/bots/launcher/launch_spec.h"
#include "referee/bots/launcher/output_tail.h"
#include "referee/bots/launcher/process_tree.h"
#include "referee/bots/launcher/shim_page.h"
#include "referee/bots/launcher/thread_times.h"
#include "referee/bots/launcher/user_slots.h"
#include "referee/bots/sandbox/tier.h"

namespace referee::launcher {

class BotProcess : public std::enable_shared_from_this<BotProcess> {
 public:
    struct Pipes {
        Descriptor input;   // the launcher writes
        Descriptor output;  // the launcher reads
        Descriptor error;   // the launcher reads
    };
    struct Failure {
        LaunchStage stage = LaunchStage::supervise;
        int error = 0;  // 0: the shim ended without a word
    };
    enum class Phase { starting, running, ended, gone };

    BotProcess(const boost::asio::any_io_executor& executor, Accounting accounting, ShimSpec spec,
               ShimPageMapping page);

    // The sandbox that it is to run in, and the user that is its alone until it is gone.
    void set_sandbox(sandbox::Tier tier, std::shared_ptr<UserSlots::Slot> user);

    // Takes the launcher's ends of all pipes and sockets, before the shim is started. Returns 0 or
    // an errno.
    int connect(Descriptor control, Pipes pipes, Stdio stdio, std::size_t tail_bytes_max);

    // The shim runs; after this advance() and watch() may be called.
    void attach(pid_t supervisor);

    // Takes in what has happened since the last call, without waiting and without calling anybody
    // back.
    void advance();

    // Calls advance() and the callbacks whenever something happens, until the bot is gone.
    void watch();

    // Returns 0 or an errno.
    int set_frozen(bool frozen);
    void kill();
    bool killed() const { return killed_; }

    // Gives up a bot that has not begun: this counts as a failed launch.
    void start_timed_out();

    // Kills, forgets the callbacks and closes the pipes.
    void release();

    std::uint64_t cpu_time_us();

    // See LaunchedBot.
    LimitsMet limits_met() const;

    // See LaunchedBot.
    void begin_turn();
    nanoseconds waited_certainly(nanoseconds wall);
    nanoseconds waited_possibly(nanoseconds wall);
    // Processor time since begin_turn(); nothing where that is not measured.
    std::optional<nanoseconds> worked_in_turn();

    // Called once: when the bot has been started or has failed to.
    void on_start(std::function<void()> call);
    void on_exit(std::function<void(const ExitStatus&)> call);
    void on_gone(std::function<void()> call);

    Phase phase() const { return phase_; }
    const std::optional<Failure>& failure() const { return failure_; }
    const std::optional<ExitStatus>& exit_status() const { return exit_status_; }
    Accounting accounting() const { return accounting_; }
    pid_t pid() const { return bot_; }
    bool background_granted() const { return page_.page().background_granted.load() != 0; }
    int control_descriptor();
    OutputTail* error_tail() { return error_tail_.get(); }
    OutputTail* output_tail() { return output_tail_.get(); }
    Pipes& pipes() { return pipes_; }
    void set_no_socket(std::string why) { no_socket_ = std::move(why); }
    const std::string& no_socket() const { return no_socket_; }
    sandbox::Tier tier() const { return tier_; }
    Descriptor& door() { return door_; }

 private:
    void read_reports();
    void take(const ShimReport& report, Descriptor given);
    void take_exit(int wait_status);
    pid_t first_inside() const;
    LimitsMet limits_met_now() const;
    void control_ended();
    void finish();
    void notify();
    void look_again_soon();
    BotTimes times(bool with_state);

    boost::asio::posix::stream_descriptor control_;
    boost::asio::steady_timer pause_;
    Accounting accounting_;
    ShimSpec spec_;
    ShimPageMapping page_;
    std::optional<GroupUsage> usage_;
    std::optional<GroupFreezer> freezer_;
    ThreadTimesReader thread_times_;
    CoreWait core_wait_;
    Pipes pipes_;
    Descriptor door_;
    std::string no_socket_;
    sandbox::Tier tier_ = sandbox::Tier::none;
    std::shared_ptr<UserSlots::Slot> user_;
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

}  // namespace referee::launcher
