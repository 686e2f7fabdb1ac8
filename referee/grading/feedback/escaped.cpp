#include "referee/grading/feedback/escaped.h"

#include <cctype>

#include "protocol/json/text.h"

namespace referee::feedback {
namespace {

using protocol::json::entity_of;

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

}  // namespace

std::string in_markup(std::string_view text) {
    std::string escaped;
    for (const char c : protocol::json::in_log(text)) {
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

std::string in_csv(std::string_view text) {
    std::string cell(text);
    if (protocol::json::is_formula(cell)) cell.insert(cell.begin(), protocol::json::text_mark);
    if (cell.find_first_of(",;\"\n\r\t") == std::string::npos) return cell;
    return protocol::json::quoted_cell(cell);
}

}  // namespace referee::feedback
