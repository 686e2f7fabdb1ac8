// Bots that mean harm, in each tier that this machine gives; as the user that runs the test, and
// where that is root as an ordinary user too.

#include <grp.h>
#include <gtest/gtest.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/hostile/attempt.h"
#include "tests/hostile/expectations.h"
#include "tests/hostile/hostile_fixture.h"

namespace hostile {

namespace {

using referee::launcher::Descriptor;
using referee::launcher::LaunchedBot;

class Attempts : public HostileTest {};
INSTANTIATE_TEST_SUITE_P(Hostile, Attempts, all_tiers(), name_of_tier);

void compare(const Attempt& attempt, Tier tier, const Told& told, const Scene& scene) {
    const bool is_root = ::geteuid() == 0;
    for (const Probe& probe : attempt.probes) {
        const Comes expected = probe.in(tier);
        if (expected == Comes::any || (expected == Comes::held_as_root && !is_root)) continue;
        const std::string name = scene.filled_in(probe.name);
        const auto line = told.find(name);
        EXPECT_EQ(expected == Comes::open, succeeded(told, name))
            << (line == told.end() ? name + " told nothing" : line->second);
    }
    const bool may_be_ended = attempt.how == How::may_be_ended && tier == Tier::a;
    EXPECT_TRUE(may_be_ended || succeeded(told, "end"));
}

TEST_P(Attempts, ComeToWhatTheTierPromises) {
    for (const Attempt& attempt : attempts()) {
        SCOPED_TRACE(attempt.name);
        if (attempt.how == How::in_python && ::access(python, X_OK) != 0) continue;
        scene_.renew_victim();
        compare(attempt, tier(), told_by(attempt), scene_);
    }
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

TEST_P(Attempts, WhoStopsItselfIsKilledAllTheSame) {
    const auto bot = launch(hostile_bot({"stop_itself"}));
    ASSERT_TRUE(bot);
    const Descriptor output = bot->take_output();
    EXPECT_EQ("before allowed", read_line(output.get()));
    EXPECT_FALSE(bot->exit_status().has_value());
    bot->kill();
    EXPECT_TRUE(run_until([&] { return bot->gone(); }));
}

std::size_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::size_t size = 0;
    std::size_t resident = 0;
    file >> size >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

TEST_P(Attempts, AGibibyteOfOutputIsNotKept) {
    constexpr std::uint64_t noise_mib = 1024;
    constexpr std::size_t growth_max = 16 * bytes_a_mib;
    const std::size_t before = resident_bytes();
    const auto talker = launch(hostile_bot({"flood", "2", std::to_string(noise_mib)}));
    const auto unread = launch(hostile_bot({"flood", "1", std::to_string(noise_mib)}));
    ASSERT_TRUE(talker && unread);
    EXPECT_TRUE(run_until([&] { return talker->exit_status().has_value(); }));
    EXPECT_EQ(noise_mib * bytes_a_mib, talker->error_bytes());
    // Nobody reads the other, so it stands.
    EXPECT_FALSE(unread->exit_status().has_value());
    EXPECT_LT(resident_bytes(), before + growth_max);
}

// Each turn of an honest bot costs this; the suite asks for so many.
constexpr int turn_us = 2000;
constexpr int turns = 100;

// The processor time that the honest bot was charged for its turns.
std::uint64_t play(LaunchedBot& bot, const Descriptor& input,
                   const std::function<std::string()>& read_answer, int turns_asked = turns) {
    const std::uint64_t before = bot.cpu_time_us();
    for (int i = 0; i < turns_asked; ++i) {
        EXPECT_EQ(1, ::write(input.get(), "\n", 1));
        EXPECT_EQ("turn allowed", read_answer());
    }
    return bot.cpu_time_us() - before;
}

// Two honest bots take turns, first alone and then beside one that burns both cores. What they are
// charged doesn't change by more than noise: for each turn not by more than 0.2 ms. Other work of
// the machine adds to a charge and takes nothing from it, so the least of some rounds is compared.
TEST_P(Attempts, ABystanderIsChargedTheSame) {
    constexpr std::uint64_t noise_us = 200 * turns;
    constexpr int rounds = 4;
    struct Player {
        std::unique_ptr<LaunchedBot> bot;
        Descriptor input;
        Descriptor output;
        std::uint64_t alone_us = UINT64_MAX;
        std::uint64_t beside_us = UINT64_MAX;
    };
    std::vector<Player> players(2);
    for (Player& player : players) {
        player.bot = launch(hostile_bot({"answer_turns", std::to_string(turn_us)}));
        ASSERT_TRUE(player.bot);
        player.input = player.bot->take_input();
        player.output = player.bot->take_output();
        ASSERT_EQ("ready allowed", read_line(player.output.get()));
    }
    const auto play_rounds = [&](std::uint64_t Player::*least) {
        for (int round = 0; round < rounds; ++round) {
            for (Player& player : players) {
                const auto charge =
                    play(*player.bot, player.input, [&] { return read_line(player.output.get()); });
                player.*least = std::min(player.*least, charge);
            }
        }
    };
    play_rounds(&Player::alone_us);
    const auto burner = launch(hostile_bot({"burn", "30", "4"}));
    ASSERT_TRUE(burner);
    const Descriptor begun = burner->take_output();
    ASSERT_EQ("begun allowed", read_line(begun.get()));
    play_rounds(&Player::beside_us);
    for (const Player& player : players) {
        EXPECT_NEAR(static_cast<double>(player.alone_us), static_cast<double>(player.beside_us),
                    noise_us);
        EXPECT_GE(player.beside_us, std::uint64_t{turn_us} * turns);
    }
}

// An honest bot takes turns while each of the attempts goes on: it answers all of them, and is
// charged for what it did, a tenth of it more at most over all attempts. The twenty turns of one
// are too few for so close a look beside other work of the machine.
TEST_P(Attempts, NoneOfThemChangesABystandersGame) {
    if (tier() == Tier::none) GTEST_SKIP() << "without a sandbox nothing is promised";
    constexpr int turns_beside_each = 20;
    constexpr std::uint64_t asked_us = std::uint64_t{turn_us} * turns_beside_each;
    constexpr std::uint64_t noise_us = asked_us / 10;
    std::uint64_t all_us = 0;
    std::uint64_t tried = 0;
    const auto bystander = launch(hostile_bot({"answer_turns", std::to_string(turn_us)}));
    ASSERT_TRUE(bystander);
    const Descriptor input = bystander->take_input();
    const Descriptor output = bystander->take_output();
    ASSERT_EQ("ready allowed", read_line(output.get()));
    const auto answer = [&] { return read_line(output.get()); };
    for (const Attempt& attempt : attempts()) {
        if (attempt.how == How::in_python) continue;
        SCOPED_TRACE(attempt.name);
        scene_.renew_victim();
        const auto hostile = launch(spec_of(attempt));
        ASSERT_TRUE(hostile);
        const auto charged_us = play(*bystander, input, answer, turns_beside_each);
        EXPECT_GE(charged_us, asked_us);
        EXPECT_FALSE(bystander->exit_status().has_value());
        all_us += charged_us;
        ++tried;
    }
    EXPECT_LE(all_us, tried * (asked_us + noise_us));
}

// Nobody's number on any system that we know of.
constexpr uid_t ordinary_user = 64999;

int run_as_ordinary_user() {
    const pid_t child = ::fork();
    if (child == 0) {
        if (::setgroups(0, nullptr) != 0 ||
            ::setresgid(ordinary_user, ordinary_user, ordinary_user) != 0 ||
            ::setresuid(ordinary_user, ordinary_user, ordinary_user) != 0)
            ::_exit(EXIT_FAILURE);
        ::execl("/proc/self/exe", "hostile_test", "--gtest_filter=Hostile/*", nullptr);
        ::_exit(EXIT_FAILURE);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

TEST(AsOrdinaryUser, TheSame) {
    if (::geteuid() != 0) GTEST_SKIP() << "the suite runs as an ordinary user already";
    EXPECT_EQ(0, run_as_ordinary_user())
        << "the output above tells what failed as user " << ordinary_user;
}

}  // namespace

}  // namespace hostile
