// Launches that fail, and what a bot that was launched finds around it.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "referee/launch/process/launch_spec.h"
#include "tests/folder_of_test.h"
#include "tests/referee/launch/process/launcher_fixture.h"

namespace referee::process {
namespace {

namespace fs = std::filesystem;
using Kind = LaunchError::Kind;

// A folder with files that can't be started.
struct Workshop : tests::FolderOfTest {
    Workshop() { ::chmod(path.c_str(), 0755); }

    std::string file(const std::string& name, const std::string& text, mode_t mode) const {
        auto written = write(name, text);
        ::chmod(written.c_str(), mode);
        return written;
    }
};

constexpr const char* session =
    "read -r pid name state parent group session rest </proc/$$/stat; "
    "[ $session = $$ ] && echo own session";

class LaunchTest : public LauncherTest {
 protected:
    LaunchError error_of(const LaunchSpec& spec) {
        auto launched = launcher_->launch(spec);
        if (!launched) return launched.error();
        ADD_FAILURE() << "was launched";
        return {};
    }
};

struct FailingCase {
    std::string name;
    std::vector<std::string> command;
    std::string directory;
    Kind kind;
    std::string told;      // must be in the message
    bool foreseen = true;  // it is found without launching
};

TEST_F(LaunchTest, what_cannot_be_started_is_told_at_once_and_leaves_nothing) {
    const Workshop shop;
    const std::string plain = shop.file("plain.txt", "hello\n", 0644);
    const std::string headless = shop.file("headless", "echo hello\n", 0755);
    const std::string lost = shop.file("lost.py", "#!/no/such/python\n", 0755);
    std::ifstream program("/usr/bin/true", std::ios::binary);
    std::string foreign{std::istreambuf_iterator<char>(program), {}};
    const auto loader = foreign.find("/ld-linux");
    ASSERT_NE(loader, std::string::npos);
    foreign.replace(loader, 3, "/xx");
    const std::vector<FailingCase> cases = {
        {"no such name", {"no-such-bot-program"}, "", Kind::not_found, "no such program in "},
        {"slips", {"pytohn3"}, "", Kind::not_found, "did you mean \"python3\"?"},
        {"no such file", {"/no/such/bot"}, "", Kind::not_found, "'/no/such/bot'"},
        {"no such file from there", {"./bot"}, shop.path, Kind::not_found, shop.path},
        {"folder through a file", {plain + "/bot"}, "", Kind::not_found, "no such file"},
        {"not executable", {plain}, "", Kind::not_executable, "chmod +x"},
        {"a folder", {shop.path}, "", Kind::not_executable, shop.path},
        {"no first line", {headless}, "", Kind::not_executable, "#!/usr/bin/env", false},
        {"no interpreter", {lost}, "", Kind::interpreter_missing, "first line", false},
        {"no loader",
         {shop.file("foreign", foreign, 0755)},
         "",
         Kind::interpreter_missing,
         "loader",
         false},
        {"no directory", {"true"}, "/no/such/folder", Kind::other, "is no directory"},
        {"directory is a file", {"true"}, plain, Kind::other, "is no directory"},
        {"arguments too long",
         {"true", std::string(4 << 20, 'x')},
         "",
         Kind::arguments_too_long,
         "too long",
         false},
        {"nothing", {}, "", Kind::bad_spec, "empty"},
        {"empty program", {""}, "", Kind::bad_spec, "empty"},
        {"a NUL", {std::string("a\0b", 3)}, "", Kind::bad_spec, "NUL"},
    };
    const std::size_t descriptors = open_descriptors();
    for (const FailingCase& failing : cases) {
        SCOPED_TRACE(failing.name);
        LaunchSpec spec;
        spec.command = failing.command;
        spec.working_directory = failing.directory;
        const auto foreseen = foresee_launch(spec, "/usr/bin:/bin");
        ASSERT_EQ(!foreseen, failing.foreseen);
        for (const auto& error : {error_of(spec), foreseen ? error_of(spec) : foreseen.error()}) {
            EXPECT_TRUE(error.kind == failing.kind) << error.message;
            EXPECT_THAT(error.message, testing::StartsWith("can't start '"));
            EXPECT_THAT(error.message, testing::HasSubstr(failing.told));
        }
    }
    LaunchSpec good;
    good.command = {"true"};
    good.working_directory = "/";
    EXPECT_TRUE(foresee_launch(good, "/usr/bin:/bin"));
    EXPECT_TRUE(run_until([&] { return launcher_->living() == 0; }));
    EXPECT_TRUE(own_children().empty());
    EXPECT_EQ(open_descriptors(), descriptors);
}

TEST_F(LaunchTest, bad_environment_and_limits_are_refused) {
    for (const std::string name : {"", "A=B"}) {
        LaunchSpec spec = shell_bot("");
        spec.environment = {{name, "x"}};
        EXPECT_EQ(error_of(spec).kind, Kind::bad_spec);
    }
    LaunchSpec small = shell_bot("");
    small.limits.address_space_bytes = 1000;
    EXPECT_EQ(error_of(small).kind, Kind::bad_spec);
}

TEST_F(LaunchTest, missing_shim_is_told) {
    LauncherOptions options{.shim_path = "/no/such/shim"};
    const auto made = Launcher::create(context_.get_executor(), options);
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, testing::HasSubstr("referee-exec-shim is missing"));
}

TEST_F(LaunchTest, strange_shim_is_told) {
    LauncherOptions options{.accounting = Accounting::proc, .shim_path = "/bin/true"};
    ASSERT_EQ(start(options), "");
    EXPECT_THAT(error_of(shell_bot("")).message, testing::HasSubstr("the exec shim ended"));
    EXPECT_TRUE(run_until([&] { return launcher_->living() == 0; }));
}

TEST_F(LaunchTest, running_out_of_descriptors_is_told_and_passes) {
    if (is_sanitized) GTEST_SKIP() << "sanitizers need descriptors of their own to look at memory";
    rlimit before = {};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const std::size_t used = open_descriptors();
    for (const std::size_t spare : {2U, 5U, 9U, 12U, 15U, 20U}) {
        const rlimit tight = {used + spare, before.rlim_max};
        ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &tight), 0);
        auto launched = launcher_->launch(shell_bot(""));
        ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
        if (!launched) {
            EXPECT_THAT(launched.error().message, testing::HasSubstr("ulimit -n"));
        } else {
            EXPECT_GT(spare, 9U);
        }
    }
    EXPECT_TRUE(launcher_->wait_until_released(std::chrono::seconds(30)));
    EXPECT_TRUE(run_until([&] { return launcher_->living() == 0; }));
    EXPECT_EQ(lines_of(shell_bot(session)), std::vector<std::string>{"own session"});
}

