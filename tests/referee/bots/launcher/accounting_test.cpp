// What must hold under every means of accounting that the machine offers.

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "tests/referee/bots/launcher/launcher_fixture.h"

namespace referee::launcher {
namespace {

// Where /proc counts waited-for children, it counts them in ticks.
constexpr std::uint64_t tick_us = 10'000;

// Reading requests and writing answers is charged too, but is not part of what the bot burns.
constexpr std::uint64_t talk_us_max = 5'000;

class AccountingTest : public LauncherTest, public ::testing::WithParamInterface<Accounting> {
 protected:
    void SetUp() override {
        LauncherOptions options;
        options.accounting = GetParam();
        const std::string why_not = start(options);
        if (!why_not.empty()) GTEST_SKIP() << why_not;
        ASSERT_EQ(launcher_->accounting(), GetParam());
    }

    std::uint64_t waited_error_us() const { return uses_groups(GetParam()) ? 0 : 3 * tick_us; }

    // Sends a number of microseconds to burn and reads the answer.
    std::string burn(const Descriptor& input, const Descriptor& output, std::uint64_t us) {
        const std::string request = std::to_string(us) + "\n";
        EXPECT_EQ(::write(input.get(), request.data(), request.size()),
                  static_cast<ssize_t>(request.size()));
        return read_line(output.get());
    }

