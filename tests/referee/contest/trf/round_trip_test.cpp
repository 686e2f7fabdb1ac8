#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "referee/contest/trf/trf.h"
#include "tests/places.h"

// What is written is read again as the same.

namespace referee::trf {
namespace {

Document parsed(const std::string& text) {
    const auto answer = parse(text);
    EXPECT_TRUE(answer) << answer.error().line << ":" << answer.error().column << " "
                        << answer.error().expected;
    return answer.value_or(Document{});
}

// Tournaments with byes, forfeits, forbidden pairs, acceleration and points of their own.
TEST(RoundTrip, KeepsWholeFiles) {
    namespace fs = std::filesystem;
    const auto folder = fs::path(tests::source_root()) / "tests/referee/contest/pairing/data";
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        std::ostringstream file;
        file << std::ifstream(entry.path(), std::ios::binary).rdbuf();
        const Document document = parsed(file.str());
        const std::string text = write(document, LineEnd::lf);
        EXPECT_EQ(parsed(text), document) << text;
        EXPECT_EQ(parsed(write(document)), document) << entry.path();
        EXPECT_EQ(write(parsed(text), LineEnd::lf), text);
        ++files;
    }
    EXPECT_GT(files, 5U);
}

TEST(RoundTrip, KeepsNamesAndUnusualPoints) {
    Document document;
    document.plain = {{"012", " A name"}, {"192", " FIDE_DUTCH_2025"}, {"###", " a remark"}};
    PlayerRecord player;
    player.number = 1;
    player.sex = 'w';
    player.title = "GM";
    player.name = "\xC3\x96rn, \xC3\x85sa";
    player.rating = "2500";
    player.federation = "SWE";
    player.fide_number = "1712345";
    player.birth_date = "1990/01/02";
    player.points_tenths = 5;
    player.rank = 1;
    player.rounds = {{0, '-', 'H'}};
    document.players.push_back(player);
    player.number = 12;
    document.players.push_back(player);
    document.rounds_total = 3;
    document.points = pairing::PairingPoints{30, 10, 5, 20, 0, 20, 15, 1, 25};
    document.abnormal = {{'W', 15, 2, {1}}, {' ', -10, 0, {1}}};
    document.forbidden = {{1, last_round_ever, {1, 12}}};
    EXPECT_EQ(parsed(write(document)), document) << write(document);
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
        Document document;
        document.points = points;
        document.players.emplace_back().number = 1;
        const auto text = write(document, LineEnd::lf);
        EXPECT_EQ(text.substr(0, text.find("001 ")), lines);
        EXPECT_EQ(parsed(text).points.value_or(pairing::PairingPoints{}), points) << text;
    }
}

}  // namespace
}  // namespace referee::trf
