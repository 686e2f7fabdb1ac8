#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "referee/contest/trf/trf.h"
#include "referee/contest/trf/trf_reading.h"

namespace referee::trf {
namespace {

using pairing::Colour;
using pairing::PairingOutcome;

TEST(TrfColumns, CountCharactersAndBytesThatAreNone) {
    const TrfColumns line("001 \xC3\x89tienne x", 1);
    EXPECT_EQ(line.size(), 13);
    EXPECT_EQ(line.cut(5, 11), "\xC3\x89tienne");
    EXPECT_EQ(line.at(13), 'x');
    EXPECT_EQ(line.at(14), ' ');
    EXPECT_EQ(line.cut(12, 40), " x");
    EXPECT_EQ(line.cut(14, 40), "");
    const TrfColumns stray("a\xE9z", 1);
    EXPECT_EQ(stray.size(), 3);
    EXPECT_EQ(stray.at(3), 'z');
}

TEST(Tenths, ReadWhatFilesWrite) {
    struct Case {
        const char* text;
        std::optional<int> tenths;
    };
    const Case cases[] = {{" 1.5", 15},          {"0.0", 0},
                          {"12", 120},           {"-0.5", -5},
                          {"1,5", 15},           {".5", 5},
                          {"1.50", 15},          {"1.25", std::nullopt},
                          {"", std::nullopt},    {"x", std::nullopt},
                          {"1.x", std::nullopt}, {"--1", std::nullopt},
                          {".", std::nullopt},   {"99999999", std::nullopt}};
    for (const Case& example : cases)
        EXPECT_EQ(tenths(example.text), example.tenths) << example.text;
}

TEST(WholeNumber, HasDigitsOnly) {
    EXPECT_EQ(whole_number("  42 "), 42);
    EXPECT_EQ(whole_number("0007"), 7);
    for (const char* text : {"", " ", "-1", "4 2", "4x", "99999999999"})
        EXPECT_EQ(whole_number(text), std::nullopt) << text;
}

std::string player(int number, const std::string& rounds) {
    std::string line = "001 " + std::string(number < 10 ? "   " : "  ") + std::to_string(number);
    line.resize(89, ' ');
    return line + rounds + "\n";
}

Document document(const std::string& text) {
    const auto parsed = parse(text);
    EXPECT_TRUE(parsed) << parsed.error().line << ":" << parsed.error().column << " "
                        << parsed.error().expected;
    return parsed.value_or(Document{});
}

const std::string two_players = player(1, "     2 w 1") + player(2, "     1 b 0");

TEST(Parse, ReadsAPlayerByColumns) {
    const Document read = document(
        "001   12 mWGM Example, \xC3\x89va                      2381 HUN  1234567890 1999/12/31  "
        "4.5   17  0000 - H\n");
    EXPECT_EQ(read.players, (std::vector<PlayerRecord>{{12,
                                                        'm',
                                                        "WGM",
                                                        "Example, \xC3\x89va",
                                                        "2381",
                                                        "HUN",
                                                        "1234567890",
                                                        "1999/12/31",
                                                        45,
                                                        17,
                                                        {{0, '-', 'H'}}}}));
}

TEST(Parse, TakesCodesOfEitherCase) {
    const Document read = document(player(1, "     2 W w  0000 - u") + player(2, "     1 B l"));
    EXPECT_EQ(read.players[0].rounds[0].result, 'W');
    EXPECT_EQ(read.players[0].rounds[0].colour, 'w');
    EXPECT_EQ(read.players[0].rounds[1].result, 'U');
}

TEST(Parse, ReadsBothFamiliesOfCodes) {
    const Document modern =
        document(two_players + "142 5\n152 B\n162  W 3.0    D 1.0\n" +
                 "240 Z 002    2\n250       1.0 001 002 0001 0002\n" + "260 001 999    1    2\n");
    const Document older = document(two_players + "XXR 5\nXXC black1\nXXS W=3 D=1\nXXZ 2\n" +
                                    "XXA    1  1.0  1.0\nXXA    2  1.0  1.0\nXXP 1 2\n");
    const Document single =
        document(two_players + "XXR 5\nXXC black1\nBBW  3.0\nBBD  1.0\nXXZ 2\n" +
                 "XXA    1  1.0  1.0\nXXA    2  1.0  1.0\nXXP 1 2\n");
    EXPECT_EQ(modern, older);
    EXPECT_EQ(modern, single);
    EXPECT_EQ(modern.rounds_total, 5);
    EXPECT_EQ(modern.initial_colour, Colour::black);
    EXPECT_EQ(modern.points->win, 30);
    EXPECT_EQ(modern.points->allocated_bye, 30);
    EXPECT_EQ(modern.points->half_bye, 10);
}

TEST(Parse, KeepsTheByesWorthWhateverComesFirst) {
    EXPECT_EQ(document(two_players + "162  P 0.5    W 3.0\n").points->allocated_bye, 5);
    EXPECT_EQ(document(two_players + "162  W 3.0    P 0.5\n").points->allocated_bye, 5);
}

TEST(Parse, SaysWhatIsWrongAndWhere) {
    struct Case {
        const char* name;
        std::string text;
        int line;
        int column;
        const char* expected;  // a part of it
    };
    const std::vector<Case> cases = {
        {"empty", "", 1, 1, "a player line"},
        {"no players", "012 A name\n", 2, 1, "a player line"},
        {"no number", "001 abcd\n", 1, 5, "a starting rank"},
        {"number 0", "001    0\n", 1, 5, "a starting rank"},
        {"twice", player(1, "") + player(1, ""), 2, 5, "no other player"},
        {"opponent", player(1, "    2x w 1"), 1, 92, "an opponent's number"},
        {"colour", player(1, "     2 x 1"), 1, 97, "a colour"},
        {"result", player(1, "     2 w 7"), 1, 99, "a result against"},
        {"no result", player(1, "     2 w  "), 1, 99, "a result against"},
        {"lone result", player(1, "  0000 - 1"), 1, 99, "as no opponent is written"},
        {"lone colour", player(1, "  0000 w U"), 1, 97, "as no opponent is written"},
        {"no colour", player(1, "     2 - 1") + player(2, "     1 b 0"), 1, 97, "w or b"},
        {"shifted", player(1, "    2 w 1 "), 1, 96, "a blank"},
        {"unknown", player(1, "     3 w 1") + player(2, ""), 1, 92, "there is no 3"},
        {"himself", player(1, "     1 w 1"), 1, 92, "other than the player"},
        {"one-sided", player(1, "     2 w 1") + player(2, ""), 1, 92, "says otherwise"},
        {"same colour", player(1, "     2 w 1") + player(2, "     1 w 0"), 1, 92, "other colour"},
        {"half forfeit", player(1, "     2 w +") + player(2, "     1 b 0"), 1, 92, "a forfeit"},
        {"second round", player(1, "     2 w 1     2 b ?") + player(2, "     1 b 0"), 1, 109,
         "a result against"},
        {"rounds", two_players + "142 many\n", 3, 5, "the number of rounds"},
        {"no rounds", two_players + "142\n", 3, 5, "the number of rounds"},
        {"initial", two_players + "152 X\n", 3, 5, "W or B"},
        {"configuration", two_players + "XXC rank green\n", 3, 10, "white1"},
        {"points", two_players + "162  W x.0\n", 3, 7, "points"},
        {"point code", two_players + "162  Q 1.0\n", 3, 6, "one of W"},
        {"assignment", two_players + "XXS W=1 Q=2\n", 3, 9, "W="},
        {"bye type", two_players + "240 U 002    1\n", 3, 5, "F, H or Z"},
        {"bye round", two_players + "240 H        1\n", 3, 7, "a round"},
        {"bye number", two_players + "240 H 002   1x\n", 3, 13, "a player's number"},
        {"virtual points", two_players + "250       x.0 001 002 0001 0002\n", 3, 10, "virtual"},
        {"virtual range", two_players + "250       1.0 001 002 0001\n", 3, 28, "the last player"},
        {"forbidden", two_players + "260 001 00x    1    2\n", 3, 9, "a round"},
        {"forbidden backwards", two_players + "260 002 001    1    2\n", 3, 9, "not before"},
        {"forbidden nobody", two_players + "XXP 1 7\n", 3, 7, "there is no 7"},
        {"bye of nobody", two_players + "240 H 002    7\n", 3, 14, "there is no 7"},
        {"away is nobody", two_players + "XXZ 2 7\n", 3, 7, "there is no 7"},
        {"accelerated nobody", two_players + "XXA    7  1.0\n", 3, 8, "there is no 7"},
        {"virtual rounds backwards", two_players + "250       1.0 003 002 0001 0002\n", 3, 19,
         "not before"},
        {"virtual range backwards", two_players + "250       1.0 001 002 0002 0001\n", 3, 28,
         "not before"},
        {"two winners", player(1, "     2 w 1") + player(2, "     1 b W"), 1, 92, "one winner"},
        {"two forfeit wins", player(1, "     2 w +") + player(2, "     1 b +"), 1, 92,
         "one winner"},
        {"two byes", player(1, "  0000 - U") + player(2, "  0000 - U"), 2, 92, "player 1 has it"},
        {"beyond the last round",
         "142 1\n" + player(1, "     2 w 1  0000 - U") + player(2, "     1 b 0"), 2, 102,
         "no more rounds than the 1"},
        {"indented", " 001   1\n" + two_players, 1, 1, "a code"},
        {"unknown code", two_players + "000    3\n", 3, 1, "a code"},
        {"abnormal", two_players + "299 Q         1.0  001    1\n", 3, 5, "W, D, L"},
    };
    for (const Case& example : cases) {
        const auto parsed = parse(example.text);
        ASSERT_FALSE(parsed) << example.name;
        EXPECT_EQ(parsed.error().line, example.line) << example.name;
        EXPECT_EQ(parsed.error().column, example.column) << example.name;
        EXPECT_NE(parsed.error().expected.find(example.expected), std::string::npos)
            << example.name << ": " << parsed.error().expected;
    }
}

TEST(Parse, CountsBytesWhereCharactersMakeNoSense) {
    std::string line = player(1, "     2 w 1");
    line.replace(14, 3, "\xC3\x89v");  // two characters where three columns of bytes were
    const Document read = document(line + player(2, "     1 b 0"));
    EXPECT_EQ(read.players[0].name, "\xC3\x89v");
    EXPECT_EQ(read.players[0].rounds.at(0).opponent, 2);
}

TEST(Parse, LeavesNumbersOfTeamsAlone) {
    document(two_players + "310 901 A team\n260 001 002  901  902\n");
}

TEST(Field, TakesALastColumnOfByesAsAnnouncement) {
    const auto field = field_of(document(player(1, "     2 w 1  0000 - H") +
                                         player(2, "     1 b 0") + player(3, "  0000 - U")));
    EXPECT_EQ(field.rounds_played, 1);
    EXPECT_TRUE(field.entrants[0].absent);
    EXPECT_FALSE(field.entrants[1].absent);
}

TEST(Field, KnowsByesOfPastRoundsFromTheirLines) {
    const auto field = field_of(document(two_players + player(3, "") + "240 H 001    3\n"));
    EXPECT_EQ(game_of(field.entrants[2], 1).outcome, PairingOutcome::half_bye);
    EXPECT_FALSE(field.entrants[2].absent);
}

TEST(Field, TellsTheInitialColourFromTheFirstGames) {
    EXPECT_EQ(field_of(document(two_players)).initial_colour, Colour::white);
    EXPECT_EQ(field_of(document(player(1, "     2 b 1") + player(2, "     1 w 0"))).initial_colour,
              Colour::black);
    // The bye of the first player stands for the colour that he would have had.
    EXPECT_EQ(field_of(document(player(1, "  0000 - U") + player(2, "     3 w 1") +
                                player(3, "     2 b 0")))
                  .initial_colour,
              Colour::black);
}

TEST(Field, AppliesAbnormalPoints) {
    const auto field = field_of(
        document(two_players + "299 L         0.5  001    2\n" + "299          -1.0  001    1\n"));
    EXPECT_EQ(score_tenths(field, field.entrants[0], 2), 0);
    EXPECT_EQ(score_tenths(field, field.entrants[1], 2), 5);
}

TEST(Field, CanBeRankedByRank) {
    std::string first = player(1, "");
    std::string second = player(2, "");
    first[88] = '2';
    second[88] = '1';
    const auto field = field_of(document(first + second + "XXC rank\n"));
    EXPECT_EQ(field.entrants.front().number, 2);
}

TEST(Field, AcceleratesByTheTournamentsType) {
    std::string text = "192 FIDE_DUTCH_BAKU\n142 9\n";
    for (int number = 1; number <= 10; ++number) text += player(number, "");
    const auto field = field_of(document(text));
    EXPECT_EQ(field.entrants[5].acceleration_tenths, (std::vector<int>{10, 10, 10, 5, 5}));
    EXPECT_TRUE(field.entrants[6].acceleration_tenths.empty());
}

// What is written is read again as the same.

TEST(RoundTrip, KeepsNamesAndUnusualPoints) {
    Document written;
    written.plain = {{"012", " A name"}, {"192", " FIDE_DUTCH_2025"}, {"###", " a remark"}};
    for (const int number : {1, 12})
        written.players.push_back({number,
                                   'w',
                                   "GM",
                                   "\xC3\x96rn, \xC3\x85sa",
                                   "2500",
                                   "SWE",
                                   "1712345",
                                   "1990/01/02",
                                   5,
                                   1,
                                   {{0, '-', 'H'}}});
    written.rounds_total = 3;
    written.points = pairing::PairingPoints{30, 10, 5, 20, 0, 20, 15, 1, 25};
    written.abnormal = {{'W', 15, 2, {1}}, {' ', -10, 0, {1}}};
    written.forbidden = {{1, last_round_ever, {1, 12}}};
    EXPECT_EQ(document(write(written)), written) << write(written);
}

// Readers differ in which codes of points they know, but all know the usual values: only what is
// not usual is said.
TEST(RoundTrip, UsualPointsAreNotSaid) {
    struct Case {
        pairing::PairingPoints points;  // by its members: win, draw, loss, forfeit win and so on
        std::string lines;
    };
    for (const auto& [points, lines] : {
             Case{{}, ""},
             Case{{20, 10, 0, 20, 0, 20, 10, 0, 20}, "162  W 2.0    D 1.0\n"},
             Case{{30, 10, 0, 30, 0, 30, 10, 0, 30}, "162  W 3.0    D 1.0\n"},
             Case{{20, 10, 0, 20, 0, 20, 10, 0, 10}, "162  W 2.0    D 1.0    P 1.0\n"},
             Case{{10, 5, 0, 10, 0, 10, 5, 0, 5}, "162  P 0.5\n"},
             Case{{10, 5, 3, 10, 0, 10, 5, 0, 10}, "162  L 0.3\n"},
             Case{{10, 5, 0, 10, 1, 10, 5, 1, 10}, "162  A 0.1\n"},
             Case{{10, 5, 0, 10, 0, 10, 3, 0, 10}, "XXS HPB=0.3\n"},
         }) {
        Document written;
        written.points = points;
        written.players.emplace_back().number = 1;
        auto text = write(written);
        std::erase(text, '\r');
        EXPECT_EQ(text.substr(0, text.find("001 ")), lines);
        EXPECT_EQ(document(text).points.value_or(pairing::PairingPoints{}), points) << text;
    }
}

}  // namespace
}  // namespace referee::trf
