#include "referee/launch/process/shim_inside.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "referee/launch/process/descriptor.h"
#include "referee/launch/process/output_socket.h"
#include "referee/launch/process/shim_bot.h"
#include "referee/launch/process/shim_mounts.h"
#include "referee/launch/process/shim_reports.h"

namespace referee::process {

namespace {

// Connections that wait until the referee accepts them: a bot dials in once.
constexpr int door_backlog = 4;

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
int open_door(std::uint16_t port) {
    const Descriptor door(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (!door || ::bind(door.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(door.get(), door_backlog) != 0) {
        return errno;
    }
    send_report(shim_control_descriptor, {ShimReport::Kind::door}, door);
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
    if (spec.sandbox.door_port != 0) {
        if (const int error = open_door(spec.sandbox.door_port)) return error;
    }
    if (const int error = drop_capabilities()) return error;
    // The bot is of the same user: it may not look into this process, or take its descriptors.
    return ::prctl(PR_SET_DUMPABLE, 0) == 0 ? 0 : errno;
}

[[noreturn]] void become_command(const ShimSpec& spec, int error_pipe) {
    ::setsid();
    if (const int error = set_limits(spec)) {
        const ShimFailure failure{LaunchStage::limits, error};
        [[maybe_unused]] const ssize_t told = ::write(error_pipe, &failure, sizeof failure);
        ::_exit(1);
    }
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
    if (::read(error_read.get(), &failure, sizeof failure) == sizeof failure) {
        return fail(failure.stage, failure.error);
    }
    report({ShimReport::Kind::started, LaunchStage::execute, 0});
    reap(bot);
    return 0;
}

}  // namespace referee::process
