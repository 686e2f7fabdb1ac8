#include "protocol/base/utf8.h"

#include <algorithm>
#include <array>

namespace base {
namespace {

// The first bytes that begin a sequence, and what the second byte may then be. All further bytes
// are 0x80 to 0xBF.
struct Lead {
    unsigned char first, last;
    std::size_t bytes;
    unsigned char second_min, second_max;
};
constexpr std::array<Lead, 8> leads = {{
    {0xC2, 0xDF, 2, 0x80, 0xBF},
    {0xE0, 0xE0, 3, 0xA0, 0xBF},
    {0xE1, 0xEC, 3, 0x80, 0xBF},
    {0xED, 0xED, 3, 0x80, 0x9F},
    {0xEE, 0xEF, 3, 0x80, 0xBF},
    {0xF0, 0xF0, 4, 0x90, 0xBF},
    {0xF1, 0xF3, 4, 0x80, 0xBF},
    {0xF4, 0xF4, 4, 0x80, 0x8F},
}};
constexpr unsigned char ascii_max = 0x7F;

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// Those of two columns up to U+FFFF: Hangul, pictures among the symbols, and East Asia.
constexpr std::array<CodePoints, 37> two_columns = {{
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

}  // namespace

std::size_t utf8_sequence_bytes(std::string_view text) {
    if (text.empty()) return 0;
    const auto first = static_cast<unsigned char>(text[0]);
    if (first <= ascii_max) return 1;
    for (const auto& lead : leads) {
        if (first < lead.first || first > lead.last) continue;
        if (text.size() < lead.bytes) return 0;
        const auto second = static_cast<unsigned char>(text[1]);
        if (second < lead.second_min || second > lead.second_max) return 0;
        for (std::size_t i = 2; i < lead.bytes; ++i) {
            if (!is_continuation(text[i])) return 0;
        }
        return lead.bytes;
    }
    return 0;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const auto bytes = utf8_sequence_bytes(text);
        if (bytes == 0) return false;
        text.remove_prefix(bytes);
    }
    return true;
}

std::string_view utf8_prefix(std::string_view text, std::size_t bytes_max) {
    if (text.size() <= bytes_max) return text;
    auto bytes = bytes_max;
    while (bytes > 0 && is_continuation(text[bytes])) --bytes;
    return text.substr(0, bytes);
}

char32_t code_point(std::string_view sequence) {
    constexpr unsigned continuation_bits = 6;
    constexpr unsigned continuation_mask = 0x3F;
    constexpr std::array<unsigned, 5> lead_mask = {0, 0x7F, 0x1F, 0x0F, 0x07};
    char32_t code = static_cast<unsigned char>(sequence[0]) & lead_mask[sequence.size()];
    for (const char c : sequence.substr(1)) {
        code = (code << continuation_bits) | (static_cast<unsigned char>(c) & continuation_mask);
    }
    return code;
}

bool lies_in(std::span<const CodePoints> ranges, char32_t code) {
    return std::any_of(ranges.begin(), ranges.end(), [code](const auto& range) {
        return code >= range.first && code <= range.last;
    });
}

FirstCharacter first_character(std::string_view text) {
    const auto bytes = utf8_sequence_bytes(text);
    if (bytes == 0) return {1, 1};
    const auto code = code_point(text.substr(0, bytes));
    const bool is_wide = code >= first_beyond || lies_in(two_columns, code);
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

}  // namespace base
