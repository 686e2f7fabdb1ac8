#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "referee/standings/tie_break.h"
#include "tests/referee/standings/trf_reader.h"

// Tie-breaks against tables made by another program, cell by cell.

namespace referee::standings {
namespace {

namespace fs = std::filesystem;

const fs::path reference = fs::path(TEST_SOURCE_ROOT) / ".." / "shared" / "swiss";

std::string text_in(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, '\t');) cells.push_back(cell);
    return cells;
}

bool same_number(const std::string& a, const std::string& b) {
    if (a == "-0" || b == "-0") return a == b;
    return std::abs(std::atof(a.c_str()) - std::atof(b.c_str())) < 1e-9;
}

std::vector<TieBreak> fide_order() {
    std::vector<TieBreak> order;
    for (const auto& entry : tie_break_names()) {
        order.push_back(entry.tie_break);
        if (entry.tie_break == TieBreak::performance_rating) break;
    }
    return order;
}

TEST(TieBreaks, EqualTheReferenceTablesCellByCell) {
    if (!fs::exists(reference / "tiebreaks")) GTEST_SKIP() << reference << " is not there";
    std::size_t cells_compared = 0;
    std::size_t tables = 0;
    for (const auto& file : fs::directory_iterator(reference / "tiebreaks")) {
        auto trf_path = reference / "corpus" / file.path().stem();
        trf_path += ".trf";
        const auto trf = read_trf(text_in(trf_path));
        ASSERT_TRUE(trf) << trf_path;
        const auto ranking = rank_by(trf->table, fide_order());
        std::map<int, std::size_t> row_of;
        for (std::size_t row = 0; row < trf->start_numbers.size(); ++row) {
            row_of[trf->start_numbers[row]] = row;
        }
        std::istringstream lines(text_in(file.path()));
        std::string line;
        std::getline(lines, line);
        const auto header = cells_of(line);
        while (std::getline(lines, line)) {
            const auto cells = cells_of(line);
            ASSERT_EQ(cells.size(), header.size());
            const std::size_t row = row_of.at(std::atoi(cells[0].c_str()));
            for (std::size_t c = 1; c < header.size(); ++c) {
                std::string found = std::to_string(ranking.rank[row]);
                for (const auto& column : ranking.columns) {
                    if (code_of(column.tie_break) == header[c]) found = text_of(column.cells[row]);
                }
                EXPECT_TRUE(same_number(found, cells[c]))
                    << file.path().stem() << ": player " << cells[0] << " " << header[c]
                    << ": table " << cells[c] << ", found " << found;
                ++cells_compared;
            }
        }
        ++tables;
    }
    EXPECT_GT(tables, 0U);
    EXPECT_GT(cells_compared, 1000U);
}

}  // namespace
}  // namespace referee::standings
