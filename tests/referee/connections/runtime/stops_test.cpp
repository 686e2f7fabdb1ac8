// What the watch makes of real stops: a process that only watches itself is stopped, frozen or
// starved from outside, and then asked.

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "referee/connections/runtime/loop_watch.h"
#include "referee/connections/runtime/system_timers.h"

namespace referee::runtime {
namespace {

using namespace std::chrono_literals;

constexpr auto stop_time = 400ms;
// What a busy machine may add or hide.
constexpr Duration blur = 150ms;

constexpr std::string_view stopped_alone = "its process was stopped, while the machine went on";
constexpr std::string_view stood_still =
    "the machine stood still, or at least the referee and its heartbeat";
constexpr std::string_view no_core = "the machine had no processor free for it";
constexpr std::string_view starved =
    "its process was not running, and the machine had no processor free for its heartbeat";

struct Told {
    Duration machine{}, cores{}, process{};
    std::array<char, 128> cause{};
};

// Watches itself; when it is asked by a signal, it tells what it lost since it was asked last.
[[noreturn]] void watch_as_referee(int out) {
    ::setpgid(0, 0);
    const auto machine = this_machine([](const std::string& /*trouble*/) { ::_exit(1); });
    boost::asio::io_context loop{1};
    SystemTimers timers(loop.get_executor());
    LoopWatch watch(timers, *machine);
    boost::asio::signal_set asked(loop, SIGUSR1);
    auto since = timers.now();
    std::function<void()> wait = [&] {
        asked.async_wait([&](const boost::system::error_code& /*error*/, int /*signal*/) {
            const auto now = timers.now();
            Told told;
            told.machine = watch.stalled(StallsOf::machine, since, now);
            told.cores = watch.stalled(StallsOf::cores, since, now);
            told.process = watch.stalled(StallsOf::process, since, now);
            const auto cause = watch.cause(StallsOf::process, since, now);
            std::copy_n(cause.begin(), std::min(cause.size(), told.cause.size() - 1),
                        told.cause.begin());
            since = now;
            if (::write(out, &told, sizeof told) != static_cast<ssize_t>(sizeof told)) ::_exit(1);
            wait();
        });
    };
    wait();
    loop.run();
    ::_exit(0);
}

class StopsTest : public testing::Test {
 protected:
    void SetUp() override {
        std::array<int, 2> ends{};
        ASSERT_EQ(::pipe(ends.data()), 0);
        referee_ = ::fork();
        if (referee_ == 0) watch_as_referee(ends[1]);
        ::close(ends[1]);
        answers_ = ends[0];
        std::this_thread::sleep_for(200ms);
        std::ifstream children("/proc/" + std::to_string(referee_) + "/task/" +
                               std::to_string(referee_) + "/children");
        children >> heart_;
        ASSERT_GT(heart_, 0);
        ask();
    }
    void TearDown() override {
        ::kill(referee_, SIGKILL);
        ::waitpid(referee_, nullptr, 0);
        ::close(answers_);
    }

    Told ask() const {
        ::kill(referee_, SIGUSR1);
        Told told;
        EXPECT_EQ(::read(answers_, &told, sizeof told), static_cast<ssize_t>(sizeof told));
        return told;
    }
    void only_the_referee_stood(Duration time) const {
        const auto told = ask();
        EXPECT_GT(told.process, time - blur);
        EXPECT_GT(told.cores, time - blur);
        EXPECT_LT(told.machine, blur);
        EXPECT_EQ(std::string(told.cause.data()), stopped_alone);
    }
    void all_stood(Duration time) const {
        const auto told = ask();
        EXPECT_GT(told.machine, time - blur);
        EXPECT_EQ(std::string(told.cause.data()), stood_still);
    }

