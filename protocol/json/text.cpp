#include "protocol/json/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

#include "protocol/base/text.h"

namespace protocol::json {
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

struct CodePoints {
    char32_t first, last;
};
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

// Controls, separators of lines, marks without width, marks that turn the direction of what
// follows, letters and patterns that show nothing, and what has no look of its own: private use,
// places of objects, tags. The last two code points of each plane are no characters either.
constexpr std::array<CodePoints, 22> not_printable = {{
    {0x00, 0x1F},       {0x7F, 0x9F},        {0xAD, 0xAD},       {0x34F, 0x34F},
    {0x61C, 0x61C},     {0x115F, 0x1160},    {0x17B4, 0x17B5},   {0x180B, 0x180F},
    {0x200B, 0x200F},   {0x2028, 0x202E},    {0x2060, 0x206F},   {0x2800, 0x2800},
    {0x3164, 0x3164},   {0xE000, 0xF8FF},    {0xFDD0, 0xFDEF},   {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFC},    {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
    {0xE0000, 0xE0FFF}, {0xF0000, 0x10FFFF},
}};
constexpr char32_t plane_mask = 0xFFFF;
constexpr char32_t no_characters = 0xFFFE;  // of each plane, from here on
// Blanks that aren't the space bar's, and look like it.
constexpr std::array<CodePoints, 6> other_blanks = {{
    {0xA0, 0xA0},
    {0x1680, 0x1680},
    {0x2000, 0x200A},
    {0x202F, 0x202F},
    {0x205F, 0x205F},
    {0x3000, 0x3000},
}};
constexpr char32_t byte_codes = 0x100;  // below it \xNN says all

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

template <typename Ranges>
bool lies_in(const Ranges& ranges, char32_t code) {
    return std::any_of(ranges.begin(), ranges.end(), [code](const auto& range) {
        return code >= range.first && code <= range.last;
    });
}

bool is_printable(char32_t code) {
    return !lies_in(not_printable, code) && (code & plane_mask) < no_characters;
}

std::string escape_of(char32_t code) {
    if (code == '\n') return "\\n";
    if (code == '\r') return "\\r";
    if (code == '\t') return "\\t";
    std::array<char, 12> text{};
    const int size =
        std::snprintf(text.data(), text.size(), code < byte_codes ? "\\x%02x" : "\\u%04x",
                      static_cast<unsigned>(code));
    return {text.data(), static_cast<std::size_t>(size)};
}

constexpr std::string_view order = "::";
constexpr std::string_view old_order = "##";

// "##[", "##vso[".
bool begins_old_order(std::string_view rest) {
    if (!rest.starts_with(old_order)) return false;
    rest.remove_prefix(old_order.size());
    const auto* const end = std::find_if_not(rest.begin(), rest.end(), base::is_letter);
    return end != rest.end() && *end == '[';
}

// Behind a letter, a digit or one of these it is a part of a name.
bool continues_name(char before) {
    return base::is_letter(before) || base::is_digit(before) || before == '_' || before == '>' ||
           before == ':';
}

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

std::string readable(std::string_view text, std::size_t bytes_max) {
    std::string out;
    while (!text.empty() && out.size() < bytes_max) {
        const auto bytes = utf8_sequence_bytes(text);
        if (bytes == 0) {
            out += escape_of(static_cast<unsigned char>(text[0]));
            text.remove_prefix(1);
            continue;
        }
        if (out.size() + bytes > bytes_max) break;
        out.append(text, 0, bytes);
        text.remove_prefix(bytes);
    }
    if (!text.empty()) out += "...";
    return out;
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

bool is_one_printable_line(std::string_view text) {
    while (!text.empty()) {
        const auto bytes = utf8_sequence_bytes(text);
        if (bytes == 0 || !is_printable(code_point(text.substr(0, bytes)))) return false;
        text.remove_prefix(bytes);
    }
    return true;
}

bool has_plain_blanks(std::string_view text) {
    bool behind_blank = true;
    while (!text.empty()) {
        const auto bytes = std::max<std::size_t>(utf8_sequence_bytes(text), 1);
        const bool blank = text.front() == ' ';
        if (blank && (behind_blank || bytes == text.size())) return false;
        if (bytes > 1 && lies_in(other_blanks, code_point(text.substr(0, bytes)))) return false;
        behind_blank = blank;
        text.remove_prefix(bytes);
    }
    return true;
}

std::string visible_line(std::string_view text) {
    if (is_one_printable_line(text)) return std::string(text);
    std::string visible;
    while (!text.empty()) {
        const auto bytes = utf8_sequence_bytes(text);
        const auto taken = std::max<std::size_t>(bytes, 1);
        const char32_t code =
            bytes == 0 ? static_cast<unsigned char>(text[0]) : code_point(text.substr(0, bytes));
        const bool stays = bytes > 0 && is_printable(code);
        visible += stays ? std::string(text.substr(0, taken)) : escape_of(code);
        text.remove_prefix(taken);
    }
    return visible;
}

std::string visible_lines(std::string_view text, std::string_view margin) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    std::string visible;
    while (true) {
        const auto end = text.find('\n');
        auto line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);  // the line end of another system
        visible += visible_line(line);
        if (end == std::string_view::npos) return visible;
        visible += '\n';
        visible += margin;
        text.remove_prefix(end + 1);
    }
}

bool is_formula(std::string_view cell) {
    if (cell.empty() || std::string_view("=+-@\t\r").find(cell.front()) == std::string_view::npos)
        return false;
    double number = 0;
    const auto digits = cell.substr(1);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool is_number = read.ec == std::errc() && read.ptr == digits.data() + digits.size();
    return !is_number || (cell.front() != '-' && cell.front() != '+');
}

std::string quoted_cell(std::string_view cell) {
    std::string quoted = "\"";
    for (const char c : cell) quoted.append(c == '"' ? 2 : 1, c);
    return quoted + '"';
}

std::string csv_line(const std::vector<std::string>& cells) {
    std::string line;
    for (const auto& plain : cells) {
        if (&plain != &cells.front()) line += ',';
        const auto cell = is_formula(plain) ? text_mark + plain : plain;
        line += cell.find_first_of(",\"\r\n") == std::string::npos ? cell : quoted_cell(cell);
    }
    return line + '\n';
}

std::string_view entity_of(char c) {
    switch (c) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        case '\'':
            return "&#39;";
        default:
            return {};
    }
}

std::string in_log(std::string_view lines) {
    std::string escaped;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto rest = lines.substr(i);
        const bool in_name = i > 0 && continues_name(lines[i - 1]);
        if (rest.starts_with(order) && !in_name) escaped += '\\';
        escaped += rest.front();
        if (!begins_old_order(rest)) continue;
        escaped += "# ";
        ++i;
    }
    return escaped;
}

}  // namespace protocol::json