    bool waits_until_cpu_rests(LaunchedBot& process) {
        std::uint64_t before_us = process.cpu_time_us();
        return run_until([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            const std::uint64_t now_us = process.cpu_time_us();
            return std::exchange(before_us, now_us) == now_us;
        });
    }
};

TEST_P(AccountingTest, charges_what_the_bot_burned_by_its_own_clock) {
    const auto process = launch(test_bot({"burn"}));
    ASSERT_TRUE(process);
    const Descriptor input = process->take_input();
    const Descriptor output = process->take_output();
    ASSERT_EQ(read_line(output.get()), "ready");
    std::uint64_t own_before_us = std::stoull(burn(input, output, 0));
    std::uint64_t charged_before_us = process->cpu_time_us();
    for (const std::uint64_t wished_us : {1'000U, 20'000U, 100'000U}) {
        const std::uint64_t own_us = std::stoull(burn(input, output, wished_us));
        const std::uint64_t charged_us = process->cpu_time_us();
        const std::uint64_t own = own_us - own_before_us;
        const std::uint64_t charged = charged_us - charged_before_us;
        EXPECT_GE(own, wished_us);
        // The bot may have run on a little after its first answer: 500 us are more than enough.
        EXPECT_GE(charged + 500, own);
        EXPECT_LE(charged, own + talk_us_max);
        own_before_us = own_us;
        charged_before_us = charged_us;
    }
}

TEST_P(AccountingTest, charges_children_that_were_waited_for) {
    const auto process = launch(test_bot({"burn-by-children"}));
    ASSERT_TRUE(process);
    const Descriptor input = process->take_input();
    const Descriptor output = process->take_output();
    ASSERT_EQ(read_line(output.get()), "ready");
    const std::uint64_t before_us = process->cpu_time_us();
    constexpr std::uint64_t burned_us = 150'000;
    ASSERT_EQ(burn(input, output, burned_us), "done");
    const std::uint64_t charged_us = process->cpu_time_us() - before_us;
    EXPECT_GE(charged_us + waited_error_us(), burned_us);
    // Each child starts with a fork, which costs much under sanitizers.
    EXPECT_LE(charged_us, burned_us + waited_error_us() + (is_sanitized ? 200'000 : 10'000));
}

TEST_P(AccountingTest, time_never_goes_down_and_stays_when_the_bot_is_gone) {
    const auto process = launch(test_bot({"burn"}));
    ASSERT_TRUE(process);
    Descriptor input = process->take_input();
    const Descriptor output = process->take_output();
    ASSERT_EQ(read_line(output.get()), "ready");
    burn(input, output, 100'000);
    std::uint64_t last_us = process->cpu_time_us();
    EXPECT_GE(last_us, 100'000U);
    input.reset();
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
    const auto process = launch(test_bot({"daemon"}));
    ASSERT_TRUE(process);
    const Descriptor output = process->take_output();
    const pid_t daemon = std::stoi(read_line(output.get()));
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

// On a busy machine the freezer may reach a bot only when the bot is next scheduled; then it runs
// to the nearest point where it can stop. A bot that isn't frozen would use a hundred times as
// much.
constexpr std::uint64_t freezing_us_max = 1000;

TEST_P(AccountingTest, frozen_bot_uses_no_time_until_it_is_thawed) {
    const auto process = launch(test_bot({"spin"}));
    ASSERT_TRUE(process);
    const Descriptor output = process->take_output();
    ASSERT_EQ(read_line(output.get()), "ready");
    EXPECT_EQ(process->freeze(), 0);
    ASSERT_TRUE(waits_until_cpu_rests(*process));
    const std::uint64_t frozen_us = process->cpu_time_us();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_LE(process->cpu_time_us(), frozen_us + freezing_us_max);
    EXPECT_EQ(process->freeze(), 0);
    EXPECT_EQ(process->thaw(), 0);
    EXPECT_TRUE(run_until([&] { return process->cpu_time_us() > frozen_us + 30'000; }));
    EXPECT_EQ(process->thaw(), 0);
}

TEST_P(AccountingTest, frozen_daemon_uses_no_time) {
    const auto process = launch(test_bot({"daemon"}));
    ASSERT_TRUE(process);
    const Descriptor output = process->take_output();
    ASSERT_NE(read_line(output.get()), "(end)");
    ASSERT_TRUE(run_until([&] { return process->exit_status().has_value(); }));
    EXPECT_EQ(process->freeze(), 0);
    ASSERT_TRUE(waits_until_cpu_rests(*process));
    const std::uint64_t frozen_us = process->cpu_time_us();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_LE(process->cpu_time_us(), frozen_us + freezing_us_max);
}

TEST_P(AccountingTest, frozen_bot_can_be_killed) {
    const auto process = launch(test_bot({"children", "5"}));
    ASSERT_TRUE(process);
    const Descriptor output = process->take_output();
    ASSERT_EQ(read_line(output.get()), "ready");
    EXPECT_EQ(process->freeze(), 0);
    process->kill();
    EXPECT_TRUE(run_until([&] { return process->gone(); }));
    ASSERT_TRUE(process->exit_status());
    EXPECT_EQ(process->exit_status()->text(), "killed by signal 9 (Killed)");
}

TEST_P(AccountingTest, release_leaves_nothing) {
    const std::size_t descriptors = open_descriptors();
    pid_t daemon = 0;
    pid_t bot = 0;
    {
        const auto process = launch(test_bot({"daemon-and-stay"}));
        ASSERT_TRUE(process);
        const Descriptor output = process->take_output();
        daemon = std::stoi(read_line(output.get()));
        bot = process->pid();
    }
    EXPECT_TRUE(launcher_->wait_until_released(std::chrono::seconds(30)));
    EXPECT_TRUE(is_dead(bot));
    EXPECT_TRUE(is_dead(daemon));
    EXPECT_EQ(launcher_->living(), 0U);
    EXPECT_TRUE(own_children().empty());
    context_.poll();
    EXPECT_EQ(open_descriptors(), descriptors);
}

TEST_P(AccountingTest, bot_that_kills_its_supervisor_dies_with_it) {
    const auto process = launch(test_bot({"daemon-and-kill-parent"}));
    ASSERT_TRUE(process);
    const Descriptor input = process->take_input();
    const Descriptor output = process->take_output();
    const pid_t daemon = std::stoi(read_line(output.get()));
    const pid_t bot = process->pid();
    ASSERT_EQ(::write(input.get(), "\n", 1), 1);
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
                         [](const auto& parameter) {
                             std::string name(name_of(parameter.param));
                             for (char& letter : name) {
                                 if (letter == '-') letter = '_';
                             }
                             return name;
                         });

}  // namespace
}  // namespace referee::launcher
