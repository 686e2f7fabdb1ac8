#include "tests/sample.h"

#include <cstdlib>
#include <optional>
#include <string_view>

namespace tests {
namespace {

// The number, or nothing where all is looked at.
std::optional<std::uint64_t> sample_number() {
    const char* text = std::getenv("REFEREE_SAMPLE");
    if (text == nullptr) return 0;
    if (std::string_view(text) == "whole") return std::nullopt;
    return std::strtoull(text, nullptr, 10);
}

}  // namespace

bool in_sample(std::uint64_t index, std::uint64_t of) {
    const auto number = sample_number();
    return !number || index % of == *number % of;
}

Stretch sampled_stretch(std::uint64_t part, std::uint64_t all) {
    const auto number = sample_number();
    if (!number || part >= all) return {0, all};
    return {*number % (all / part) * part, part};
}

}  // namespace tests
