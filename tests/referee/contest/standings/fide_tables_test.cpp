#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "referee/contest/standings/trf_report.h"
#include "tests/places.h"

// Tie-breaks against tables made by another program, cell by cell.

namespace referee::standings {
namespace {

namespace fs = std::filesystem;

const fs::path reference = fs::path(tests::source_root()) / ".." / "shared" / "swiss";

std::string text_in(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

using Cells = std::vector<std::vector<std::string>>;

Cells cells_of(const std::string& text) {
    Cells rows;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        auto& row = rows.emplace_back();
        std::istringstream stream(line);
        for (std::string cell; std::getline(stream, cell, '\t');) row.push_back(cell);
    }
    return rows;
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
        const auto found = cells_of(trf_table(*parsed));
        const auto wanted = cells_of(text_in(file.path()));
        ASSERT_EQ(found.front(), wanted.front());
        ASSERT_EQ(found.size(), wanted.size());
        for (std::size_t row = 1; row < wanted.size(); ++row) {
            for (std::size_t column = 0; column < wanted[row].size(); ++column) {
                EXPECT_TRUE(same_number(found[row][column], wanted[row][column]))
                    << file.path().stem() << ": player " << wanted[row][0] << " "
                    << wanted[0][column] << ": table " << wanted[row][column] << ", found "
                    << found[row][column];
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 1000U);
}

}  // namespace
}  // namespace referee::standings
