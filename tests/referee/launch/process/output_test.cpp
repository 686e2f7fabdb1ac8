#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <thread>

#include "referee/launch/process/launch_parts.h"
#include "referee/net/loop/timers.h"
#include "referee/net/transport/transports.h"
#include "tests/referee/launch/process/launcher_fixture.h"
#include "tests/referee/net/transport/stamping.h"

// A bot's standard output as a socket and as a pipe: to the bot both are the same.

namespace referee::process {
namespace {

using std::chrono::milliseconds;

class OutputTest : public LauncherTest, public ::testing::WithParamInterface<StandardOutput> {
 protected:
    LaunchSpec spec(const std::string& behaviour) {
        auto made = test_bot(behaviour);
        made.output = GetParam();
        return made;
    }
    LaunchSpec shell(const std::string& script) {
        auto made = shell_bot(script);
        made.output = GetParam();
        return made;
    }
};

TEST_P(OutputTest, is_what_was_asked_for) {
    const auto bot = launch(shell(""));
    const Descriptor output = bot->take_output();
    struct stat file = {};
    ASSERT_EQ(::fstat(output.get(), &file), 0);
    EXPECT_EQ(S_ISSOCK(file.st_mode), GetParam() == StandardOutput::socket);
    EXPECT_EQ(bot->no_socket(), "");
}

TEST_P(OutputTest, all_that_was_written_before_the_end_is_read) {
    EXPECT_EQ(lines_of(shell("printf 'one '; printf 'line\\nand another\\n'")),
              (std::vector<std::string>{"one line", "and another"}));
}

TEST_P(OutputTest, a_closed_output_is_seen_while_the_bot_lives) {
    auto bot = talk_with(shell("exec >&-; read line"));
    EXPECT_EQ(bot.line(), "(end)");
    EXPECT_FALSE(bot->exit_status());
    bot.input.reset();
    EXPECT_TRUE(run_until([&] { return bot->gone(); }));
}

TEST_P(OutputTest, a_child_that_holds_it_keeps_it_open) {
    const auto bot = talk_with(shell("exec 3<&0; (read line <&3; echo from the child) & exit 0"));
    ASSERT_TRUE(run_until([&] { return bot->exit_status().has_value(); }));
    bot.wake();
    EXPECT_EQ(bot.line(), "from the child");
    EXPECT_EQ(bot.line(), "(end)");
    // time: a child that outlives its parent
    const auto holder = talk_with(shell("sleep 100 & exit 0"));
    ASSERT_TRUE(run_until([&] { return holder->exit_status().has_value(); }));
    char byte = 0;
    EXPECT_EQ(::read(holder.output.get(), &byte, 1), -1);
    EXPECT_EQ(errno, EAGAIN);
    holder->kill();
    EXPECT_EQ(holder.line(), "(end)");
}

TEST_P(OutputTest, is_a_broken_pipe_once_we_have_closed_our_end) {
    auto bot = talk_with(shell("read line; exec yes"));
    bot.output.reset();
    bot.wake();
    ASSERT_TRUE(run_until([&] { return bot->exit_status().has_value(); }));
    EXPECT_EQ(bot->exit_status()->text(), "killed by signal 13 (Broken pipe)");
}

TEST_P(OutputTest, is_a_broken_pipe_for_a_bot_that_is_writing) {
    auto bot = talk_with(shell("read line; exec yes"));
    bot.wake();
    char byte = 0;
    ASSERT_TRUE(run_until([&] { return ::read(bot.output.get(), &byte, 1) == 1; }));
    // Its output is full, and it waits.
    ASSERT_TRUE(run_until([&] { return state_of(bot->pid()) == 'S'; }));
    EXPECT_FALSE(bot->exit_status());
    bot.output.reset();
    ASSERT_TRUE(run_until([&] { return bot->exit_status().has_value(); }));
    EXPECT_EQ(bot->exit_status()->text(), "killed by signal 13 (Broken pipe)");
}

TEST_P(OutputTest, holds_little_that_nobody_reads) {
    constexpr long long bytes_max = 512 * 1024;
    const auto bot = launch(spec("fill-output"));
    const Descriptor output = bot->take_output();
    ASSERT_TRUE(run_until([&] { return bot->exit_status().has_value(); }));
    const auto written = std::stoll(bot->error_tail());
    EXPECT_GE(written, 64 * 1024);
    EXPECT_LT(written, bytes_max);
}

TEST_P(OutputTest, usual_programs_speak_on_it) {
    struct Case {
        const char* program;
        std::vector<std::string> command;
    };
    const std::vector<Case> cases = {
        {"sh", {"sh", "-c", "while read line; do echo $line; done"}},
        {"cat", {"cat"}},
        {"a program that opens /dev/stdin", {"cat", "/dev/stdin"}},
        {"awk", {"awk", "{ print; fflush() }"}},
        {"Python", {"python3", "-c", "print(input(), flush=True)"}},
        {"Python on descriptor 1",
         {"python3", "-c", "import os; os.write(1, open(0).readline().encode())"}},
    };
    for (const auto& [program, command] : cases) {
        auto talks = spec("");
        talks.command = command;
        auto bot = talk_with(talks);
        EXPECT_EQ(::write(bot.input.get(), "hello\n", 6), 6);
        bot.input.reset();  // some awks read whole blocks
        EXPECT_EQ(bot.line(), "hello") << program;
        EXPECT_EQ(bot.line(), "(end)") << program;
    }
}

// Only here they differ.
TEST_P(OutputTest, its_path_can_be_opened_on_a_pipe_only) {
    const auto bot = talk_with(shell("echo by its path > /dev/stdout"));
    const bool is_pipe = GetParam() == StandardOutput::pipe;
    EXPECT_EQ(bot.line(), is_pipe ? "by its path" : "(end)");
    ASSERT_TRUE(run_until([&] { return bot->exit_status().has_value(); }));
    if (!is_pipe) {
        EXPECT_NE(bot->error_tail().find("No such device or address"), std::string::npos)
            << bot->error_tail();
    }
    EXPECT_EQ(lines_of(spec("read-output")), std::vector<std::string>{is_pipe ? "refused" : "end"});
}

INSTANTIATE_TEST_SUITE_P(Kinds, OutputTest,
                         ::testing::Values(StandardOutput::socket, StandardOutput::pipe),
                         [](const auto& parameter) {
                             return parameter.param == StandardOutput::socket ? "socket" : "pipe";
                         });

TEST(OutputSocket, neither_end_holds_back_a_piece_of_a_line) {
    const auto made = make_output_socket();
    ASSERT_TRUE(made) << made.error().why;
    for (const int end : {made->ours.get(), made->bots.get()}) {
        int no_delay = 0;
        socklen_t size = sizeof no_delay;
        ASSERT_EQ(::getsockopt(end, IPPROTO_TCP, TCP_NODELAY, &no_delay, &size), 0);
        EXPECT_EQ(no_delay, 1);
    }
    EXPECT_EQ(::fcntl(made->bots.get(), F_GETFL) & O_NONBLOCK, 0) << "the bot's end blocks";
    EXPECT_NE(::fcntl(made->ours.get(), F_GETFL) & O_NONBLOCK, 0);
}

// What a bot answers while the referee stands still.
class StampTest : public LauncherTest {
 protected:
    void SetUp() override {
        transport::await_stamping();
        LauncherTest::SetUp();
    }

