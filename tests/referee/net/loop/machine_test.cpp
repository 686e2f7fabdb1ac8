#include "referee/net/loop/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "referee/net/loop/timers.h"
#include "tests/wait_until.h"

namespace referee::loop {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using tests::wait_until;

// The state of a process as one letter; empty where it is gone.
std::string state_of(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::ostringstream text;
    text << file.rdbuf();
    const auto end = text.str().rfind(')');
    return end == std::string::npos ? std::string() : text.str().substr(end + 2, 1);
}

class HeartbeatTest : public testing::Test {
 protected:
    Heartbeat heart{[this](const std::string& reason) { lost.push_back(reason); }};
    std::vector<std::string> lost;

    // How long it stood still, as of now.
    Duration stood() {
        const auto pulse = heart.pulse(monotonic_now());
        EXPECT_TRUE(pulse);
        return pulse ? pulse->stood - pulse->core_wait : Duration::zero();
    }
    // How often it gave its core away by itself: once for each beat.
    long sleeps() const {
        std::ifstream file("/proc/" + std::to_string(heart.process()) + "/status");
        std::ostringstream text;
        text << file.rdbuf();
        const auto at = text.str().find("\nvoluntary_ctxt_switches:");
        return std::stol(text.str().substr(text.str().find(':', at) + 1));
    }
    // Waits for so many beats.
    bool beats(long count) const {
        return wait_until([this, until = sleeps() + count] { return sleeps() >= until; });
    }
    // A time in which it would beat dozens of times.
    static constexpr Duration rest = 300ms;
    // Whether it slept all that time.
    bool rests() const {
        const auto before = sleeps();
        // time: that it does nothing for so long is what is tested
        std::this_thread::sleep_for(rest);
        return sleeps() == before;
    }
};

TEST_F(HeartbeatTest, BeatsWhileItIsAwake) {
    EXPECT_FALSE(heart.pulse(monotonic_now())) << "at rest";
    const auto woken = monotonic_now();
    heart.wake(woken);
    ASSERT_TRUE(heart.pulse(monotonic_now()));
    ASSERT_TRUE(beats(50));
    // Where it has just been kept from a core, its next beat tells so.
    ASSERT_TRUE(wait_until([&] { return stood() < (monotonic_now() - woken) / 2; }))
        << "it went on";
    const auto before = stood();
    heart.fall_asleep();
    EXPECT_FALSE(heart.pulse(monotonic_now()));
    ASSERT_TRUE(wait_until([this] { return rests(); }));
    heart.wake(monotonic_now());
    ASSERT_TRUE(beats(3));
    EXPECT_TRUE(wait_until([&] { return stood() - before < rest / 2; }))
        << "its rest doesn't count";
}

TEST_F(HeartbeatTest, StandsStillWhileItIsStopped) {
    heart.wake(monotonic_now());
    ASSERT_TRUE(beats(3));
    const auto asked = monotonic_now();
    const auto before = stood();
    ASSERT_EQ(::kill(heart.process(), SIGSTOP), 0);
    ASSERT_TRUE(wait_until([this] { return state_of(heart.process()) == "T"; }));
    const auto since = monotonic_now();
    ASSERT_TRUE(wait_until([&] { return stood() - before > rest; })) << "known while it lasts";
    const auto stopped = monotonic_now() - since;
    const auto within = stood() - before;
    EXPECT_GT(within, stopped / 2);
    EXPECT_LE(within, monotonic_now() - asked + Heartbeat::noise);
    ASSERT_EQ(::kill(heart.process(), SIGCONT), 0);
    ASSERT_TRUE(beats(3));
    EXPECT_GT(stood() - before, stopped / 2) << "and known afterwards";
    EXPECT_TRUE(lost.empty());
}

TEST_F(HeartbeatTest, ItsEndIsToldOnce) {
    heart.wake(monotonic_now());
    ASSERT_TRUE(heart.pulse(monotonic_now()));
    ASSERT_EQ(::kill(heart.process(), SIGKILL), 0);
    ASSERT_TRUE(wait_until([this] { return !heart.pulse(monotonic_now()); }));
    EXPECT_FALSE(heart.pulse(monotonic_now()));
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_THAT(lost[0], HasSubstr("heartbeat is missing"));
    EXPECT_EQ(heart.process(), 0);
}

TEST_F(HeartbeatTest, HasNothingOfTheReferee) {
    const auto folder = "/proc/" + std::to_string(heart.process());
    const auto own_name = [&] {
        std::string name;
        std::ifstream(folder + "/comm") >> name;
        return name == "referee-beat";
    };
    ASSERT_TRUE(wait_until(own_name));
    heart.wake(monotonic_now());
    ASSERT_TRUE(wait_until([&] { return std::filesystem::read_symlink(folder + "/cwd") == "/"; }));
    ASSERT_TRUE(wait_until([&] {
        const auto files = std::filesystem::directory_iterator(folder + "/fd");
        return std::distance(begin(files), end(files)) == 1;
    })) << "one descriptor: the file that tells its wait for a core";
    EXPECT_NE(::getsid(heart.process()), ::getsid(0));
    EXPECT_NE(::getpgid(heart.process()), ::getpgid(0));
}

// The referee is another process here, because it is killed.
TEST(HeartbeatOfARefereeTest, EndsWithIt) {
    for (const int signal : {SIGKILL, SIGTERM}) {
        std::array<int, 2> ends{};
        ASSERT_EQ(::pipe(ends.data()), 0);
        const pid_t referee = ::fork();
        if (referee == 0) {
            Heartbeat heart([](const std::string& /*reason*/) {});
            const pid_t child = heart.process();
            const auto told = ::write(ends[1], &child, sizeof child);
            while (told > 0) ::pause();
            ::_exit(0);
        }
        pid_t child = 0;
        ASSERT_EQ(::read(ends[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
        ::close(ends[0]);
        ::close(ends[1]);
        ASSERT_NE(state_of(child), "");
        ::kill(referee, signal);
        ::waitpid(referee, nullptr, 0);
        EXPECT_TRUE(wait_until([&] {
            const auto state = state_of(child);
            return state.empty() || state == "Z";
        })) << signal;
    }
}

}  // namespace
}  // namespace referee::loop
