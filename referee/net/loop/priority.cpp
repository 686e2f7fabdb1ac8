#include "referee/net/loop/priority.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <string>

#include "protocol/base/text.h"

namespace referee::loop {
namespace {

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
    switch (priority.kind) {
        case Priority::Kind::realtime:
            return "the referee has a real-time class: it judges deadlines before other programs "
                   "run; \"priority\": \"plain\" in the config turns it off";
        case Priority::Kind::nice:
            return fmt::format("the referee has the nice value {}; {}", priority.nice, more);
        case Priority::Kind::plain:
            break;
    }
    return "the referee has no priority, so on a busy machine it may judge deadlines some "
           "milliseconds late; " +
           more;
}

}  // namespace referee::loop
