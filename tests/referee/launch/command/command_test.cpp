#include "referee/launch/command/command.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <sstream>

#include "protocol/base/text.h"
#include "tests/wait_until.h"

namespace referee::command {
namespace {

using namespace std::chrono_literals;

Command shell(const std::string& script) {
    Command command;
    command.words = {"sh", "-c", script};
    command.time_max = 60s;
    command.output_bytes_max = 100000;
    return command;
}

// "3: said, trouble", or what went wrong and its errors.
std::string told_of(const Command& command) {
    const auto end = run(command);
    if (end) return fmt::format("{}: {}, {}", end->status, end->output, end->errors);
    constexpr std::array kinds{"not started: ", "too slow: ", "too long: "};
    return kinds.at(static_cast<std::size_t>(end.error().kind)) + end.error().what +
           end.error().errors;
}

TEST(CommandTest, TellsWhatItWroteAndHowItEnded) {
    EXPECT_EQ(told_of(shell("echo said; echo trouble >&2; exit 3")), "3: said\n, trouble\n");
    EXPECT_EQ(told_of(shell("kill -TERM $$")), fmt::format("{}: , ", 128 + SIGTERM));
}

TEST(CommandTest, WordsAreNoShellsWords) {
    auto command = shell("printf '%s|' \"$@\"");
    for (const auto* word : {"zero", "a b", "$HOME", "; rm x", ""})
        command.words.emplace_back(word);
    EXPECT_EQ(run(command)->output, "a b|$HOME|; rm x||");
}

TEST(CommandTest, ReadsItsInputStandsInItsFolderAndHasItsEnvironment) {
    ASSERT_EQ(setenv("COMMAND_OURS", "ours", 1), 0);
    ASSERT_EQ(setenv("COMMAND_BOTH", "ours", 1), 0);
    auto command = shell("cat; pwd; echo $COMMAND_OURS $COMMAND_BOTH $COMMAND_OWN; cat");
    command.input = std::string(1 << 20, 'x') + "\n";
    command.output_bytes_max = 2 << 20;
    command.folder = "/tmp";
    command.environment = {"COMMAND_BOTH=own", "COMMAND_OWN=a b"};
    EXPECT_EQ(run(command)->output, command.input + "/tmp\nours own a b\n");
    command.input.clear();
    EXPECT_EQ(run(command)->output, "/tmp\nours own a b\n");
    command.bare = true;
    command.words[2] = "echo $COMMAND_OURS $COMMAND_BOTH $COMMAND_OWN $HOME";
    EXPECT_EQ(run(command)->output, "own a b\n");
}

TEST(CommandTest, WhatIsNotThereIsNotStarted) {
    auto command = shell("");
    command.words = {"/no/such/program"};
    EXPECT_EQ(told_of(command), "not started: can't be started: No such file or directory");
    command = shell("");
    command.folder = "/no/such/folder";
    EXPECT_EQ(told_of(command),
              "not started: can't be started in /no/such/folder: No such file or directory");
}

// An argument of `sleep` that no other process has, for longer than anybody waits. Each test has a
// number of its own.
std::string hours(int number) {
    return std::to_string(number) + "." + std::to_string(::getpid());
}

// Whether no process has such a word among theirs.
bool are_there_none(const std::string& word) {
    // The brackets keep the search from finding itself.
    const auto script = "grep -lxz '" + word.substr(0, 1) + "[" + word.substr(1, 1) + "]" +
                        word.substr(2) + "' /proc/[0-9]*/cmdline 2>/dev/null | wc -l";
    return run(shell(script))->output == "0\n";
}

bool are_gone(const std::string& word) {
    return tests::wait_until([&] { return are_there_none(word); });
}

TEST(CommandTest, OneThatTakesTooLongIsKilledWithAllThatItStarted) {
    const auto word = hours(4711);
    auto command = shell("echo full, trying again >&2; sleep " + word + " & setsid sleep " + word +
                         " & sleep " + word + "; echo never");
    command.time_max = 300ms;
    EXPECT_EQ(told_of(command),
              "too slow: did not end within 300 ms, and was killedfull, trying again\n");
    EXPECT_TRUE(are_gone(word));
}

TEST(CommandTest, OneThatWritesTooMuchIsKilled) {
    auto command = shell("while :; do echo more; done");
    command.output_bytes_max = 5000;
    EXPECT_EQ(told_of(command), "too long: wrote more than 5000 bytes, and was killed");
    // As many as may be is not too much; and of troubles the end is kept.
    const auto just =
        run(shell("head -c 100000 /dev/zero; head -c 100000 /dev/zero >&2; echo the end >&2"));
    ASSERT_TRUE(just) << just.error().what;
    EXPECT_EQ(just->output.size(), 100000U);
    EXPECT_EQ(just->errors.size(), errors_bytes_max);
    EXPECT_TRUE(just->errors.ends_with("the end\n"));
}

TEST(CommandTest, WhatItLeavesBehindIsNotWaitedFor) {
    // Whoever waited for it would run out of time.
    const auto end = run(shell("sleep 4712 & echo $!; setsid sleep 4712 & echo $!"));
    ASSERT_TRUE(end) << end.error().what;
    std::istringstream left(end->output);
    int count = 0;
    for (pid_t process = 0; left >> process; ++count) {
        EXPECT_EQ(kill(process, 0), 0);
        EXPECT_EQ(kill(process, SIGKILL), 0);
    }
    EXPECT_EQ(count, 2);
}

TEST(CommandTest, WhatHoldsItsStreamsIsWaitedForWhereAsked) {
    auto command = shell("(sleep 0.3; echo later) & echo said");
    command.over = Command::Over::with_its_streams;
    EXPECT_EQ(run(command)->output, "said\nlater\n");
    const auto word = hours(4713);
    command.words[2] = "sleep " + word + " & exit 0";
    command.time_max = 300ms;
    EXPECT_EQ(told_of(command), "too slow: did not end within 300 ms, and was killed");
    EXPECT_TRUE(are_gone(word));
}

TEST(CommandTest, WhatItStartedIsKilledWhereAsked) {
    const auto word = hours(4714);
    auto command = shell("setsid sleep " + word + " >/dev/null 2>&1 & echo said");
    command.leaves_nothing = true;
    EXPECT_EQ(told_of(command), "0: said\n, ");
    EXPECT_TRUE(are_gone(word));
}

TEST(CommandTest, OneDiesWithTheProgramThatIsKilledBesideItAndSoDoesAllThatItStarted) {
    const std::array words{hours(4715), hours(4716), hours(4717)};
    const auto program = fork();
    if (program == 0) {
        const auto end = run(shell("sleep " + words[0] + " & setsid sleep " + words[1] +
                                   " & exec sleep " + words[2]));
        _exit(end ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    for (const auto& word : words)
        EXPECT_TRUE(tests::wait_until([&] { return !are_there_none(word); }));
    kill(program, SIGKILL);
    ASSERT_EQ(waitpid(program, nullptr, 0), program);
    for (const auto& word : words) EXPECT_TRUE(are_gone(word));
}

TEST(CommandTest, ItsTroublesStandInItsOutputWhereAsked) {
    auto command = shell("echo one; echo two >&2; echo three");
    command.errors_in_output = true;
    EXPECT_EQ(told_of(command), "0: one\ntwo\nthree\n, ");
}

TEST(CommandTest, OneThatClosesItsStreamsIsWaitedFor) {
    EXPECT_EQ(told_of(shell("echo said; exec >&- 2>&-; sleep 0.2; exit 5")), "5: said\n, ");
}

}  // namespace
}  // namespace referee::command
