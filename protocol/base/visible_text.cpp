#include "protocol/base/visible_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>

#include "protocol/base/text.h"
#include "protocol/base/utf8.h"

namespace base {
namespace {

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

// "http://" and "www." become links by themselves.
bool begins_link(std::string_view text, std::size_t at) {
    const auto rest = text.substr(at);
    if (rest.starts_with("://")) return true;
    return rest.front() == '.' && at >= 3 && (text[at - 1] == 'w' || text[at - 1] == 'W');
}

// "::error" at the begin of a line of a log; of a name, such as std::string, the first is behind a
// letter.
bool begins_order(std::string_view text, std::size_t at) {
    const bool stands_alone = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n';
    return stands_alone && text.substr(at).starts_with("::");
}

// Whether Markdown would take that character of a line for more than itself.
bool is_mark(std::string_view text, std::size_t at) {
    const char before = at == 0 ? '\n' : text[at - 1];
    const char after = at + 1 == text.size() ? '\n' : text[at + 1];
    const auto is_of = [](char c, std::string_view all) {
        return all.find(c) != std::string_view::npos;
    };
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    if (text[at] == '_') return !is_word(before) || !is_word(after);
    if (text[at] == '#') return before == '\n' || !is_of(after, " (");
    if (text[at] == '[') return is_of(before, "\n![") || after == '[';
    if (text[at] == ']') return is_of(after, "\n(:[");
    return is_of(text[at], "\\`*|~$") || (before == '\n' && is_of(text[at], "-+"));
}

constexpr std::string_view order = "::";
constexpr std::string_view old_order = "##";

// "##[", "##vso[".
bool begins_old_order(std::string_view rest) {
    if (!rest.starts_with(old_order)) return false;
    rest.remove_prefix(old_order.size());
    const auto* const end = std::find_if_not(rest.begin(), rest.end(), is_letter);
    return end != rest.end() && *end == '[';
}

// Behind a letter, a digit or one of these it is a part of a name.
bool continues_name(char before) {
    return is_letter(before) || is_digit(before) || before == '_' || before == '>' || before == ':';
}

}  // namespace

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

std::string_view entity_of(char c) {
    constexpr std::string_view marks = "&<>\"'";
    static constexpr std::array<std::string_view, marks.size()> entities = {"&amp;", "&lt;", "&gt;",
                                                                            "&quot;", "&#39;"};
    const auto found = marks.find(c);
    return found == std::string_view::npos ? std::string_view() : entities[found];
}

std::string in_markup(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        const auto entity = entity_of(c);
        entity.empty() ? escaped.append(1, c) : escaped.append(entity);
    }
    return escaped;
}

std::string in_markdown(std::string_view text) {
    std::string escaped;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        // Quotes are of attributes, which Markdown has none of; before a blank begins no tag.
        const bool is_plain =
            c == '"' || c == '\'' || (i > 0 && text.substr(i + 1).starts_with(' '));
        const auto entity = is_plain ? std::string_view() : entity_of(c);
        if (!entity.empty()) {
            escaped += entity;
        } else if (c == '@') {
            escaped += "&#64;";
        } else if (c == '\n' || c == '\r') {
            escaped += ' ';
        } else if (begins_order(text, i)) {
            escaped += "&#58;";
        } else if (begins_link(text, i)) {
            escaped += c == ':' ? "&#58;" : "&#46;";
        } else {
            if (is_mark(text, i)) escaped += '\\';
            escaped += c;
        }
    }
    return escaped;
}

std::string safe_for_ci_log(std::string_view lines) {
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
        line += cell.find_first_of(",;\t\"\r\n") == std::string::npos ? cell : quoted_cell(cell);
    }
    return line + '\n';
}

}  // namespace base
