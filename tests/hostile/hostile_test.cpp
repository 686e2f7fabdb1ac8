// Bots that mean harm, in each tier that this machine gives. Those that strain the machine are in
// bombs_calm_test.cpp.

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/hostile/expectations.h"
#include "tests/hostile/hostile_fixture.h"

namespace hostile {

namespace {

using referee::process::Descriptor;

class Attempts : public HostileTest {};
INSTANTIATE_TEST_SUITE_P(Hostile, Attempts, all_tiers(), name_of_tier);

TEST_P(Attempts, ComeToWhatTheTierPromises) {
    come_to_what_the_tier_promises(attempts());
}

TEST_P(Attempts, LeaveNothingForTheNextRun) {
    const std::string name = "hostile-left-" + std::to_string(::getpid());
    const std::vector<std::string> folders = {name, "/tmp", "/dev/shm", "{own}"};
    auto leave = folders;
    leave.insert(leave.begin(), "leave_files");
    auto find = folders;
    find.insert(find.begin(), "find_files");
    const Told left = told_by(hostile_bot(leave));
    const Told found = told_by(hostile_bot(find));
    for (const char* const place : {"/tmp", "/dev/shm", "{own}", "memory", "queue"}) {
        const std::string filled = scene_.filled_in(place);
        const bool was_left = succeeded(left, "leave:" + filled);
        EXPECT_EQ(tier() == Tier::none && was_left, succeeded(found, "find:" + filled)) << place;
    }
    EXPECT_EQ(tier() != Tier::c, succeeded(left, "leave:/tmp"));
    EXPECT_EQ(tier() == Tier::none, succeeded(left, "leave:" + scene_.own_folder()));
}

// How many processes of hostile bots have this word on their command lines.
int daemons_with(const std::string& word) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream file(entry.path() / "cmdline");
        std::string text;
        std::getline(file, text);
        const bool is_bot = text.find("hostile_bot") != std::string::npos;
        count += is_bot && text.find(word) != std::string::npos ? 1 : 0;
    }
    return count;
}

TEST_P(Attempts, NoDaemonOutlivesIt) {
    const std::string word = "word-" + std::to_string(::getpid());
    const auto bot = launch(hostile_bot({"leave_daemons", word}));
    ASSERT_TRUE(bot);
    const Descriptor output = bot->take_output();
    const Told told = told_in(read_lines(output.get()));
    EXPECT_TRUE(succeeded(told, "own_session") && succeeded(told, "own_group"));
    EXPECT_TRUE(run_until([&] { return bot->exit_status().has_value(); }));
    constexpr int daemons = 2;
    EXPECT_EQ(daemons, daemons_with(word));
    bot->kill();
    EXPECT_TRUE(run_until([&] { return bot->gone(); }));
    EXPECT_EQ(0, daemons_with(word));
}

// The opponent is a bot in a sandbox of its own, whose number outside is no secret.
TEST_P(Attempts, AnOpponentIsOutOfReach) {
    const auto opponent = launch(hostile_bot({"linger"}));
    ASSERT_TRUE(opponent);
    const Descriptor output = opponent->take_output();
    ASSERT_EQ("begun allowed", read_line(output.get()));
    const Told told = told_by(hostile_bot({"touch_process", std::to_string(opponent->pid())}));
    for (const char* const probe : {"signal", "signal_by_descriptor", "limit", "stop", "kill"}) {
        EXPECT_EQ(tier() == Tier::none, succeeded(told, probe)) << probe;
    }
    if (tier() == Tier::none) {
        EXPECT_TRUE(run_until([&] { return opponent->exit_status().has_value(); }));
    } else {
        EXPECT_FALSE(opponent->exit_status().has_value());
    }
}

}  // namespace

}  // namespace hostile
