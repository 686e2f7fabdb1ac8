#include "referee/launch/process/bot_processes.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <unordered_set>

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
bool signal_if_child(const TreeProcess& process, int signal) {
    const Descriptor pinned(static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0)));
    const auto now = look_at(process.pid);
    if (!now || now->parent != process.parent) return false;
    if (!pinned) return ::kill(process.pid, signal) == 0;
    return ::syscall(SYS_pidfd_send_signal, pinned.get(), signal, nullptr, 0) == 0;
}

constexpr mode_t group_mode = 0755;
constexpr std::uint64_t kernel_processes_max = std::uint64_t{1} << 22U;  // PID_MAX_LIMIT

// To update more clocks than this would cost more than the error that it avoids.
constexpr std::size_t clocks_touched_max = 32;

void read_pids(std::string_view text, std::vector<pid_t>& pids) {
    pids.clear();
    for (auto word = take_word(text); !word.empty(); word = take_word(text)) {
        const auto number = whole_number(word);
        // 0 stands for a process outside our pid namespace, which we can't signal.
        if (number && *number > 1) pids.push_back(static_cast<pid_t>(*number));
    }
}

void signal_group(const GroupPlace& place, int signal) {
    for (const pid_t pid : group_pids(place)) ::kill(pid, signal);
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

std::size_t signal_below(pid_t root, Walk walk, int signal) {
    std::size_t reached = 0;
    for (const TreeProcess& process : processes_below(root, walk)) {
        if (signal_if_child(process, signal)) ++reached;
    }
    return reached;
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

GroupPlace GroupPlace::child(const std::string& name) const {
    const auto deeper = [&](const std::string& path) {
        return path.empty() ? path : path + "/" + name;
    };
    return {unified, deeper(usage), deeper(freezer), deeper(pids), deeper(memory)};
}

GroupPlace GroupPlace::inner() const {
    return {true, usage + "/inner", {}, {}, {}};
}

std::vector<std::string> GroupPlace::directories() const {
    std::vector<std::string> all;
    for (const std::string& path : {usage, freezer, pids, memory}) {
        if (!path.empty() && std::find(all.begin(), all.end(), path) == all.end())
            all.push_back(path);
    }
    return all;
}

int make_group(const GroupPlace& place) {
    const std::vector<std::string> wanted = place.directories();
    for (std::size_t made = 0; made < wanted.size(); ++made) {
        if (::mkdir(wanted[made].c_str(), group_mode) == 0) continue;
        const int error = errno;
        while (made > 0) ::rmdir(wanted[--made].c_str());
        return error;
    }
    return 0;
}

bool remove_group(const GroupPlace& place) {
    bool all = true;
    if (place.unified) ::rmdir(place.inner().usage.c_str());
    for (const std::string& path : place.directories()) {
        if (::rmdir(path.c_str()) != 0 && errno != ENOENT) all = false;
    }
    return all;
}

std::vector<pid_t> group_pids(const GroupPlace& place) {
    std::vector<pid_t> pids;
    std::vector<pid_t> found;
    for (const std::string& directory : place.directories()) {
        const auto text = read_kernel_file(directory + "/cgroup.procs");
        if (!text) continue;
        read_pids(*text, found);
        for (const pid_t pid : found) {
            if (pid != ::getpid()) pids.push_back(pid);
        }
    }
    std::sort(pids.begin(), pids.end());
    pids.erase(std::unique(pids.begin(), pids.end()), pids.end());
    return pids;
}

int set_group_frozen(const GroupPlace& place, bool frozen) {
    if (place.unified) return write_kernel_file(place.usage + "/cgroup.freeze", frozen ? "1" : "0");
    if (!place.freezer.empty())
        return write_kernel_file(place.freezer + "/freezer.state", frozen ? "FROZEN" : "THAWED");
    signal_group(place, frozen ? SIGSTOP : SIGCONT);
    return 0;
}

void kill_group(const GroupPlace& place) {
    if (place.unified && write_kernel_file(place.usage + "/cgroup.kill", "1") == 0) return;
    // Frozen processes can't fork while the list is read; the signal takes effect when they are
    // thawed.
    set_group_frozen(place, true);
    signal_group(place, SIGKILL);
    set_group_frozen(place, false);
}

int limit_group_processes(const GroupPlace& place, std::optional<std::uint64_t> processes_max) {
    if (place.pids.empty() || !processes_max) return 0;
    // The kernel refuses a number that it could never reach.
    const auto most = std::min<std::uint64_t>(*processes_max, kernel_processes_max);
    return write_kernel_file(place.pids + "/pids.max", std::to_string(most));
}

int limit_group_memory(const GroupPlace& place, std::uint64_t bytes) {
    if (place.memory.empty()) return 0;
    const std::string text = std::to_string(bytes);
    // A machine without swap, or whose kernel doesn't count it, has no such file.
    const auto write_if_there = [&](const char* file, const std::string& value) {
        const int error = write_kernel_file(place.memory + file, value);
        return error == ENOENT ? 0 : error;
    };
    const int error = write_kernel_file(place.memory + "/memory.limit_in_bytes", text);
    if (error == 0) return write_if_there("/memory.memsw.limit_in_bytes", text);
    if (error != ENOENT) return error;
    // It is of version 2.
    if (const int refused = write_kernel_file(place.memory + "/memory.max", text)) return refused;
    if (const int refused = write_if_there("/memory.swap.max", "0")) return refused;
    return write_if_there("/memory.oom.group", "1");
}

bool group_ran_out_of_memory(const GroupPlace& place) {
    if (place.memory.empty()) return false;
    for (const char* file : {"/memory.oom_control", "/memory.events"}) {
        if (counted_in(place.memory + file, "oom_kill") > 0) return true;
    }
    return false;
}

bool group_ran_out_of_processes(const GroupPlace& place) {
    return !place.pids.empty() && counted_in(place.pids + "/pids.events", "max") > 0;
}

GroupUsage::GroupUsage(const GroupPlace& place)
    : unified_(place.unified),
      usage_(open_file(place.usage + (unified_ ? "/cpu.stat" : "/cpuacct.usage"), O_RDONLY)),
      threads_(open_file(place.usage + (unified_ ? "/cgroup.threads" : "/tasks"), O_RDONLY)) {}

int GroupFreezer::set_frozen(bool frozen) {
    if (!file_ && place_.unified) file_ = open_file(place_.usage + "/cgroup.freeze", O_WRONLY);
    if (!file_) return set_group_frozen(place_, frozen);
    return ::pwrite(file_.get(), frozen ? "1" : "0", 1, 0) < 0 ? errno : 0;
}

bool GroupUsage::list_threads() {
    listed_before_.swap(thread_ids_);
    thread_ids_.clear();
    if (threads_ && reread_counters(threads_.get(), text_)) read_pids(text_, thread_ids_);
    return thread_ids_ == listed_before_;
}

std::optional<std::uint64_t> GroupUsage::read_us() {
    // The kernel updates a group's sum at ticks and at switches of processes. Reading a process's
    // own clock updates it at once for that process, and so for its group. A thread that isn't its
    // process's first has no such clock, and costs next to nothing here.
    std::size_t touched = 0;
    for (const pid_t thread : thread_ids_) {
        if (process_clock_us(thread) && ++touched == clocks_touched_max) break;
    }
    if (!usage_ || !reread_counters(usage_.get(), text_)) return std::nullopt;
    std::string_view text = text_;
    if (!unified_) {
        const auto usage_ns = whole_number(take_word(text));
        return usage_ns ? std::optional(*usage_ns / ns_a_us) : std::nullopt;
    }
    for (auto name = take_word(text); !name.empty(); name = take_word(text)) {
        const auto value = take_word(text);
        if (name == "usage_usec") return whole_number(value);
    }
    return std::nullopt;
}

}  // namespace referee::process
