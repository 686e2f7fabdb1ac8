#include "referee/grading/gradebook/gradebook.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "protocol/base/visible_text.h"
#include "protocol/json/writer.h"
#include "referee/roster/csv.h"

namespace referee::gradebook {
namespace {

using matching::ClassList;
using matching::Feature;
using matching::ListedPerson;
using Cells = std::vector<std::string>;

constexpr std::string_view points_possible = "Points Possible";
// As Canvas itself exports it.
constexpr std::string_view points_possible_cell = "    Points Possible";

// The shortest text that reads as the same number.
std::string number_text(double number) {
    std::string text;
    protocol::json::Writer(text).real(number);
    return text;
}

// Text that a spreadsheet only shows.
std::string shown(const std::string& text) {
    return base::is_formula(text) ? base::text_mark + text : text;
}

std::string full_name(const ListedPerson& person) {
    return person.full_name.empty() ? person.bot : person.full_name;
}

// What a service or a roster has stays text in a spreadsheet; numbers stay numbers.
std::string text_of(roster::CsvTable table) {
    for (auto& row : table.rows)
        for (auto& cell : row.cells) cell = shown(cell);
    return roster::write_csv(table);
}

// A row for each entry, below that of the points possible where there is one. Services write the
// lines of CSV files with carriage returns, as RFC 4180 has them.
template <typename CellsOf>
std::string book_text(Cells header, Cells possible, const Gradebook& book, const ClassList& people,
                      const CellsOf& cells_of) {
    roster::CsvTable table;
    table.dialect.carriage_returns = true;
    table.header.cells = std::move(header);
    if (!possible.empty()) table.rows.push_back({0, std::move(possible)});
    for (const auto& entry : book.entries)
        table.rows.push_back({0, cells_of(entry, people.people()[entry.person])});
    return text_of(std::move(table));
}

std::string login_of(const ListedPerson& person) {
    return person.logins.empty() ? person.email : person.logins.front();
}

// As the school's services know it: by the roster's column for that, else by the student's id.
std::string school_id(const ListedPerson& person) {
    return person.school_id.empty() ? person.student_id : person.school_id;
}

// The place of a column by its name; as many as there are columns where there is none.
std::size_t column(const roster::CsvTable& table, std::string_view name) {
    const auto& cells = table.header.cells;
    return static_cast<std::size_t>(std::ranges::find(cells, name) - cells.begin());
}

const std::string& cell_of(const roster::CsvRow& row, std::size_t place) {
    static const std::string nothing;
    return place < row.cells.size() ? row.cells[place] : nothing;
}

// "Bots (12345)" is the column for "Bots" too; "Bots (late) (12346)" is another one's.
bool is_column_of(std::string_view header, const std::string& assignment) {
    if (!header.starts_with(assignment + " (") || !header.ends_with(')')) return false;
    header.remove_prefix(assignment.size() + 2);
    header.remove_suffix(1);
    constexpr std::string_view digits = "0123456789";
    return !header.empty() && header.find_first_not_of(digits) == std::string_view::npos;
}

// The column of the assignment; as many as there are columns where there is none. An error: there
// are several.
base::Result<std::size_t, std::string> assignment_column(const roster::CsvTable& table,
                                                         const std::string& assignment) {
    const auto& headers = table.header.cells;
    const auto exactly = column(table, assignment);
    if (exactly < headers.size()) return exactly;
    auto found = headers.size();
    for (std::size_t i = 0; i < headers.size(); ++i) {
        if (!is_column_of(headers[i], assignment)) continue;
        if (found < headers.size())
            return base::failure("--template: has several columns for the assignment: \"" +
                                 headers[found] + "\" and \"" + headers[i] +
                                 "\"; expected one of them as --assignment");
        found = i;
    }
    return found;
}

std::vector<std::size_t> student_in(const roster::CsvRow& row, const roster::CsvTable& table,
                                    const ClassList& people) {
    static constexpr std::array<std::pair<std::string_view, Feature>, 5> tries{
        {{"ID", Feature::id},
         {"SIS User ID", Feature::id},
         {"SIS Login ID", Feature::email},
         {"SIS Login ID", Feature::login},
         {"Student", Feature::name}}};
    for (const auto& [name, feature] : tries) {
        const auto& text = cell_of(row, column(table, name));
        if (text.empty()) continue;
        auto found = people.with(feature, text);
        if (found.size() == 1) return found;
    }
    return {};
}

}  // namespace

std::string canvas_csv(const Gradebook& book, const ClassList& people,
                       const std::string& assignment) {
    return book_text(
        {"Student", "ID", "SIS User ID", "SIS Login ID", "Section", shown(assignment)},
        {std::string(points_possible_cell), "", "", "", "", number_text(book.points_possible)},
        book, people, [](const GradebookEntry& entry, const ListedPerson& person) -> Cells {
            return {full_name(person), person.canvas_id, school_id(person),
                    login_of(person),  person.section,   number_text(entry.points)};
        });
}

base::Result<FilledIn, std::string> canvas_filled_in(const Gradebook& book, const ClassList& people,
                                                     const std::string& assignment,
                                                     std::string_view exported) {
    auto parsed = roster::parse_csv(exported);
    if (!parsed) return base::failure(roster::describe(parsed.error().front(), "--template"));
    auto table = *std::move(parsed);
    if (column(table, "Student") == table.header.cells.size())
        return base::failure(std::string(
            "--template: expected an export of Canvas's gradebook with a column Student, found "
            "none"));
    const auto column_found = assignment_column(table, assignment);
    if (!column_found) return base::failure(column_found.error());
    const auto place = *column_found;
    const bool is_new = place == table.header.cells.size();
    if (is_new) {
        table.header.cells.push_back(shown(assignment));
        for (auto& row : table.rows) row.cells.emplace_back();
    }
    std::map<std::size_t, double> points;
    for (const auto& entry : book.entries) points[entry.person] = entry.points;
    FilledIn filled;
    for (auto& row : table.rows) {
        auto& student = row.cells[column(table, "Student")];
        if (student.find(points_possible) != std::string::npos) {
            student = points_possible_cell;  // its blanks are lost where it had no quotes
            const auto possible = number_text(book.points_possible);
            if (is_new) row.cells[place] = possible;
            const auto& given = row.cells[place];
            char* end = nullptr;
            const auto number = std::strtod(given.c_str(), &end);
            if (!given.empty() && *end == '\0' && book.points_possible > 0 &&
                number != book.points_possible)
                filled.remarks.push_back("the template has " + base::visible_line(given) +
                                         " points possible, and the grades are of " + possible +
                                         ": expected the same; Canvas changes an assignment's");
            continue;
        }
        // Such as the row that says which assignments are posted by hand.
        if (student.find_first_not_of(' ') == std::string::npos) continue;
        const auto found = student_in(row, table, people);
        const auto grade = found.empty() ? points.end() : points.find(found.front());
        if (grade == points.end()) {
            filled.remarks.push_back(base::visible_line(student) +
                                     (found.empty() ? " of the template is nobody of the roster"
                                                    : " of the template has no grade"));
            continue;
        }
        row.cells[place] = number_text(grade->second);
        points.erase(grade);
    }
    for (const auto& [person, left] : points)
        filled.remarks.push_back(text_of(people.people()[person]) + " is not in the template");
    filled.text = text_of(std::move(table));
    return filled;
}

std::string moodle_csv(const Gradebook& book, const ClassList& people,
                       const std::string& assignment) {
    return book_text(
        {"Email address", "ID number", shown(assignment), shown(assignment + " (feedback)")}, {},
        book, people, [](const GradebookEntry& entry, const ListedPerson& person) -> Cells {
            return {person.email, school_id(person), number_text(entry.points), entry.feedback};
        });
}

std::string plain_csv(const Gradebook& book, const ClassList& people) {
    return book_text({"name", "student", "student_id", "email", "team", "points", "of", "feedback"},
                     {}, book, people,
                     [&](const GradebookEntry& entry, const ListedPerson& person) -> Cells {
                         return {person.bot,
                                 full_name(person),
                                 person.student_id,
                                 person.email,
                                 person.team,
                                 number_text(entry.points),
                                 number_text(book.points_possible),
                                 entry.feedback};
                     });
}

}  // namespace referee::gradebook
