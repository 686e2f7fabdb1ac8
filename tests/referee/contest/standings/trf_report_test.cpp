// Report files of our tables, and tie-breaks against tables made by another program, cell by cell.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "referee/contest/standings/trf_report.h"
#include "tests/places.h"
#include "tests/referee/contest/standings/results.h"

namespace referee::standings {
namespace {

using engines::Score;

// What is written and read again gives the same tie-breaks and ranks.
void expect_same_table(const std::vector<MatchResult>& matches, const std::vector<Bye>& byes,
                       const PointSystem& points) {
    const std::vector<std::string> names = {"one", "two", "three", "four", "five"};
    const StandingsSetup field{{1500, 1600, 1700, 1800, 1900}, {}, points, 0};
    const auto standings = standings_of(field, matches, byes, fide_order());
    TrfHead head;
    head.tournament = "Cup";
    head.bye_points = points.win;
    const auto text = trf::write(trf_report(standings, names, head));
    const auto parsed = trf::parse(text);
    ASSERT_TRUE(parsed) << text << parsed.error().expected;
    const auto again = crosstable_of(*parsed);
    const auto ranking = rank_by(again.table, fide_order());
    EXPECT_EQ(ranking.rank, standings.ranking.rank) << text;
    for (std::size_t c = 0; c < ranking.columns.size(); ++c) {
        EXPECT_EQ(ranking.columns[c].cells, standings.ranking.columns[c].cells)
            << code_of(ranking.columns[c].tie_break) << text;
    }
}

TEST(TrfReport, ReadAgainGivesTheSameTable) {
    auto forfeit = match(4, 2, 1, 2, 2, 0);
    forfeit.absent = {false, true};
    const std::vector<MatchResult> matches = {match(1, 1, 0, 2, 2, 0), match(2, 1, 3, 1, 1, 1),
                                              match(3, 2, 4, 0, 0, 2), forfeit,
                                              match(5, 3, 0, 1, 1, 1)};
    const std::vector<Bye> byes = {{1, 4, Score::whole(1), ByeKind::pairing},
                                   {2, 3, Score::whole(1), ByeKind::pairing},
                                   {3, 3, Score::halves(1), ByeKind::half_point},
                                   {3, 2, {}, ByeKind::zero_point},
                                   {3, 4, Score::whole(1), ByeKind::pairing}};
    expect_same_table(matches, byes, {});
}

TEST(TrfReport, SumsOfScoresAreWrittenAsPointsOfTheirOwn) {
    const std::vector<MatchResult> matches = {match(1, 1, 0, 2, 8, 0), match(2, 1, 3, 1, 6, 2),
                                              match(3, 2, 1, 0, 4, 4)};
    const std::vector<Bye> byes = {{1, 4, Score::whole(4), ByeKind::pairing},
                                   {2, 2, {}, ByeKind::zero_point},
                                   {2, 3, Score::whole(2), ByeKind::half_point},
                                   {2, 4, {}, ByeKind::zero_point}};
    expect_same_table(matches, byes, {40, 20, 0});
}

namespace fs = std::filesystem;

const fs::path reference = fs::path(tests::source_root()) / ".." / "shared" / "swiss";

std::string text_in(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

// The text's lines, and a line's cells.
std::vector<std::string> split(const std::string& text, char end) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, end);) parts.push_back(part);
    return parts;
}

bool same_number(const std::string& a, const std::string& b) {
    if (a == "-0" || b == "-0") return a == b;
    return std::abs(std::atof(a.c_str()) - std::atof(b.c_str())) < 1e-9;
}

TEST(FideTables, EqualTheReferenceCellByCell) {
    if (!fs::exists(reference / "tiebreaks")) GTEST_SKIP() << reference << " is not there";
    std::size_t compared = 0;
    for (const auto& file : fs::directory_iterator(reference / "tiebreaks")) {
        auto trf_path = reference / "corpus" / file.path().stem();
        trf_path += ".trf";
        const auto parsed = trf::parse(text_in(trf_path));
        ASSERT_TRUE(parsed) << trf_path;
        const auto found = split(trf_table(*parsed), '\n');
        const auto wanted = split(text_in(file.path()), '\n');
        ASSERT_EQ(found.front(), wanted.front());
        ASSERT_EQ(found.size(), wanted.size());
        for (std::size_t row = 1; row < wanted.size(); ++row) {
            const bool same =
                std::ranges::equal(split(found[row], '\t'), split(wanted[row], '\t'), same_number);
            EXPECT_TRUE(same) << file.path().stem() << "\n"
                              << wanted[0] << "\n"
                              << wanted[row] << "\n"
                              << found[row];
            ++compared;
        }
    }
    EXPECT_GT(compared, 100U);
}

}  // namespace
}  // namespace referee::standings
