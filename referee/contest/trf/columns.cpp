#include "referee/contest/trf/columns.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "protocol/base/text.h"

namespace referee::trf {

namespace {

constexpr int tenths_in_point = 10;

bool continues_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// The number of bytes of the UTF-8 character at the start, or 1 when it is none.
std::size_t character_bytes(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    std::size_t length = 1;
    if ((lead & 0xE0U) == 0xC0U) length = 2;
    if ((lead & 0xF0U) == 0xE0U) length = 3;
    if ((lead & 0xF8U) == 0xF0U) length = 4;
    if (text.size() < length) return 1;
    const bool whole = std::all_of(
        text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length), continues_character);
    return whole ? length : 1;
}

}  // namespace

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char byte) { return static_cast<unsigned char>(byte) < 0x80U; });
}

TrfColumns::TrfColumns(std::string_view text, int line, Counting counting)
    : text_(text), line_(line), size_(static_cast<int>(text.size())) {
    if (counting == Counting::bytes || is_ascii(text)) return;
    for (std::size_t i = 0; i < text.size(); i += character_bytes(text.substr(i)))
        starts_.push_back(i);
    size_ = static_cast<int>(starts_.size());
}

std::string_view TrfColumns::cut(int first, int last) const {
    last = std::min(last, size_);
    if (first > last) return {};
    const auto begin = static_cast<std::size_t>(first - 1);
    const auto end = static_cast<std::size_t>(last);
    if (starts_.empty()) return text_.substr(begin, end - begin);
    const std::size_t stop = end < starts_.size() ? starts_[end] : text_.size();
    return text_.substr(starts_[begin], stop - starts_[begin]);
}

char TrfColumns::at(int column) const {
    const std::string_view character = cut(column, column);
    if (character.empty()) return ' ';
    return character.size() == 1 ? character.front() : '?';
}

std::vector<TrfColumns> lines_of(std::string_view text, Counting counting) {
    std::vector<TrfColumns> lines;
    int number = 1;
    for (std::size_t start = 0; start < text.size(); ++number) {
        const std::size_t end = std::min(text.find_first_of("\r\n", start), text.size());
        lines.emplace_back(text.substr(start, end - start), number, counting);
        const bool both = end + 1 < text.size() && text[end] == '\r' && text[end + 1] == '\n';
        start = end + (both ? 2 : 1);
    }
    return lines;
}

std::optional<int> whole_number(std::string_view text) {
    const auto number = base::whole_number<int>(trimmed(text));
    return number && *number >= 0 ? number : std::nullopt;
}

std::optional<int> tenths(std::string_view text) {
    constexpr int most_points = 100'000;
    text = trimmed(text);
    const bool negative = !text.empty() && text.front() == '-';
    if (negative) text.remove_prefix(1);
    const std::size_t point = std::min(text.find_first_of(".,"), text.size());
    const std::string_view decimals = point < text.size() ? text.substr(point + 1) : "";
    if (decimals.find_first_not_of('0', 1) != std::string_view::npos) return std::nullopt;
    const auto whole = point == 0 && !decimals.empty() ? 0 : whole_number(text.substr(0, point));
    const auto tenth = decimals.empty() ? 0 : whole_number(decimals.substr(0, 1));
    if (!whole || !tenth || *whole > most_points) return std::nullopt;
    const int sum = *whole * tenths_in_point + *tenth;
    return negative ? -sum : sum;
}

std::string tenths_text(int points_tenths) {
    const int size = std::abs(points_tenths);
    return (points_tenths < 0 ? "-" : "") + std::to_string(size / tenths_in_point) + "." +
           std::to_string(size % tenths_in_point);
}

std::vector<Word> words_from(const TrfColumns& line, int first) {
    std::vector<Word> words;
    const auto is_blank = [&](int column) {
        return line.at(column) == ' ' || line.at(column) == '\t';
    };
    for (int column = first; column <= line.size();) {
        if (is_blank(column)) {
            ++column;
            continue;
        }
        int end = column;
        while (end < line.size() && !is_blank(end + 1)) ++end;
        words.push_back({line.cut(column, end), column});
        column = end + 1;
    }
    return words;
}

}  // namespace referee::trf
