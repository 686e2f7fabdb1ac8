#include "referee/launch/supply/launch_hints.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>
#include <csignal>

#include "tests/referee/launch/supply/class_folder.h"

namespace referee::supply {
namespace {

using sandbox::Tier;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

config::BotConfig limited_bot() {
    config::BotConfig bot;
    bot.memory_mb_max = 512;
    bot.processes_max = 17;
    bot.disk_mb_max = 9;
    return bot;
}

// What is told here stands in public records, and a login holds a token.
TEST(BotTrouble, ShowsNoLineThatMayBeALogin) {
    const auto told = [](std::string line) {
        protocol::ProtocolError error;
        error.code = protocol::ErrorCode::invalid_value;
        error.message = "\"version\" should be one line";
        error.received = std::move(line);
        return told_of(error);
    };
    EXPECT_THAT(told("hello?"), HasSubstr("should be one line; found hello?"));
    EXPECT_THAT(told("\x1B[2J\r\u009B\u202E"), HasSubstr(R"(; found \x1b[2J\r\x9b\u202e)"));
    EXPECT_THAT(
        told(R"({"type":"login","name":"ada","token":"3956f40a","version":"1\n"})"),
        AllOf(HasSubstr("should be one line (the line is not shown"), Not(HasSubstr("3956f40a"))));
}

// What programs of the usual languages print at a limit.
TEST(SandboxHints, NameTheLimitThatWordsOfAProgramTellOf) {
    struct Words {
        const char* printed;
        const char* told;
    };
    constexpr const char* of_memory =
        "ran out of memory: each of its processes may have 512 MB (\"memory_mb\" in the config";
    constexpr const char* of_processes = "17 processes and threads (\"processes\" in the config";
    constexpr const char* of_disk = "9 MB in /tmp (\"disk_mb\" in the config";
    constexpr const char* of_network = "it has no network";
    for (const auto& [printed, told] : std::vector<Words>{
             {"Traceback ...\nMemoryError\n", of_memory},
             {"terminate called after throwing an instance of 'std::bad_alloc'", of_memory},
             {"java.lang.OutOfMemoryError: Java heap space", of_memory},
             {"initialization of VM\nCould not reserve enough space for object heap", of_memory},
             {"Reached heap limit Allocation failed - JavaScript heap out of memory", of_memory},
             {"error: out of memory or dimension too large for Octave's index type", of_memory},
             {"OSError: [Errno 12] Cannot allocate memory", of_memory},
             {"RuntimeError: can't start new thread", of_processes},
             {"BlockingIOError: [Errno 11] Resource temporarily unavailable", of_processes},
             {"java.lang.OutOfMemoryError: unable to create native thread", of_processes},
             {"Error: spawn node EAGAIN", of_processes},
             {"OSError: [Errno 101] Network is unreachable", of_network},
             {"connect ENETUNREACH 1.1.1.1:80", of_network},
             {"socket.gaierror: [Errno -3] Temporary failure in name resolution", of_network},
             {"socket: Operation not permitted", of_network},
             {"Address family not supported by protocol", of_network},
             {"OSError: [Errno 28] No space left on device", of_disk},
             {"write failed, ENOSPC", of_disk},
             {"ModuleNotFoundError: No module named 'numpy'", "\"reads\" in the config"},
             {"cannot touch '/x': Read-only file system", "writes in /tmp"},
         }) {
        EXPECT_THAT(hint_of(limited_bot(), Tier::b, {.printed = printed}), HasSubstr(told))
            << printed;
    }
}

// What else tells of a limit, and where nothing does: "" then.
TEST(SandboxHints, AreOfTheTierTheBotAndWhatTheKernelTells) {
    config::BotConfig plain;
    auto handed_in = limited_bot(), dialling = limited_bot(), piped = limited_bot();
    handed_in.handed_in = true;
    dialling.speaks = config::Speaks::tcp;
    piped.standard_output = config::StandardOutput::pipe;
    struct Row {
        const config::BotConfig& bot;
        Tier tier;
        ProcessEnding ending;
        std::string told;
    };
    const auto limited = limited_bot();
    const std::string of_all =
        "it needed more memory than it may have: all its processes together, with what they keep "
        "in /tmp, may have 512 MB";
    const std::string no_path = "/dev/stdout: No such device or address";
    const std::vector<Row> rows{
        {limited, Tier::b, {.printed = "IndexError: list index out of range"}, ""},
        {limited, Tier::b, {}, ""},
        {limited, Tier::b, {.printed = "Killed"}, ""},
        {handed_in,
         Tier::b,
         {.printed = "No module named 'referee_bot'"},
         "in the sandbox it sees the system's programs and what was handed in with it alone, and "
         "writes in /tmp: hand in a folder or an archive that holds the missing file too"},
        // A control group counts all processes in tier C too.
        {limited, Tier::a, {.met = {.memory = true}, .printed = "x"}, of_all},
        {limited, Tier::c, {.met = {.memory = true}}, of_all},
        {plain, Tier::c, {.printed = "MemoryError"}, "each of its processes may have 1024 MB"},
        {plain, Tier::none, {.printed = "MemoryError"}, ""},
        {limited, Tier::none, {.printed = "MemoryError"}, "may have 512 MB"},
        {limited, Tier::b, {.signal = SIGSYS}, "another kind of machine"},
        {limited, Tier::none, {.signal = SIGSYS}, ""},
        {limited, Tier::b, {.signal = SIGKILL}, "it killed itself, or somebody"},
        {limited,
         Tier::b,
         {.signal = SIGKILL, .met = {.machine_memory = true}},
         "the whole machine had no memory left"},
        {limited, Tier::b, {.signal = SIGSEGV}, ""},
        {limited, Tier::none, {.printed = "can't start new thread"}, ""},
        {limited, Tier::none, {.printed = "Network is unreachable"}, ""},
        {limited, Tier::none, {.printed = "No space left on device"}, ""},
        {limited, Tier::none, {.printed = "No such file or directory"}, ""},
        {limited,
         Tier::c,
         {.printed = "Permission denied"},
         "alone, and writes nowhere: \"reads\""},
        {dialling, Tier::b, {.printed = "Network is unreachable"}, "REFEREE_ADDRESS"},
        // An output that is a socket has no path in any tier.
        {limited, Tier::none, {.printed = no_path}, "\"stdout\": \"pipe\""},
        {limited, Tier::a, {.printed = no_path}, "\"stdout\": \"pipe\""},
        {piped, Tier::none, {.printed = no_path}, ""},
        {limited,
         Tier::a,
         {.met = {.processes = true}},
         "it may have 17 processes and threads (\"processes\""},
        {limited,
         Tier::none,
         {.met = {.stopped = true}},
         "its process is stopped (it stopped itself"},
        {limited, Tier::none, {.printed = "Too many open files: 'x'"}, "256 files open at once"},
        {limited, Tier::none, {.printed = "[Errno 27] File too large"}, "may have 256 MB"},
    };
    for (const auto& [bot, tier, ending, told] : rows) {
        const auto hint = hint_of(bot, tier, ending);
        EXPECT_THAT(hint, HasSubstr(told)) << ending.printed;
        EXPECT_EQ(hint.empty(), told.empty()) << ending.printed << ": " << hint;
    }
}

TEST(RepeatedWords, AreToldOnceAndThenSeldom) {
    RepeatedWords told;
    EXPECT_EQ(told.once("exit status 1", "; it printed: a"), "exit status 1; it printed: a");
    for (int time = 2; time < 10; ++time)
        EXPECT_EQ(told.once("exit status 1", "; it printed: a"), std::nullopt);
    EXPECT_EQ(told.once("exit status 1", "; it printed: a"),
              "exit status 1, the same as before, 10 times in all");
    EXPECT_EQ(told.once("exit status 1", "; it printed: a"), std::nullopt);
    EXPECT_EQ(told.once("exit status 1", "; it printed: b"), "exit status 1; it printed: b");
    EXPECT_EQ(told.once("exit status 1", "; it printed: a"), "exit status 1; it printed: a");
}

// No "reads" shows what isn't there.
TEST(SandboxHints, SayNothingOfReadsWhereTheFileIsNowhere) {
    const ClassFolder folder;
    folder.make("ann/bot.py");
    const auto printed = "can't open file '" + folder.path("ann/") +
                         "walls_rndom.py': [Errno 2] No such file or directory";
    EXPECT_THAT(
        hint_of(folder.bot_in("ann", {"sh", "walls_rndom.py"}), Tier::b, {.printed = printed}),
        AllOf(HasSubstr("which its command names, isn't there"), Not(HasSubstr("reads"))));
    EXPECT_EQ(hint_of(folder.bot_in("ann", {"sh", "bot.py"}), Tier::b, {.printed = printed}), "");
    EXPECT_THAT(hint_of(folder.bot_in("ann", {"sh", "bot.py"}), Tier::b,
                        {.printed = "No such file or directory: '/home/ben/tables'"}),
                HasSubstr("\"reads\""));
}

TEST(TroubleText, KnowsWhoDiedOfAClosedPipe) {
    using How = process::ExitStatus::How;
    struct Row {
        process::ExitStatus status;
        std::string_view tail;
        bool of_closed_pipe;
    };
    constexpr Row rows[] = {
        {{How::signalled, SIGPIPE}, "", true},
        {{How::signalled, SIGSEGV}, "Broken pipe", false},
        {{How::exited, 1}, "bot: write: Broken pipe\n", true},
        {{How::exited, 120}, "BrokenPipeError: [Errno 32]", true},
        {{How::exited, 1}, "Error: write EPIPE", true},
        {{How::exited, 1}, "IndexError: list index out of range", false},
        {{How::exited, 0}, "Broken pipe", false},
        {{How::lost, 0}, "Broken pipe", false},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(died_of_closed_pipe(row.status, row.tail), row.of_closed_pipe)
            << row.status.text() << ": " << row.tail;
    }
}

}  // namespace
}  // namespace referee::supply
