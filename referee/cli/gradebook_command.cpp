#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "protocol/json/text.h"
#include "referee/cli/commands.h"
#include "referee/exit_code.h"
#include "referee/files/file.h"
#include "referee/grading/gradebook/gradebook.h"

namespace referee::cli {
namespace {

struct GradebookOptions {
    std::string grades;
    std::string tournament;
    std::string roster;
    std::string format;
    std::string assignment = "Referee";
    std::string course_export;
    std::string out;
    bool strict = false;
};

// A course's export of thousands of students and hundreds of columns.
constexpr std::size_t template_bytes_max = 64 * 1024 * 1024;

base::Result<gradebook::Grades, std::string> grades_of(const GradebookOptions& options) {
    if (options.grades.empty() == options.tournament.empty()) {
        return base::failure("gradebook: expected --grades DIR or --tournament FILE, found " +
                             std::string(options.grades.empty() ? "neither" : "both"));
    }
    return options.grades.empty() ? gradebook::read_standings(options.tournament)
                                  : gradebook::read_grades(options.grades);
}

base::Result<std::string, std::string> book_text(const GradebookOptions& options,
                                                 const gradebook::Gradebook& book,
                                                 const matching::ClassList& people,
                                                 std::vector<std::string>& remarks) {
    if (!options.course_export.empty() && options.format != "canvas")
        return base::failure(std::string("--template: expected with --format canvas alone"));
    if (options.format == "moodle") return gradebook::moodle_csv(book, people, options.assignment);
    if (options.format == "csv") return gradebook::plain_csv(book, people);
    if (options.format != "canvas") {
        return base::failure("--format: expected canvas, moodle or csv, found " + options.format);
    }
    if (options.course_export.empty())
        return gradebook::canvas_csv(book, people, options.assignment);
    const auto exported = files::read_named_file(options.course_export, template_bytes_max);
    if (!exported) return base::failure(options.course_export + " " + exported.error());
    auto filled = gradebook::canvas_filled_in(book, people, options.assignment, *exported);
    if (!filled) return base::failure(filled.error());
    remarks.insert(remarks.end(), filled->remarks.begin(), filled->remarks.end());
    return filled->text;
}

std::vector<std::string> remarks_of(const gradebook::Grades& grades,
                                    const gradebook::Gradebook& book,
                                    const matching::ClassList& people) {
    auto remarks = grades.mistakes;
    remarks.insert(remarks.end(), book.unknown.begin(), book.unknown.end());
    remarks.insert(remarks.end(), book.conflicts.begin(), book.conflicts.end());
    for (const auto& [person, open] : book.missing)
        remarks.push_back(text_of(people.people()[person]) +
                          (open.empty() ? ": no grade"
                                        : ": no grade yet, because it isn't final: " + open +
                                              "; grade it again"));
    return remarks;
}

int write_gradebook(const GradebookOptions& options) {
    const auto students = roster::read_roster_file(options.roster);
    if (!students)
        return refuse(base::joined(students.error(), "\n", [&options](const auto& mistake) {
            return roster::describe(mistake, options.roster);
        }));
    const auto grades = grades_of(options);
    if (!grades) return refuse(grades.error());
    const matching::ClassList people(*students);
    const auto book = gradebook::gradebook_of(*grades, people);
    auto remarks = remarks_of(*grades, book, people);
    const auto text = book_text(options, book, people, remarks);
    if (!text) return refuse(text.error());
    for (const auto& remark : remarks) std::cerr << protocol::json::in_log(remark) << '\n';
    if (const int status = write_output(options.out.empty() ? "-" : options.out, *text);
        status != exit_done)
        return status;
    const bool incomplete = options.strict && !remarks.empty();
    return incomplete || !book.conflicts.empty() ? exit_no : exit_done;
}

}  // namespace

void add_gradebook_command(CLI::App& command, int& status) {
    const auto options = std::make_shared<GradebookOptions>();
    command.description("Write grades as Canvas, Moodle or a spreadsheet takes them");
    command.footer(
        R"(  $ referee gradebook --grades grades --roster students.csv --format moodle -o moodle.csv
  $ referee gradebook --grades grades --roster students.csv --format canvas --assignment 'Bots (12345)' \
        --template export.csv -o canvas.csv
  $ referee gradebook --tournament out/standings.json --roster students.csv --format csv

A grade belongs to the students whom it names, else to the student or the team that has the bot's name in the
roster. Who has no grade, and grades that are nobody's, are told; with --strict they make the exit status 1.
Of a student with several grades none is taken, and the exit status is 1.)");
    command.add_option("--grades", options->grades, "A folder with NAME/grade.json for each bot");
    command.add_option("--tournament", options->tournament,
                       "A tournament's standings.json: its points");
    command.add_option("--roster", options->roster, "The class: a CSV file")->required();
    command.add_option("--format", options->format, "canvas, moodle or csv")->required();
    command
        .add_option("--assignment", options->assignment,
                    "The column's name; of Canvas as it exports it: \"Name (12345)\"")
        ->capture_default_str();
    command.add_option("--template", options->course_export,
                       "An export of the course's gradebook from Canvas, to be filled in");
    command.add_option("-o,--out", options->out, "The new file; else the standard output");
    command.add_flag("--strict", options->strict,
                     "Exit status 1 where anybody is missing or unknown");
    command.callback([options, &status] { status = write_gradebook(*options); });
}

}  // namespace referee::cli
