// What a bot does to other processes: the referee, its own supervisor, an opponent.

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/hostile/attempt.h"

namespace hostile {

namespace {

constexpr useconds_t look_us = 10'000;
constexpr int looks_max = 50;

int read_file(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return errno;
    char byte = 0;
    const ssize_t got = ::read(file, &byte, 1);
    const int error = got == 1 ? 0 : got == 0 ? ENODATA : errno;
    ::close(file);
    return error;
}

int write_file(const std::string& path, const std::string& text) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return errno;
    const int error = errno_of(::write(file, text.data(), text.size()));
    ::close(file);
    return error;
}

constexpr char unknown = '\0';

// The letter of its state.
char state_of(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(file, text);
    const std::size_t bracket = text.rfind(')');
    return bracket == std::string::npos || bracket + 2 >= text.size() ? unknown : text[bracket + 2];
}

int signal_by_descriptor(pid_t pid) {
    const long process = ::syscall(SYS_pidfd_open, pid, 0);
    if (process < 0) return errno;
    const int error = errno_of(::syscall(SYS_pidfd_send_signal, process, 0, nullptr, 0));
    ::close(static_cast<int>(process));
    return error;
}

int limit(pid_t pid) {
    const rlimit no_core = {0, 0};
    return errno_of(::prlimit(pid, RLIMIT_CORE, &no_core, nullptr));
}

int bind_to_core(pid_t pid) {
    cpu_set_t cores;
    if (::sched_getaffinity(0, sizeof cores, &cores) != 0) return errno;
    // time: an attempt that must fail, and otherwise changes nothing
    return errno_of(::sched_setaffinity(pid, sizeof cores, &cores));
}

void touch_process(const Arguments& arguments) {
    const auto pid = static_cast<pid_t>(number(arguments[0]));
    tell("signal", errno_of(::kill(pid, 0)));
    tell("signal_by_descriptor", signal_by_descriptor(pid));
    tell("limit", limit(pid));
    tell("slow_down", errno_of(::setpriority(PRIO_PROCESS, static_cast<id_t>(pid), 1)));
    tell("bind_to_core", bind_to_core(pid));
    tell("stop", errno_of(::kill(pid, SIGSTOP)));
    ::kill(pid, SIGCONT);
    tell("kill", errno_of(::kill(pid, SIGKILL)));
}

// In a sandbox the kernel may take the signal and drop it, so what counts is what came of it.
void touch_parent(const Arguments&) {
    const pid_t parent = ::getppid();
    const int error = errno_of(::kill(parent, SIGSTOP));
    char state = state_of(parent);
    for (int look = 0; look < looks_max && error == 0 && state != 'T' && state != unknown; ++look) {
        // time: a stop takes effect when the parent has a core next; one that is dropped never does
        ::usleep(look_us);
        state = state_of(parent);
    }
    ::kill(parent, SIGCONT);
    tell("stop_parent", error == 0 && (state == 'T' || state == unknown), "it runs on");
}

void look_at_processes(const Arguments& arguments) {
    const std::string process = "/proc/" + arguments[0];
    tell("command_line", read_file(process + "/cmdline"));
    tell("environment", read_file(process + "/environ"));
    tell("open_files", errno_of(::access((process + "/fd/0").c_str(), F_OK)));
    long others = 0;
    if (DIR* const folder = ::opendir("/proc")) {
        while (const dirent* const entry = ::readdir(folder)) {
            const long pid = std::strtol(entry->d_name, nullptr, 10);
            others += pid > 0 && pid != ::getpid() && pid != ::getppid() ? 1 : 0;
        }
        ::closedir(folder);
    }
    tell("list", others > 0, "nobody else");
}

// The supervisor, or in a sandbox the first process inside, which is of the bot's own user.
void look_at_parent(const Arguments&) {
    const std::string process = "/proc/" + std::to_string(::getppid());
    tell("parents_environment", read_file(process + "/environ"));
    tell("parents_memory", errno_of(::open((process + "/mem").c_str(), O_RDONLY | O_CLOEXEC)));
    tell("parents_descriptors", errno_of(::access((process + "/fd/3").c_str(), F_OK)));
    tell("parents_root", errno_of(::access((process + "/root/usr").c_str(), F_OK)));
}

// Writes itself into the root of each hierarchy that it sees, and a rival into its own group.
void move_between_groups(const Arguments& arguments) {
    std::ifstream mounts("/proc/self/mountinfo");
    std::ifstream groups_file("/proc/self/cgroup");
    std::stringstream groups;
    groups << groups_file.rdbuf();
    int itself = ENOENT;
    int rival = ENOENT;
    for (std::string line; std::getline(mounts, line);) {
        if (line.find(" - cgroup") == std::string::npos) continue;
        std::istringstream words(line);
        std::string place;
        for (int i = 0; i < 5; ++i) words >> place;
        for (std::string group; std::getline(groups, group);) {
            const std::string own = place + group.substr(group.rfind(':') + 1);
            if (write_file(own + "/cgroup.procs", arguments[0]) == 0) rival = 0;
        }
        groups.clear();
        groups.seekg(0);
        if (write_file(place + "/cgroup.procs", "0") == 0) itself = 0;
    }
    tell("rival_into_own_group", rival);
    tell("out_of_own_group", itself);
}

}  // namespace

std::span<const Action> actions_on_others() {
    static constexpr auto actions = std::to_array<Action>({
        {"touch_process", touch_process, 1},  // PID
        {"touch_parent", touch_parent},
        {"look_at_parent", look_at_parent},
        {"look_at_processes", look_at_processes, 1},      // PID
        {"move_between_groups", move_between_groups, 1},  // PID
    });
    return actions;
}

}  // namespace hostile
