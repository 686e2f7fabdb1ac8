#include "referee/roster/roster.h"

#include <algorithm>
#include <array>
#include <optional>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/codec.h"
#include "protocol/limits.h"
#include "referee/files/file.h"
#include "referee/roster/names/looks.h"

namespace referee::roster {
namespace {

// The cells' place; nothing where the table has no such column.
std::size_t token_column(CsvTable& table, bool make) {
    auto& header = table.header.cells;
    const auto found = std::ranges::find(header, RosterColumn::token, column_of);
    if (found != header.end() || !make) return static_cast<std::size_t>(found - header.begin());
    header.emplace_back(name_of(RosterColumn::token));
    for (auto& row : table.rows) row.cells.emplace_back();
    return header.size() - 1;
}

std::string in_digits(std::string_view what, std::size_t expected, std::string_view found) {
    return fmt::format("a hashed token whose {} isn't {} of the digits 0-9 and a-f, but {} bytes",
                       what, expected, found.size());
}

// A plain number: no sign, no zero in front.
unsigned rounds_in(std::string_view text) {
    const auto rounds = base::whole_number<unsigned>(text).value_or(0);
    return !text.starts_with('0') && rounds <= hash_rounds_max ? rounds : 0;
}

std::string expectation(const std::string& found) {
    return "expected a hash as `referee roster hashes` writes it, pbkdf2-sha256$ROUNDS$SALT$HASH, "
           "found " +
           found + "; copy it again, or put the token itself there";
}

// Each word of a row, as a column's name is without capitals, accents and blanks.
struct Headings {
    Extra extra;
    std::string_view words;
};
constexpr std::array all_headings = {
    Headings{Extra::full_name, " fullname student studentname displayname sortablename "},
    Headings{Extra::first_name, " firstname givenname "},
    Headings{Extra::last_name, " lastname surname familyname "},
    Headings{Extra::login, " login username github githubusername sisloginid "},
    Headings{Extra::canvas_id, " id canvasid "},
    Headings{Extra::school_id, " sisuserid idnumber schoolid "},
    Headings{Extra::section, " section "},
};

constexpr std::size_t known_columns = 5;
constexpr std::array<std::string_view, known_columns> column_names{"name", "student_id", "email",
                                                                   "team", "token"};
// Beyond this no school's id, address or team goes.
constexpr std::size_t cell_bytes_max = 256;
// Of a cell that is wrong, in a message.
constexpr std::size_t shown_bytes_max = 80;

constexpr std::string_view example =
    "name,student_id,email,team,token, with one row a bot, such as ann,1234,ann@example.edu,,";

std::string shown(std::string_view cell) {
    return base::quoted(base::visible_line(base::readable(cell, shown_bytes_max)));
}

std::string in_line(std::size_t line) {
    return "line " + std::to_string(line);
}

// "Student ID", "student-id" and "STUDENT_ID" are one word.
std::string plain_word(std::string_view text) {
    auto word = base::small(std::string(text));
    std::erase_if(word, [](char c) { return c == ' ' || c == '-' || c == '_'; });
    return word;
}

class RowsReader {
 public:
    RowsReader(const CsvTable& table, std::vector<CsvMistake> of_table)
        : table_(table), mistakes_(std::move(of_table)) {}

    // Whether anybody knows then what the rows say.
    bool read_header() {
        const auto before = mistakes_.size();
        const auto& header = table_.header;
        for (const auto& cell : header.cells) {
            const auto column = column_of(cell);
            if (column == RosterColumn::unknown) {
                if (!cell.empty() && extra_of(cell) == Extra::none)
                    remarks_.push_back("column " + shown(cell) + " is kept and not used");
            } else if (where(column)) {
                wrong(header.line, column, "two columns have this name; expected each once");
            }
            columns_.push_back(column);
        }
        if (!where(RosterColumn::name))
            wrong(header.line, {},
                  "the first line names no column \"name\"; expected a header such as " +
                      std::string(example));
        return mistakes_.size() == before;
    }

    void read_rows() {
        if (table_.rows.empty() && mistakes_.empty())
            wrong(0, {}, "there is a header and no row behind it; expected a row for each bot");
        if (table_.rows.size() > roster_rows_max)
            return wrong(
                0, {},
                fmt::format("{} rows; expected at most {}", table_.rows.size(), roster_rows_max));
        for (const auto& row : table_.rows) {
            if (mistakes_.size() >= csv_mistakes_max) return;
            read_row(row);
        }
    }

