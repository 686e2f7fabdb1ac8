// Report files that were cut off or garbled: refused with a place, or read and worked with; never a
// crash.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "referee/contest/pairing/dutch.h"
#include "referee/contest/rating/random.h"
#include "referee/contest/standings/trf_report.h"
#include "tests/places.h"

namespace referee::standings {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files() {
    std::vector<std::string> texts;
    for (const auto& entry : fs::directory_iterator(fs::path(tests::source_root()) /
                                                    "tests/referee/contest/pairing/data")) {
        if (entry.path().extension() != ".trf") continue;
        std::ostringstream text;
        text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
        texts.push_back(std::move(text).str());
    }
    return texts;
}

struct Seen {
    int refused = 0;
    int read = 0;
};

void look_at(const std::string& text, Seen& seen) {
    const auto parsed = trf::parse(text);
    if (!parsed) {
        EXPECT_GE(parsed.error().line, 1);
        EXPECT_GE(parsed.error().column, 1);
        EXPECT_FALSE(parsed.error().expected.empty());
        ++seen.refused;
        return;
    }
    const auto& document = *parsed;
    const auto answer = pairing::pair_round(trf::field_of(document));
    if (!answer) {
        EXPECT_FALSE(answer.error().reason.empty());
    }
    EXPECT_FALSE(trf_table(document).empty());
    EXPECT_TRUE(trf::parse(trf::write(document)));
    ++seen.read;
}

TEST(DamagedFile, CutOffAnywhere) {
    constexpr std::size_t step = 97;
    Seen seen;
    for (const auto& text : files()) {
        for (std::size_t size = 0; size < text.size(); size += step)
            look_at(text.substr(0, size), seen);
    }
    EXPECT_GT(seen.refused, 0);
    EXPECT_GT(seen.read, 0);
}

TEST(DamagedFile, GarbledBytes) {
    constexpr int times = 120;
    constexpr std::string_view bytes = " 0123456789+-=wbUFHZ\r\n\t\xff\0x";
    rating::Random lots(1);
    Seen seen;
    for (const auto& text : files()) {
        for (int time = 0; time < times; ++time) {
            auto garbled = text;
            for (std::uint64_t changes = 1 + lots.below(3); changes > 0; --changes) {
                garbled[lots.below(garbled.size())] = bytes[lots.below(bytes.size())];
            }
            look_at(garbled, seen);
        }
    }
    EXPECT_GT(seen.refused, 0);
    EXPECT_GT(seen.read, 0);
}

}  // namespace
}  // namespace referee::standings
