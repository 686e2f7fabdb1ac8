#include "referee/launch/process/run_group.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <set>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/launch/process/kernel_file.h"
#include "referee/launch/process/process_tree.h"

namespace referee::process {
namespace {

constexpr std::string_view run_prefix = "referee.";
// Where the referee itself goes when its own group hands limits on.
constexpr std::string_view own_group_name = "/referee-itself";
constexpr mode_t own_group_mode = 0755;
constexpr int runs_of_a_process_max = 1000;

// Groups of a dead referee are killed; then they are looked at so many times, with a pause between,
// until they are gone.
constexpr int leftover_looks_max = 500;
constexpr long leftover_pause_ns = 1'000'000;

// The number in "pid:[4026531836]".
std::string pid_namespace() {
    std::error_code ignored;
    const std::string link = std::filesystem::read_symlink("/proc/self/ns/pid", ignored);
    const std::size_t start = link.find('[');
    const std::size_t end = link.find(']');
    if (start == std::string::npos || end == std::string::npos) return "0";
    return link.substr(start + 1, end - start - 1);
}

// Nothing where there is no such process.
std::optional<TreeProcess> process_of(std::string_view pid) {
    const auto number = whole_number(pid);
    return number ? look_at(static_cast<pid_t>(*number)) : std::nullopt;
}

// This process, or a child of it.
bool is_ours(std::string_view pid) {
    const auto process = process_of(pid);
    return process && (process->pid == ::getpid() || process->parent == ::getpid());
}

// Whether the name is referee.NAMESPACE.PID.START.COUNT with our namespace and a process that has
// ended.
bool is_leftover(const std::string& name) {
    if (!name.starts_with(run_prefix)) return false;
    const auto parts = base::split(name, '.');
    if (parts.size() != 5 || parts[1] != pid_namespace()) return false;
    const auto started = whole_number(parts[3]);
    if (!whole_number(parts[2]) || !started) return false;
    const auto process = process_of(parts[2]);
    return !process || process->started != *started;
}

// Our own path in the hierarchy; `controller` is empty for version 2.
std::optional<std::string> own_path(std::string_view controller) {
    const auto text = read_kernel_file("/proc/self/cgroup");
    if (!text) return std::nullopt;
    for (const auto line : base::split(*text, '\n')) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (first == line.npos || second == line.npos) continue;
        // Of version 2 none is named.
        const auto names = base::split(line.substr(first + 1, second - first - 1), ',');
        if (base::contains(names, controller)) return std::string(line.substr(second + 1));
    }
    return std::nullopt;
}

// The folder of our own group in the hierarchy, from the mount table and own_path().
std::optional<std::string> own_directory(std::string_view controller) {
    constexpr std::size_t root_field = 3, mount_field = 4;
    const auto text = read_kernel_file("/proc/self/mountinfo");
    const auto path = own_path(controller);
    if (!text || !path) return std::nullopt;
    for (const auto line : base::split(*text, '\n')) {
        const std::size_t dash = line.find(" - ");
        if (dash == line.npos) continue;
        const auto mount = words_of(line.substr(0, dash));
        const auto system = words_of(line.substr(dash + 3));
        if (mount.size() <= mount_field || system.size() < 2) continue;
        const bool fits = controller.empty()
                              ? system[0] == "cgroup2"
                              : system[0] == "cgroup" &&
                                    base::contains(base::split(system.back(), ','), controller);
        if (!fits) continue;
        std::string below = *path;
        const std::string_view root = mount[root_field];
        if (root != "/" && below.starts_with(root)) below.erase(0, root.size());
        if (below == "/") below.clear();
        return std::string(mount[mount_field]) + below;
    }
    return std::nullopt;
}

// Empty where we can make no group there.
std::string limit_directory(std::string_view controller) {
    const auto directory = own_directory(controller);
    return directory && ::access(directory->c_str(), W_OK) == 0 ? *directory : std::string();
}

// Whether groups below `directory` have this controller of version 2 now.
bool hand_on(const std::string& directory, std::string_view controller) {
    const auto there = read_kernel_file(directory + "/cgroup.controllers");
    if (!there) return false;
    const auto words = words_of(*there);
    if (!base::contains(words, controller)) return false;
    return write_kernel_file(directory + "/cgroup.subtree_control",
                             "+" + std::string(controller)) == 0;
}

std::string run_name(int count) {
    const auto own = look_at(::getpid()).value_or(TreeProcess{});
    return fmt::format("{}{}.{}.{}.{}", run_prefix, pid_namespace(), ::getpid(), own.started,
                       count);
}

std::set<std::string> names_below(const GroupPlace& place) {
    std::set<std::string> names;
    for (const std::string& directory : place.directories())
        std::ranges::copy(directory_names(directory), std::inserter(names, names.end()));
    return names;
}

void remove_run(const GroupPlace& run) {
    for (int look = 0; look < leftover_looks_max; ++look) {
        for (const std::string& name : names_below(run)) {
            if (!name.starts_with("bot.")) continue;
            kill_group(run.child(name));
            remove_group(run.child(name));
        }
        if (remove_group(run)) return;
        const timespec pause = {0, leftover_pause_ns};
        ::nanosleep(&pause, nullptr);
    }
}

}  // namespace