    // What was read of `table`, once. Mistakes stand by their lines.
    base::Result<ReadRoster, std::vector<CsvMistake>> result(CsvTable table) {
        std::ranges::stable_sort(mistakes_, {}, &CsvMistake::line);
        if (!mistakes_.empty()) return base::failure(std::move(mistakes_));
        return ReadRoster{std::move(roster_), std::move(table), std::move(remarks_)};
    }

 private:
    void wrong(std::size_t line, std::optional<RosterColumn> column, std::string message) {
        mistakes_.push_back(
            {line, column ? std::string(name_of(*column)) : std::string(), std::move(message)});
    }
    std::optional<std::size_t> where(RosterColumn column) const {
        const auto found = std::ranges::find(columns_, column);
        if (found == columns_.end()) return std::nullopt;
        return static_cast<std::size_t>(found - columns_.begin());
    }
    std::string cell(const CsvRow& row, RosterColumn column) const {
        const auto place = where(column);
        return place ? row.cells[*place] : std::string();
    }

    void read_row(const CsvRow& row) {
        Student student{row.line,
                        cell(row, RosterColumn::name),
                        cell(row, RosterColumn::student_id),
                        cell(row, RosterColumn::email),
                        cell(row, RosterColumn::team),
                        cell(row, RosterColumn::token)};
        check_texts(student);
        twin(student, RosterColumn::student_id, plain_word(student.student_id), student.student_id);
        twin(student, RosterColumn::email, base::small(student.email), student.email);
        // A token is never shown.
        twin(student, RosterColumn::token, student.token, {});
        if (check_name(student)) roster_.add(std::move(student));
    }

    void check_texts(const Student& student) {
        for (const auto& [column, text] : {std::pair(RosterColumn::student_id, &student.student_id),
                                           std::pair(RosterColumn::email, &student.email),
                                           std::pair(RosterColumn::team, &student.team)}) {
            if (text->size() > cell_bytes_max || text->find_first_of("\r\n") != std::string::npos)
                wrong(student.line, column,
                      fmt::format("expected one line of at most {} bytes, found {}", cell_bytes_max,
                                  shown(*text)));
        }
        const auto at = student.email.find('@');
        const bool address = at != std::string::npos && at > 0 && at + 1 < student.email.size() &&
                             student.email.find_first_of(" ,;", 0) == std::string::npos;
        if (!student.email.empty() && !address)
            wrong(student.line, RosterColumn::email,
                  "expected an address such as ann@example.edu, or nothing, found " +
                      shown(student.email));
        const auto& token = student.token;
        if (!token.empty() && (token.size() < protocol::limits::registered_token_bytes_min ||
                               token.size() > protocol::limits::token_bytes_max))
            wrong(student.line, RosterColumn::token,
                  fmt::format("expected a token of {} to {} bytes, or nothing, found {} bytes; "
                              "`referee roster tokens` makes good ones",
                              protocol::limits::registered_token_bytes_min,
                              protocol::limits::token_bytes_max, token.size()));
        if (!student.has_hashed_token()) return;
        if (const auto hash = read_token_hash(token); !hash)
            wrong(student.line, RosterColumn::token, hash.error());
    }

    // Two rows with the same value; empty ones are none.
    void twin(const Student& student, RosterColumn column, const std::string& value,
              const std::string& text) {
        if (value.empty()) return;
        const auto [other, is_new] = seen_[column].emplace(value, student.line);
        if (is_new) return;
        wrong(student.line, column,
              (text.empty() ? "the same token" : shown(text)) + " stands in " +
                  in_line(other->second) + " too; expected each once: mend one, or delete the row");
    }

    bool check_name(const Student& student) {
        if (!protocol::is_valid_name(student.name)) {
            wrong(student.line, RosterColumn::name,
                  fmt::format("expected a bot's name of 1 to {} bytes of printable text, such as "
                              "ann, found {}",
                              protocol::limits::name_bytes_max, shown(student.name)));
            return false;
        }
        if (const auto* other = roster_.named(student.name)) {
            wrong(student.line, RosterColumn::name,
                  shown(student.name) + " stands in " + in_line(other->line) +
                      " too; expected another name for one of the two bots, such as " +
                      shown(student.name + "2"));
            return false;
        }
        if (const auto other = looks_.like(student.name); !other.empty()) {
            wrong(student.line, RosterColumn::name,
                  shown(student.name) + " looks like " + shown(other) + " in " +
                      in_line(roster_.named(other)->line) + ": " +
                      names::difference(student.name, other) +
                      "; expected names that nobody takes for one another");
        }
        looks_.add(student.name);
        return true;
    }

