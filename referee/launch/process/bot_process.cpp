#include "referee/launch/process/bot_process.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <chrono>

#include "protocol/base/find.h"
#include "referee/launch/process/shim_spec.h"

namespace referee::process {
namespace {

// The supervisor's socket closes a moment before the supervisor can be reaped.
constexpr std::chrono::milliseconds look_again_pause{1};

}  // namespace

BotProcess::BotProcess(const boost::asio::any_io_executor& executor, Accounting accounting,
                       sandbox::Tier tier, UserSlots::Slot user, ShimSpec spec,
                       ShimPageMapping page)
    : control_(executor),
      pause_(executor),
      accounting_(accounting),
      tier_(tier),
      user_(std::move(user)),
      spec_(std::move(spec)),
      page_(std::move(page)) {}

BotProcess::~BotProcess() = default;

int BotProcess::connect(Descriptor control, BotPipes pipes, Speaks speaks) {
    boost::system::error_code error;
    control_.assign(control.get(), error);
    if (error) return error.value();
    [[maybe_unused]] const int owned_by_asio = control.release();
    const auto executor = control_.get_executor();
    error_tail_ = std::make_shared<OutputTail>(executor);
    if (const int failed = error_tail_->open(std::move(pipes.error))) return failed;
    if (speaks == Speaks::tcp) {
        output_tail_ = std::make_shared<OutputTail>(executor);
        if (const int failed = output_tail_->open(std::move(pipes.output))) return failed;
    }
    pipes_ = std::move(pipes);
    return 0;
}

void BotProcess::attach(pid_t supervisor) {
    supervisor_ = supervisor;
    page_.close_descriptor();
}

void BotProcess::advance() {
    if (phase_ == Phase::gone) return;
    read_reports();
    if (!control_.is_open()) control_ended();
}

void BotProcess::read_reports() {
    while (control_.is_open()) {
        ShimReport report;
        Descriptor given;
        const ssize_t got = receive_report(control_.native_handle(), report, given);
        // A supervisor that ends with an order unread resets its socket. The kernel tells that
        // once, before the reports that lie there still.
        if (got < 0 && (errno == EINTR || errno == ECONNRESET)) continue;
        if (got < 0 && errno == EAGAIN) return;
        if (got == sizeof report) {
            take(report, std::move(given));
            continue;
        }
        boost::system::error_code ignored;
        control_.close(ignored);
    }
}

void BotProcess::take(const ShimReport& report, Descriptor given) {
    switch (report.kind) {
        case ShimReport::Kind::output:
            if (phase_ == Phase::starting) pipes_.output = std::move(given);
            return;
        case ShimReport::Kind::listener:
            if (phase_ == Phase::starting) listener_ = std::move(given);
            return;
        case ShimReport::Kind::started:
            bot_ = report.value != 0 ? report.value : first_inside();
            find_group();
            if (phase_ == Phase::starting) phase_ = Phase::running;
            return;
        case ShimReport::Kind::failed:
            if (phase_ != Phase::starting) return;
            failure_ = Failure{report.stage, report.value};
            phase_ = Phase::ended;
            return;
        case ShimReport::Kind::exited:
            take_exit(report.value);
            return;
    }
}

// With namespaces it comes twice: from inside, where it is exact, and when bubblewrap ends.
// Bubblewrap that ends before the bot began could make no sandbox.
void BotProcess::take_exit(int wait_status) {
    const bool began = phase_ != Phase::starting;
    // From here on nobody looks it up in /proc: while the kernel takes away the entries of a
    // process on this core, a real-time thread that looks for them spins, and keeps the kernel from
    // it.
    phase_ = Phase::ended;
    if (!began && !spec_.sandbox.bubblewrap.empty()) {
        failure_ = Failure{LaunchStage::sandbox, 0};
    } else if (!exit_status_ && !failure_) {
        exit_status_ = WIFSIGNALED(wait_status)
                           ? ExitStatus{ExitStatus::How::signalled, WTERMSIG(wait_status)}
                           : ExitStatus{ExitStatus::How::exited, WEXITSTATUS(wait_status)};
        met_at_exit_ = limits_met_now();
    }
}

// What only watches the bot is not measured, and not woken by each freeze.
void BotProcess::find_group() {
    if (!spec_.has_group) return;
    const bool alone = spec_.has_inner_group() && !group_pids(spec_.group.inner()).empty();
    const auto place = alone ? spec_.group.inner() : spec_.group;
    usage_.emplace(place);
    freezer_.emplace(place);
}

// The process id of the bot as we see it. Above it are bubblewrap and the shim inside.
pid_t BotProcess::first_inside() const {
    constexpr std::size_t above = 2;
    const auto below = processes_below(supervisor_, spec_.walk);
    return below.size() > above ? below[above].pid : -1;
}

// The supervisor ends only when nothing is left below it, unless somebody killed it. Then the
// launcher empties the control group, where there is one.
void BotProcess::control_ended() {
    if (phase_ == Phase::starting && !failure_) failure_ = Failure{};
    if (!supervisor_reaped_) {
        int status = 0;
        const pid_t reaped = ::waitpid(supervisor_, &status, WNOHANG);
        if (reaped == 0) return;
        supervisor_reaped_ = reaped == supervisor_ || errno == ECHILD;
        if (!exit_status_ && !failure_) exit_status_ = {ExitStatus::How::lost, 0};
        if (phase_ != Phase::gone) phase_ = Phase::ended;
    }
    if (supervisor_reaped_) finish();
}

void BotProcess::finish() {
    cpu_time_us();
    if (spec_.has_group && !remove_group(spec_.group)) {
        kill_group(spec_.group);
        if (!remove_group(spec_.group)) return;
    }
    usage_.reset();
    freezer_.reset();
    user_.reset();
    phase_ = Phase::gone;
}

void BotProcess::watch() {
    if (error_tail_) error_tail_->start();
    if (output_tail_) output_tail_->start();
    look_again_soon();
}

void BotProcess::look_again_soon() {
    const auto look = [self = shared_from_this()](boost::system::error_code error) {
        // A closed socket also ends the wait as aborted; then there is more to do, not less.
        if (error == boost::asio::error::operation_aborted && self->control_.is_open()) return;
        self->advance();
        self->notify();
        self->look_again_soon();
    };
    if (phase_ == Phase::gone) return;
    if (control_.is_open()) {
        control_.async_wait(boost::asio::posix::stream_descriptor::wait_read, look);
        return;
    }
    pause_.expires_after(look_again_pause);
    pause_.async_wait(look);
}

// Each callback is moved out before it is called, because it may release the bot.
void BotProcess::notify() {
    if (on_start_ && phase_ != Phase::starting) std::exchange(on_start_, nullptr)();
    if (on_exit_ && exit_status_) std::exchange(on_exit_, nullptr)(*exit_status_);
    if (on_gone_ && phase_ == Phase::gone) std::exchange(on_gone_, nullptr)();
}

// What is waited for may have come already.
void BotProcess::notify_soon() {
    boost::asio::post(control_.get_executor(), [self = shared_from_this()] { self->notify(); });
}

void BotProcess::on_exit(std::function<void(const ExitStatus&)> call) {
    on_exit_ = std::move(call);
    notify_soon();
}

void BotProcess::on_gone(std::function<void()> call) {
    on_gone_ = std::move(call);
    notify_soon();
}

// The group of one that has ended may be gone.
LimitsMet BotProcess::limits_met() const {
    return exit_status_ ? met_at_exit_ : limits_met_now();
}

LimitsMet BotProcess::limits_met_now() const {
    LimitsMet met;
    if (spec_.has_group) {
        const auto out_of = out_of_memory(spec_.group);
        met.memory = out_of == OutOfMemory::group;
        met.machine_memory = out_of == OutOfMemory::machine;
        met.processes = group_ran_out_of_processes(spec_.group);
    }
    if (phase_ == Phase::running && !frozen_ && bot_ > 0)
        met.stopped = look_at(bot_).value_or(TreeProcess{}).state == 'T';
    // The machine's count alone doesn't say whose limit was reached, and of whom a process died.
    if (!spec_.has_group || spec_.group.memory.empty())
        met.machine_memory = machine_memory_kills() > machine_kills_before_;
    return met;
}

int BotProcess::set_frozen(bool frozen) {
    // Nobody else freezes it. So a bot that isn't frozen costs no call each turn.
    if (phase_ == Phase::gone || (!frozen && !frozen_)) return 0;
    frozen_ = frozen;
    if (!frozen) looked_at_ = {};
    if (freezer_) {
        const int error = freezer_->set_frozen(frozen);
        if (error != 0) {
            frozen_ = true;  // for all that is known
            looked_at_ = {};
        }
        return error;
    }
    if (frozen) {
        stop_below(supervisor_, spec_.walk);
    } else {
        signal_below(supervisor_, spec_.walk, SIGCONT);
    }
    return 0;
}

void BotProcess::kill() {
    if (phase_ == Phase::gone || supervisor_ < 0) return;
    killed_ = true;
    // The launcher kills at once; the supervisor kills again and again until nothing is left.
    if (spec_.has_group) kill_group(spec_.group);
    if (!control_.is_open()) return;
    ::send(control_.native_handle(), &shim_command_kill, sizeof shim_command_kill,
           MSG_DONTWAIT | MSG_NOSIGNAL);
}

void BotProcess::start_timed_out() {
    if (phase_ != Phase::starting) return;
    failure_ = Failure{LaunchStage::execute, ETIMEDOUT};
    phase_ = Phase::ended;
    kill();
    notify();
}

void BotProcess::release() {
    on_start_ = nullptr;
    on_exit_ = nullptr;
    on_gone_ = nullptr;
    kill();
    pipes_ = {};
    listener_.reset();
    if (error_tail_) {
        error_tail_->on_bytes(nullptr);
        error_tail_->close();
    }
    if (output_tail_) output_tail_->close();
}

std::uint64_t BotProcess::cpu_time_us() {
    if (usage_) usage_->list_threads();
    return read_cpu_time_us();
}

std::uint64_t BotProcess::read_cpu_time_us() {
    if (phase_ == Phase::gone) return cpu_time_us_;
    std::uint64_t now_us = 0;
    if (usage_) {
        now_us = usage_->read_us().value_or(0);
    } else {
        // Reaped time is read first: a process that is reaped between the two reads is then missed
        // for this once, and not counted twice.
        now_us = page_.page().reaped_us.load();
        if (!supervisor_reaped_) now_us += cpu_below_us(supervisor_, spec_.walk);
    }
    cpu_time_us_ = std::max(cpu_time_us_, now_us);
    return cpu_time_us_;
}

// The sum is read first: reading it brings the counters of threads that run at this moment up to
// date. Where it is that of the last look, nothing ran since: all else is the same. The list is
// read last, so whoever isn't in it was born by one that ran since.
const BotCpuTimes& BotProcess::look(bool with_state) {
    constexpr int tries = 2;
    for (int i = 0; i < tries; ++i) {
        const nanoseconds used = std::chrono::microseconds(read_cpu_time_us());
        if (saw_all_ && used == looked_at_.used && !with_state) break;
        looked_at_ = {{}, used};
        saw_all_ = false;
        if (phase_ == Phase::gone || supervisor_reaped_ || !usage_) break;
        looked_at_.threads = thread_times_.read(usage_->threads(), with_state);
        saw_all_ = usage_->list_threads();
        if (saw_all_) break;
    }
    if (!usage_ && phase_ != Phase::gone && !supervisor_reaped_)
        looked_at_.threads = thread_times_.read(threads_below(supervisor_, spec_.walk), with_state);
    return looked_at_;
}

// Since the last look nothing ran but what did until the freeze, and the threads tell how much.
BotCpuTimes BotProcess::look_at_frozen() {
    BotCpuTimes now{thread_times_.read(usage_->threads(), false), looked_at_.used};
    for (const auto& [id, times] : now.threads) {
        const auto* before = base::find_in(looked_at_.threads, id);
        now.used += times.ran - (before == nullptr ? nanoseconds{} : before->ran);
    }
    return now;
}

void BotProcess::begin_turn() {
    if (accounting_ == Accounting::proc) return;
    const bool rests = frozen_ && usage_ && !looked_at_.threads.empty();
    core_wait_.begin(rests ? look_at_frozen() : look(false));
}

std::uint64_t BotProcess::cpu_time_just_read_us() {
    return accounting_ == Accounting::proc ? cpu_time_us() : cpu_time_us_;
}

std::optional<nanoseconds> BotProcess::worked_in_turn() {
    if (accounting_ == Accounting::proc) return std::nullopt;
    return core_wait_.worked(std::chrono::microseconds(cpu_time_us()));
}

nanoseconds BotProcess::core_wait_min(nanoseconds wall) {
    return accounting_ == Accounting::proc ? nanoseconds{} : core_wait_.wait_min(look(false), wall);
}

nanoseconds BotProcess::core_wait_max(nanoseconds wall) {
    return accounting_ == Accounting::proc ? nanoseconds{} : core_wait_.wait_max(look(true), wall);
}

}  // namespace referee::process
