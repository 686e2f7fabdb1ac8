#include "referee/watch/web/crosstable.h"

#include <algorithm>
#include <cstddef>

#include "protocol/json/document.h"
#include "protocol/json/text.h"
#include "protocol/json/writer.h"

namespace referee::web {
namespace {

namespace json = protocol::json;

using Cells = std::vector<std::string>;

constexpr std::size_t number_column = 0;
constexpr std::size_t name_column = 1;
constexpr std::size_t columns_before = 2;
constexpr std::size_t columns_behind = 2;  // points and rank
constexpr std::size_t columns_least = columns_before + columns_behind;

std::vector<Cells> cells_of(std::string_view csv) {
    std::vector<Cells> rows;
    Cells row{{}};
    bool quoted = false;
    for (std::size_t i = 0; i < csv.size(); ++i) {
        const char c = csv[i];
        const bool doubled = quoted && c == '"' && i + 1 < csv.size() && csv[i + 1] == '"';
        if (doubled) {
            row.back() += c;
            ++i;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            row.emplace_back();
        } else if (c == '\n' && !quoted) {
            if (row.size() >= columns_least) rows.push_back(std::move(row));
            row = {{}};
        } else {
            row.back() += c;
        }
    }
    return rows;
}

// Spreadsheets take a text that begins as a formula for one; the file has a mark before it.
std::string without_mark(const std::string& cell) {
    const auto rest = std::string_view(cell).substr(cell.starts_with(json::text_mark) ? 1 : 0);
    return std::string(json::is_formula(rest) ? rest : std::string_view(cell));
}

void add_cell(std::string& text, const std::string& plain) {
    const auto cell = json::is_formula(plain) ? json::text_mark + plain : plain;
    if (cell.find_first_of(",\"\r\n") == std::string::npos) {
        text += cell;
        return;
    }
    text += '"';
    for (const char c : cell) text += c == '"' ? "\"\"" : std::string(1, c);
    text += '"';
}

void write_number(json::Writer& writer, const std::string& text) {
    json::Document document;
    if (document.parse(text) && document.root().number()) {
        writer.raw(text);
    } else {
        writer.string(text);
    }
}

}  // namespace

CrosstableRows::CrosstableRows(std::string_view csv, const pseudonyms::NameMask& name_mask)
    : rows_(cells_of(csv)) {
    Cells names;
    for (auto& row : rows_) {
        for (auto& cell : row) cell = without_mark(cell);
        names.push_back(row[name_column]);
    }
    if (!name_mask.hides()) return;
    std::sort(names.begin(), names.end());
    for (std::size_t r = 1; r < rows_.size(); ++r) {
        auto& row = rows_[r];
        row[name_column] = name_mask.name(row[name_column]);
        // A bot that has a line stands in others' by its number; results are no names, whatever
        // bots are called.
        for (auto c = columns_before; c + columns_behind < row.size(); ++c)
            row[c] = name_mask.words_but(row[c], names);
    }
}

std::string CrosstableRows::csv() const {
    std::string text;
    for (const auto& row : rows_) {
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (c > 0) text += ',';
            add_cell(text, row[c]);
        }
        text += '\n';
    }
    return text;
}

std::string CrosstableRows::json(std::string_view tournament) const {
    std::string text;
    json::Writer writer(text);
    writer.begin_object().member("tournament", tournament).key("columns").begin_array();
    if (!rows_.empty()) {
        const auto& heading = rows_.front();
        for (auto c = columns_before; c + columns_behind < heading.size(); ++c)
            writer.string(heading[c]);
    }
    writer.end_array().key("bots").begin_array();
    for (std::size_t r = 1; r < rows_.size(); ++r) {
        const auto& row = rows_[r];
        writer.begin_object().key("number");
        write_number(writer, row[number_column]);
        writer.member("name", row[name_column]).key("cells").begin_array();
        for (auto c = columns_before; c + columns_behind < row.size(); ++c) writer.string(row[c]);
        writer.end_array().key("points");
        write_number(writer, row[row.size() - columns_behind]);
        writer.key("rank");
        write_number(writer, row.back());
        writer.end_object();
    }
    writer.end_array().end_object();
    return text;
}

}  // namespace referee::web