    const CsvTable& table_;
    Roster roster_;
    std::vector<std::string> remarks_;
    std::vector<CsvMistake> mistakes_;
    std::vector<RosterColumn> columns_;
    names::KnownLooks looks_;
    std::map<RosterColumn, std::map<std::string, std::size_t>> seen_;
};

}  // namespace

bool Student::has_hashed_token() const {
    return token.starts_with(hashed_token_begins);
}

const Student* Roster::named(std::string_view name) const {
    const auto* place = base::find_in(by_name_, name);
    return place == nullptr ? nullptr : &students_[*place];
}

bool Roster::holds_tokens() const {
    return std::ranges::any_of(students_, [](const auto& student) {
        return !student.token.empty() && !student.has_hashed_token();
    });
}

void Roster::add(Student student) {
    const bool is_new = by_name_.emplace(student.name, students_.size()).second;
    REFEREE_ASSERT(is_new);
    students_.push_back(std::move(student));
}

std::size_t fill_tokens(CsvTable& table, const std::function<std::string()>& make) {
    const auto column = token_column(table, true);
    std::size_t made = 0;
    for (auto& row : table.rows) {
        if (!row.cells[column].empty()) continue;
        row.cells[column] = make();
        ++made;
    }
    return made;
}

std::size_t hash_tokens(CsvTable& table,
                        const std::function<std::string(std::string_view)>& hash_of) {
    const auto column = token_column(table, false);
    if (column == table.header.cells.size()) return 0;
    std::size_t hashed = 0;
    for (auto& row : table.rows) {
        auto& cell = row.cells[column];
        if (cell.empty() || cell.starts_with(hashed_token_begins)) continue;
        cell = hash_of(cell);
        ++hashed;
    }
    return hashed;
}

base::Result<TokenHash, std::string> read_token_hash(std::string_view text) {
    if (!text.starts_with(hashed_token_begins))
        return base::failure(expectation("a text that doesn't begin so"));
    text.remove_prefix(hashed_token_begins.size());
    const auto first = text.find('$');
    const auto second = first == std::string_view::npos ? first : text.find('$', first + 1);
    if (second == std::string_view::npos)
        return base::failure(expectation("a hashed token that ends too early"));
    const TokenHash hash{rounds_in(text.substr(0, first)),
                         text.substr(first + 1, second - first - 1), text.substr(second + 1)};
    if (hash.rounds == 0)
        return base::failure(expectation("a hashed token whose rounds are no number from 1 to " +
                                         std::to_string(hash_rounds_max)));
    if (!base::is_hex(hash.salt, salt_digits))
        return base::failure(expectation(in_digits("salt", salt_digits, hash.salt)));
    if (!base::is_hex(hash.hash, hash_digits))
        return base::failure(expectation(in_digits("hash", hash_digits, hash.hash)));
    return hash;
}

Extra extra_of(std::string_view header) {
    auto word = names::plain_letters(header);
    std::erase_if(word, [](char byte) { return word_ends.find(byte) != std::string_view::npos; });
    const auto names_it = [&word](const Headings& row) {
        return !word.empty() && row.words.find(' ' + word + ' ') != std::string_view::npos;
    };
    const auto* const found = std::ranges::find_if(all_headings, names_it);
    return found == all_headings.end() ? Extra::none : found->extra;
}

RosterColumn column_of(std::string_view header) {
    const auto word = plain_word(header);
    for (std::size_t i = 0; i < known_columns; ++i) {
        if (plain_word(column_names[i]) == word) return static_cast<RosterColumn>(i);
    }
    return RosterColumn::unknown;
}

std::string_view name_of(RosterColumn column) {
    const auto place = static_cast<std::size_t>(column);
    return place < known_columns ? column_names[place] : std::string_view("another column");
}

base::Result<ReadRoster, std::vector<CsvMistake>> read_roster(std::string_view text) {
    std::vector<CsvMistake> mistakes;
    auto table = parse_csv(text, mistakes);
    if (table.header.cells.empty()) {
        if (mistakes.empty())
            mistakes.push_back(
                {0, {}, "the file is empty; expected a header such as " + std::string(example)});
        return base::failure(std::move(mistakes));
    }
    RowsReader reader(table, std::move(mistakes));
    if (reader.read_header()) reader.read_rows();
    return reader.result(std::move(table));
}

base::Result<ReadRoster, std::vector<CsvMistake>> read_roster_file(const std::string& file) {
    const auto text = files::read_named_file(file, csv_bytes_max);
    if (!text)
        return base::failure(std::vector<CsvMistake>{
            {0, {}, text.error() + "; expected a CSV file such as students.csv"}});
    return read_roster(*text);
}

}  // namespace referee::roster
