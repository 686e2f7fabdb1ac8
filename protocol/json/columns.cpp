#include "protocol/json/columns.h"

#include <algorithm>
#include <array>

namespace protocol::json {
namespace {

struct CodeRange {
    char32_t first;
    char32_t last;
};
// Those of two columns up to U+FFFF: Hangul, pictures among the symbols, and East Asia.
constexpr std::array<CodeRange, 37> two_columns = {{
    {0x1100, 0x115F}, {0x231A, 0x231B}, {0x2329, 0x232A}, {0x23E9, 0x23EC}, {0x23F0, 0x23F0},
    {0x23F3, 0x23F3}, {0x25FD, 0x25FE}, {0x2614, 0x2615}, {0x2648, 0x2653}, {0x267F, 0x267F},
    {0x2693, 0x2693}, {0x26A1, 0x26A1}, {0x26AA, 0x26AB}, {0x26BD, 0x26BE}, {0x26C4, 0x26C5},
    {0x26CE, 0x26CE}, {0x26D4, 0x26D4}, {0x26EA, 0x26EA}, {0x26F2, 0x26F3}, {0x26F5, 0x26F5},
    {0x26FA, 0x26FA}, {0x26FD, 0x26FD}, {0x2705, 0x2705}, {0x270A, 0x270B}, {0x2728, 0x2728},
    {0x274C, 0x274C}, {0x274E, 0x274E}, {0x2753, 0x2757}, {0x2795, 0x2797}, {0x27B0, 0x27BF},
    {0x2B1B, 0x2B1C}, {0x2B50, 0x2B55}, {0x2E80, 0xA4CF}, {0xA960, 0xA97F}, {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF}, {0xFE30, 0xFFE6},
}};
// From here on, most are pictures and letters of East Asia.
constexpr char32_t first_beyond = 0x10000;

bool continues(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

}  // namespace

FirstCharacter first_character(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    std::size_t bytes = lead < 0xC0U ? 1 : lead < 0xE0U ? 2 : lead < 0xF0U ? 3 : 4;
    char32_t code = bytes == 1 ? lead : lead & (0xFFU >> (bytes + 1));
    for (std::size_t at = 1; at < bytes; ++at) {
        if (at >= text.size() || !continues(text[at])) return {1, 1};
        code = (code << 6U) | (static_cast<unsigned char>(text[at]) & 0x3FU);
    }
    const bool is_wide =
        code >= first_beyond ||
        std::any_of(two_columns.begin(), two_columns.end(),
                    [&](const auto& range) { return code >= range.first && code <= range.last; });
    return {bytes, is_wide ? std::size_t{2} : 1};
}

std::size_t columns_of(std::string_view text) {
    std::size_t columns = 0;
    while (!text.empty()) {
        const auto first = first_character(text);
        columns += first.columns;
        text.remove_prefix(first.bytes);
    }
    return columns;
}

std::string_view fitting(std::string_view text, std::size_t columns_max) {
    std::size_t bytes = 0;
    std::size_t columns = 0;
    while (bytes < text.size()) {
        const auto first = first_character(text.substr(bytes));
        columns += first.columns;
        if (columns > columns_max) break;
        bytes += first.bytes;
    }
    return text.substr(0, bytes);
}

}  // namespace protocol::json
