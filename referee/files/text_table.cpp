#include "referee/files/text_table.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "protocol/base/utf8.h"
#include "protocol/base/visible_text.h"

namespace referee::files {
namespace {

using base::columns_of;
using base::fitting;

constexpr std::string_view more = "...";
constexpr std::size_t between_columns = 2;
// A narrower column tells nothing.
constexpr std::size_t narrowest_column = 8;

// The first characters, and that there were more.
std::string shortened(const std::string& text, std::size_t width) {
    if (columns_of(text) <= width) return text;
    return std::string(fitting(text, width - std::min(width, more.size()))) + std::string(more);
}

// An empty cell counts as a number, so that it doesn't change how its column is set; and so does
// one in brackets, or with a mark.
bool is_number(const std::string& text) {
    return text.find_first_not_of("0123456789.-+%()*#") == std::string::npos;
}

}  // namespace

void TextTable::add(std::vector<std::string> row) {
    for (auto& cell : row) cell = base::visible_line(cell);
    rows_.push_back(std::move(row));
}

std::vector<TextTable::Column> TextTable::columns(std::size_t width) const {
    std::vector<Column> columns(rows_.front().size());
    std::size_t whole = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        columns[c].right = rows_.size() > 1;
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            columns[c].width = std::max(columns[c].width, columns_of(rows_[r][c]));
            if (r > 0 && !is_number(rows_[r][c])) columns[c].right = false;
        }
        whole += columns[c].width + (c == 0 ? 0 : between_columns);
    }
    while (width > 0 && whole > width) {
        Column* widest = nullptr;
        for (std::size_t c = 1; c < columns.size(); ++c) {
            const auto least = std::max(columns_of(rows_.front()[c]), narrowest_column);
            if (columns[c].right || columns[c].width <= least) continue;
            if (widest == nullptr || columns[c].width > widest->width) widest = &columns[c];
        }
        if (widest == nullptr) break;
        --widest->width;
        --whole;
    }
    return columns;
}

std::string TextTable::text(std::size_t width) const {
    const auto set = columns(width);
    std::string text;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t c = 0; c < set.size(); ++c) {
            const auto cell = shortened(row[c], set[c].width);
            const std::string gap(set[c].width - columns_of(cell), ' ');
            line += (c == 0 ? std::string() : std::string(between_columns, ' ')) +
                    (set[c].right ? gap + cell : cell + gap);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::string fixed_text(double value, int decimals) {
    constexpr std::size_t digits_most = 400;  // the greatest double has fewer
    std::array<char, digits_most> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                   std::chars_format::fixed, decimals);
    REFEREE_ASSERT(end.ec == std::errc());
    std::string text(digits.data(), end.ptr);
    const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
    return is_zero && text.front() == '-' ? text.substr(1) : text;
}

void write_fixed(protocol::json::Writer& writer, std::string_view key, double value, int decimals) {
    writer.key(key).raw(fixed_text(value, decimals));
}

void write_span(protocol::json::Writer& writer, std::string_view key, double low, double high,
                int decimals) {
    writer.key(key).begin_array();
    writer.raw(fixed_text(low, decimals)).raw(fixed_text(high, decimals)).end_array();
}

std::string table_text(const std::vector<Cells>& lines) {
    TextTable table(lines.front());
    for (std::size_t i = 1; i < lines.size(); ++i) table.add(lines[i]);
    return table.text();
}

std::string csv_text(const std::vector<Cells>& lines) {
    std::string text;
    for (const auto& line : lines) text += base::csv_line(line);
    return text;
}

}  // namespace referee::files
