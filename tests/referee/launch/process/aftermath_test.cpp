// What is left after many launches, and after the death of a referee.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "referee/launch/process/kernel_file.h"
#include "tests/referee/launch/process/accounting_fixture.h"

namespace referee::process {
namespace {

// By /proc each look scans all processes of the machine, so there are fewer bots then.
int bots_at_once(Accounting accounting) {
    return is_sanitized || accounting == Accounting::proc ? 50 : 300;
}

class AftermathTest : public AccountingTest {
 protected:
    std::size_t groups_of_ours() const {
        const auto place = find_home(GetParam() == Accounting::control_group_v2);
        if (!place) return 0;
        const std::string ours = std::string(".").append(std::to_string(::getpid())).append(".");
        std::size_t count = 0;
        for (const std::string& directory : place->directories()) {
            for (const std::string& name : directory_names(directory)) {
                if (name.find(ours) != std::string::npos) ++count;
            }
        }
        return count;
    }
};

// A referee in a process of its own, with the bot and the daemon that it launched.
struct OtherReferee {
    pid_t referee = 0;
    pid_t supervisor = 0;
    pid_t bot = 0;
    pid_t daemon = 0;
};

OtherReferee start_other_referee(Accounting accounting) {
    OtherReferee other;
    std::array<int, 2> ends = {};
    if (::pipe(ends.data()) != 0) return other;
    const std::string program = test_program("launcher_test_referee");
    const std::string bot = test_program("launcher_test_bot");
    const std::string means(name_of(accounting));
    other.referee = ::fork();
    if (other.referee == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        ::close(ends[0]);
        ::close(ends[1]);
        ::execl(program.c_str(), program.c_str(), means.c_str(), bot.c_str(), "daemon-and-stay",
                nullptr);
        ::_exit(127);
    }
    ::close(ends[1]);
    std::FILE* said = ::fdopen(ends[0], "r");
    if (std::fscanf(said, "%d %d", &other.bot, &other.daemon) != 2) other.bot = 0;
    std::fclose(said);
    if (other.bot > 0) other.supervisor = parent_of(other.bot);
    return other;
}

TEST_P(AftermathTest, hundred_launches_leave_no_process_and_no_descriptor) {
    expect_nothing_left(100, [](const std::string& script) { return shell_bot(script); });
    launcher_.reset();
    EXPECT_EQ(groups_of_ours(), 0U);
}

TEST_P(AftermathTest, many_bots_at_once) {
    const std::size_t descriptors = open_descriptors();
    const int bots = bots_at_once(GetParam());
    std::vector<OwnedProcess> processes;
    LaunchSpec spec;
    spec.command = {"cat"};
    for (int i = 0; i < bots; ++i) processes.push_back(launch(spec));
    EXPECT_EQ(launcher_->living(), static_cast<std::size_t>(bots));
    EXPECT_LT(open_descriptors() - descriptors, static_cast<std::size_t>(bots * 8));
    processes.clear();
    // It is enough that the context runs.
    EXPECT_TRUE(run_until([&] { return launcher_->living() == 0; }));
    EXPECT_TRUE(own_children().empty());
    EXPECT_EQ(open_descriptors(), descriptors);
}

TEST_P(AftermathTest, launcher_ends_what_nobody_released) {
    const auto process = talk_with(test_bot("daemon-and-stay"));
    const pid_t daemon = std::stoi(process.line());
    launcher_.reset();
    EXPECT_TRUE(process->gone());
    EXPECT_TRUE(is_dead(daemon));
    EXPECT_EQ(groups_of_ours(), 0U);
}

TEST_P(AftermathTest, bots_die_with_a_referee_that_is_killed) {
    const OtherReferee other = start_other_referee(GetParam());
    ASSERT_GT(other.bot, 0);
    EXPECT_FALSE(is_dead(other.daemon));
    ::kill(other.referee, SIGKILL);
    ::waitpid(other.referee, nullptr, 0);
    EXPECT_TRUE(run_until(
        [&] { return is_dead(other.bot) && is_dead(other.daemon) && is_dead(other.supervisor); }));
}

TEST_P(AftermathTest, next_referee_clears_away_what_was_left) {
    if (!uses_groups(GetParam())) GTEST_SKIP() << "only groups can be found again";
    const OtherReferee other = start_other_referee(GetParam());
    ASSERT_GT(other.bot, 0);
    // A living referee's bots are not touched by another.
    ASSERT_EQ(start_again(), "");
    EXPECT_FALSE(is_dead(other.bot));
    // Both processes that could have cleaned up die; the referee is stopped, so it doesn't notice
    // the supervisor's death.
    ::kill(other.referee, SIGSTOP);
    ::kill(other.supervisor, SIGKILL);
    ::kill(other.referee, SIGKILL);
    ::waitpid(other.referee, nullptr, 0);
    EXPECT_TRUE(run_until([&] { return is_dead(other.bot); }));
    // The next launcher to start cleans up: this test's, or another one on this machine before it.
    ASSERT_EQ(start_again(), "");
    EXPECT_TRUE(run_until([&] { return is_dead(other.daemon); }));
}

INSTANTIATE_TEST_SUITE_P(Means, AftermathTest, ::testing::ValuesIn(all_accountings), name_of_means);

}  // namespace
}  // namespace referee::process
