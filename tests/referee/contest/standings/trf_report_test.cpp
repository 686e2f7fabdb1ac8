// Tie-breaks against tables made by another program, cell by cell.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "referee/contest/standings/trf_report.h"
#include "tests/places.h"

namespace referee::standings {
namespace {

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
