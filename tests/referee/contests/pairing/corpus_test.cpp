#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "referee/contests/pairing/check.h"
#include "referee/contests/trf/trf.h"
#include "tests/places.h"

// Tournaments that other engines have paired. They are not part of this tree: the test looks into
// the folder named by PAIRING_CORPUS, or beside the checkout, and is skipped where there is none.

namespace referee::pairing {
namespace {

namespace fs = std::filesystem;

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
    std::sort(files.begin(), files.end());
    return files;
}

Field field_in(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    const auto parsed = trf::parse(text.str());
    const auto* problem = std::get_if<trf::Problem>(&parsed);
    EXPECT_EQ(problem, nullptr) << file << ":" << problem->line << ":" << problem->column << ": "
                                << problem->expected;
    return problem ? Field{} : trf::field_of(std::get<trf::Document>(parsed));
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
    for (const fs::path& file : files)
        EXPECT_TRUE(std::holds_alternative<NoLegalPairing>(pair_round(field_in(file)))) << file;
}

}  // namespace
}  // namespace referee::pairing
