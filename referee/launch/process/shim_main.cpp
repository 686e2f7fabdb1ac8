// The exec shim: a small program between the referee and each bot.
//
// It becomes the bot's supervisor, as a subreaper, so that every process of the bot stays below it.
// It starts the bot in its group, session, limits and identity, and reports whether that worked and
// how the bot ended. It lives until nothing of the bot is left. When the referee tells it to, or
// when the referee is gone for whatever reason, it kills everything below itself and cleans up.
// Commands of the instructor have such a supervisor too, which may be told to leave what they left.

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <optional>
#include <string_view>
#include <utility>

#include "referee/launch/process/kernel_file.h"
#include "referee/launch/process/shim_bot.h"
#include "referee/launch/process/shim_spec.h"

namespace referee::process {
namespace {

constexpr int exit_good = 0;
constexpr int exit_bad_call = 2;

// How long to wait for killed processes to die before killing again: very short at first, then
// longer, for processes that hang in the kernel.
constexpr int kill_pause_first_ms = 2;
constexpr int kill_pause_last_ms = 100;

constexpr std::uint64_t us_per_second = 1'000'000;

std::uint64_t reaped_us() {
    rusage usage = {};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    const auto us_of = [](const timeval& time) {
        return static_cast<std::uint64_t>(time.tv_sec) * us_per_second +
               static_cast<std::uint64_t>(time.tv_usec);
    };
    return us_of(usage.ru_utime) + us_of(usage.ru_stime);
}

// The supervisor must answer at once, and must not be scheduled before the referee's other work.
// Where the referee itself runs on idle cores only, so does it, and so do its bots.
void take_plain_scheduling() {
    const sched_param no_priority = {};
    const int policy = ::sched_getscheduler(0);
    if (policy != SCHED_OTHER && policy != SCHED_IDLE)
        ::sched_setscheduler(0, SCHED_OTHER, &no_priority);
    if (::getpriority(PRIO_PROCESS, 0) < 0) ::setpriority(PRIO_PROCESS, 0, 0);
}

// Bubblewrap ends with 128 and the signal where the first process inside was killed.
int of_first_inside(int status) {
    constexpr int killed = 128;
    return WIFEXITED(status) && WEXITSTATUS(status) > killed ? WEXITSTATUS(status) - killed
                                                             : status;
}

class Supervisor {
 public:
    Supervisor(ShimSpec spec, ShimPage& page) : spec_(std::move(spec)), page_(page) {}

    int run() {
        if (!prepare()) return fail(LaunchStage::supervise, errno);
        if (!start_bot()) return fail(LaunchStage::fork, errno);
        while (!over_) {
            wait_for_something();
            if (error_pipe_) read_error_pipe();
            reap();
            read_control();
            if (killing_ && !over_) kill_everything();
        }
        if (referee_is_gone()) clean_up();
        return exit_good;
    }

 private:
    bool prepare() {
        ::setsid();
        ::prctl(PR_SET_NAME, "referee-shim");
        if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return false;
        take_plain_scheduling();
        ::signal(SIGCHLD, SIG_DFL);
        sigset_t all;
        ::sigfillset(&all);
        if (::sigprocmask(SIG_SETMASK, &all, nullptr) != 0) return false;
        sigset_t child;
        ::sigemptyset(&child);
        ::sigaddset(&child, SIGCHLD);
        child_signals_.reset(::signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK));
        return static_cast<bool>(child_signals_);
    }

    bool start_bot() {
        std::array<int, 2> ends = {};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
        error_pipe_.reset(ends[0]);
        Descriptor error_write(ends[1]);
        const pid_t self = ::getpid();
        bot_ = ::fork();
        if (bot_ < 0) return false;
        if (bot_ == 0) become_bot(spec_, self, error_write.get());
        leave_standard_descriptors();
        for (int i = 0; i < joins_; ++i) ::close(shim_first_join_descriptor + i);
        if (!spec_.sandbox.bubblewrap.empty()) ::close(shim_page_descriptor);
        return ::chdir("/") == 0;
    }

    void wait_for_something() {
        std::array<pollfd, 3> watched = {{{child_signals_.get(), POLLIN, 0},
                                          {control_.get(), POLLIN, 0},
                                          {error_pipe_.get(), POLLIN, 0}}};
        ::poll(watched.data(), watched.size(), killing_ ? kill_pause_ms_ : -1);
        signalfd_siginfo ignored = {};
        while (::read(child_signals_.get(), &ignored, sizeof ignored) > 0) {
        }
    }

    // Call it before reaping, so that `started` is reported before `exited`. Looks without waiting.
    void read_error_pipe() {
        pollfd watched = {error_pipe_.get(), POLLIN, 0};
        if (::poll(&watched, 1, 0) <= 0) return;
        ShimFailure failure;
        const ssize_t got = ::read(error_pipe_.get(), &failure, sizeof failure);
        error_pipe_.reset();
        if (got == sizeof failure) {
            bot_failed_ = true;
            report({ShimReport::Kind::failed, failure.stage, failure.error});
        } else if (spec_.sandbox.bubblewrap.empty()) {
            report({ShimReport::Kind::started, LaunchStage::execute, bot_});
        }
    }

