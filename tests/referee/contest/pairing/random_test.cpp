#include <gtest/gtest.h>

#include "tests/referee/contest/pairing/pairing_promises.h"
#include "tests/referee/contest/pairing/random_tournament.h"
#include "tests/sample.h"

// Pairings of tournaments drawn by lot: what is promised of each, the rules taken literally among
// it where fields are small.

namespace referee::pairing {
namespace {

constexpr std::uint64_t sampled_of = 4;

using Answer = base::Result<RoundPairing, NoLegalPairing>;

// Small fields with everything that can happen to them, tight ones among them.
const TournamentKind small_kinds[] = {
    {"plain", 2, 8, 2, 6},
    {"draws", 3, 8, 3, 6, 70},
    {"odd", 3, 7, 3, 6, 35, 5, 5},
    {"mixed", 4, 8, 3, 7, 40, 8, 10, 3, 10, 1},
    {"forfeits", 3, 8, 4, 9, 50, 30, 10},
    {"forbidden", 4, 8, 3, 6, 30, 0, 0, 0, 0, 3},
    {"baku", 5, 8, 3, 7, 40, 5, 5, 0, 10, 0, true},
    {"points", 3, 8, 3, 6, 40, 10, 10, 2, 5, 0, false, true},
    {"colourless", 4, 8, 3, 7, 40, 5, 8, 2, 8, 1, false, false, false},
    {"colourless_draws", 5, 8, 3, 7, 70, 0, 0, 0, 0, 0, false, false, false},
    {"forbidden_by_round", 4, 8, 3, 6, 30, 0, 4, 0, 0, 4, false, false, true, true},
};

const TournamentKind middle_kinds[] = {
    {"plain", 8, 60, 3, 11},
    {"tight", 6, 16, 5, 15, 40},
    {"draws", 8, 40, 5, 11, 85},
    {"mixed", 10, 50, 4, 11, 35, 5, 6, 3, 10, 2},
    {"forfeits", 6, 30, 5, 13, 35, 20, 10},
    {"forbidden", 8, 40, 4, 9, 35, 0, 3, 0, 0, 12},
    {"baku", 9, 60, 4, 11, 35, 3, 3, 1, 5, 1, true},
    {"points", 7, 40, 4, 11, 35, 6, 6, 2, 4, 1, false, true},
    {"colourless", 7, 40, 4, 13, 35, 6, 6, 2, 4, 3, false, false, false},
};

std::string name_of(const testing::TestParamInfo<TournamentKind>& shown) {
    return shown.param.name;
}

// One in `sampled_of` of so many tournaments of a kind.
void expect_promises(const TournamentKind& kind, std::uint64_t tournaments,
                     std::size_t players_by_the_letter_max) {
    const auto seeds = tests::sampled_stretch(tournaments, sampled_of);
    for (auto seed = seeds.first + 1; seed <= seeds.first + seeds.count; ++seed) {
        RandomTournament(kind, seed).play([&](const PairingField& field, const Answer& answer) {
            EXPECT_EQ(broken_promise(field, answer, players_by_the_letter_max), "")
                << "seed " << seed << ", round " << field.rounds_played + 1;
            return !::testing::Test::HasFailure();
        });
        if (::testing::Test::HasFailure()) return;
    }
}

class AgainstTheLetter : public testing::TestWithParam<TournamentKind> {};
TEST_P(AgainstTheLetter, SamePairs) {
    expect_promises(GetParam(), 150, 8);
}
INSTANTIATE_TEST_SUITE_P(Small, AgainstTheLetter, testing::ValuesIn(small_kinds), name_of);

class AgainstThoroughness : public testing::TestWithParam<TournamentKind> {};
TEST_P(AgainstThoroughness, SamePairing) {
    expect_promises(GetParam(), 60, 0);
}
INSTANTIATE_TEST_SUITE_P(Middle, AgainstThoroughness, testing::ValuesIn(middle_kinds), name_of);

}  // namespace
}  // namespace referee::pairing
