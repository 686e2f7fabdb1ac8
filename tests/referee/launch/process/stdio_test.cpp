// What a bot prints and how it ends.

#include <signal.h>
#include <unistd.h>

#include <boost/asio/posix/stream_descriptor.hpp>

#include "tests/referee/launch/process/launcher_fixture.h"

namespace referee::process {
namespace {

using StdioTest = LauncherTest;

const std::string dull_line = "all work and no play makes jack a dull boy";

// Prints so many lines on standard error.
std::string spam(int lines) {
    return "(yes " + dull_line + " | head -n " + std::to_string(lines) +
           "; printf 'the last words') >&2";
}

TEST_F(StdioTest, end_of_the_first_process_is_told_once) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"exit 0", "exit status 0"},
        {"exit 3", "exit status 3"},
        {"exit 255", "exit status 255"},
        {"kill -15 $$", "killed by signal 15 (Terminated)"},
        {"kill -9 $$", "killed by signal 9 (Killed)"},
        {"kill -11 $$", "killed by signal 11 (Segmentation fault)"},
    };
    for (const auto& [script, text] : cases) {
        const auto process = launch(shell_bot(script));
        std::vector<std::string> told;
        process->on_exit([&](const ExitStatus& status) { told.push_back(status.text()); });
        EXPECT_TRUE(told.empty());
        ASSERT_TRUE(run_until([&] { return process->gone() && !told.empty(); }));
        EXPECT_EQ(told, std::vector<std::string>{text});
        // A callback that is set late is called too.
        process->on_exit([&](const ExitStatus& status) { told.push_back(status.text()); });
        ASSERT_TRUE(run_until([&] { return told.size() == 2; }));
        EXPECT_EQ(told[1], text);
    }
}

TEST_F(StdioTest, callback_may_release_the_process) {
    auto process = launch(shell_bot("exit 1"));
    process->on_exit([&](const ExitStatus&) { process.reset(); });
    EXPECT_TRUE(run_until([&] { return !process && launcher_->living() == 0; }));
}

TEST_F(StdioTest, nothing_printed_is_an_empty_tail) {
    const auto process = launch(shell_bot(""));
    ASSERT_TRUE(run_until([&] { return process->gone(); }));
    EXPECT_EQ(process->error_tail(), "");
    EXPECT_EQ(process->error_bytes(), 0U);
    EXPECT_EQ(process->output_tail(), "");
}

TEST_F(StdioTest, megabytes_on_standard_error_leave_only_their_end) {
    const auto process = launch(shell_bot(spam(150'000)));
    ASSERT_TRUE(run_until([&] { return process->exit_status().has_value(); }));
    EXPECT_EQ(process->exit_status()->text(), "exit status 0");
    const std::string tail = process->error_tail();
    EXPECT_EQ(tail.size(), LaunchedBot::tail_bytes_max);
    EXPECT_TRUE(tail.ends_with(dull_line + "\nthe last words")) << tail;
    EXPECT_GT(process->error_bytes(), 6'000'000U);
    // Complete and in order: only whole lines between the first and the last.
    const auto line = dull_line + "\n";
    for (std::size_t at = tail.find('\n') + 1; at + line.size() < tail.size(); at += line.size()) {
        ASSERT_EQ(tail.compare(at, line.size(), line), 0) << at;
    }
}

TEST_F(StdioTest, short_tail_is_whole_when_the_bot_has_exited) {
    const auto process = launch(shell_bot(spam(1)));
    std::string tail;
    process->on_exit([&](const ExitStatus&) { tail = process->error_tail(); });
    ASSERT_TRUE(run_until([&] { return !tail.empty(); }));
    EXPECT_EQ(tail, dull_line + "\nthe last words");
}

TEST_F(StdioTest, protocol_bot_talks_over_pipes_that_do_not_block_us) {
    LaunchSpec spec;
    spec.command = {"cat"};
    const auto process = launch(spec);
    boost::asio::posix::stream_descriptor output(context_, process->take_output().release());
    Descriptor input = process->take_input();
    EXPECT_FALSE(process->take_input());
    char byte = 0;
    EXPECT_EQ(::read(output.native_handle(), &byte, 1), -1);
    EXPECT_EQ(errno, EAGAIN);
    const std::string flood(1 << 20, 'x');
    const ssize_t taken = ::write(input.get(), flood.data(), flood.size());
    EXPECT_GT(taken, 0);
    EXPECT_LT(taken, static_cast<ssize_t>(flood.size()));
    input.reset();
    std::size_t came = 0;
    std::array<char, 4096> chunk;
    const std::function<void()> read_on = [&] {
        output.async_read_some(boost::asio::buffer(chunk), [&](auto error, std::size_t bytes) {
            came += bytes;
            if (!error) read_on();
        });
    };
    read_on();
    ASSERT_TRUE(run_until([&] { return process->gone(); }));
    ASSERT_TRUE(run_until([&] { return came == static_cast<std::size_t>(taken); }));
    EXPECT_EQ(process->exit_status()->text(), "exit status 0");
}

TEST_F(StdioTest, dial_in_bot_has_no_input_and_its_output_is_kept_as_a_tail) {
    LaunchSpec reader;
    reader.command = {"cat"};
    reader.stdio = Stdio::dial_in;
    const auto cat = launch(reader);
    EXPECT_FALSE(cat->take_input());
    EXPECT_FALSE(cat->take_output());
    EXPECT_TRUE(run_until([&] { return cat->gone(); }));

    const auto talker =
        launch(shell_bot("yes | head -c 3000000; printf 'the last words'", Stdio::dial_in));
    ASSERT_TRUE(run_until([&] { return talker->exit_status().has_value(); }));
    EXPECT_EQ(talker->output_tail().size(), LaunchedBot::tail_bytes_max);
    EXPECT_TRUE(talker->output_tail().ends_with("the last words"));
    EXPECT_EQ(talker->error_tail(), "");
}

}  // namespace
}  // namespace referee::process