    struct Answer {
        Instant written;  // by the bot's own look at the clock
        Instant lay;      // there it lay, and the referee stood
        Instant read;     // then it was read
        Instant stamp;
    };

    std::vector<Answer> answers(const LaunchSpec& spec, std::string_view stamp_source) {
        constexpr int rounds = 5;
        auto bot = talk_with(spec);
        EXPECT_EQ(bot.line(), "ready");
        transport::PipeTransport transport(context_.get_executor(), ::dup(bot.output.get()),
                                           bot.input.release(), "a bot");
        EXPECT_EQ(transport.stamp_source(), stamp_source);
        EXPECT_EQ(transport.stamped_by_kernel(), stamp_source == "kernel receive stamp");
        std::vector<Answer> all;
        for (int i = 0; i < rounds; ++i) {
            transport.write("\n");
            pollfd answer = {bot.output.get(), POLLIN, 0};
            EXPECT_EQ(::poll(&answer, 1, -1), 1);
            const auto lay = loop::monotonic_now();
            // time: the referee stands still by design
            std::this_thread::sleep_for(milliseconds(20));
            const auto read = loop::monotonic_now();
            std::array<char, 100> buffer;
            const auto got = transport.read(buffer);
            EXPECT_EQ(got.status, transport::Transport::Status::good);
            const Instant written{Duration(std::stoll(std::string(buffer.data(), got.bytes)))};
            all.push_back({written, lay, read, got.stamp.latest});
        }
        return all;
    }
};

TEST_F(StampTest, of_an_answer_is_its_own_moment_however_late_it_is_read) {
    constexpr std::chrono::microseconds reading_error(100);  // of the kernel's clock
    auto spec = test_bot("tell-moment");
    for (const auto& [written, lay, read, stamp] : answers(spec, "kernel receive stamp")) {
        EXPECT_GE(stamp, written - reading_error);
        EXPECT_LE(stamp, lay + reading_error);
    }
    spec.output = StandardOutput::pipe;
    for (const auto& [written, lay, read, stamp] : answers(spec, "read by the referee")) {
        EXPECT_GE(stamp, read);
    }
}

TEST(Stamps, are_not_promised_where_the_kernel_makes_none) {
    boost::asio::io_context context;
    std::array<int, 2> ends = {};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    const transport::PipeTransport local(context.get_executor(), ends[0], ::dup(ends[0]), "local");
    EXPECT_FALSE(local.stamped_by_kernel());
    EXPECT_EQ(local.stamp_source(), "read by the referee");
    ::close(ends[1]);
}

// What a bot prints and how it ends.
using StdioTest = LauncherTest;

const std::string dull_line = "all work and no play makes jack a dull boy";

// Prints so many lines on standard error.
std::string spam(int lines) {
    return "(yes " + dull_line + " | head -n " + std::to_string(lines) +
           "; printf 'the last words') >&2";
}

TEST_F(StdioTest, end_of_the_first_process_is_told_once) {
    for (const auto& [script, text] : ways_to_end) {
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

TEST_F(StdioTest, megabytes_on_standard_error_leave_only_their_end) {
    const auto process = launch(shell_bot(spam(150'000)));
    ASSERT_TRUE(run_until([&] { return process->exit_status().has_value(); }));
    EXPECT_EQ(process->exit_status()->text(), "exit status 0");
    const std::string tail = process->error_tail();
    EXPECT_EQ(tail.size(), OutputTail::bytes_max);
    EXPECT_TRUE(tail.ends_with(dull_line + "\nthe last words")) << tail;
    EXPECT_GT(process->error_bytes(), 6'000'000U);
    // Complete and in order: only whole lines between the first and the last.
    const auto line = dull_line + "\n";
    for (std::size_t at = tail.find('\n') + 1; at + line.size() < tail.size(); at += line.size()) {
        ASSERT_EQ(tail.compare(at, line.size(), line), 0) << at;
    }
}

TEST_F(StdioTest, short_tail_is_whole_when_the_bot_has_exited) {
    for (const auto& [script, printed] : {std::pair(spam(1), dull_line + "\nthe last words"),
                                          std::pair(std::string(), std::string())}) {
        const auto process = launch(shell_bot(script));
        std::optional<std::string> tail;
        process->on_exit([&](const ExitStatus&) { tail = process->error_tail(); });
        ASSERT_TRUE(run_until([&] { return tail.has_value(); }));
        EXPECT_EQ(*tail, printed);
        EXPECT_EQ(process->error_bytes(), tail->size());
        EXPECT_EQ(process->output_tail(), "");
    }
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
    reader.speaks = Speaks::tcp;
    const auto cat = launch(reader);
    EXPECT_FALSE(cat->take_input());
    EXPECT_FALSE(cat->take_output());
    EXPECT_TRUE(run_until([&] { return cat->gone(); }));

    const auto talker =
        launch(shell_bot("yes | head -c 3000000; printf 'the last words'", Speaks::tcp));
    ASSERT_TRUE(run_until([&] { return talker->exit_status().has_value(); }));
    EXPECT_EQ(talker->output_tail().size(), OutputTail::bytes_max);
    EXPECT_TRUE(talker->output_tail().ends_with("the last words"));
    EXPECT_EQ(talker->error_tail(), "");
}

}  // namespace
}  // namespace referee::process
