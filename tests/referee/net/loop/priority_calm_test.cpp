// calm: works without a pause in the real-time class, before whatever runs beside it
#include "referee/net/loop/process_resources.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <csignal>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "referee/net/loop/timers.h"

namespace referee::loop {
namespace {

using namespace std::chrono_literals;

constexpr int not_permitted = 77;

// In a process of its own, as its main thread: returns the status that the call returned, or 256
// and the signal that ended it.
int in_a_process(const std::function<int()>& call) {
    const pid_t process = ::fork();
    if (process == 0) ::_exit(call());
    int status = 0;
    ::waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

// The call returns 0 in a process of its own; where that got no priority, there is nothing to see.
void expect_good_unless(const char* no_priority, const std::function<int()>& call) {
    const int status = in_a_process(call);
    if (status == not_permitted) GTEST_SKIP() << no_priority;
    EXPECT_EQ(status, 0);
}

bool plain() {
    return ::sched_getscheduler(0) == SCHED_OTHER && ::getpriority(PRIO_PROCESS, 0) == 0;
}

bool realtime() {
    return (::sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_FIFO;
}

void work_without_a_pause(Duration time) {
    const auto end = monotonic_now() + time;
    while (monotonic_now() < end) {
    }
}

// The user who may nothing: no right, and no limit that allows it.
void give_up_rights() {
    const rlimit none{};
    ::setrlimit(RLIMIT_RTPRIO, &none);
    ::setrlimit(RLIMIT_NICE, &none);
    constexpr uid_t nobody = 65534;
    [[maybe_unused]] const int changed = ::setuid(nobody);
}

std::string session_group() {
    std::string text;
    std::getline(std::ifstream("/proc/self/autogroup"), text);
    return text;
}

TEST(CalmPriority, PutsASessionOfOurOwnBeforeOthersAndNoSharedOne) {
    if (session_group().empty()) GTEST_SKIP() << "this kernel doesn't share among sessions";
    const auto before = session_group();
    EXPECT_EQ(in_a_process([&] {
                  raise_priority();
                  return session_group() == before ? 0 : 1;
              }),
              0)
        << "others live in this session";
    expect_good_unless("no priority is given here", [] {
        ::setsid();
        const auto priority = raise_priority();
        if (priority.kind == Priority::Kind::plain) return not_permitted;
        return session_group().ends_with("nice -10") ? 0 : 1;
    });
}

TEST(CalmPriority, IsNotHandedOnToProcessesAndThreads) {
    expect_good_unless("this user gets no priority", [] {
        const auto priority = raise_priority();
        if (priority.kind == Priority::Kind::plain) return not_permitted;
        if ((priority.kind == Priority::Kind::realtime) != realtime()) return 1;
        if (in_a_process([] { return plain() ? 0 : 1; }) != 0) return 2;
        bool thread_is_plain = false;
        std::thread([&] { thread_is_plain = plain(); }).join();
        if (!thread_is_plain) return 3;
        return has_lost_priority(priority) ? 4 : 0;
    });
}

TEST(CalmPriority, IsLostByWorkWithoutAPauseAndComesBack) {
    expect_good_unless("this user gets no real-time class", [] {
        auto priority = raise_priority();
        if (priority.kind != Priority::Kind::realtime) return not_permitted;
        for (int round = 0; round < 2; ++round) {
            work_without_a_pause(100ms);
            std::this_thread::sleep_for(1ms);
            work_without_a_pause(100ms);
            if (has_lost_priority(priority)) return 1;  // there was a pause
            work_without_a_pause(500ms);
            if (!has_lost_priority(priority) || realtime()) return 2;
            std::this_thread::sleep_for(1ms);
            priority = raise_priority();
            if (!realtime() || has_lost_priority(priority)) return 3;
        }
        return 0;
    });
}

TEST(CalmPriority, ALoopThatAlwaysHasSomethingToDoKeepsIt) {
    expect_good_unless("this user gets no real-time class", [] {
        const auto priority = raise_priority();
        if (priority.kind != Priority::Kind::realtime) return not_permitted;
        boost::asio::io_context loop{1};
        SystemTimers timers(loop.get_executor());
        const auto end = timers.now() + 500ms;
        std::function<void()> work = [&] {
            if (timers.now() < end) boost::asio::post(loop, work);
        };
        work();
        timers.run(loop);
        return has_lost_priority(priority) ? 1 : 0;
    });
}

TEST(CalmPriority, AnotherLimitStillEndsTheProcess) {
    EXPECT_EQ(in_a_process([] {
                  raise_priority();
                  const rlimit one_second{1, RLIM_INFINITY};
                  ::setrlimit(RLIMIT_CPU, &one_second);
                  work_without_a_pause(20s);
                  return 0;
              }),
              256 + SIGXCPU);
}

TEST(CalmPriority, WhoMayNothingGetsNothingAndHearsHowToGetMore) {
    EXPECT_EQ(in_a_process([] {
                  give_up_rights();
                  const auto priority = raise_priority();
                  if (priority.kind != Priority::Kind::plain) return 1;
                  if (!plain() && ::getpriority(PRIO_PROCESS, 0) != 0) return 2;
                  return has_lost_priority(priority) ? 3 : 0;
              }),
              0);
    EXPECT_NE(describe(Priority{}).find("ulimit -r 1"), std::string::npos);
    EXPECT_NE(describe(Priority{Priority::Kind::nice, -5}).find("-5"), std::string::npos);
    EXPECT_NE(describe(Priority{Priority::Kind::nice, -5}).find("LimitRTPRIO=1"),
              std::string::npos);
    EXPECT_NE(describe(Priority{Priority::Kind::realtime, 0}).find("\"priority\": \"plain\""),
              std::string::npos);
}

// A limit on real-time work that ends the process leaves no room for our own.
TEST(CalmPriority, WithoutARealTimeClassTheBestNiceValueThatIsAllowed) {
    expect_good_unless("this user gets no nice value below 0", [] {
        const rlimit strict{1000, 1000};
        ::setrlimit(RLIMIT_RTTIME, &strict);
        const auto priority = raise_priority();
        if (priority.kind == Priority::Kind::plain) return not_permitted;
        if (priority.kind != Priority::Kind::nice || priority.nice >= 0) return 1;
        if (::getpriority(PRIO_PROCESS, 0) != priority.nice) return 2;
        return in_a_process([] { return plain() ? 0 : 1; });
    });
}

}  // namespace
}  // namespace referee::loop
