#pragma once

// A bot under each means of accounting that the machine offers, which burns what it is asked to.

#include <unistd.h>

#include <cstdint>
#include <string>

#include "tests/referee/launch/process/launcher_fixture.h"

namespace referee::process {

class AccountingTest : public LauncherTest, public ::testing::WithParamInterface<Accounting> {
 protected:
    void SetUp() override {
        if (const auto why_not = start_again(); !why_not.empty()) GTEST_SKIP() << why_not;
        ASSERT_EQ(launcher_->accounting(), GetParam());
    }
    std::string start_again() { return start({.accounting = GetParam()}); }

    // Sends a number of microseconds to burn and reads the answer.
    std::string burn(const TalkingBot& bot, std::uint64_t us) {
        const std::string request = std::to_string(us) + "\n";
        EXPECT_EQ(::write(bot.input.get(), request.data(), request.size()),
                  static_cast<ssize_t>(request.size()));
        return bot.line();
    }

    // The bot has answered and waits for the next request: all that it did is charged.
    std::uint64_t charged_at_rest(BotProcess& bot) {
        EXPECT_TRUE(run_until([&] { return state_of(bot.pid()) == 'S'; }));
        return bot.cpu_time_us();
    }

    // Between two looks at the charge the bot did at least what it did from its first answer after
    // the first look to its last before the second, and at most what lies around that.
    void expect_charged(const std::string& bot, std::uint64_t wished_us, std::uint64_t error_us) {
        const auto process = ready(test_bot(bot));
        const auto own_after = [&](std::uint64_t us) { return std::stoull(burn(process, us)); };
        const std::uint64_t before_first = own_after(0);
        const std::uint64_t first_us = charged_at_rest(*process.bot);
        const std::uint64_t after_first = own_after(0);
        const std::uint64_t before_second = own_after(wished_us);
        const std::uint64_t charged = charged_at_rest(*process.bot) - first_us;
        const std::uint64_t after_second = own_after(0);
        EXPECT_GE(before_second - after_first, wished_us);
        EXPECT_GE(charged + error_us, before_second - after_first);
        EXPECT_LE(charged, after_second - before_first + error_us);
    }
};

inline std::string name_of_means(const ::testing::TestParamInfo<Accounting>& parameter) {
    std::string name(name_of(parameter.param));
    for (char& letter : name) {
        if (letter == '-') letter = '_';
    }
    return name;
}

}  // namespace referee::process
