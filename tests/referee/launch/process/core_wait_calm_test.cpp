// A bot's waits for a core, by the kernel's counters against the bot's own clocks.
// calm: a bot is bound to a core that others want all the time

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <vector>

#include "referee/launch/process/core_wait.h"
#include "tests/one_core.h"
#include "tests/referee/launch/process/accounting_fixture.h"

namespace referee::process {
namespace {

using namespace std::chrono_literals;

// Programs that want a core all the time. Each has a session of its own, as a system may share its
// cores out among sessions.
class Hogs {
 public:
    Hogs(const cpu_set_t& core, unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            const pid_t pid = ::fork();
            if (pid == 0) {
                if (::sched_setaffinity(0, sizeof core, &core) != 0) ::_exit(1);
                ::setsid();
                for (;;) ::getppid();
            }
            pids_.push_back(pid);
        }
    }
    ~Hogs() {
        for (const pid_t pid : pids_) ::kill(pid, SIGKILL);
        for (const pid_t pid : pids_) ::waitpid(pid, nullptr, 0);
    }
    Hogs(const Hogs&) = delete;
    Hogs& operator=(const Hogs&) = delete;

 private:
    std::vector<pid_t> pids_;
};

class CalmCoreWait : public AccountingTest {
 protected:
    struct Turn {
        nanoseconds wall{};    // from our sending to the bot's answer, by its own look at the clock
        nanoseconds least{};   // of it, the part that begins when the bot can surely read
        nanoseconds used{};    // by its first process, as that says
        nanoseconds all{};     // by all of it, as the accounting says
        nanoseconds waited{};  // as the launcher says
    };

    Turn turn(const TalkingBot& bot, std::chrono::microseconds work) {
        const auto now = [] { return std::chrono::steady_clock::now().time_since_epoch(); };
        const std::string line = std::to_string(work.count()) + "\n";
        bot->begin_turn();
        const auto before = bot->cpu_time_us();
        const nanoseconds sent = now();
        EXPECT_EQ(::write(bot.input.get(), line.data(), line.size()),
                  static_cast<ssize_t>(line.size()));
        const nanoseconds readable = now();
        std::istringstream answer(bot.line());
        long long at = 0;
        long long used_us = 0;
        answer >> at >> used_us;
        Turn turn;
        turn.wall = nanoseconds(at) - sent;
        turn.least = nanoseconds(at) - readable;
        const std::chrono::microseconds used(used_us);
        turn.used = used - used_;
        used_ = used;
        // Within the launcher's own looks, which may lie apart from ours by a wait of this test.
        turn.all = std::chrono::microseconds(bot->cpu_time_us() - before);
        turn.waited = bot->core_wait_min(turn.wall);
        return turn;
    }

    std::chrono::microseconds used_{};
};

// A bot that never sleeps in its turn has waited whenever it didn't run.
TEST_P(CalmCoreWait, is_what_the_bot_neither_ran_nor_slept) {
    const auto bot = ready(test_bot("burn-and-tell"));
    // Bot and hogs have one core only, so they stand in its way on any number of cores.
    const auto core = tests::one_core();
    ASSERT_EQ(::sched_setaffinity(bot->pid(), sizeof core, &core), 0);
    turn(bot, 1ms);
    const Hogs hogs(core, 6);
    nanoseconds waited{};
    nanoseconds truth{};
    for (int i = 0; i < 4; ++i) {
        const auto [wall, least, used, all, certain] = turn(bot, 20ms);
        EXPECT_LE(certain, wall - used + 1ms);
        waited += certain;
        truth += least - used;
    }
    EXPECT_GT(truth, 40ms) << "nothing stood in its way, so nothing was tried";
    if (GetParam() == Accounting::proc) {
        EXPECT_EQ(waited, 0ms) << "a look would take too long";
    } else {
        EXPECT_GT(waited, truth * 9 / 10 - 4ms);
    }
}

// On one core, what the child doesn't leave to it is no excuse: only what neither of them had is.
TEST_P(CalmCoreWait, behind_its_own_child_is_its_own) {
    const auto bot = ready(test_bot("burn-beside-a-child"));
    turn(bot, 1ms);
    const auto [wall, least, used, all, waited] = turn(bot, 60ms);
    EXPECT_GT(wall - used, 10ms) << "its child must stand in its way";
    EXPECT_LE(waited, std::max<nanoseconds>(wall - all, 0ms) + 1ms);
}

INSTANTIATE_TEST_SUITE_P(Means, CalmCoreWait, ::testing::ValuesIn(all_accountings), name_of_means);

}  // namespace
}  // namespace referee::process
