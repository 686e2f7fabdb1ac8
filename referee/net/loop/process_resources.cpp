#include "referee/net/loop/process_resources.h"

#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>

#include "protocol/base/text.h"

namespace referee::loop {
namespace {

constexpr const char* groups_of_this_process = "/proc/self/cgroup";
constexpr const char* root_of_groups = "/sys/fs/cgroup";

// The most that glibc takes for it. What is larger (no replay is) goes back at once.
constexpr int kept_memory_max = 32 * 1024 * 1024;

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

// Before all programs of the usual classes, behind everything else that has a real-time class.
constexpr int realtime_priority = 1;
// At this value nine tenths of a core are ours when we need them, and a tenth remains for others.
constexpr int nice_best = -10;
// The longest work of the loop is a few milliseconds. What takes longer than this is a fault of
// ours, or more load than one core bears: then others must have their turn.
constexpr rlim_t busy_us_max = 200'000;

// Long enough that the thread really waits, and far less than a deadline may be late.
constexpr timespec moment{0, 100'000};

bool schedule(int policy, int priority) {
    sched_param param{};
    param.sched_priority = priority;
    return ::sched_setscheduler(0, policy | SCHED_RESET_ON_FORK, &param) == 0;
}

bool is_realtime() {
    return (::sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_FIFO;
}

// The kernel sends SIGXCPU to the thread that passed the limit. It calls only the kernel.
void on_busy_for_too_long(int signal) {
    if (is_realtime() && schedule(SCHED_OTHER, 0)) return;
    // Another limit (RLIMIT_CPU) was passed: that is to end the process.
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

// A class without this bound is not taken: a loop that never waits would stop all else on its core.
bool bound_busy_time() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_RTTIME, &limit) != 0) return false;
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max <= busy_us_max) return false;
    limit.rlim_cur = busy_us_max;  // the kernel itself raises it each time that it is passed
    struct sigaction action {};
    action.sa_handler = on_busy_for_too_long;
    action.sa_flags = SA_RESTART;
    return ::sigaction(SIGXCPU, &action, nullptr) == 0 && ::setrlimit(RLIMIT_RTTIME, &limit) == 0;
}

// Where the kernel shares processors among sessions before it looks at processes, a nice value
// counts only within its session; and each launched bot has one. Our other threads, the store's
// above all, would have no more than any bot. A session that isn't ours alone stays as it is.
void raise_session() {
    if (::getsid(0) != ::getpid()) return;
    const int file = ::open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;  // there is no such sharing
    const auto nice = std::to_string(nice_best);
    // Refused where we may not: then the session stays as it is.
    static_cast<void>(::write(file, nice.data(), nice.size()));
    ::close(file);
}

}  // namespace

// Each line: "0::/a/b" of version 2, "4:cpu,cpuacct:/a/b" of version 1.
std::optional<double> quota_of_groups(std::string_view groups, const std::string& root) {
    std::optional<double> least;
    for (const auto line : base::split(groups, '\n')) {
        const auto first = line.find(':');
        const auto second = line.find(':', first + 1);
        if (first == line.npos || second == line.npos) continue;
        const std::string controllers(line.substr(first + 1, second - first - 1));
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

void keep_freed_memory() {
    mallopt(M_MMAP_THRESHOLD, kept_memory_max);
    mallopt(M_TRIM_THRESHOLD, kept_memory_max);
}

Priority raise_priority() {
    raise_session();
    if (bound_busy_time() && schedule(SCHED_FIFO, realtime_priority)) {
        // The kernel counts the work since the thread waited last in this class; let it be now.
        ::nanosleep(&moment, nullptr);
        return {Priority::Kind::realtime, 0};
    }
    const int before = ::getpriority(PRIO_PROCESS, 0);
    schedule(SCHED_OTHER, 0);
    for (int nice = nice_best; nice < before && nice < 0; ++nice) {
        if (::setpriority(PRIO_PROCESS, 0, nice) == 0) return {Priority::Kind::nice, nice};
    }
    return {};
}

void give_way() {
    if (is_realtime()) ::nanosleep(&moment, nullptr);
}

bool has_lost_priority(const Priority& raised) {
    return raised.kind == Priority::Kind::realtime && !is_realtime();
}

std::string describe(const Priority& priority) {
    const std::string more =
        "a real-time class would be better: `ulimit -r 1` (in a unit LimitRTPRIO=1) allows it";
    if (priority.kind == Priority::Kind::realtime)
        return "the referee has a real-time class: it judges deadlines before other programs run; "
               "\"priority\": \"plain\" in the config turns it off";
    if (priority.kind == Priority::Kind::nice)
        return fmt::format("the referee has the nice value {}; {}", priority.nice, more);
    return "the referee has no priority, so on a busy machine it may judge deadlines some "
           "milliseconds late; " +
           more;
}

void KeptPriority::raise() {
    wanted_ = true;
    priority_ = raise_priority();
}

bool KeptPriority::keep() {
    if (!has_lost_priority(priority_)) return false;
    ++lost_;
    priority_ = raise_priority();
    return true;
}

std::string KeptPriority::text() const {
    return wanted_ ? describe(priority_)
                   : "the referee runs as any other program, as \"priority\" in the config says";
}

std::string_view KeptPriority::word() const {
    if (has_lost_priority(priority_)) return "lost";
    if (priority_.kind == Priority::Kind::realtime) return "real-time";
    return priority_.kind == Priority::Kind::nice ? "nice" : "plain";
}

}  // namespace referee::loop
