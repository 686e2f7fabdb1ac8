#include "tests/referee/store/store_damage.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace tests {
namespace {

using Random = base::SplitMix;

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t sector_bytes = 512;
constexpr std::size_t bits = 8;
constexpr std::size_t overwritten_max = 40;
constexpr std::size_t kinds = 10;

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void flip(std::string& text, Random& lots, std::string& what) {
    const auto at = lots.below(text.size());
    const auto bit = lots.below(bits);
    text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1U << bit));
    what = "bit " + std::to_string(bit) + " of byte " + std::to_string(at) + " is flipped";
}

// Where a page begins, or what the file has of one.
std::size_t some_page(const std::string& text, Random& lots) {
    return lots.below((text.size() + page_bytes - 1) / page_bytes) * page_bytes;
}

void damage(std::string& text, Random& lots, std::string& what) {
    const auto at = lots.below(text.size());
    const auto page = some_page(text, lots);
    const auto of_page = std::min(page_bytes, text.size() - page);
    switch (lots.below(kinds)) {
        case 0:
            text.resize(at);
            what = "cut to " + std::to_string(at) + " bytes";
            return;
        case 1: {
            const auto count = std::min(1 + lots.below(overwritten_max), text.size() - at);
            for (std::size_t i = 0; i < count; ++i)
                text[at + i] = static_cast<char>(lots.below(256));
            what = std::to_string(count) + " bytes from " + std::to_string(at) + " overwritten";
            return;
        }
        case 2:
            std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(page), of_page, '\0');
            what = "page at " + std::to_string(page) + " zeroed";
            return;
        case 3: {
            const auto other = some_page(text, lots);
            const auto count = std::min(of_page, text.size() - other);
            std::swap_ranges(text.begin() + static_cast<std::ptrdiff_t>(page),
                             text.begin() + static_cast<std::ptrdiff_t>(page + count),
                             text.begin() + static_cast<std::ptrdiff_t>(other));
            what =
                "pages at " + std::to_string(page) + " and " + std::to_string(other) + " exchanged";
            return;
        }
        case 4: {
            // The second half of the page is another's, as of a write that was torn.
            const auto other = some_page(text, lots);
            const auto half = sector_bytes * (1 + lots.below(page_bytes / sector_bytes - 1));
            const auto room = std::min(text.size() - page, text.size() - other);
            if (room > half)
                std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(other + half),
                            std::min(page_bytes, room) - half,
                            text.begin() + static_cast<std::ptrdiff_t>(page + half));
            what = "page at " + std::to_string(page) + " torn at " + std::to_string(half);
            return;
        }
        default:
            flip(text, lots, what);
    }
}

}  // namespace

FileDamage damage_one(const std::vector<std::string>& files, Random& lots) {
    FileDamage done;
    done.file = files[lots.below(files.size())];
    auto text = text_of(done.file);
    if (!text.empty()) damage(text, lots, done.what);
    std::ofstream(done.file, std::ios::binary | std::ios::trunc) << text;
    return done;
}

}  // namespace tests
