#include "referee/net/loop/process_limits.h"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

namespace referee::loop {
namespace {

constexpr const char* groups_of_this_process = "/proc/self/cgroup";
constexpr const char* root_of_groups = "/sys/fs/cgroup";

std::string text_of_kernel(const std::string& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// "200000 100000": so much of each period. "max 100000", or "-1 100000": all of it.
std::optional<double> share_in(const std::string& text) {
    std::istringstream words(text);
    double quota = 0;
    double period = 0;
    if (!(words >> quota >> period) || quota <= 0 || period <= 0) return std::nullopt;
    return quota / period;
}

void bound_by(const std::optional<double>& share, std::optional<double>& least) {
    if (share && (!least || *share < *least)) least = share;
}

// A group, and all above it, of a tree of version 2 or of the processor's own of version 1.
void bound_by_tree(const std::string& tree, std::string_view group, std::optional<double>& least) {
    std::string path(group == "/" ? "" : group);
    while (true) {
        const auto folder = tree + path;
        bound_by(share_in(text_of_kernel(folder + "/cpu.max")), least);
        bound_by(share_in(text_of_kernel(folder + "/cpu.cfs_quota_us") + " " +
                          text_of_kernel(folder + "/cpu.cfs_period_us")),
                 least);
        const auto above = path.rfind('/');
        if (above == std::string::npos) return;
        path.resize(above);
    }
}

bool names_processor(std::string_view controllers) {
    const auto all = "," + std::string(controllers) + ",";
    return all.find(",cpu,") != std::string::npos;
}

std::size_t bound_cores() {
    cpu_set_t mine;
    CPU_ZERO(&mine);
    // A machine with more cores than the set has bits is asked in vain.
    if (sched_getaffinity(0, sizeof mine, &mine) != 0) return 1;
    return static_cast<std::size_t>(std::max(1, CPU_COUNT(&mine)));
}

}  // namespace

// Each line: "0::/a/b" of version 2, "4:cpu,cpuacct:/a/b" of version 1.
std::optional<double> quota_of_groups(std::string_view groups, const std::string& root) {
    std::optional<double> least;
    std::istringstream lines{std::string(groups)};
    for (std::string line; std::getline(lines, line);) {
        const auto first = line.find(':');
        const auto second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const auto controllers = line.substr(first + 1, second - first - 1);
        const auto group = line.substr(second + 1);
        if (controllers.empty()) {
            bound_by_tree(root, group, least);
            // Where both versions are mounted.
            bound_by_tree(root + "/unified", group, least);
        } else if (names_processor(controllers)) {
            bound_by_tree(root + "/" + controllers, group, least);
            bound_by_tree(root + "/cpu", group, least);
        }
    }
    return least;
}

std::size_t usable_cores(const CoresSaid& said) {
    auto cores = std::max<std::size_t>(said.bound, 1);
    // Half a core more would be a bot that stands still for half of its time.
    if (said.quota)
        cores = std::min(cores, std::max<std::size_t>(1, static_cast<std::size_t>(*said.quota)));
    std::size_t given = 0;
    const auto* const end = said.of_slurm.data() + said.of_slurm.size();
    const auto read = std::from_chars(said.of_slurm.data(), end, given);
    if (read.ec == std::errc() && read.ptr == end && given > 0) cores = std::min(cores, given);
    return cores;
}

std::size_t usable_cores() {
    const char* const given = std::getenv("SLURM_CPUS_PER_TASK");  // NOLINT(concurrency-mt-unsafe)
    return usable_cores(CoresSaid{
        bound_cores(), quota_of_groups(text_of_kernel(groups_of_this_process), root_of_groups),
        given == nullptr ? "" : given});
}

std::size_t descriptors_max() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_max == RLIM_INFINITY)
        return std::numeric_limits<std::size_t>::max();
    return limit.rlim_max;
}

void allow_descriptors(std::size_t wanted) {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    const auto allowed = std::min<rlim_t>(wanted, limit.rlim_max);
    if (allowed <= limit.rlim_cur) return;
    limit.rlim_cur = allowed;
    // Where it fails, accepting pauses when descriptors run out, and the log says so.
    setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace referee::loop
