#include "referee/watch/web/crosstable_rows.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "protocol/json/document.h"
#include "protocol/json/text.h"
#include "protocol/json/writer.h"

namespace referee::web {
namespace {

namespace json = protocol::json;

constexpr std::size_t number_column = 0;
constexpr std::size_t name_column = 1;
constexpr std::size_t columns_before = 2;
constexpr std::size_t columns_behind = 2;  // points and rank

// Spreadsheets take a text that begins as a formula for one; the file has a mark before it.
std::string without_mark(const std::string& cell) {
    const auto rest = std::string_view(cell).substr(cell.starts_with(json::text_mark) ? 1 : 0);
    return std::string(json::is_formula(rest) ? rest : std::string_view(cell));
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

CrosstableRows::CrosstableRows(std::string_view csv, const pseudonyms::NameMask& name_mask) {
    auto read = roster::parse_csv(csv);
    if (!read || read->header.cells.size() < columns_before + columns_behind) return;
    table_ = *std::move(read);
    std::vector<std::string> names;
    for (auto& row : table_.rows) {
        for (auto& cell : row.cells) cell = without_mark(cell);
        names.push_back(row.cells[name_column]);
    }
    if (!name_mask.hides()) return;
    std::sort(names.begin(), names.end());
    for (auto& [line, cells] : table_.rows) {
        cells[name_column] = name_mask.name(cells[name_column]);
        // A bot that has a line stands in others' by its number; results are no names, whatever
        // bots are called.
        for (auto c = columns_before; c + columns_behind < cells.size(); ++c)
            cells[c] = name_mask.words_but(cells[c], names);
    }
}

std::string CrosstableRows::csv() const {
    auto marked = table_;
    for (auto& row : marked.rows) {
        for (auto& cell : row.cells) {
            if (json::is_formula(cell)) cell.insert(cell.begin(), json::text_mark);
        }
    }
    return roster::write_csv(marked);
}

std::string CrosstableRows::json(std::string_view tournament) const {
    std::string text;
    json::Writer writer(text);
    const auto write_middle = [&writer](const std::vector<std::string>& cells) {
        writer.begin_array();
        for (auto c = columns_before; c + columns_behind < cells.size(); ++c)
            writer.string(cells[c]);
        writer.end_array();
    };
    writer.begin_object().member("tournament", tournament).key("columns");
    write_middle(table_.header.cells);
    writer.key("bots").begin_array();
    for (const auto& [line, cells] : table_.rows) {
        writer.begin_object().key("number");
        write_number(writer, cells[number_column]);
        writer.member("name", cells[name_column]).key("cells");
        write_middle(cells);
        writer.key("points");
        write_number(writer, cells[cells.size() - columns_behind]);
        writer.key("rank");
        write_number(writer, cells.back());
        writer.end_object();
    }
    writer.end_array().end_object();
    return text;
}

}  // namespace referee::web
