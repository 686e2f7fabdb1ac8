#include "referee/roster/csv.h"

#include <algorithm>
#include <optional>

#include "protocol/base/text.h"
#include "protocol/base/utf8.h"
#include "protocol/base/visible_text.h"

namespace referee::roster {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view separators = ",;\t";

// The separator that stands most often in the first line that has any text, outside of quotes.
char separator_of(std::string_view text) {
    std::size_t counts[separators.size()] = {};
    bool quoted = false;
    bool has_text = false;
    for (const char c : text) {
        if (c == '"') quoted = !quoted;
        if (quoted) continue;
        if ((c == '\n' || c == '\r') && has_text) break;
        has_text = has_text || !std::isspace(static_cast<unsigned char>(c));
        if (const auto which = separators.find(c); which != std::string_view::npos) ++counts[which];
    }
    const auto* most = std::ranges::max_element(counts);
    return separators[static_cast<std::size_t>(most - std::begin(counts))];
}

CsvMistake wrong(std::size_t line, std::string message) {
    return {line, {}, std::move(message)};
}

// Reads rows of cells from the front of a text.
class RowReader {
 public:
    RowReader(std::string_view text, char separator) : text_(text), separator_(separator) {}

    bool at_end() const { return at_ == text_.size(); }

    base::Result<CsvRow, CsvMistake> row() {
        CsvRow row{line_, {}};
        for (;;) {
            auto read = cell();
            if (!read) return base::failure(std::move(read.error()));
            row.cells.push_back(std::move(*read));
            if (at_end() || text_[at_] != separator_) break;
            ++at_;
        }
        end_line();
        return row;
    }

 private:
    bool at_line_end() const { return at_end() || text_[at_] == '\n' || text_[at_] == '\r'; }

    void end_line() {
        if (at_end()) return;
        const bool returned = text_[at_] == '\r';
        ++at_;
        if (returned && !at_end() && text_[at_] == '\n') ++at_;
        ++line_;
    }

    base::Result<std::string, CsvMistake> cell() {
        auto begin = at_;
        while (!at_end() && text_[at_] == ' ') ++at_;
        if (!at_end() && text_[at_] == '"') return quoted_cell();
        while (!at_line_end() && text_[at_] != separator_) {
            if (text_[at_] == '"')
                return base::failure(wrong(
                    line_,
                    "a quote (\") stands inside a cell that doesn't begin with one; expected the "
                    "whole cell in quotes, and each quote in it twice: \"Ann \"\"A\"\" Lee\""));
            ++at_;
        }
        return std::string(base::trimmed(text_.substr(begin, at_ - begin)));
    }

    base::Result<std::string, CsvMistake> quoted_cell() {
        const auto begun = line_;
        std::string cell;
        for (++at_; !at_end(); ++at_) {
            if (text_[at_] == '"' && text_.substr(at_, 2) != "\"\"") break;
            if (text_[at_] == '"') ++at_;
            if (text_[at_] == '\n') ++line_;
            cell += text_[at_];
        }
        if (at_end())
            return base::failure(wrong(
                begun,
                "a cell in quotes begins here and never ends; expected a quote (\") behind it"));
        ++at_;
        while (!at_end() && text_[at_] == ' ') ++at_;
        if (!at_line_end() && text_[at_] != separator_)
            return base::failure(
                wrong(line_,
                      "text follows a cell in quotes; expected the separator or the end of the "
                      "line behind the quote, and a quote inside of a cell twice"));
        return cell;
    }

    std::string_view text_;
    char separator_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
};

std::optional<CsvMistake> wrong_bytes(std::string_view text) {
    std::size_t line = 1;
    for (std::size_t i = 0; i < text.size();) {
        const auto bytes = base::utf8_sequence_bytes(text.substr(i));
        if (bytes == 0)
            return wrong(line,
                         "this is no UTF-8 text; save the file as \"CSV UTF-8\" (a spreadsheet's "
                         "menu has it beside plain CSV)");
        if (text[i] == '\0')
            return wrong(line, "a zero byte stands here; save the file as \"CSV UTF-8\"");
        if (text[i] == '\n') ++line;
        i += bytes;
    }
    return std::nullopt;
}

std::string written(const std::string& cell, char separator) {
    const bool plain = cell.find_first_of(std::string("\"\r\n") + separator) == std::string::npos &&
                       base::trimmed(cell).size() == cell.size();
    return plain ? cell : base::quoted_cell(cell);
}

}  // namespace

std::string describe(const CsvMistake& mistake, const std::string& file) {
    auto text = file;
    if (mistake.line > 0) text += ":" + std::to_string(mistake.line);
    if (!mistake.column.empty()) text += ": " + mistake.column;
    return text + ": " + mistake.message;
}

CsvTable parse_csv(std::string_view text, std::vector<CsvMistake>& mistakes) {
    CsvTable table;
    if (text.size() > csv_bytes_max) {
        mistakes.push_back(
            wrong(0, fmt::format("the file has more than {} bytes; expected the list of a class",
                                 csv_bytes_max)));
        return table;
    }
    table.dialect.byte_order_mark = text.starts_with(byte_order_mark);
    if (table.dialect.byte_order_mark) text.remove_prefix(byte_order_mark.size());
    if (auto mistake = wrong_bytes(text)) {
        mistakes.push_back(*std::move(mistake));
        return table;
    }
    table.dialect.separator = separator_of(text);
    table.dialect.carriage_returns = text.find("\r\n") != std::string_view::npos;
    RowReader reader(text, table.dialect.separator);
    while (!reader.at_end() && mistakes.size() < csv_mistakes_max) {
        auto row = reader.row();
        if (!row) {
            // Where one cell's end is unclear, so is all that follows.
            mistakes.push_back(std::move(row.error()));
            break;
        }
        if (std::ranges::all_of(row->cells, &std::string::empty)) continue;
        if (table.header.cells.empty()) {
            table.header = std::move(*row);
        } else if (row->cells.size() != table.header.cells.size()) {
            mistakes.push_back(wrong(
                row->line,
                fmt::format("expected {} cells, as the header in line {} has, found {}; a cell "
                            "with the separator in it stands in quotes",
                            table.header.cells.size(), table.header.line, row->cells.size())));
        } else {
            table.rows.push_back(std::move(*row));
        }
    }
    return table;
}

base::Result<CsvTable, std::vector<CsvMistake>> parse_csv(std::string_view text) {
    std::vector<CsvMistake> mistakes;
    auto table = parse_csv(text, mistakes);
    if (!mistakes.empty()) return base::failure(std::move(mistakes));
    return table;
}

std::string write_csv(const CsvTable& table) {
    const auto& dialect = table.dialect;
    std::string text(dialect.byte_order_mark ? byte_order_mark : std::string_view());
    const auto add = [&](const CsvRow& row) {
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            if (i > 0) text += dialect.separator;
            text += written(row.cells[i], dialect.separator);
        }
        text += dialect.carriage_returns ? "\r\n" : "\n";
    };
    add(table.header);
    for (const auto& row : table.rows) add(row);
    return text;
}

}  // namespace referee::roster
