#include "referee/launch/process/control_group.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "protocol/base/find.h"
#include "referee/launch/process/process_tree.h"

namespace referee::process {
namespace {

constexpr std::uint64_t ns_per_us = 1000;
constexpr mode_t group_mode = 0755;
constexpr std::uint64_t kernel_processes_max = std::uint64_t{1} << 22U;  // PID_MAX_LIMIT

// The kernel charges memory in batches, so the most that was used may lie below the limit by one.
constexpr std::uint64_t charged_at_once_bytes = 64 * 4096;

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

// Returns 0 or an errno.
int set_group_frozen(const GroupPlace& place, bool frozen) {
    if (place.unified) return write_kernel_file(place.usage + "/cgroup.freeze", frozen ? "1" : "0");
    if (!place.freezer.empty())
        return write_kernel_file(place.freezer + "/freezer.state", frozen ? "FROZEN" : "THAWED");
    signal_group(place, frozen ? SIGSTOP : SIGCONT);
    return 0;
}

}  // namespace

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
        if (!path.empty() && !base::contains(all, path)) all.push_back(path);
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
    std::ranges::sort(pids);
    pids.erase(std::unique(pids.begin(), pids.end()), pids.end());
    return pids;
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

OutOfMemory out_of_memory(const GroupPlace& place) {
    // The kernel counts a kill in the group of who was killed, whose limit ever it was.
    const auto counted = [&](const char* file, std::string_view name) {
        return counted_in(place.memory + file, name) > 0;
    };
    // Version 1 counts no reasons, but knows the most that was ever used.
    const auto bytes = [&](const std::string& file) {
        auto text = read_kernel_file(place.memory + file).value_or("");
        std::string_view rest = text;
        return whole_number(take_word(rest)).value_or(0);
    };
    const auto limit_was_reached = [&](const std::string& memory) {
        const auto most = bytes(memory + ".max_usage_in_bytes");
        return most > 0 && most + charged_at_once_bytes >= bytes(memory + ".limit_in_bytes");
    };
    if (!counted("/memory.events", "oom_kill") && !counted("/memory.oom_control", "oom_kill"))
        return OutOfMemory::nobody;
    const bool was_its_own = counted("/memory.events", "oom") || limit_was_reached("/memory") ||
                             limit_was_reached("/memory.memsw");
    return was_its_own ? OutOfMemory::group : OutOfMemory::machine;
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
        return usage_ns ? std::optional(*usage_ns / ns_per_us) : std::nullopt;
    }
    for (auto name = take_word(text); !name.empty(); name = take_word(text)) {
        const auto value = take_word(text);
        if (name == "usage_usec") return whole_number(value);
    }
    return std::nullopt;
}

}  // namespace referee::process
