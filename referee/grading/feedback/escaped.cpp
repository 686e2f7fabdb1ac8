#include "referee/grading/feedback/escaped.h"

#include "protocol/json/printable.h"

namespace referee::grading {
namespace {

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

// "http://" and "www." become links by themselves.
bool begins_link(std::string_view text, std::size_t at) {
    const auto rest = text.substr(at);
    if (rest.starts_with("://")) return true;
    return rest.front() == '.' && at >= 3 && (text[at - 1] == 'w' || text[at - 1] == 'W');
}

}  // namespace

std::string in_markup(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        const auto entity = entity_of(c);
        entity.empty() ? escaped.append(1, c) : escaped.append(entity);
    }
    return escaped;
}

std::string in_markdown(std::string_view text) {
    constexpr std::string_view marks = "\\`*_[]#|~$";
    constexpr std::string_view marks_at_begin = "-+";  // of lists
    std::string escaped;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const auto entity = entity_of(c);
        if (!entity.empty()) {
            escaped += entity;
        } else if (c == '@') {
            escaped += "&#64;";
        } else if (c == '\n' || c == '\r') {
            escaped += ' ';
        } else if (begins_link(text, i)) {
            escaped += c == ':' ? "&#58;" : "&#46;";
        } else {
            const bool is_mark = marks.find(c) != std::string_view::npos ||
                                 (i == 0 && marks_at_begin.find(c) != std::string_view::npos);
            if (is_mark) escaped += '\\';
            escaped += c;
        }
    }
    return escaped;
}

std::string in_log(std::string_view lines) {
    constexpr std::string_view order = "::";
    constexpr std::string_view old_order = "##[";
    std::string escaped;
    bool line_begins = true;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto rest = lines.substr(i);
        if (line_begins && rest.starts_with(order)) escaped += '\\';
        escaped += rest.front();
        if (rest.starts_with(old_order)) escaped += ' ';
        line_begins = rest.front() == '\n' || (line_begins && rest.front() == ' ');
    }
    return escaped;
}

std::string in_csv(std::string_view text) {
    std::string cell(text);
    if (protocol::json::is_formula(cell)) cell.insert(cell.begin(), protocol::json::text_mark);
    if (cell.find_first_of(",;\"\n\r\t") == std::string::npos) return cell;
    std::string quoted = "\"";
    for (const char c : cell) quoted.append(c == '"' ? 2 : 1, c);
    return quoted + '"';
}

}  // namespace referee::grading