    pid_t referee_ = 0;
    pid_t heart_ = 0;
    int answers_ = -1;
};

// Keeps all cores busy before all else for so long. False where this isn't permitted.
bool hog_all_cores(Duration time) {
    const auto cores = std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN));
    std::vector<pid_t> hogs;
    for (long core = 0; core < cores; ++core) {
        const pid_t hog = ::fork();
        if (hog == 0) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(static_cast<std::size_t>(core), &one);
            sched_param first{};
            first.sched_priority = ::sched_get_priority_max(SCHED_FIFO);
            if (::sched_setaffinity(0, sizeof one, &one) != 0 ||
                ::sched_setscheduler(0, SCHED_FIFO, &first) != 0)
                ::_exit(1);
            const auto end = monotonic_now() + time;
            while (monotonic_now() < end) {
            }
            ::_exit(0);
        }
        hogs.push_back(hog);
    }
    bool permitted = true;
    for (const auto hog : hogs) {
        int status = 0;
        ::waitpid(hog, &status, 0);
        permitted = permitted && status == 0;
    }
    return permitted;
}

TEST_F(StopsTest, OfTheRefereeAlone) {
    ::kill(referee_, SIGSTOP);
    std::this_thread::sleep_for(stop_time);
    ::kill(referee_, SIGCONT);
    only_the_referee_stood(stop_time);
}

TEST_F(StopsTest, OfItsProcessGroup) {
    ::kill(-referee_, SIGSTOP);
    std::this_thread::sleep_for(stop_time);
    ::kill(-referee_, SIGCONT);
    only_the_referee_stood(stop_time);
}

TEST_F(StopsTest, OfTheRefereeAndItsHeartbeat) {
    ::kill(referee_, SIGSTOP);
    ::kill(heart_, SIGSTOP);
    std::this_thread::sleep_for(stop_time);
    ::kill(referee_, SIGCONT);
    ::kill(heart_, SIGCONT);
    all_stood(stop_time);
}

TEST_F(StopsTest, OfAControlGroup) {
    std::string folder;
    for (const std::string root : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
        folder = root + "/referee_stops_test." + std::to_string(::getpid());
        if (::access((root + "/cgroup.procs").c_str(), W_OK) == 0 &&
            ::mkdir(folder.c_str(), 0755) == 0)
            break;
        folder.clear();
    }
    if (folder.empty()) GTEST_SKIP() << "no control group can be made here";
    const auto write = [&](const char* file, const std::string& text) {
        std::ofstream(folder + "/" + file) << text;
    };
    write("cgroup.procs", std::to_string(referee_));
    write("cgroup.procs", std::to_string(heart_));
    ask();
    write("cgroup.freeze", "1");
    std::this_thread::sleep_for(stop_time);
    write("cgroup.freeze", "0");
    all_stood(stop_time);
    TearDown();
    std::this_thread::sleep_for(100ms);
    ::rmdir(folder.c_str());
}

TEST_F(StopsTest, ForWantOfACore) {
    if (!hog_all_cores(stop_time)) GTEST_SKIP() << "this user may have no core to itself";
    const auto told = ask();
    EXPECT_GT(told.cores, stop_time - blur);
    EXPECT_LT(told.machine, blur);
    EXPECT_EQ(std::string(told.cause.data()), no_core);
}

// On a machine that is busy with other things the moments before and after the want of a core may
// be longer than that; then it is tried again.
TEST_F(StopsTest, OfTheRefereeWhileItsHeartbeatWantsACore) {
    constexpr int tries = 5;
    Told told;
    for (int i = 0; i < tries && std::string(told.cause.data()) != starved; ++i) {
        ::kill(referee_, SIGSTOP);
        std::this_thread::sleep_for(100ms);  // the signal itself needs a core to take effect
        const bool hogged = hog_all_cores(stop_time);
        std::this_thread::sleep_for(50ms);
        ::kill(referee_, SIGCONT);
        if (!hogged) GTEST_SKIP() << "this user may have no core to itself";
        told = ask();
        EXPECT_GT(told.cores, stop_time - blur);
    }
    EXPECT_LT(told.machine, blur);
    EXPECT_EQ(std::string(told.cause.data()), starved);
}

}  // namespace
}  // namespace referee::runtime
