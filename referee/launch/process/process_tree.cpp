#include "referee/launch/process/process_tree.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <unordered_set>

#include "referee/launch/process/kernel_file.h"

namespace referee::process {
namespace {

constexpr std::uint64_t us_per_second = 1'000'000;
constexpr std::uint64_t ns_a_us = 1000;

// After so many passes stopping gives up. A bot that forks faster than that is killed all the same.
constexpr int stop_passes_max = 50;

std::uint64_t us_of_ticks(std::uint64_t ticks) {
    return ticks * us_per_second / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
}

std::string process_directory(pid_t pid) {
    return "/proc/" + std::to_string(pid);
}

std::vector<TreeProcess> children_by_files(pid_t parent) {
    std::vector<TreeProcess> children;
    const std::string threads = process_directory(parent) + "/task";
    for (const std::string& thread : directory_names(threads)) {
        const auto text = read_kernel_file(threads + "/" + thread + "/children");
        if (!text) continue;
        for (const std::string_view word : words_of(*text)) {
            const auto child = look_at(static_cast<pid_t>(whole_number(word).value_or(0)));
            if (child && child->parent == parent) children.push_back(*child);
        }
    }
    return children;
}

std::vector<TreeProcess> every_process() {
    std::vector<TreeProcess> all;
    for (const std::string& name : directory_names("/proc")) {
        const auto pid = whole_number(name);
        const auto process = pid ? look_at(static_cast<pid_t>(*pid)) : std::nullopt;
        if (process) all.push_back(*process);
    }
    return all;
}

std::vector<TreeProcess> children_among(const std::vector<TreeProcess>& machine, pid_t parent) {
    std::vector<TreeProcess> children;
    for (const TreeProcess& process : machine) {
        if (process.parent == parent) children.push_back(process);
    }
    return children;
}

// Pins the process by a descriptor first and looks at it afterwards: then the process that was
// looked at is the one that gets the signal.
void signal_if_child(const TreeProcess& process, int signal) {
    const Descriptor pinned(static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0)));
    const auto now = look_at(process.pid);
    if (!now || now->parent != process.parent) return;
    if (!pinned) {
        ::kill(process.pid, signal);
    } else {
        ::syscall(SYS_pidfd_send_signal, pinned.get(), signal, nullptr, 0);
    }
}

}  // namespace

std::optional<TreeProcess> look_at(pid_t pid) {
    // Counted from the field after the name, because the name may hold blanks and brackets.
    constexpr std::size_t state = 0, parent = 1, waited_user = 13, waited_system = 14, started = 19;
    const auto text = read_kernel_file(process_directory(pid) + "/stat");
    if (!text) return std::nullopt;
    const std::size_t bracket = text->rfind(')');
    if (bracket == std::string::npos) return std::nullopt;
    const auto words = words_of(std::string_view(*text).substr(bracket + 1));
    if (words.size() <= started) return std::nullopt;
    const auto number = [&](std::size_t field) { return whole_number(words[field]).value_or(0); };
    return TreeProcess{pid, static_cast<pid_t>(number(parent)), words[state].front(),
                       us_of_ticks(number(waited_user) + number(waited_system)), number(started)};
}

bool has_children_files() {
    return ::access(("/proc/self/task/" + std::to_string(::getpid()) + "/children").c_str(),
                    R_OK) == 0;
}

std::vector<TreeProcess> processes_below(pid_t root, Walk walk) {
    const std::vector<TreeProcess> machine =
        walk == Walk::stat_scan ? every_process() : std::vector<TreeProcess>();
    std::vector<TreeProcess> found;
    std::vector<pid_t> parents = {root};
    std::unordered_set<pid_t> seen = {root};
    for (std::size_t next = 0; next < parents.size(); ++next) {
        const auto children = walk == Walk::children_files ? children_by_files(parents[next])
                                                           : children_among(machine, parents[next]);
        for (const TreeProcess& child : children) {
            if (!seen.insert(child.pid).second) continue;
            found.push_back(child);
            parents.push_back(child.pid);
        }
    }
    return found;
}

void signal_below(pid_t root, Walk walk, int signal) {
    for (const TreeProcess& process : processes_below(root, walk)) signal_if_child(process, signal);
}

// A process with a pending stop can't fork any more. So a pass that finds no new process has
// stopped all of them.
void stop_below(pid_t root, Walk walk) {
    std::unordered_set<pid_t> stopped;
    for (int pass = 0; pass < stop_passes_max; ++pass) {
        bool new_face = false;
        for (const TreeProcess& process : processes_below(root, walk)) {
            if (!stopped.insert(process.pid).second) continue;
            new_face = true;
            signal_if_child(process, SIGSTOP);
        }
        if (!new_face) return;
    }
}

// The clocks are read after the waited-for times: a child that is counted in its parent's
// waited-for time has no clock of its own any more.
std::uint64_t cpu_below_us(pid_t root, Walk walk) {
    std::uint64_t sum_us = 0;
    for (const TreeProcess& process : processes_below(root, walk)) {
        const auto clock_us = process_clock_us(process.pid);
        if (clock_us) sum_us += process.waited_us + *clock_us;
    }
    return sum_us;
}

std::vector<pid_t> threads_below(pid_t root, Walk walk) {
    std::vector<pid_t> threads;
    for (const TreeProcess& process : processes_below(root, walk)) {
        for (const std::string& name : directory_names(process_directory(process.pid) + "/task"))
            threads.push_back(static_cast<pid_t>(whole_number(name).value_or(0)));
    }
    return threads;
}

std::optional<std::uint64_t> process_clock_us(pid_t pid) {
    // As clock_getcpuclockid() makes it, which asks the kernel besides whether there is one.
    constexpr unsigned process_clock = 2;
    const auto clock = static_cast<clockid_t>((~static_cast<unsigned>(pid) << 3U) | process_clock);
    timespec now = {};
    if (::clock_gettime(clock, &now) != 0) return std::nullopt;
    return static_cast<std::uint64_t>(now.tv_sec) * us_per_second +
           static_cast<std::uint64_t>(now.tv_nsec) / ns_a_us;
}

std::uint64_t machine_memory_kills() {
    return counted_in("/proc/vmstat", "oom_kill");
}

}  // namespace referee::process
