#include "referee/contest/pairing/scope.h"

#include <gtest/gtest.h>

#include <string>

namespace referee::pairing {
namespace {

// One entrant whose games are written as letters: W and B are won games with that colour, w and
// b forfeit wins, U, F, H and Z byes, - a forfeit loss.
PairingField field_of_letters(const std::vector<std::string>& entrants) {
    PairingField field;
    field.rounds_total = 99;
    for (const std::string& letters : entrants) {
        Entrant entrant;
        entrant.number = static_cast<int>(field.entrants.size()) + 1;
        for (const char letter : letters) {
            Game game;
            const bool white = letter == 'W' || letter == 'w';
            if (white || letter == 'B' || letter == 'b') {
                game.outcome = letter < 'a' ? PairingOutcome::win : PairingOutcome::forfeit_win;
                game.colour = white ? Colour::white : Colour::black;
                game.opponent = 1000 + static_cast<int>(entrant.games.size());
            }
            if (letter == 'U') game.outcome = PairingOutcome::allocated_bye;
            if (letter == 'F') game.outcome = PairingOutcome::full_bye;
            if (letter == 'H') game.outcome = PairingOutcome::half_bye;
            if (letter == '-') game.outcome = PairingOutcome::forfeit_loss;
            entrant.games.push_back(game);
        }
        field.rounds_played = static_cast<int>(letters.size());
        field.entrants.push_back(entrant);
    }
    return field;
}

Profile profile(const std::string& letters) {
    return profiles_of(field_of_letters({letters})).front();
}

TEST(Preference, FollowsTheColoursPlayed) {
    struct Case {
        const char* letters;
        std::optional<Colour> colour;
        Strength strength;
    };
    const Case cases[] = {
        {"", std::nullopt, Strength::none},          {"UHZ", std::nullopt, Strength::none},
        {"w-", std::nullopt, Strength::none},        {"W", Colour::black, Strength::strong},
        {"BW", Colour::black, Strength::mild},       {"WB", Colour::white, Strength::mild},
        {"WBB", Colour::white, Strength::absolute},  {"WBBWB", Colour::white, Strength::strong},
        {"WWBW", Colour::black, Strength::absolute}, {"BwB", Colour::white, Strength::absolute},
        {"WZB", Colour::white, Strength::mild},
    };
    for (const Case& example : cases) {
        const Preference preference = profile(example.letters).preference;
        EXPECT_EQ(preference.colour, example.colour) << example.letters;
        EXPECT_EQ(preference.strength, example.strength) << example.letters;
    }
}

TEST(Bye, IsNotGivenAgainstC2) {
    for (const char* letters : {"U", "F", "w", "ZF"})
        EXPECT_GT(profile(letters).given_points, 0) << letters;
    for (const char* letters : {"", "W", "H", "Z", "-"})
        EXPECT_EQ(profile(letters).given_points, 0) << letters;
}

TEST(Float, ComesFromByesThatBringMoreThanALoss) {
    for (const char* letters : {"U", "F", "H", "w"})
        EXPECT_EQ(profile(letters).floated_last, Float::down) << letters;
    for (const char* letters : {"Z", "-"})
        EXPECT_EQ(profile(letters).floated_last, Float::none) << letters;
    EXPECT_EQ(profile("HZ").floated_before, Float::down);
}

TEST(Float, ComesFromScoresWithAccelerationOfThatRound) {
    PairingField field = field_of_letters({"ZW", "ZB", "ZZ"});
    field.entrants[0].games[1].opponent = 2;
    field.entrants[1].games[1] = {PairingOutcome::loss, 1, Colour::black, std::nullopt};
    EXPECT_EQ(profiles_of(field)[0].floated_last, Float::none);
    field.entrants[0].acceleration_tenths = {0, 10};
    EXPECT_EQ(profiles_of(field)[0].floated_last, Float::down);
    EXPECT_EQ(profiles_of(field)[1].floated_last, Float::up);
}

TEST(Numbers, AreCountedOverThoseWhoTakePart) {
    PairingField field = field_of_letters({"", "", ""});
    field.entrants[0].absent = true;
    const auto profiles = profiles_of(field);
    ASSERT_EQ(profiles.size(), 2U);
    EXPECT_EQ(profiles[0].number, 2);
    EXPECT_TRUE(profiles[0].odd);
    EXPECT_FALSE(profiles[1].odd);
}

TEST(Topscorers, HaveOverHalfBeforeTheLastRoundOnly) {
    PairingField field = field_of_letters({"WB", "WH", "WZ"});
    EXPECT_FALSE(profiles_of(field)[0].topscorer);
    field.rounds_total = 3;
    EXPECT_TRUE(profiles_of(field)[0].topscorer);
    EXPECT_TRUE(profiles_of(field)[1].topscorer);
    EXPECT_FALSE(profiles_of(field)[2].topscorer);
}

// All want White. Who played Black twice more often than White gets it, so nobody comes to a
// difference of three where such a player meets one whose difference is smaller (C10).
TEST(Topscorers, MeetWhereNobodysColourDifferenceComesToThree) {
    PairingField field = field_of_letters({"BBWB", "wWBB", "BBWB", "wWBB"});
    field.rounds_total = 5;
    const std::vector<Board> expected = {{1, 4}, {3, 2}};
    EXPECT_EQ(pair_round(field).value().boards, expected);
}

TEST(Colours, AreAllocatedInTheOrderOfTheRules) {
    struct Case {
        const char* higher;
        const char* lower;
        Colour colour_of_higher;
        const char* rule;
    };
    const Case cases[] = {
        {"", "", Colour::black, "initial colour"},
        {"Z", "W", Colour::white, "the only preference"},
        {"W", "B", Colour::black, "both granted"},
        {"BW", "ZW", Colour::white, "the stronger one"},
        {"WWBW", "ZZWW", Colour::white, "of equal width, the latest difference turned round"},
        {"ZZZWW", "WBWWW", Colour::white, "the wider one"},
        {"BWWB", "WBWB", Colour::black, "the latest difference turned round"},
        {"ZZWB", "WBWB", Colour::white, "the higher one"},
    };
    for (const Case& example : cases) {
        Profile higher = profile(example.higher);
        const Profile lower = profile(example.lower);
        higher.odd = true;
        EXPECT_EQ(colour_of_higher(higher, lower, Colour::black), example.colour_of_higher)
            << example.rule;
    }
}

}  // namespace
}  // namespace referee::pairing
