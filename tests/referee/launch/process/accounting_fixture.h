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
        LauncherOptions options;
        options.accounting = GetParam();
        const std::string why_not = start(options);
        if (!why_not.empty()) GTEST_SKIP() << why_not;
        ASSERT_EQ(launcher_->accounting(), GetParam());
    }

    // Sends a number of microseconds to burn and reads the answer.
    std::string burn(const Descriptor& input, const Descriptor& output, std::uint64_t us) {
        const std::string request = std::to_string(us) + "\n";
        EXPECT_EQ(::write(input.get(), request.data(), request.size()),
                  static_cast<ssize_t>(request.size()));
        return read_line(output.get());
    }

    // The bot has answered and waits for the next request: all that it did is charged.
    std::uint64_t charged_at_rest(LaunchedBot& bot) {
        EXPECT_TRUE(run_until([&] { return state_of(bot.pid()) == 'S'; }));
        return bot.cpu_time_us();
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
