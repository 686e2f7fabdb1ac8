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

PairingField field_in(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    const auto parsed = trf::parse(text.str());
    EXPECT_TRUE(parsed) << file << ":" << parsed.error().line << ":" << parsed.error().column
                        << ": " << parsed.error().expected;
    return parsed ? trf::field_of(*parsed) : PairingField{};
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
