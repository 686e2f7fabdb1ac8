// What must hold under every means of accounting that the machine offers.

#include <signal.h>

#include <chrono>
#include <cstdint>
#include <string>

#include "referee/launch/process/kernel_file.h"
#include "tests/referee/launch/process/accounting_fixture.h"
#include "tests/wait_until.h"

namespace referee::process {
namespace {

// Where /proc counts waited-for children, it counts them in ticks.
constexpr std::uint64_t waited_error_us = 30'000;

// Of processor time: what the kernel does to let a process sleep or end is charged behind its last
// look at the clock.
constexpr std::uint64_t blur_us = 500;

// time: processes that stay until they are killed
constexpr const char* script_with_children =
    "for i in 1 2 3 4 5; do sleep 1000 & done; echo ready; wait";

TEST_P(AccountingTest, charges_what_the_bot_burned_by_its_own_clock) {
    for (const std::uint64_t wished_us : {1'000U, 20'000U, 100'000U})
        expect_charged("burn", wished_us, blur_us);
}

TEST_P(AccountingTest, charges_children_that_were_waited_for) {
    expect_charged("burn-by-children", 150'000,
                   blur_us + (uses_groups(GetParam()) ? 0 : waited_error_us));
}

// Of one that isn't frozen, by itself or by children that are gone.
TEST_P(AccountingTest, what_ran_between_two_turns_is_no_part_of_the_next) {
    for (const char* bot : {"burn", "burn-by-children"}) {
        const auto process = ready(test_bot(bot));
        process->begin_turn();
        burn(process, 0);
        charged_at_rest(*process.bot);
        process->core_wait_min({});
        burn(process, 100'000);
        charged_at_rest(*process.bot);
        process->begin_turn();
        EXPECT_LE(process->worked_in_turn().value_or(nanoseconds{}),
                  std::chrono::microseconds(blur_us))
            << bot;
    }
}

// The sum alone tells that nothing else has changed.
TEST_P(AccountingTest, turn_of_a_bot_that_rested_begins_with_one_read) {
    if (!uses_groups(GetParam())) GTEST_SKIP() << "it has no sum";
    const auto reads = [] { return counted_in("/proc/thread-self/io", "syscr:"); };
    const auto process = ready(test_bot("burn"));
    burn(process, 0);
    charged_at_rest(*process.bot);
    process->core_wait_min({});
    const auto before = reads();
    const auto of_a_look = reads() - before;
    if (of_a_look == 0) GTEST_SKIP() << "the kernel counts no reads";
    process->begin_turn();
    EXPECT_EQ(reads() - before, 2 * of_a_look + 1);
}

TEST_P(AccountingTest, time_never_goes_down_and_stays_when_the_bot_is_gone) {
    auto process = ready(test_bot("burn"));
    burn(process, 100'000);
    std::uint64_t last_us = process->cpu_time_us();
    EXPECT_GE(last_us, 100'000U);
    process.input.reset();
    ASSERT_TRUE(run_until([&] {
        const std::uint64_t now_us = process->cpu_time_us();
        EXPECT_GE(now_us, last_us);
        last_us = now_us;
        return process->gone();
    }));
    EXPECT_EQ(process->cpu_time_us(), process->cpu_time_us());
    EXPECT_GE(process->cpu_time_us(), last_us);
}

TEST_P(AccountingTest, daemon_in_its_own_session_is_charged_and_killed) {
    const auto process = talk_with(test_bot("daemon"));
    const pid_t daemon = std::stoi(process.line());
    ASSERT_TRUE(run_until([&] { return process->exit_status().has_value(); }));
    EXPECT_FALSE(process->gone());
    EXPECT_FALSE(is_dead(daemon));
    const std::uint64_t before_us = process->cpu_time_us();
    EXPECT_TRUE(run_until([&] { return process->cpu_time_us() > before_us + 30'000; }));
    bool told = false;
    process->on_gone([&] { told = true; });
    process->kill();
    ASSERT_TRUE(run_until([&] { return told; }));
    EXPECT_TRUE(process->gone());
    EXPECT_TRUE(is_dead(daemon));
}

TEST_P(AccountingTest, frozen_bot_can_be_killed) {
    const auto process = ready(shell_bot(script_with_children));
    EXPECT_EQ(process->freeze(), 0);
    process->kill();
    EXPECT_TRUE(run_until([&] { return process->gone(); }));
    ASSERT_TRUE(process->exit_status());
    EXPECT_EQ(process->exit_status()->text(), "killed by signal 9 (Killed)");
}

TEST_P(AccountingTest, how_a_bot_ended_is_known_though_its_supervisor_left_an_order_unread) {
    const auto process = ready(shell_bot(script_with_children));
    const pid_t supervisor = parent_of(process->pid());
    ASSERT_EQ(::kill(supervisor, SIGSTOP), 0);
    for (int i = 0; i < 3; ++i) process->kill();  // it reads one of them each time it looks
    ASSERT_EQ(::kill(supervisor, SIGCONT), 0);
    ASSERT_TRUE(tests::wait_until([&] { return is_dead(supervisor); }));
    EXPECT_TRUE(run_until([&] { return process->gone(); }));
    ASSERT_TRUE(process->exit_status());
    EXPECT_EQ(process->exit_status()->text(), "killed by signal 9 (Killed)");
}

TEST_P(AccountingTest, bot_that_kills_its_supervisor_dies_with_it) {
    const auto process = talk_with(test_bot("daemon-and-kill-parent"));
    const pid_t daemon = std::stoi(process.line());
    const pid_t bot = process->pid();
    process.wake();
    ASSERT_TRUE(run_until([&] { return process->gone(); }));
    ASSERT_TRUE(process->exit_status());
    EXPECT_EQ(process->exit_status()->how, ExitStatus::How::lost);
    EXPECT_TRUE(run_until([&] { return is_dead(bot); }));
    // Without a group, the daemon of such a bot is out of reach.
    if (uses_groups(GetParam())) {
        EXPECT_TRUE(run_until([&] { return is_dead(daemon); }));
    } else {
        ::kill(daemon, SIGKILL);
    }
}

INSTANTIATE_TEST_SUITE_P(Means, AccountingTest, ::testing::ValuesIn(all_accountings),
                         name_of_means);

}  // namespace
}  // namespace referee::process
