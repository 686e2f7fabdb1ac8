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

struct Input {
    std::string name;
    std::string bytes;
};

void add_files(std::vector<Input>& inputs, const std::string& folder, std::string_view ending) {
    std::vector<std::string> files;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(tests::source_root() + "/" + folder, none))
        if (entry.path().string().ends_with(ending)) files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) inputs.push_back({file, tests::read_file(file)});
}

// A setup in a line of its own, and the moves.
void add_games(std::vector<Input>& inputs) {
    constexpr std::string_view setup_ending = ".setup.json";
    for (const auto& folder : fs::directory_iterator(tests::source_root() + "/tests/golden")) {
        std::vector<Input> setups;
        add_files(setups, "tests/golden/" + folder.path().filename().string(), setup_ending);
        for (auto& [name, setup] : setups) {
            name.resize(name.size() - setup_ending.size());
            std::erase(setup, '\n');
            inputs.push_back({name, setup + '\n' + tests::read_file(name + ".moves.ndjson")});
        }
    }
}

// The corpus, and what is kept elsewhere that the target reads.
std::vector<Input> corpus_of(const std::string& target) {
    std::vector<Input> inputs;
    add_files(inputs, "tests/fuzz/corpus/" + target, "");
    if (target == "archive") add_files(inputs, "tests/fuzz/corpus/records", "");
    if (target == "config") add_files(inputs, "configs", ".json");
    if (target == "replay") add_files(inputs, "tests/golden/explain", ".ndjson");
    if (target == "trace") add_games(inputs);
    if (target == "trf") add_files(inputs, "tests/referee/contest/pairing/data", ".trf");
    return inputs;
}

TEST_P(KeptInputs, KeepEveryPromise) {
    auto inputs = corpus_of(std::string(GetParam().name));
    EXPECT_FALSE(inputs.empty()) << "a fuzzer needs something to begin with";
    add_files(inputs, "tests/fuzz/finds/" + std::string(GetParam().name), "");
    for (const auto& [name, bytes] : inputs) EXPECT_EQ(GetParam().check(bytes), "") << name;
}

// Bytes that are cut off are the commonest damage, and no fuzzer is needed to look for it.
TEST_P(KeptInputs, KeepEveryPromiseWhenCutOff) {
    constexpr std::size_t cuts = 7;
    for (const auto& [name, bytes] : corpus_of(std::string(GetParam().name))) {
        for (std::size_t cut = 0; cut < cuts; ++cut) {
            const auto left = bytes.substr(0, bytes.size() * cut / cuts);
            EXPECT_EQ(GetParam().check(left), "")
                << name << ", the first " << left.size() << " bytes";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, KeptInputs, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& shown) { return std::string(shown.param.name); });

}  // namespace
}  // namespace fuzz
