#include <gtest/gtest.h>

#include "referee/tournament/contests/matches.h"

namespace referee::contests {

namespace {

// Bots of matches of one game each.
struct Played {
    ProgramVersions versions;
    std::map<std::uint64_t, std::vector<std::string>> programs;  // by match, of ada and bob

    void note(std::uint64_t match, std::vector<std::string> its) {
        GameResult result;
        result.key = {"t", match, 1, 1};
        result.bots = {"ada", "bob"};
        result.program = programs[match] = std::move(its);
        versions.note(result);
    }
    std::uint32_t version(std::uint64_t match, const std::string& bot) {
        return versions.in({{"t", match, 1, 1}}, bot, [&](const GameKey& key) -> std::string_view {
            return programs[key.match][bot == "ada" ? 0 : 1];
        });
    }
};

TEST(ProgramVersions, AreNumberedAsTheyCome) {
    Played played;
    EXPECT_EQ(played.version(1, "ada"), 0u) << "nothing is known";
    played.note(1, {"", "said: x"});
    EXPECT_EQ(played.version(1, "ada"), 0u);
    played.note(2, {"said: 1", "said: x"});
    EXPECT_EQ(played.version(2, "ada"), 0u)
        << "to begin to tell is no change that anybody knows of";
    played.note(3, {"said: 2", "said: x"});
    EXPECT_EQ(played.version(3, "ada"), 1u);
    EXPECT_EQ(played.version(3, "bob"), 0u);
    played.note(4, {"said: 1", "said: x"});
    EXPECT_EQ(played.version(4, "ada"), 0u) << "a game of the former version that ended later";
    played.note(5, {"", "said: x"});
    EXPECT_EQ(played.version(5, "ada"), 1u) << "the newest, where nobody can tell";
}

TEST(ProgramVersions, OfABotThatIsAlwaysNewOnlyTheLastAreKnown) {
    Played played;
    for (std::uint64_t match = 1; match <= 1000; ++match) {
        played.note(match, {"said: " + std::to_string(match), "said: x"});
        EXPECT_EQ(played.version(match, "ada"), match - 1);
        EXPECT_EQ(played.version(match, "bob"), 0u);
    }
}

}  // namespace

}  // namespace referee::contests