TEST_F(LaunchTest, environment_is_what_was_given_and_nothing_else) {
    ::setenv("REFEREE_SECRET", "token", 1);
    const char* home = std::getenv("HOME");
    LauncherOptions options{.search_path = "/usr/bin:/bin"};
    ASSERT_EQ(start(options), "");
    LaunchSpec spec;
    spec.command = {"env"};
    spec.environment = {{"TOKEN", "a=b c"}, {"LANG", "de_CH"}, {"EMPTY", ""}};
    const std::vector<std::string> wanted = {
        "EMPTY=", "HOME=" + std::string(home == nullptr ? "/" : home), "LANG=de_CH",
        "PATH=/usr/bin:/bin", "TOKEN=a=b c"};
    EXPECT_EQ(lines_of(spec), wanted);
    ::unsetenv("REFEREE_SECRET");
}

TEST_F(LaunchTest, what_may_not_be_executed_is_passed_over_in_the_path) {
    const Workshop shop;
    fs::create_directories(shop.path + "/first/bot");
    shop.file("second/bot", "", 0644);
    const auto both = shop.path + "/first:" + shop.path + "/second";
    LaunchSpec spec;
    spec.command = {"bot"};
    const auto foreseen = foresee_launch(spec, both);
    ASSERT_FALSE(foreseen);
    EXPECT_EQ(foreseen.error().kind, Kind::not_executable);
    shop.file("third/bot", "#!/bin/sh\necho found\n", 0755);
    const auto all = both + ":" + shop.path + "/third";
    EXPECT_TRUE(foresee_launch(spec, all));
    spec.environment = {{"PATH", "/no/such/folder::" + all}};
    EXPECT_EQ(lines_of(spec), std::vector<std::string>{"found"});
}

