// What the watch makes of real stops: a process that only watches itself is stopped, frozen or
// starved from outside, and then asked.
// calm: a core is kept busy before all else, and what others take would be told as stops too

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

#include "referee/net/loop/loop_watch.h"
#include "referee/net/loop/timers.h"
#include "tests/one_core.h"

namespace referee::loop {
namespace {

using namespace std::chrono_literals;

constexpr Duration stop_time = 400ms;
// What a busy machine may add to a stop or hide of it.
constexpr Duration blur = stop_time * 3 / 8;

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

// Watches itself, and tells that it does so by an empty answer. Then, when it is asked by a signal,
// it tells what it lost since it was asked last.
[[noreturn]] void watch_as_referee(int out) {
    ::setpgid(0, 0);
    const auto machine = this_machine([](const std::string& /*trouble*/) { ::_exit(1); });
    boost::asio::io_context loop{1};
    SystemTimers timers(loop.get_executor());
    LoopWatch watch(timers, *machine);
    boost::asio::signal_set asked(loop, SIGUSR1);
    const auto tell = [out](const Told& told) {
        if (::write(out, &told, sizeof told) != static_cast<ssize_t>(sizeof told)) ::_exit(1);
    };
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
            tell(told);
            wait();
        });
    };
    wait();
    tell({});
    loop.run();
    ::_exit(0);
}

// How often the process has got a core so far.
std::int64_t runs_of(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/schedstat");
    std::int64_t ran = 0;
    std::int64_t waited = 0;
    std::int64_t runs = 0;
    file >> ran >> waited >> runs;
    return runs;
}

// Returns when the heart has beaten: only a beat tells how long it waited for a core.
void await_a_beat(pid_t heart) {
    constexpr int surely_one = 3;
    const auto until = runs_of(heart) + surely_one;
    while (runs_of(heart) < until) std::this_thread::sleep_for(100us);
}

class CalmStops : public testing::Test {
 protected:
    void SetUp() override {
        std::array<int, 2> ends{};
        ASSERT_EQ(::pipe(ends.data()), 0);
        referee_ = ::fork();
        if (referee_ == 0) watch_as_referee(ends[1]);
        ::close(ends[1]);
        answers_ = ends[0];
        answer();
        std::ifstream children("/proc/" + std::to_string(referee_) + "/task/" +
                               std::to_string(referee_) + "/children");
        children >> heart_;
        ASSERT_GT(heart_, 0);
        await_a_beat(heart_);
        ask();
    }
    void TearDown() override {
        ::kill(referee_, SIGKILL);
        ::waitpid(referee_, nullptr, 0);
        ::close(answers_);
    }

    Told answer() const {
        Told told;
        EXPECT_EQ(::read(answers_, &told, sizeof told), static_cast<ssize_t>(sizeof told));
        return told;
    }
    Told ask() const {
        ::kill(referee_, SIGUSR1);
        return answer();
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

bool schedule(pid_t process, int realtime_priority) {
    sched_param param{};
    param.sched_priority = realtime_priority;
    return ::sched_setscheduler(process, SCHED_FIFO, &param) == 0;
}

// Lets the process run on this core only, and there before all else but a hog: so nothing but a hog
// is in its way, however many cores the machine has and whatever else is busy on it. False where
// this isn't permitted.
bool give(const cpu_set_t& core, pid_t process) {
    return ::sched_setaffinity(process, sizeof core, &core) == 0 && schedule(process, 1);
}

// Keeps a core busy before all else for so long, from its own first to its own last moment, and
// does this before and after.
void hog(
    const cpu_set_t& core, Duration time, const std::function<void()>& before = [] {},
    const std::function<void()>& after = [] {}) {
    const pid_t process = ::fork();
    if (process == 0) {
        if (::sched_setaffinity(0, sizeof core, &core) != 0 ||
            !schedule(0, ::sched_get_priority_max(SCHED_FIFO)))
            ::_exit(1);
        before();
        const auto end = monotonic_now() + time;
        while (monotonic_now() < end) {
        }
        after();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(process, &status, 0);
    EXPECT_EQ(status, 0);
}

// Returns when the process stands still: the signal needs a core to take effect.
void stop(pid_t process) {
    ::kill(process, SIGSTOP);
    std::string state;
    while (state != "T") {
        std::this_thread::sleep_for(100us);
        std::ifstream file("/proc/" + std::to_string(process) + "/stat");
        std::string text;
        std::getline(file, text);
        state = text.substr(text.rfind(')') + 2, 1);
    }
}

TEST_F(CalmStops, OfTheRefereeAlone) {
    ::kill(referee_, SIGSTOP);
    std::this_thread::sleep_for(stop_time);
    ::kill(referee_, SIGCONT);
    only_the_referee_stood(stop_time);
}

TEST_F(CalmStops, OfTheRefereeAndItsHeartbeat) {
    ::kill(referee_, SIGSTOP);
    ::kill(heart_, SIGSTOP);
    std::this_thread::sleep_for(stop_time);
    ::kill(referee_, SIGCONT);
    ::kill(heart_, SIGCONT);
    all_stood(stop_time);
}

TEST_F(CalmStops, OfAControlGroup) {
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

constexpr const char* not_permitted_here = "this user may have no core to itself";

TEST_F(CalmStops, ForWantOfACore) {
    const auto core = tests::one_core();
    if (!give(core, referee_) || !give(core, heart_)) GTEST_SKIP() << not_permitted_here;
    hog(core, stop_time);
    const auto told = ask();
    EXPECT_GT(told.cores, stop_time - blur);
    EXPECT_LT(told.machine, blur);
    EXPECT_EQ(std::string(told.cause.data()), no_core);
}

TEST_F(CalmStops, OfTheRefereeWhileItsHeartbeatWantsACore) {
    const auto core = tests::one_core();
    if (!give(core, referee_) || !give(core, heart_)) GTEST_SKIP() << not_permitted_here;
    const auto go_on = [this] {
        await_a_beat(heart_);
        ::kill(referee_, SIGCONT);
    };
    hog(
        core, stop_time, [this] { stop(referee_); }, go_on);
    const auto told = ask();
    EXPECT_GT(told.cores, stop_time - blur);
    EXPECT_LT(told.machine, blur);
    EXPECT_EQ(std::string(told.cause.data()), starved);
}

}  // namespace
}  // namespace referee::loop