base::Result<GroupPlace, std::string> find_home(bool unified) {
    GroupPlace home;
    home.unified = unified;
    const auto usage = own_directory(unified ? "" : "cpuacct");
    if (!usage) return base::failure(unified ? "cgroup2 is not mounted" : "cpuacct is not mounted");
    home.usage = *usage;
    if (unified && home.usage.ends_with(own_group_name))
        home.usage.erase(home.usage.size() - own_group_name.size());
    if (!unified) home.freezer = limit_directory("freezer");
    home.pids = limit_directory("pids");
    home.memory = limit_directory("memory");
    return home;
}

void hand_on_controllers(const GroupPlace& home) {
    if (!home.unified) return;
    const auto inside = read_kernel_file(home.usage + "/cgroup.procs");
    if (!inside) return;
    const auto pids = words_of(*inside);
    if (!std::ranges::all_of(pids, is_ours)) return;
    const std::string own_group = home.usage + std::string(own_group_name);
    if (!pids.empty() && ::mkdir(own_group.c_str(), own_group_mode) != 0 && errno != EEXIST) return;
    for (const std::string_view pid : pids) {
        if (write_kernel_file(own_group + "/cgroup.procs", pid) != 0) return;
    }
    hand_on(home.usage, "pids");
    hand_on(home.usage, "memory");
}

void remove_leftovers(const GroupPlace& home) {
    for (const std::string& name : names_below(home)) {
        if (is_leftover(name)) remove_run(home.child(name));
    }
}

base::Result<std::unique_ptr<RunGroup>, std::string> RunGroup::make(const GroupPlace& home) {
    // To move a process, one needs the right to write this file of the group that holds both its
    // old and its new place.
    const std::string moving = home.usage + "/cgroup.procs";
    if (::access(moving.c_str(), W_OK) != 0)
        return base::failure(moving + " may not be written: the group is not delegated to us");
    for (int count = 0; count < runs_of_a_process_max; ++count) {
        GroupPlace place = home.child(run_name(count));
        const int error = make_group(place);
        if (error == EEXIST) continue;
        if (error != 0)
            return base::failure("no group can be made in " + home.usage + ": " +
                                 error_text(error));
        std::unique_ptr<RunGroup> run(new RunGroup(place));
        if (!place.unified) return run;
        for (const char* file : {"/cpu.stat", "/cgroup.freeze", "/cgroup.kill"}) {
            if (::access((place.usage + file).c_str(), F_OK) != 0)
                return base::failure("the kernel has no " + std::string(file + 1));
        }
        run->take_controllers();
        return run;
    }
    return base::failure(std::string("too many launchers in one process"));
}

// The groups of bots have those limits that their parent hands on.
void RunGroup::take_controllers() {
    for (const auto& [name, directory] :
         {std::pair("pids", &place_.pids), std::pair("memory", &place_.memory)}) {
        if (directory->empty() && hand_on(place_.usage, name)) *directory = place_.usage;
    }
}

RunGroup::~RunGroup() {
    remove_group(place_);
}

GroupPlace RunGroup::next_bot() {
    return place_.child("bot." + std::to_string(++bots_));
}

}  // namespace referee::process
