#include <gtest/gtest.h>

#include "referee/tournament/contests/hosts_and_programs.h"

namespace referee::contests {

namespace {

GameResult game_by(std::uint64_t match, std::uint32_t number, std::vector<std::string> programs) {
    GameResult result;
    result.key = {"t", match, number, 1};
    result.bots = {"ada", "bob"};
    result.program = std::move(programs);
    return result;
}

TEST(ProgramsPlayed, AreKnownByGameAndBot) {
    ProgramsPlayed programs;
    programs.note(game_by(1, 1, {"said: 1", ""}));
    programs.note(game_by(1, 2, {}));
    EXPECT_EQ(programs.of({"t", 1, 1, 1}, "ada"), "said: 1");
    EXPECT_EQ(programs.of({"t", 1, 1, 1}, "bob"), "");
    EXPECT_EQ(programs.of({"t", 1, 1, 1}, "eve"), "");
    EXPECT_EQ(programs.of({"t", 1, 1, 2}, "ada"), "") << "another attempt";
    EXPECT_EQ(programs.of({"t", 1, 2, 1}, "ada"), "");
    EXPECT_EQ(programs.of({"t", 2, 1, 1}, "ada"), "");
    programs.forget(1);
    EXPECT_EQ(programs.of({"t", 1, 1, 1}, "ada"), "");
    programs.forget(1);
}

TEST(ProgramsPlayed, NumbersVersionsAsTheyCome) {
    ProgramsPlayed programs;
    const auto version = [&programs](std::uint64_t match, const std::string& bot) {
        return programs.version_in({{"t", match, 1, 1}}, bot);
    };
    EXPECT_EQ(version(1, "ada"), 0u) << "nothing is known";
    programs.note(game_by(1, 1, {"", "said: x"}));
    EXPECT_EQ(version(1, "ada"), 0u);
    programs.note(game_by(2, 1, {"said: 1", "said: x"}));
    EXPECT_EQ(version(2, "ada"), 0u) << "to begin to tell is no change that anybody knows of";
    programs.note(game_by(3, 1, {"said: 2", "said: x"}));
    EXPECT_EQ(version(3, "ada"), 1u);
    EXPECT_EQ(version(3, "bob"), 0u);
    programs.note(game_by(4, 1, {"said: 1", "said: x"}));
    EXPECT_EQ(version(4, "ada"), 0u) << "a game of the former version that ended later";
    programs.note(game_by(5, 1, {"", "said: x"}));
    EXPECT_EQ(version(5, "ada"), 1u) << "the newest, where nobody can tell";
    programs.forget(3);
    EXPECT_EQ(version(4, "ada"), 0u);
}

TEST(ProgramsPlayed, OfABotThatIsAlwaysNewOnlyTheLastVersionsAreKnown) {
    ProgramsPlayed programs;
    for (std::uint64_t match = 1; match <= 1000; ++match) {
        programs.note(game_by(match, 1, {"said: " + std::to_string(match), "said: x"}));
        EXPECT_EQ(programs.version_in({{"t", match, 1, 1}}, "ada"), match - 1);
        EXPECT_EQ(programs.version_in({{"t", match, 1, 1}}, "bob"), 0u);
    }
}

}  // namespace

}  // namespace referee::contests
