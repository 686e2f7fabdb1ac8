#pragma once

// Shared by the launcher's tests: a context, a launcher by the wanted means, and waiting for things
// with a generous limit that only a broken launcher reaches.

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "referee/launch/process/launcher.h"

namespace referee::process {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif
#else
constexpr bool is_sanitized = false;
#endif

constexpr bool uses_groups(Accounting accounting) {
    return accounting == Accounting::control_group_v2 || accounting == Accounting::control_group_v1;
}

// Pipes that the tests leave are counted against what they found.
std::size_t open_descriptors();

// Process ids of our children, zombies included.
std::vector<pid_t> own_children();

// The letter of its state, as /proc says it: S where it sleeps; X where there is none.
char state_of(pid_t pid);
pid_t parent_of(pid_t pid);

// Whether no process of that number runs (a zombie of somebody else counts as dead).
bool is_dead(pid_t pid);

LaunchSpec test_bot(const std::string& behaviour);
LaunchSpec shell_bot(const std::string& script, Speaks speaks = Speaks::stdio);
// Scripts, and how their ends are told.
inline const std::vector<std::pair<std::string, std::string>> ways_to_end = {
    {"exit 0", "exit status 0"},
    {"exit 3", "exit status 3"},
    {"exit 137", "exit status 137"},
    {"exit 255", "exit status 255"},
    {"kill -15 $$", "killed by signal 15 (Terminated)"},
    {"kill -9 $$", "killed by signal 9 (Killed)"},
    {"kill -11 $$", "killed by signal 11 (Segmentation fault)"}};
// Uses all the processor time that it can get, once it has said "ready".
inline constexpr const char* script_that_spins = "echo ready; while :; do :; done";

std::string test_program(const std::string& name);

class LauncherTest : public ::testing::Test {
 protected:
    void SetUp() override { ASSERT_EQ(start(), ""); }

    // Sets launcher_, or tells why this machine can't have it. The one before has ended then.
    std::string start(LauncherOptions options = {});
    // The same with a sandbox of that tier and of no other; none: without one.
    std::string start_in(sandbox::Tier tier, LauncherOptions options = {});

    // Throws where the launch fails, which ends the test.
    OwnedProcess launch(const LaunchSpec& spec);

    // A protocol bot with our ends of its input and output.
    struct TalkingBot {
        explicit TalkingBot(OwnedProcess launched)
            : bot(std::move(launched)), input(bot->take_input()), output(bot->take_output()) {}
        BotProcess* operator->() const { return bot.get(); }
        // As read_line().
        std::string line() const { return read_line(output.get()); }
        // A line feed.
        void wake() const { EXPECT_EQ(::write(input.get(), "\n", 1), 1); }

        OwnedProcess bot;
        Descriptor input;
        Descriptor output;
    };
    TalkingBot talk_with(const LaunchSpec& spec) { return TalkingBot(launch(spec)); }
    // The same with a bot that says "ready" first.
    TalkingBot ready(const LaunchSpec& spec);

    // Runs the context until it holds. False after a long time.
    bool run_until(const std::function<bool()>& holds);

    // One line from the bot, or "(end)" or "(nothing came)".
    static std::string read_line(int descriptor);

    // All lines until the bot closes its output.
    std::vector<std::string> read_lines(int descriptor);

    // Launches, reads all that it prints and waits for its end.
    std::vector<std::string> lines_of(const LaunchSpec& spec);

    // By turns bots that have ended and bots with a child that stay: nothing of them is left once
    // they are released. `spec_of` makes a bot of a script.
    void expect_nothing_left(int launches,
                             const std::function<LaunchSpec(const std::string&)>& spec_of);

    boost::asio::io_context context_;
    std::unique_ptr<Launcher> launcher_;
};

}  // namespace referee::process
