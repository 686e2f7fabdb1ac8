// The bytes that are kept of each target: the corpus that its fuzzer begins with, and what it found
// before.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/engines/conformance/driver.h"
#include "tests/fuzz/target.h"
#include "tests/places.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;

class KeptInputs : public testing::TestWithParam<Target> {};

std::vector<fs::path> kept(std::string_view folder, std::string_view target) {
    std::vector<fs::path> files;
    std::error_code none;
    const auto place = fs::path(tests::source_root()) / "tests/fuzz" / folder / target;
    for (const auto& entry : fs::directory_iterator(place, none)) files.push_back(entry.path());
    if (folder == "corpus" && target == "config") {  // the samples, too
        for (const auto& entry : fs::directory_iterator(tests::source_root() + "/configs")) {
            if (entry.path().extension() == ".json") files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

TEST_P(KeptInputs, KeepEveryPromise) {
    auto files = kept("corpus", GetParam().name);
    EXPECT_FALSE(files.empty()) << "a fuzzer needs something to begin with";
    for (const auto& find : kept("finds", GetParam().name)) files.push_back(find);
    for (const auto& file : files) {
        EXPECT_EQ(GetParam().check(tests::read_file(file.string())), "") << file;
    }
}

// Bytes that are cut off are the commonest damage, and no fuzzer is needed to look for it.
TEST_P(KeptInputs, KeepEveryPromiseWhenCutOff) {
    constexpr std::size_t cuts = 7;
    for (const auto& file : kept("corpus", GetParam().name)) {
        const auto bytes = tests::read_file(file.string());
        for (std::size_t cut = 0; cut < cuts; ++cut) {
            const auto left = bytes.substr(0, bytes.size() * cut / cuts);
            EXPECT_EQ(GetParam().check(left), "")
                << file << ", the first " << left.size() << " bytes";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, KeptInputs, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& shown) { return std::string(shown.param.name); });

}  // namespace
}  // namespace fuzz
