#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "referee/contest/pairing/dutch.h"
#include "referee/contest/trf/trf.h"
#include "tests/places.h"

namespace referee::pairing {
namespace {

namespace fs = std::filesystem;

PairingField fresh_field(int players, int rounds) {
    PairingField field;
    field.rounds_total = rounds;
    for (int number = 1; number <= players; ++number) field.entrants.emplace_back().number = number;
    return field;
}

PairingField field_in(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    const auto parsed = trf::parse(text.str());
    EXPECT_TRUE(parsed) << file << ":" << parsed.error().line << ":" << parsed.error().column
                        << ": " << parsed.error().expected;
    return parsed ? trf::field_of(*parsed) : PairingField{};
}

PairingField sample_field(const std::string& name) {
    return field_in(fs::path(tests::source_root()) / "tests/referee/contest/pairing/data" / name);
}

RoundPairing pairing_of(const PairingField& field) {
    return pair_round(field).value();
}

// One entrant whose played games are written as the letters of their colours; w is a forfeit win
// with White.
Entrant entrant_of(int number, const std::string& letters) {
    Entrant entrant;
    entrant.number = number;
    for (const char letter : letters) {
        Game game;
        game.outcome = letter == 'w' ? PairingOutcome::forfeit_win : PairingOutcome::win;
        game.colour = letter == 'B' ? Colour::black : Colour::white;
        game.opponent = 1000 + static_cast<int>(entrant.games.size());
        entrant.games.push_back(game);
    }
    return entrant;
}

// All want White. Who played Black twice more often than White gets it, so nobody comes to a
// difference of three where such a player meets one whose difference is smaller (C10).
TEST(Topscorers, MeetWhereNobodysColourDifferenceComesToThree) {
    PairingField field;
    field.rounds_total = 5;
    field.rounds_played = 4;
    for (const char* letters : {"BBWB", "wWBB", "BBWB", "wWBB"})
        field.entrants.push_back(entrant_of(static_cast<int>(field.entrants.size()) + 1, letters));
    const std::vector<Board> expected = {{1, 4}, {3, 2}};
    EXPECT_EQ(pairing_of(field).boards, expected);
}

TEST(NoPlayers, NeedNoBoards) {
    EXPECT_TRUE(pairing_of(fresh_field(0, 5)).boards.empty());
    EXPECT_EQ(pairing_of(fresh_field(1, 5)).bye, 1);
}

TEST(NoLegalPairing, SaysWhy) {
    PairingField field = fresh_field(4, 5);
    field.forbidden.push_back({1, 5, {1, 2, 3}});
    const auto answer = pair_round(field);
    ASSERT_FALSE(answer);
    EXPECT_NE(answer.error().reason.find("at most 2 of the 4"), std::string::npos);

    PairingField odd = fresh_field(1, 5);
    odd.rounds_played = 1;
    odd.entrants[0].games.push_back(
        {PairingOutcome::allocated_bye, nobody, std::nullopt, std::nullopt});
    const auto barred = pair_round(odd);
    ASSERT_FALSE(barred);
    EXPECT_NE(barred.error().reason.find("bye"), std::string::npos);
}

class StoredTournament : public testing::TestWithParam<const char*> {};

TEST_P(StoredTournament, IsDerivedAgainRoundByRound) {
    const PairingField field = sample_field(std::string(GetParam()) + ".trf");
    ASSERT_GT(field.rounds_played, 4);
    const auto checks = check_rounds(field);
    EXPECT_EQ(checks.size(), static_cast<std::size_t>(field.rounds_played));
    for (const RoundCheck& check : checks) EXPECT_TRUE(check.agrees()) << report_of(checks);
}

INSTANTIATE_TEST_SUITE_P(Data, StoredTournament,
                         testing::Values("plain", "odd", "mixed", "tight", "forbidden", "baku",
                                         "points"),
                         [](const auto& shown) { return std::string(shown.param); });

TEST(Checker, TellsAChangedRound) {
    PairingField field = sample_field("plain.trf");
    // Two neighbouring boards of round 2 exchange their black players.
    const PairingField before = before_round(field, 2);
    const auto boards = pairing_of(before).boards;
    const auto [first, second] = std::pair(boards[0], boards[1]);
    const auto game = [&](int number) -> Game& {
        return field.entrants[static_cast<std::size_t>(number - 1)].games[1];
    };
    game(first.white).opponent = second.black;
    game(second.white).opponent = first.black;
    game(first.black).opponent = second.white;
    game(second.black).opponent = first.white;
    const auto checks = check_rounds(field);
    EXPECT_TRUE(checks[0].agrees());
    EXPECT_FALSE(checks[1].agrees());
    EXPECT_EQ(checks[1].played.size(), 2U);
    EXPECT_EQ(checks[1].derived, (std::vector<Board>{first, second}));
    EXPECT_NE(report_of(checks).find("round 2: played"), std::string::npos);
}

// Tournaments that other engines have paired. They are not part of this tree: the test looks into
// the folder named by PAIRING_CORPUS, or beside the checkout, and is skipped where there is none.

fs::path corpus_folder() {
    const char* named = std::getenv("PAIRING_CORPUS");
    return named != nullptr ? fs::path(named)
                            : fs::path(tests::source_root()) / ".." / "shared/swiss";
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    if (!fs::is_directory(folder)) return files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".trf") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

TEST(Corpus, EveryRoundIsDerivedAgain) {
    const auto files = files_in(corpus_folder() / "corpus");
    if (files.empty()) GTEST_SKIP() << "no tournaments in " << corpus_folder() / "corpus";
    for (const fs::path& file : files) {
        const auto checks = check_rounds(field_in(file));
        for (const RoundCheck& check : checks)
            EXPECT_TRUE(check.agrees()) << file << report_of(checks);
    }
}

TEST(Corpus, ImpossibleRoundsAreRefused) {
    const auto files = files_in(corpus_folder() / "impossible");
    if (files.empty()) GTEST_SKIP() << "no tournaments in " << corpus_folder() / "impossible";
    for (const fs::path& file : files) EXPECT_FALSE(pair_round(field_in(file))) << file;
}

}  // namespace
}  // namespace referee::pairing
