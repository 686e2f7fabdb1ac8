// Bots in a sandbox, in each tier that this machine gives.

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "referee/launch/process/sandbox_means.h"
#include "referee/launch/sandbox/kernel_rules.h"
#include "tests/folder_of_test.h"
#include "tests/referee/launch/process/launcher_fixture.h"

namespace referee::process {
namespace {

using sandbox::Tier;

class SandboxTest : public LauncherTest, public ::testing::WithParamInterface<Tier> {
 protected:
    void SetUp() override {
        if (const auto why_not = start_in(GetParam()); !why_not.empty()) GTEST_SKIP() << why_not;
        std::filesystem::permissions(folder_, std::filesystem::perms(0755));
        std::filesystem::create_directories(folder_ / "bot");
    }

    // Runs the script by the shell, in the bot's own folder, which it sees.
    LaunchSpec shell(const std::string& script, Speaks speaks = Speaks::stdio) {
        LaunchSpec spec;
        spec.command = {"/bin/sh", "-c", script};
        spec.working_directory = folder_ / "bot";
        spec.sandbox.emplace();
        spec.sandbox->reads = {folder_ / "bot"};
        spec.speaks = speaks;
        return spec;
    }

    bool has_namespaces() const { return GetParam() >= Tier::b; }

    const tests::FolderOfTest made_;
    const std::filesystem::path folder_{made_.path};
};

TEST_P(SandboxTest, folder_that_only_its_owner_may_read_is_shown) {
    if (!has_namespaces()) GTEST_SKIP() << "tier C shows what the bot's user may read";
#if defined(__SANITIZE_THREAD__)
    // The sanitizer starts a thread in the shim, and only a process of one thread may make a
    // namespace of users.
    if (::geteuid() == 0) GTEST_SKIP() << "the shim has two threads under ThreadSanitizer";
#endif
    std::ofstream(folder_ / "bot" / "own") << "mine\n";
    ::chmod((folder_ / "bot").c_str(), 0700);
    ::chmod(folder_.c_str(), 0700);
    EXPECT_EQ(lines_of(shell("cat own")), std::vector<std::string>{"mine"});
}

TEST_P(SandboxTest, private_folder_is_not_shown_through_a_link) {
    if (!has_namespaces() || ::geteuid() != 0)
        GTEST_SKIP() << "only root shows what others can't read";
    std::filesystem::create_directories(folder_ / "private");
    std::ofstream(folder_ / "private" / "secret") << "token\n";
    std::filesystem::remove_all(folder_ / "bot");
    std::filesystem::create_directory_symlink(folder_ / "private", folder_ / "bot");
    // What everybody may read is shown through a link too.
    ASSERT_EQ(::chmod((folder_ / "private").c_str(), 0755), 0);
    EXPECT_EQ(lines_of(shell("cat secret")), std::vector<std::string>{"token"});
    const auto is_refused = [&] {
        const auto launched = launcher_->launch(shell("cat secret"));
        ASSERT_FALSE(launched);
        EXPECT_NE(launched.error().message.find("name the real path"), std::string::npos);
    };
    ASSERT_EQ(::chmod((folder_ / "private").c_str(), 0700), 0);
    is_refused();
    // A folder for everybody, where nobody gets to it.
    std::filesystem::create_directories(folder_ / "private" / "inside");
    std::ofstream(folder_ / "private" / "inside" / "secret") << "token\n";
    std::filesystem::remove(folder_ / "bot");
    std::filesystem::create_directory_symlink(folder_ / "private" / "inside", folder_ / "bot");
    is_refused();
}

TEST_P(SandboxTest, a_named_pipe_in_its_folder_leads_nowhere) {
    if (sandbox::landlock_version() == 0) GTEST_SKIP() << "the kernel has no Landlock";
    // Not below /tmp, where it may write.
    const std::filesystem::path folder = "/var/tmp/sandbox_test." + std::to_string(::getpid());
    std::filesystem::create_directories(folder);
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0666), 0);
    ASSERT_EQ(::chmod((folder / "pipe").c_str(), 0666), 0);
    // Somebody outside waits at its other end.
    const Descriptor reader(::open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    ASSERT_TRUE(reader);
    auto spec = shell("(echo state > pipe) 2>/dev/null || echo denied");
    spec.working_directory = folder;
    spec.sandbox->reads = {folder};
    EXPECT_EQ(lines_of(spec), std::vector<std::string>{"denied"});
    std::filesystem::remove_all(folder);
}

TEST_P(SandboxTest, files_in_its_work_folder_can_be_moved) {
    if (!has_namespaces()) GTEST_SKIP() << "in tier C it writes nowhere";
    EXPECT_EQ(lines_of(shell("cd /tmp; mkdir a b; echo x > a/f; mv a/f b/f; cat b/f")),
              std::vector<std::string>{"x"});
}

TEST_P(SandboxTest, it_is_no_root_and_sees_no_other_process) {
    // Of a referee that is root: a group that its bots are not to be in.
    const gid_t referees = ::getegid();
    if (::geteuid() == 0) {
        ASSERT_EQ(::setgroups(1, &referees), 0);
    }
    auto lines = lines_of(shell("id -u; ls /proc | grep -c '^[0-9]'; id -G"));
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_NE(lines[0], "0");
    if (::geteuid() == 0) {
        EXPECT_GE(std::stoul(lines[0]), user_slots_first_in_container);
        EXPECT_EQ(lines[2], lines[0]) << "it is in no group of the referee's";
    }
    if (has_namespaces()) {
        EXPECT_LE(std::stoi(lines[1]), 6);
    }
}

TEST_P(SandboxTest, no_two_bots_share_a_user_as_root) {
    if (::geteuid() != 0) GTEST_SKIP() << "an ordinary user's bots share that user";
    const auto one = talk_with(shell("id -u; read line"));
    const auto other = talk_with(shell("id -u; read line"));
    EXPECT_NE(one.line(), other.line());
}

TEST_P(SandboxTest, ends_are_told_as_they_were) {
    for (const auto& [script, text] : ways_to_end) {
        const auto bot = launch(shell(script));
        ASSERT_TRUE(run_until([&] { return bot->gone(); }));
        ASSERT_TRUE(bot->exit_status());
        EXPECT_EQ(bot->exit_status()->text(), text);
    }
}

TEST_P(SandboxTest, failed_starts_are_told_as_without) {
    std::ofstream(folder_ / "bot" / "text") << "no program\n";
    for (const auto& [program, kind] :
         {std::pair("./no_such_program", LaunchError::Kind::not_found),
          std::pair("./text", LaunchError::Kind::not_executable)}) {
        auto spec = shell("");
        spec.command = {program};
        const auto launched = launcher_->launch(spec);
        ASSERT_FALSE(launched);
        EXPECT_EQ(launched.error().kind, kind) << launched.error().message;
    }
    auto spec = shell("");
    spec.sandbox->reads = {folder_ / "not there"};
    const auto launched = launcher_->launch(spec);
    if (has_namespaces()) {
        ASSERT_FALSE(launched);
        EXPECT_FALSE(launched.error().is_of_the_command()) << launched.error().message;
    }
}

TEST_P(SandboxTest, many_launches_leave_nothing) {
    expect_nothing_left(20, [this](const std::string& script) { return shell(script); });
}

TEST_P(SandboxTest, a_released_user_is_had_again) {
    if (::geteuid() != 0) GTEST_SKIP() << "an ordinary user's bots share that user";
    // More launches than there are users.
    auto slots = UserSlots::find();
    ASSERT_TRUE(slots);
    for (uid_t i = 0; i < user_slots_count + 1; ++i) ASSERT_TRUE(slots->take());
    std::vector<UserSlots::Slot> taken;
    while (auto slot = slots->take()) taken.push_back(std::move(slot));
    EXPECT_LE(taken.size(), user_slots_count);
    EXPECT_GT(taken.size(), user_slots_count / 2);
    taken.pop_back();
    EXPECT_TRUE(slots->take());
}

TEST_P(SandboxTest, end_for_want_of_memory_is_told) {
    if (GetParam() != Tier::a) GTEST_SKIP() << "below tier A the bot's own runtime tells";
    auto spec = shell("exec python3 -c 'bytearray(100 << 20)'");
    spec.sandbox->memory_bytes = std::uint64_t{32} << 20;
    const auto other = launch(shell("read line"));
    const auto bot = launch(spec);
    ASSERT_TRUE(run_until([&] { return bot->gone(); }));
    EXPECT_EQ(bot->exit_status()->text(), "killed by signal 9 (Killed)");
    EXPECT_TRUE(bot->limits_met().memory);
    EXPECT_FALSE(bot->limits_met().machine_memory);
    EXPECT_FALSE(other->limits_met().machine_memory) << "the machine's memory did not run out";
}

// A bot goes on without what it was refused, or without the child that was killed.
TEST_P(SandboxTest, limits_are_told_that_a_bot_met_and_outlived) {
    if (GetParam() != Tier::a) GTEST_SKIP() << "below tier A the kernel counts for nobody";
    auto spec = shell(
        // time: processes that stay until they are ended
        "i=0; (while [ $i -lt 40 ]; do sleep 1000 >/dev/null & i=$((i+1)); done) 2>/dev/null; "
        "echo on; read line");
    spec.limits.processes = 20;
    const auto bot = launch(spec);
    EXPECT_TRUE(run_until([&] { return bot->limits_met().processes; }));
    EXPECT_FALSE(bot->limits_met().memory);
    EXPECT_FALSE(bot->limits_met().stopped);
    EXPECT_FALSE(bot->exit_status());
}

TEST_P(SandboxTest, a_bot_that_stopped_itself_is_told_from_a_frozen_one) {
    const auto bot = talk_with(shell("read line; kill -STOP $$"));
    EXPECT_EQ(bot->freeze(), 0);
    EXPECT_FALSE(bot->limits_met().stopped);
    EXPECT_EQ(bot->thaw(), 0);
    bot.wake();
    EXPECT_TRUE(run_until([&] { return bot->limits_met().stopped; }));
    bot->kill();
    EXPECT_TRUE(run_until([&] { return bot->gone(); })) << "all the same";
}

TEST_P(SandboxTest, freezing_wakes_nobody_but_the_bot) {
    // time: it stays until it is ended
    const auto bot = talk_with(shell("read line; echo on; sleep 1000"));
    if (!has_namespaces() || bot->accounting() != Accounting::control_group_v2)
        GTEST_SKIP() << "nobody else waits, or signals freeze";
    const pid_t shim = parent_of(bot->pid());
    const pid_t bubblewrap = parent_of(shim);
    const auto times_run = [](pid_t pid) {
        return *read_kernel_file("/proc/" + std::to_string(pid) + "/schedstat");
    };
    ASSERT_TRUE(run_until([&] { return state_of(shim) == 'S' && state_of(bubblewrap) == 'S'; }));
    const auto before = times_run(shim) + times_run(bubblewrap);
    EXPECT_EQ(bot->freeze(), 0);
    bot.wake();
    EXPECT_EQ(bot->thaw(), 0);
    EXPECT_EQ(bot.line(), "on");
    EXPECT_EQ(times_run(shim) + times_run(bubblewrap), before);
}

TEST_P(SandboxTest, a_bot_that_dials_in_finds_a_listener) {
    if (!has_namespaces()) GTEST_SKIP() << "in tier C it dials the referee's own port";
    auto spec =
        shell("exec 3<>/dev/tcp/127.0.0.1/7777; echo hello >&3; read line <&3; echo \"got $line\"",
              Speaks::tcp);
    spec.command[0] = "/bin/bash";
    spec.dial_in_port = 7777;
    const auto bot = launch(spec);
    const Descriptor listener = bot->take_listener();
    ASSERT_TRUE(listener);
    pollfd watched = {listener.get(), POLLIN, 0};
    ASSERT_EQ(::poll(&watched, 1, 10'000), 1);
    const Descriptor dialled(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    ASSERT_TRUE(dialled);
    EXPECT_EQ(read_line(dialled.get()), "hello");
    ASSERT_EQ(::send(dialled.get(), "welcome\n", 8, MSG_NOSIGNAL), 8);
    ASSERT_TRUE(run_until([&] { return bot->gone(); }));
    EXPECT_EQ(bot->output_tail(), "got welcome\n");
}

TEST_P(SandboxTest, output_is_stamped_by_the_kernel) {
    const auto bot = talk_with(shell("echo hello; read line"));
    struct stat file = {};
    ASSERT_EQ(::fstat(bot.output.get(), &file), 0);
    EXPECT_TRUE(S_ISSOCK(file.st_mode)) << bot->no_socket();
    EXPECT_EQ(bot.line(), "hello");
}

INSTANTIATE_TEST_SUITE_P(Tiers, SandboxTest, ::testing::Values(Tier::a, Tier::b, Tier::c),
                         [](const auto& parameter) {
                             return std::string(name_of(parameter.param));
                         });

TEST(UserSlots, users_are_had_only_where_the_map_has_all_of_them) {
    EXPECT_TRUE(has_users("0 0 4294967295\n", 70'000, 1'000));
    EXPECT_TRUE(has_users("0 100000 1\n1 100001 80000\n", 70'000, 1'000));
    EXPECT_FALSE(has_users("0 1000 1\n", 70'000, 1'000));
    EXPECT_FALSE(has_users("0 100000 65536\n", 70'000, 1'000));
    EXPECT_TRUE(has_users("0 100000 65536\n", 50'000, 1'000));
    EXPECT_FALSE(has_users("", 70'000, 1'000));
    EXPECT_FALSE(has_users("0 0 lots\n", 70'000, 1'000));
}

}  // namespace
}  // namespace referee::process
