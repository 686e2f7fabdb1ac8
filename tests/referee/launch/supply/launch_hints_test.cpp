#include "referee/launch/supply/launch_hints.h"

#include <gmock/gmock.h>
#include <signal.h>

#include <gtest/gtest.h>
#include <csignal>

#include "tests/referee/launch/supply/class_folder.h"

namespace referee::supply {
namespace {

using sandbox::Tier;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

config::BotConfig limited_bot() {
    config::BotConfig bot;
    bot.memory_mb_max = 512;
    bot.processes_max = 17;
    bot.disk_mb_max = 9;
    return bot;
}

std::string hint_of_words(const std::string& words, Tier tier = Tier::b) {
    return hint_of(limited_bot(), tier, {.printed = words});
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
    for (const auto& [printed, told] : std::vector<Words>{
             {"Traceback ...\nMemoryError\n", of_memory},
             {"terminate called after throwing an instance of 'std::bad_alloc'", of_memory},
             {"java.lang.OutOfMemoryError: Java heap space", of_memory},
             {"Error occurred during initialization of VM\nCould not reserve enough space for "
              "object heap",
              of_memory},
             {"FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
              of_memory},
             {"error: out of memory or dimension too large for Octave's index type", of_memory},
             {"OSError: [Errno 12] Cannot allocate memory", of_memory},
             {"RuntimeError: can't start new thread", of_processes},
             {"BlockingIOError: [Errno 11] Resource temporarily unavailable", of_processes},
             {"java.lang.OutOfMemoryError: unable to create native thread", of_processes},
             {"Error: spawn node EAGAIN", of_processes},
             {"OSError: [Errno 101] Network is unreachable", "it has no network"},
             {"connect ENETUNREACH 1.1.1.1:80", "it has no network"},
             {"socket.gaierror: [Errno -3] Temporary failure in name resolution",
              "it has no network"},
             {"socket: Operation not permitted", "it has no network"},
             {"Address family not supported by protocol", "it has no network"},
             {"OSError: [Errno 28] No space left on device", of_disk},
             {"write failed, ENOSPC", of_disk},
             {"ModuleNotFoundError: No module named 'numpy'", "\"reads\" in the config"},
             {"cannot touch '/x': Read-only file system", "writes in /tmp"},
         }) {
        EXPECT_THAT(hint_of_words(printed), HasSubstr(told)) << printed;
    }
    EXPECT_THAT(hint_of_words("IndexError: list index out of range"), IsEmpty());
    EXPECT_THAT(hint_of_words(""), IsEmpty());
}

TEST(SandboxHints, NameNoConfigToWhoHandedAProgramIn) {
    auto bot = limited_bot();
    bot.handed_in = true;
    EXPECT_EQ(
        hint_of(bot, Tier::b, {.printed = "ModuleNotFoundError: No module named 'referee_bot'"}),
        "in the sandbox it sees the system's programs and what was handed in with it alone, and "
        "writes in /tmp: hand in a folder or an archive that holds the missing file too");
}

TEST(SandboxHints, SayWhoseMemoryIsCounted) {
    const auto told = hint_of(limited_bot(), Tier::a, {.met = {.memory = true}, .printed = "x"});
    EXPECT_THAT(told, AllOf(HasSubstr("needed more memory than it may have"),
                            HasSubstr("all its processes together, with what they keep in /tmp, "
                                      "may have 512 MB")));
    EXPECT_EQ(hint_of(limited_bot(), Tier::c, {.met = {.memory = true}, .printed = ""}), told)
        << "a control group counts all of them there too";
    config::BotConfig plain;
    EXPECT_THAT(hint_of(plain, Tier::c, {.printed = "MemoryError"}),
                HasSubstr("each of its processes may have 1024 MB"));
    EXPECT_THAT(hint_of(plain, Tier::none, {.printed = "MemoryError"}), IsEmpty())
        << "nothing limits it";
    EXPECT_THAT(hint_of(limited_bot(), Tier::none, {.printed = "MemoryError"}),
                HasSubstr("may have 512 MB"));
}

TEST(SandboxHints, ExplainSignals) {
    const auto of_signal = [](int signal, Tier tier) {
        return hint_of(limited_bot(), tier, {.signal = signal, .printed = ""});
    };
    EXPECT_THAT(of_signal(SIGSYS, Tier::b), HasSubstr("another kind of machine"));
    EXPECT_THAT(of_signal(SIGSYS, Tier::none), IsEmpty());
    EXPECT_THAT(of_signal(SIGKILL, Tier::b), HasSubstr("it killed itself, or somebody"));
    EXPECT_THAT(hint_of(limited_bot(), Tier::b,
                        {.signal = SIGKILL, .met = {.machine_memory = true}, .printed = ""}),
                HasSubstr("the whole machine had no memory left"));
    EXPECT_THAT(of_signal(SIGSEGV, Tier::b), IsEmpty());
    EXPECT_THAT(hint_of_words("Killed"), IsEmpty());
}

TEST(SandboxHints, AreOfTheSandboxOnlyWhereThereIsOne) {
    for (const auto* words : {"can't start new thread", "Network is unreachable",
                              "No space left on device", "No such file or directory"})
        EXPECT_THAT(hint_of_words(words, Tier::none), IsEmpty()) << words;
    EXPECT_THAT(hint_of_words("Permission denied", Tier::c),
                AllOf(HasSubstr("writes nowhere"), Not(HasSubstr("/tmp"))));
    auto dialling = limited_bot();
    dialling.speaks = config::Speaks::tcp;
    EXPECT_THAT(hint_of(dialling, Tier::b, {.printed = "Network is unreachable"}),
                HasSubstr("REFEREE_ADDRESS"));
}

TEST(SandboxHints, TellOfAnOutputThatHasNoPathInAnyTier) {
    const std::string words = "/dev/stdout: No such device or address";
    for (const auto tier : {Tier::none, Tier::a})
        EXPECT_THAT(hint_of_words(words, tier), HasSubstr("\"stdout\": \"pipe\""));
    auto piped = limited_bot();
    piped.standard_output = config::StandardOutput::pipe;
    EXPECT_THAT(hint_of(piped, Tier::none, {.printed = words}), IsEmpty());
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

TEST(SandboxHints, TellWhatTheKernelCounted) {
    EXPECT_THAT(hint_of(limited_bot(), Tier::a, {.met = {.processes = true}, .printed = ""}),
                HasSubstr("it may have 17 processes and threads (\"processes\""));
    EXPECT_THAT(hint_of(limited_bot(), Tier::none, {.met = {.stopped = true}, .printed = ""}),
                HasSubstr("its process is stopped (it stopped itself"));
    EXPECT_THAT(hint_of_words("OSError: [Errno 24] Too many open files: 'x'", Tier::none),
                HasSubstr("256 files open at once"));
    EXPECT_THAT(hint_of_words("OSError: [Errno 27] File too large", Tier::none),
                HasSubstr("may have 256 MB"));
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
