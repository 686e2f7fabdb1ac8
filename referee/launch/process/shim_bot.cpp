#include "referee/launch/process/shim_bot.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "referee/launch/process/kernel_file.h"
#include "referee/launch/process/launch_parts.h"
#include "referee/launch/sandbox/kernel_rules.h"

namespace referee::process {
namespace {

constexpr int exit_status_failed = 127;
constexpr mode_t bot_umask = 022;

// When memory runs out, the kernel kills a bot before it kills the referee.
constexpr const char* oom_score = "500";

[[noreturn]] void fail(int error_pipe, LaunchStage stage, int error) {
    const ShimFailure failure{stage, error};
    [[maybe_unused]] const ssize_t told = ::write(error_pipe, &failure, sizeof failure);
    ::_exit(exit_status_failed);
}

// Returns 0, or the errno of the first group that didn't take us.
int join_groups(const ShimSpec& spec) {
    for (int i = 0; i < joins_of(spec); ++i) {
        if (::write(shim_first_join_descriptor + i, "0", 1) != 1) return errno;
    }
    return 0;
}

// What the referee may have itself (a real-time class, a nice value below 0) no bot may take.
int forbid_priority() {
    const rlimit none = {0, 0};
    if (::setrlimit(RLIMIT_RTPRIO, &none) != 0) return errno;
    return ::setrlimit(RLIMIT_NICE, &none) != 0 ? errno : 0;
}

int set_identity(const ShimSpec& spec) {
    if (spec.user == 0) return 0;
    if (::setgroups(0, nullptr) != 0) return errno;
    if (::setresgid(spec.user, spec.user, spec.user) != 0) return errno;
    return ::setresuid(spec.user, spec.user, spec.user) != 0 ? errno : 0;
}

// Calls the kernel itself, because the C library reserves two signals and leaves them ignored in
// the programs that it spawns.
void reset_signals() {
    struct KernelAction {
        void (*handler)(int) = SIG_DFL;
        unsigned long flags = 0;
        void (*restorer)() = nullptr;
        std::uint64_t mask = 0;
    };
    const KernelAction by_default;
    for (int number = 1; number < NSIG; ++number)
        ::syscall(SYS_rt_sigaction, number, &by_default, nullptr, sizeof by_default.mask);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

std::vector<char*> pointers_of(const std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

// Returns only on failure, with the errno that says most: that a program was found but may not be
// run says more than that other folders don't have it.
int execute(const ShimSpec& spec) {
    const std::vector<char*> arguments = pointers_of(spec.command);
    const std::vector<char*> environment = pointers_of(spec.environment);
    const std::string& program = spec.command[0];
    if (program.find('/') != std::string::npos) {
        ::execve(program.c_str(), arguments.data(), environment.data());
        return errno;
    }
    int told = ENOENT;
    for (const std::string& folder : spec.search_folders) {
        const std::string candidate = folder + "/" + program;
        ::execve(candidate.c_str(), arguments.data(), environment.data());
        const int error = errno;
        // There is no such file, or it lies in a folder that this user can't look into.
        if (::access(candidate.c_str(), F_OK) != 0) continue;
        if (error != EACCES) return error;
        told = EACCES;
    }
    return told;
}

// From here on every call of the kernel goes through the filter, that of the command's start too.
int filter_system_calls(const std::string& filter) {
    sock_fprog program = {};
    program.len = static_cast<unsigned short>(filter.size() / sizeof(sock_filter));
    program.filter = reinterpret_cast<sock_filter*>(const_cast<char*>(filter.data()));
    return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0 ? 0 : errno;
}

// A limit that is stricter already stays. Returns 0 or an errno.
int set_limits(const ShimSpec& spec) {
    for (const ResourceLimit& limit : spec.limits) {
        rlimit now = {};
        const auto resource = static_cast<__rlimit_resource_t>(limit.resource);
        if (::getrlimit(resource, &now) != 0) return errno;
        const rlim_t value = std::min<rlim_t>(limit.value, now.rlim_max);
        const rlimit wanted = {value, value};
        if (::setrlimit(resource, &wanted) != 0) return errno;
    }
    return 0;
}

// The last steps of whoever becomes the bot, inside a sandbox or outside.
[[noreturn]] void run_command(const ShimSpec& spec, int error_pipe) {
    const auto check = [&](LaunchStage stage, int error) {
        if (error != 0) fail(error_pipe, stage, error);
    };
    if (!spec.working_directory.empty())
        check(LaunchStage::working_directory,
              ::chdir(spec.working_directory.c_str()) != 0 ? errno : 0);
    if (!spec.keeps_rights) ::umask(bot_umask);
    reset_signals();
    if (!spec.sandbox.filter.empty()) {
        if (!spec.sandbox.rules.reads.empty())
            check(LaunchStage::sandbox, sandbox::give_up_rights(spec.sandbox.rules));
        check(LaunchStage::sandbox, filter_system_calls(spec.sandbox.filter));
    }
    fail(error_pipe, LaunchStage::execute, execute(spec));
}

// Becomes bubblewrap, which runs the shim again inside with control and page.
[[noreturn]] void make_sandbox(const ShimSpec& spec, int error_pipe) {
    const std::vector<char*> arguments = pointers_of(spec.sandbox.bubblewrap);
    char* no_environment[] = {nullptr};
    for (const int kept : {shim_control_descriptor, shim_page_descriptor}) {
        if (::fcntl(kept, F_SETFD, 0) != 0) fail(error_pipe, LaunchStage::sandbox, errno);
    }
    // The file that is behind those of the sandbox's group, which isn't entered again.
    if (spec.has_inner_group() &&
        ::dup2(shim_first_join_descriptor + joins_of(spec), shim_first_join_descriptor) < 0) {
        fail(error_pipe, LaunchStage::sandbox, errno);
    }
    if (::chdir("/") != 0) fail(error_pipe, LaunchStage::sandbox, errno);
    reset_signals();
    ::execve(arguments[0], arguments.data(), no_environment);
    fail(error_pipe, LaunchStage::bubblewrap, errno);
}

// Connections that wait until the referee accepts them: a bot dials in once.
constexpr int listen_backlog = 4;

void report(const ShimReport& report) {
    ::send(shim_control_descriptor, &report, sizeof report, MSG_NOSIGNAL);
}

// The output that the bot was given stays where no socket can be had.
void make_output() {
    auto made = make_output_socket();
    if (!made) return;
    if (::dup2(made->bots.get(), STDOUT_FILENO) < 0) return;
    send_report(shim_control_descriptor, {ShimReport::Kind::output}, made->ours);
}

// Returns 0 or an errno.
int listen_at(std::uint16_t port) {
    const Descriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (!listener ||
        ::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listener.get(), listen_backlog) != 0) {
        return errno;
    }
    send_report(shim_control_descriptor, {ShimReport::Kind::listener}, listener);
    return 0;
}

// For good: neither this process nor the bot can have any again.
int drop_capabilities() {
    for (int capability = 0; ::prctl(PR_CAPBSET_READ, capability) >= 0; ++capability) {
        if (::prctl(PR_CAPBSET_DROP, capability) != 0 && errno != EPERM) return errno;
    }
    ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    const std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none = {};
    return ::syscall(SYS_capset, &header, none.data()) == 0 ? 0 : errno;
}

int prepare(const ShimSpec& spec) {
    if (const int error = mount_work_folders(spec.sandbox.disk_bytes, spec.sandbox.places,
                                             spec.working_directory)) {
        return error;
    }
    if (spec.sandbox.output_socket) make_output();
    if (spec.sandbox.listens_at != 0) {
        if (const int error = listen_at(spec.sandbox.listens_at)) return error;
    }
    if (const int error = drop_capabilities()) return error;
    // The bot is of the same user: it may not look into this process, or take its descriptors.
    return ::prctl(PR_SET_DUMPABLE, 0) == 0 ? 0 : errno;
}

[[noreturn]] void become_command(const ShimSpec& spec, int error_pipe) {
    // A kernel that asks who writes instead of who opened the file refuses; then the bot stays in
    // its sandbox's group.
    [[maybe_unused]] const ssize_t entered =
        spec.has_inner_group() ? ::write(shim_first_join_descriptor, "0", 1) : 0;
    ::setsid();
    if (const int error = set_limits(spec)) fail(error_pipe, LaunchStage::limits, error);
    run_command(spec, error_pipe);
}

// Waits for all processes inside: they become ours when their parents end.
void reap(pid_t bot) {
    for (;;) {
        int status = 0;
        const pid_t pid = ::waitpid(-1, &status, 0);
        if (pid == bot) report({ShimReport::Kind::exited, LaunchStage::execute, status});
        if (pid < 0 && errno == ECHILD) return;
    }
}

}  // namespace

int joins_of(const ShimSpec& spec) {
    return spec.has_group ? static_cast<int>(spec.group.directories().size()) : 0;
}

void leave_standard_descriptors() {
    const int nothing = ::open("/dev/null", O_RDWR);
    for (int standard = STDIN_FILENO; standard <= STDERR_FILENO; ++standard)
        ::dup2(nothing, standard);
    if (nothing > STDERR_FILENO) ::close(nothing);
}

void become_bot(const ShimSpec& spec, pid_t supervisor, int error_pipe) {
    const auto check = [&](LaunchStage stage, int error) {
        if (error != 0) fail(error_pipe, stage, error);
    };
    const bool has_inside = !spec.sandbox.bubblewrap.empty();
    check(LaunchStage::join_group, join_groups(spec));
    ::setsid();
    if (!spec.keeps_rights) {
        write_kernel_file("/proc/self/oom_score_adj", oom_score);
        check(LaunchStage::limits, forbid_priority());
    }
    if (!has_inside) check(LaunchStage::limits, set_limits(spec));
    if (!spec.sandbox.staged.empty())
        check(LaunchStage::stage, stage_sources(spec.sandbox.staged, spec.user));
    check(LaunchStage::identity, set_identity(spec));
    // An unprivileged referee could not kill a program that changes its user.
    const bool bound = spec.keeps_rights || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    check(LaunchStage::identity, bound ? 0 : errno);
    // Comes after the change of the user, which would clear it. The parent may be gone already;
    // hence the check that follows.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != supervisor) ::_exit(exit_status_failed);
    if (has_inside) make_sandbox(spec, error_pipe);
    run_command(spec, error_pipe);
}

int run_inside(const ShimSpec& spec) {
    const auto fail = [](LaunchStage stage, int error) {
        report({ShimReport::Kind::failed, stage, error});
        return 0;
    };
    if (const int error = prepare(spec)) return fail(LaunchStage::sandbox, error);
    std::array<int, 2> ends = {};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail(LaunchStage::fork, errno);
    const Descriptor error_read(ends[0]);
    Descriptor error_write(ends[1]);
    const pid_t bot = ::fork();
    if (bot < 0) return fail(LaunchStage::fork, errno);
    if (bot == 0) become_command(spec, error_write.get());
    error_write.reset();
    leave_standard_descriptors();
    ShimFailure failure;
    if (::read(error_read.get(), &failure, sizeof failure) == sizeof failure)
        return fail(failure.stage, failure.error);
    report({ShimReport::Kind::started, LaunchStage::execute, 0});
    reap(bot);
    return 0;
}

}  // namespace referee::process
