#include "referee/office/report/text_table.h"

#include <algorithm>

#include "protocol/json/printable.h"

namespace referee::report {
namespace {

constexpr unsigned char continuation_mask = 0xC0;
constexpr unsigned char continuation_bits = 0x80;

std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & continuation_mask) != continuation_bits;
    }));
}

// An empty cell counts as a number, so that it doesn't change how its column is set.
bool is_number(const std::string& text) {
    return text.find_first_not_of("0123456789.-+%") == std::string::npos;
}

}  // namespace

void TextTable::add(std::vector<std::string> row) {
    for (auto& cell : row) cell = protocol::json::visible_line(cell);
    rows_.push_back(std::move(row));
}

std::string TextTable::text() const {
    const auto columns = rows_.front().size();
    std::vector<std::size_t> widths(columns, 0);
    std::vector<bool> right(columns, rows_.size() > 1);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        for (std::size_t c = 0; c < columns; ++c) {
            widths[c] = std::max(widths[c], width_of(rows_[r][c]));
            if (r > 0 && !is_number(rows_[r][c])) right[c] = false;
        }
    }
    std::string text;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t c = 0; c < columns; ++c) {
            const std::string gap(widths[c] - width_of(row[c]), ' ');
            line += (c == 0 ? "" : "  ") + (right[c] ? gap + row[c] : row[c] + gap);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

}  // namespace referee::report
