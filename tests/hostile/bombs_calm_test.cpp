// Bots that strain the machine, and what an honest bot is charged beside them; each in all tiers
// that this machine gives.
// calm: bombs of processes and memory, floods and burners take the machine from whatever runs
// beside

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "tests/hostile/attempt.h"
#include "tests/hostile/expectations.h"
#include "tests/hostile/hostile_fixture.h"
#include "tests/sample.h"

namespace hostile {

namespace {

using referee::process::BotProcess;
using referee::process::Descriptor;
using referee::process::OwnedProcess;

class CalmBombs : public HostileTest {};
INSTANTIATE_TEST_SUITE_P(Hostile, CalmBombs, all_tiers(), name_of_tier);

TEST_P(CalmBombs, ComeToWhatTheTierPromises) {
    come_to_what_the_tier_promises(bombs());
}

std::size_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::size_t size = 0;
    std::size_t resident = 0;
    file >> size >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

TEST_P(CalmBombs, AGibibyteOfOutputIsNotKept) {
    constexpr std::uint64_t noise_mib = 1024;
    constexpr std::size_t growth_max = 16 * bytes_a_mib;
    const std::size_t before = resident_bytes();
    const auto talker = launch(hostile_bot({"flood", "2", std::to_string(noise_mib)}));
    const auto unread = launch(hostile_bot({"flood", "1", std::to_string(noise_mib)}));
    ASSERT_TRUE(talker && unread);
    EXPECT_TRUE(run_until([&] { return talker->exit_status().has_value(); }));
    talker->error_tail();  // reads what is left
    EXPECT_EQ(noise_mib * bytes_a_mib, talker->error_bytes());
    // Nobody reads the other, so it stands.
    EXPECT_FALSE(unread->exit_status().has_value());
    EXPECT_LT(resident_bytes(), before + growth_max);
}

// Each turn of an honest bot costs this; the suite asks for so many.
constexpr int turn_us = 2000;
constexpr int turns = 100;

// The processor time that the honest bot was charged for its turns.
std::uint64_t play(BotProcess& bot, const Descriptor& input,
                   const std::function<std::string()>& read_answer, int turns_asked = turns) {
    const std::uint64_t before = bot.cpu_time_us();
    for (int i = 0; i < turns_asked; ++i) {
        EXPECT_EQ(1, ::write(input.get(), "\n", 1));
        EXPECT_EQ("turn allowed", read_answer());
    }
    return bot.cpu_time_us() - before;
}

// Two honest bots take turns, alone and then beside one that burns both cores. What they are
// charged doesn't change by more than noise: for each turn not by more than 0.2 ms. Other work of
// the machine adds to a charge and takes nothing from it, so where one round differs the least of
// some is compared. It takes long: a sample has every other tier as root, the others as an ordinary
// user.
TEST_P(CalmBombs, ABystanderIsChargedTheSame) {
    const auto index = static_cast<std::uint64_t>(tier()) + (::geteuid() == 0 ? 0 : 1);
    if (!tests::in_sample(index, 2)) GTEST_SKIP() << "this tier and user are not in this sample";
    constexpr std::uint64_t noise_us = 200 * turns;
    constexpr int rounds_max = 4;
    struct Player {
        OwnedProcess bot;
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
    const auto play_round = [&](std::uint64_t Player::*least) {
        for (Player& player : players) {
            const auto charge =
                play(*player.bot, player.input, [&] { return read_line(player.output.get()); });
            player.*least = std::min(player.*least, charge);
        }
    };
    const auto differs = [](const Player& player) {
        const auto [least, most] = std::minmax(player.alone_us, player.beside_us);
        return most - least > noise_us;
    };
    int round = 0;
    do {
        play_round(&Player::alone_us);
        const auto burner = launch(hostile_bot({"burn", "30", "4"}));
        ASSERT_TRUE(burner);
        const Descriptor begun = burner->take_output();
        ASSERT_EQ("begun allowed", read_line(begun.get()));
        play_round(&Player::beside_us);
    } while (++round < rounds_max && std::ranges::any_of(players, differs));
    for (const Player& player : players) {
        EXPECT_NEAR(static_cast<double>(player.alone_us), static_cast<double>(player.beside_us),
                    noise_us);
        EXPECT_GE(player.beside_us, std::uint64_t{turn_us} * turns);
    }
}

// An honest bot takes turns while each of the attempts goes on: it answers all of them, and is
// charged for what it did, a tenth of it more at most over all attempts. The twenty turns of one
// are too few for so close a look beside other work of the machine.
TEST_P(CalmBombs, NoneOfThemChangesABystandersGame) {
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
    std::vector<Attempt> all = bombs();
    all.insert(all.end(), attempts().begin(), attempts().end());
    for (const Attempt& attempt : all) {
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

}  // namespace

}  // namespace hostile
