#include "referee/store/records/placeholder.h"

#include <algorithm>
#include <optional>

#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"

namespace referee::records {
namespace {

bool is_word_at(std::string_view text, std::size_t at, std::size_t size) {
    const bool begins = at == 0 || !base::is_of_word(text[at - 1]);
    return begins && (at + size == text.size() || !base::is_of_word(text[at + size]));
}

// The string that begins at a quote, with both its quotes.
std::string_view string_at(std::string_view text, std::size_t quote) {
    auto end = quote + 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    return text.substr(quote, end + 1 - quote);
}

// Nothing where it is no placeholder.
std::optional<std::uint64_t> number_of(std::string_view name) {
    if (!name.starts_with(placeholder_begins)) return std::nullopt;
    return base::whole_number(name.substr(placeholder_begins.size()));
}

}  // namespace

bool is_placeholder(std::string_view name) {
    return number_of(name).has_value();
}

std::string next_placeholder(const std::vector<std::string>& known) {
    std::uint64_t last = 0;
    for (const auto& name : known) {
        const auto number = number_of(name);
        // Nobody is forgotten so often; a config or a roster may have such a name.
        if (number && *number < UINT32_MAX) last = std::max(last, *number);
    }
    return std::string(placeholder_begins) + std::to_string(last + 1);
}

Placeholder::Placeholder(std::string name, std::string placeholder,
                         const std::vector<std::string>& known)
    : name_(std::move(name)), placeholder_(std::move(placeholder)) {
    for (const auto& other : known) {
        if (other != name_ && find(other, 0) != std::string::npos) longer_.push_back(other);
    }
}

std::size_t Placeholder::find(std::string_view text, std::size_t from) const {
    for (auto at = text.find(name_, from); at != std::string_view::npos;
         at = text.find(name_, at + 1)) {
        if (is_word_at(text, at, name_.size()) && !is_of_longer_name(text, at)) return at;
    }
    return std::string_view::npos;
}

bool Placeholder::is_of_longer_name(std::string_view text, std::size_t at) const {
    for (const auto& longer : longer_) {
        const auto least =
            at + name_.size() < longer.size() ? 0 : at + name_.size() - longer.size();
        const auto found = text.find(longer, least);
        if (found <= at && is_word_at(text, found, longer.size())) return true;
    }
    return false;
}

bool Placeholder::stands_in(std::string_view text) const {
    return find(text, 0) != std::string_view::npos;
}

std::string Placeholder::in_words(std::string_view text) const {
    std::string out;
    std::size_t told = 0;
    for (auto at = find(text, 0); at != std::string_view::npos; at = find(text, told)) {
        out.append(text.substr(told, at - told)).append(placeholder_);
        told = at + name_.size();
    }
    return out.append(text.substr(told));
}

std::string Placeholder::in_json(std::string_view text) const {
    std::string out;
    std::size_t told = 0;
    for (auto quote = text.find('"'); quote != std::string_view::npos;
         quote = text.find('"', told)) {
        out.append(text.substr(told, quote - told));
        const auto token = string_at(text, quote);
        told = quote + token.size();
        const auto behind = std::min(text.find_first_not_of(" \t\r\n", told), text.size());
        const bool is_key = behind < text.size() && text[behind] == ':';
        protocol::json::Document value;
        const bool is_read = !is_key && value.parse(token) && value.root().string().has_value();
        if (is_read && stands_in(*value.root().string())) {
            protocol::json::Writer(out).string(in_words(*value.root().string()));
        } else {
            out.append(token);
        }
        if (told >= text.size()) return out;
    }
    return out.append(text.substr(told));
}

}  // namespace referee::records