    void reap() {
        for (;;) {
            int status = 0;
            const pid_t pid = ::waitpid(-1, &status, WNOHANG);
            if (pid > 0) page_.reaped_us.store(reaped_us());
            if (pid == bot_) tell_end(status);
            if (pid < 0 && errno == ECHILD) over_ = true;
            if (pid <= 0) return;
        }
    }

    void tell_end(int status) {
        if (error_pipe_) read_error_pipe();
        if (!spec_.sandbox.bubblewrap.empty()) status = of_first_inside(status);
        if (!bot_failed_) report({ShimReport::Kind::exited, LaunchStage::execute, status});
    }

    void read_control() {
        if (!control_) return;
        char command = 0;
        const ssize_t got = ::recv(control_.get(), &command, sizeof command, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (got > 0 && command == shim_command_leave) over_ = true;
        if (got > 0 && command != shim_command_kill) return;
        killing_ = true;
        if (got <= 0) control_.reset();
    }

    void kill_everything() {
        if (spec_.has_group) kill_group(spec_.group);
        // A group holds all processes, unless a bot that has the right moved itself out of it.
        if (!spec_.has_group || kill_pause_ms_ > kill_pause_first_ms) {
            // All are stopped first, so that no process is born between the listing and the kill.
            stop_below(::getpid(), spec_.walk);
            signal_below(::getpid(), spec_.walk, SIGKILL);
        }
        kill_pause_ms_ = std::min(kill_pause_ms_ * 2, kill_pause_last_ms);
        reap();
    }

    bool referee_is_gone() const { return ::getppid() != spec_.referee; }

    void clean_up() {
        if (!spec_.has_group) return;
        remove_group(spec_.group);
        // This succeeds only in the last supervisor of a dead referee: before that, the group isn't
        // empty.
        remove_group(spec_.run_group);
    }

    int fail(LaunchStage stage, int error) {
        report({ShimReport::Kind::failed, stage, error});
        return exit_good;
    }

    void report(const ShimReport& report) {
        if (!control_) return;
        ::send(control_.get(), &report, sizeof report, MSG_NOSIGNAL | MSG_DONTWAIT);
    }

    ShimSpec spec_;
    ShimPage& page_;
    Descriptor control_{shim_control_descriptor};
    Descriptor child_signals_;
    Descriptor error_pipe_;
    int joins_ = joins_of(spec_) + (spec_.has_inner_group() ? 1 : 0);
    pid_t bot_ = -1;
    bool bot_failed_ = false;
    bool killing_ = false;
    bool over_ = false;
    int kill_pause_ms_ = kill_pause_first_ms;
};

// What the launcher wrote for us; nothing where the call was not the launcher's.
struct Written {
    ShimSpec spec;
    ShimPage* page = nullptr;
};

std::optional<Written> read_page() {
    struct stat file = {};
    if (::fstat(shim_page_descriptor, &file) != 0) return std::nullopt;
    const auto size = static_cast<std::size_t>(file.st_size);
    if (size < sizeof(ShimPage)) return std::nullopt;
    void* memory =
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, shim_page_descriptor, 0);
    if (memory == MAP_FAILED) return std::nullopt;
    auto* page = static_cast<ShimPage*>(memory);
    if (page->spec_bytes > size - sizeof(ShimPage)) return std::nullopt;
    const char* text = static_cast<const char*>(memory) + sizeof(ShimPage);
    auto spec = decode({text, page->spec_bytes});
    if (!spec) return std::nullopt;
    return Written{std::move(*spec), page};
}

void close_on_exec(int first, int last) {
    for (int i = first; i <= last; ++i) ::fcntl(i, F_SETFD, FD_CLOEXEC);
}

int start_inside() {
    close_on_exec(shim_control_descriptor, shim_first_join_descriptor);
    ::syscall(SYS_close_range, shim_first_join_descriptor + 1, UINT_MAX, 0);
    const auto written = read_page();
    ::close(shim_page_descriptor);
    return written ? run_inside(written->spec) : exit_bad_call;
}

int supervise() {
    constexpr int last = shim_first_join_descriptor + shim_joins_max - 1;
    close_on_exec(shim_control_descriptor, last);
    // The referee's own descriptors close on exec. This closes those of the libraries that it uses.
    ::syscall(SYS_close_range, last + 1, UINT_MAX, 0);
    auto written = read_page();
    if (!written) return exit_bad_call;
    const bool has_inside = !written->spec.sandbox.bubblewrap.empty();
    if (!has_inside) ::close(shim_page_descriptor);
    return Supervisor(std::move(written->spec), *written->page).run();
}

}  // namespace

}  // namespace referee::process

#if defined(__SANITIZE_ADDRESS__)
// The search for leaks traces this process, which the sandbox forbids; and it ends anyway.
extern "C" const char* __asan_default_options() {
    return "detect_leaks=0";
}
#endif

int main(int argument_count, char** arguments) {
    using namespace referee::process;
    const std::string_view asked = argument_count > 1 ? arguments[1] : "";
    if (asked == shim_join_probe)
        return ::write(shim_control_descriptor, "0", 1) == 1 ? exit_good : errno;
    if (asked == shim_nothing) return exit_good;
    return asked == shim_inside ? start_inside() : supervise();
}
