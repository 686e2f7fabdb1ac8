#include "tests/sample.h"

#include <cstdlib>
#include <string_view>

namespace tests {
namespace {

struct Part {
    std::uint64_t number = 0;
    std::uint64_t of = 1;
};

Part part_of(std::uint64_t of, std::uint64_t of_whole) {
    const char* text = std::getenv("REFEREE_SAMPLE");
    if (text == nullptr) return {0, of};
    if (std::string_view(text) == "whole") return {0, of_whole};
    return {std::strtoull(text, nullptr, 10) % of, of};
}

}  // namespace

bool in_sample(std::uint64_t index, std::uint64_t of, std::uint64_t of_whole) {
    const auto part = part_of(of, of_whole);
    return index % part.of == part.number;
}

Stretch sampled_stretch(std::uint64_t all, std::uint64_t of, std::uint64_t of_whole) {
    const auto part = part_of(of, of_whole);
    const auto first = all * part.number / part.of;
    return {first, all * (part.number + 1) / part.of - first};
}

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace tests