TEST_F(LaunchTest, bot_starts_in_its_directory_and_session) {
    const Workshop shop;
    LaunchSpec spec = shell_bot("pwd -P");
    spec.working_directory = shop.path;
    EXPECT_EQ(lines_of(spec), std::vector<std::string>{spec.working_directory});
    EXPECT_EQ(lines_of(shell_bot(session)), std::vector<std::string>{"own session"});
}

TEST_F(LaunchTest, no_descriptor_and_no_signal_setting_is_inherited) {
    constexpr int stray = 57;
    ASSERT_EQ(::dup2(STDERR_FILENO, stray), stray);
    ::signal(SIGPIPE, SIG_IGN);
    sigset_t blocked;
    ::sigemptyset(&blocked);
    ::sigaddset(&blocked, SIGUSR1);
    ::sigprocmask(SIG_BLOCK, &blocked, nullptr);
    EXPECT_EQ(lines_of(test_bot("descriptors")), std::vector<std::string>{"0 1 2 "});
    const std::vector<std::string> signals = {"SigBlk:\t0000000000000000",
                                              "SigIgn:\t0000000000000000"};
    EXPECT_EQ(lines_of(shell_bot("exec grep -E 'SigBlk|SigIgn' /proc/self/status")), signals);
    ::sigprocmask(SIG_UNBLOCK, &blocked, nullptr);
    ::signal(SIGPIPE, SIG_DFL);
    ::close(stray);
}

TEST_F(LaunchTest, limits_hold) {
    // Files of 512 bytes and addresses of 1024.
    LaunchSpec spec = shell_bot("ulimit -n; ulimit -f; ulimit -v; ulimit -Sc; ulimit -Hc");
    spec.limits.open_files = 40;
    spec.limits.file_size_bytes = 1 << 20;
    spec.limits.address_space_bytes = 100 << 20;
    EXPECT_EQ(lines_of(spec), (std::vector<std::string>{"40", "2048", "102400", "0", "0"}));
}

TEST_F(LaunchTest, number_of_processes_is_limited) {
    if (!launcher_->holds_process_limit()) GTEST_SKIP() << "no pids control group here";
    LaunchSpec spec = test_bot("fork-fifty");
    spec.limits.processes = 10;
    const int born = std::stoi(talk_with(spec).line());
    EXPECT_GT(born, 0);
    EXPECT_LE(born, 9);
}

TEST_F(LaunchTest, async_launch_calls_once_and_not_from_inside) {
    int calls = 0;
    OwnedProcess process;
    launcher_->async_launch(shell_bot(script_that_spins), [&](LaunchResult result) {
        ++calls;
        ASSERT_TRUE(result);
        process = *std::move(result);
    });
    EXPECT_EQ(calls, 0);
    ASSERT_TRUE(run_until([&] { return calls > 0; }));
    ASSERT_TRUE(process);
    const Descriptor output = process->take_output();
    EXPECT_EQ(read_line(output.get()), "ready");

    std::vector<Kind> kinds;
    for (const char* program : {"/no/such/bot", ""}) {
        LaunchSpec spec;
        spec.command = {program};
        launcher_->async_launch(spec, [&](LaunchResult result) {
            ASSERT_FALSE(result);
            kinds.push_back(result.error().kind);
        });
    }
    EXPECT_TRUE(kinds.empty());
    ASSERT_TRUE(run_until([&] { return kinds.size() == 2; }));
    EXPECT_EQ(calls, 1);
}

TEST_F(LaunchTest, launching_is_safe_beside_busy_threads) {
    std::atomic<bool> stop = false;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
        threads.emplace_back([&] {
            while (!stop) {
                std::vector<std::string> garbage(50, std::string(1000, 'x'));
                const int pipe_end = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
                ::close(pipe_end);
            }
        });
    }
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(lines_of(test_bot("descriptors")), std::vector<std::string>{"0 1 2 "});
    }
    stop = true;
    for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace referee::process
