// What a frozen bot is charged, under every means of accounting that the machine offers.
// calm: a bot that spins, and that uses no time only as long as nothing else delays the freezer

#include <chrono>
#include <thread>
#include <utility>

#include "tests/referee/launch/process/accounting_fixture.h"

namespace referee::process {
namespace {

class CalmAccounting : public AccountingTest {
 protected:
    bool waits_until_cpu_rests(BotProcess& process) {
        std::uint64_t before_us = process.cpu_time_us();
        return run_until([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            const std::uint64_t now_us = process.cpu_time_us();
            return std::exchange(before_us, now_us) == now_us;
        });
    }
};

// On a busy machine the freezer may reach a bot only when the bot is next scheduled; then it runs
// to the nearest point where it can stop. A bot that isn't frozen would use a hundred times as
// much.
constexpr std::uint64_t freezing_us_max = 1000;

TEST_P(CalmAccounting, frozen_bot_uses_no_time_until_it_is_thawed) {
    const auto process = ready(shell_bot(script_that_spins));
    EXPECT_EQ(process->freeze(), 0);
    ASSERT_TRUE(waits_until_cpu_rests(*process.bot));
    const std::uint64_t frozen_us = process->cpu_time_us();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_LE(process->cpu_time_us(), frozen_us + freezing_us_max);
    EXPECT_EQ(process->freeze(), 0);
    EXPECT_EQ(process->thaw(), 0);
    EXPECT_TRUE(run_until([&] { return process->cpu_time_us() > frozen_us + 30'000; }));
    EXPECT_EQ(process->thaw(), 0);
}

TEST_P(CalmAccounting, frozen_daemon_uses_no_time) {
    const auto process = talk_with(test_bot("daemon"));
    ASSERT_NE(process.line(), "(end)");
    ASSERT_TRUE(run_until([&] { return process->exit_status().has_value(); }));
    EXPECT_EQ(process->freeze(), 0);
    ASSERT_TRUE(waits_until_cpu_rests(*process.bot));
    const std::uint64_t frozen_us = process->cpu_time_us();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_LE(process->cpu_time_us(), frozen_us + freezing_us_max);
}

// A turn of a frozen bot begins with what was read before the freeze.
TEST_P(CalmAccounting, what_ran_until_the_freeze_is_no_part_of_the_next_turn) {
    const auto process = ready(shell_bot(script_that_spins));
    process->core_wait_min({});
    const std::uint64_t read_us = process->cpu_time_us();
    EXPECT_TRUE(run_until([&] { return process->cpu_time_us() > read_us + 30'000; }));
    EXPECT_EQ(process->freeze(), 0);
    ASSERT_TRUE(waits_until_cpu_rests(*process.bot));
    process->begin_turn();
    const auto worked = process->worked_in_turn().value_or(nanoseconds{});
    EXPECT_LE(worked, std::chrono::microseconds(freezing_us_max));
}

INSTANTIATE_TEST_SUITE_P(Means, CalmAccounting, ::testing::ValuesIn(all_accountings),
                         name_of_means);

}  // namespace
}  // namespace referee::process
