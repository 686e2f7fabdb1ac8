#include <cmath>
#include <iostream>
#include <memory>

#include "protocol/base/visible_text.h"
#include "referee/cli/commands.h"
#include "referee/files/file.h"
#include "referee/grading/gradebook/gradebook.h"
#include "referee/grading/hall_of_fame/hall.h"
#include "referee/net/loop/machine.h"

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
    if (options.grades.empty() == options.tournament.empty())
        return base::failure("gradebook: expected --grades DIR or --tournament FILE, found " +
                             std::string(options.grades.empty() ? "neither" : "both"));
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
    if (options.format != "canvas")
        return base::failure("--format: expected canvas, moodle or csv, found " + options.format);
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
    const auto students = matching::students_in(options.roster);
    if (!students) return refuse(students.error());
    const auto grades = grades_of(options);
    if (!grades) return refuse(grades.error());
    const matching::ClassList people(*students);
    const auto book = gradebook::gradebook_of(*grades, people);
    auto remarks = remarks_of(*grades, book, people);
    const auto text = book_text(options, book, people, remarks);
    if (!text) return refuse(text.error());
    for (const auto& remark : remarks) std::cerr << base::safe_for_ci_log(remark) << '\n';
    if (const int status = write_output(options.out.empty() ? "-" : options.out, *text);
        status != exit_done)
        return status;
    const bool incomplete = options.strict && !remarks.empty();
    return incomplete || !book.conflicts.empty() ? exit_no : exit_done;
}

struct HallOptions {
    std::string table{hall_of_fame::default_name};
    hall_of_fame::Filter filter;
    bool json = false;
    bool csv = false;
    bool markdown = false;
    std::vector<std::string> grades;
    std::string step;
    double bar = 0;
    std::string name;
};

// Nobody's average comes near.
constexpr double bar_most = 1e9;
constexpr std::size_t semester_bytes_max = 100;

bool is_semester(const std::string& text) {
    if (!text.empty() && text.size() <= semester_bytes_max && base::is_one_printable_line(text))
        return true;
    std::cerr << "--semester: expected one line of 1 to " << semester_bytes_max
              << " bytes, such as \"Fall 2026\"\n";
    return false;
}

int show_hall(const HallOptions& options) {
    const auto entries = hall_of_fame::read_table(hall_of_fame::file_of(options.table));
    if (!entries) return ended(entries.error());
    const auto ranked = hall_of_fame::ranked(*entries, options.filter);
    std::cout << (options.json       ? hall_of_fame::json_of(ranked)
                  : options.csv      ? hall_of_fame::csv_of(ranked)
                  : options.markdown ? hall_of_fame::markdown_of(ranked)
                                     : hall_of_fame::text_of(ranked));
    for (const auto& doubt : hall_of_fame::doubts_about(ranked))
        std::cerr << "note: " << doubt << '\n';
    return exit_done;
}

int add_to_hall(const HallOptions& options) {
    if (!is_semester(options.filter.semester)) return exit_bad_input;
    std::vector<hall_of_fame::Candidate> candidates;
    const auto entered_ms = loop::wall_clock_ms();
    bool all_read = true;
    for (const auto& file : options.grades) {
        auto candidate = hall_of_fame::read_candidate(file, options.step);
        if (candidate) {
            candidate->entry.semester = options.filter.semester;
            candidate->entry.entered_ms = entered_ms;
            candidates.push_back(*std::move(candidate));
            continue;
        }
        std::cerr << candidate.error() << '\n';
        all_read = false;
    }
    if (!all_read) return refuse("nobody was entered");
    const auto bar = std::llround(options.bar * hall_of_fame::thousandths_of_one);
    const auto added = hall_of_fame::add(hall_of_fame::file_of(options.table), candidates, bar);
    if (!added) return ended(added.error());
    bool all_in = true;
    for (const auto& one : *added) {
        std::cout << one.told << '\n';
        all_in = all_in && one.is_in;
    }
    return all_in ? exit_done : exit_no;
}

int nobody(const HallOptions& options) {
    return refuse(base::visible_line(options.name) + " stands nowhere in " +
                      hall_of_fame::file_of(options.table) + ": nothing was changed",
                  exit_no);
}

int remove_from_hall(const HallOptions& options) {
    if (!is_semester(options.filter.semester)) return exit_bad_input;
    const auto removed =
        hall_of_fame::remove(hall_of_fame::file_of(options.table), options.name, options.filter);
    if (!removed) return ended(removed.error());
    if (*removed == 0) return nobody(options);
    std::cout << base::visible_line(options.name) << " is taken out\n";
    return exit_done;
}

int forget_in_hall(const HallOptions& options) {
    const auto placeholder =
        hall_of_fame::forget(hall_of_fame::file_of(options.table), options.name);
    if (!placeholder) return ended(placeholder.error());
    if (placeholder->empty()) return nobody(options);
    std::cout << base::visible_line(options.name) << " becomes " << *placeholder << '\n';
    return exit_done;
}

void add_table_option(CLI::App& command, HallOptions& options) {
    command
        .add_option("--table", options.table,
                    "The table's file, or a folder in which it is hall-of-fame.json")
        ->capture_default_str();
}

void add_add(CLI::App& hall, const std::shared_ptr<HallOptions>& options, int& status) {
    auto* command = hall.add_subcommand("add", "Enter the programs of grades that reach the bar");
    command->add_option("GRADE", options->grades, "Files grade.json")->required();
    command->add_option("--semester", options->filter.semester, "Such as \"Fall 2026\"")
        ->required();
    command->add_option("--bar", options->bar, "The least average that enters")
        ->required()
        ->check(CLI::Range(-bar_most, bar_most));
    command->add_option("--step", options->step,
                        "The rubric's step whose average counts, where they differ");
    add_table_option(*command, *options);
    command->callback([options, &status] { status = add_to_hall(*options); });
}

void add_remove(CLI::App& hall, const std::shared_ptr<HallOptions>& options, int& status) {
    auto* command = hall.add_subcommand("remove", "Take a name out of a semester's table");
    command->add_option("NAME", options->name, "As the table shows it")->required();
    command->add_option("--semester", options->filter.semester, "Its semester")->required();
    command->add_option("--game", options->filter.game, "Only of this game");
    add_table_option(*command, *options);
    command->callback([options, &status] { status = remove_from_hall(*options); });
}

void add_forget(CLI::App& hall, const std::shared_ptr<HallOptions>& options, int& status) {
    auto* command =
        hall.add_subcommand("forget", "Put a placeholder in a name's place, in all semesters");
    command->add_option("NAME", options->name, "As the table shows it")->required();
    add_table_option(*command, *options);
    command->callback([options, &status] { status = forget_in_hall(*options); });
}

}  // namespace

void add_gradebook_command(CLI::App& command, int& status) {
    auto& options = options_of<GradebookOptions>(command, status, write_gradebook);
    command.description("Write grades as Canvas, Moodle or a spreadsheet takes them");
    command.footer(
        R"(  $ referee gradebook --grades grades --roster students.csv --format moodle -o moodle.csv
  $ referee gradebook --grades grades --roster students.csv --format canvas --assignment 'Bots (12345)' \
        --template export.csv -o canvas.csv
  $ referee gradebook --tournament out/standings.json --roster students.csv --format csv

A grade belongs to the students whom it names, else to the student or the team that has the bot's name in the
roster. Who has no grade, and grades that are nobody's, are told; with --strict they make the exit status 1.
Of a student with several grades none is taken, and the exit status is 1.)");
    command.add_option("--grades", options.grades, "A folder with NAME/grade.json for each bot");
    command.add_option("--tournament", options.tournament,
                       "A tournament's standings.json: its points");
    command.add_option("--roster", options.roster, "The class: a CSV file")->required();
    command.add_option("--format", options.format, "canvas, moodle or csv")->required();
    command
        .add_option("--assignment", options.assignment,
                    "The column's name; of Canvas as it exports it: \"Name (12345)\"")
        ->capture_default_str();
    command.add_option("--template", options.course_export,
                       "An export of the course's gradebook from Canvas, to be filled in");
    command.add_option("-o,--out", options.out, "The new file; else the standard output");
    command.add_flag("--strict", options.strict,
                     "Exit status 1 where anybody is missing or unknown");
}

void add_hall_command(CLI::App& command, int& status) {
    const auto options = std::make_shared<HallOptions>();
    command.description("The best programs across semesters, by their average scores");
    command.footer(
        R"(  $ referee hall-of-fame add grades/*/grade.json --semester "Fall 2026" --bar 650
  $ referee hall-of-fame
  $ referee hall-of-fame --semester "Fall 2026" --json > standings.json
  $ referee hall-of-fame remove ann --semester "Fall 2026"

The table is a file that outlives the semester. A name keeps its best of a semester; who has the
same average shares a rank; a grade that isn't final enters nobody. Exit status of `add`: 0 all
stand there now; 1 not all of them, with the reason of each; 2 a file is no grade with an average:
then nobody was entered; 3 another process changes the table, or the machine's trouble.)");
    command.require_subcommand(0, 1);
    command
        .add_option("TABLE", options->table,
                    "The table's file, or a folder in which it is hall-of-fame.json")
        ->capture_default_str();
    command.add_option("--game", options->filter.game, "Only this game's");
    command.add_option("--semester", options->filter.semester,
                       "Only this semester's: ranks count among them");
    auto* json = command.add_flag("--json", options->json, "As JSON, which --standings reads");
    auto* csv = command.add_flag("--csv", options->csv, "As CSV")->excludes(json);
    command.add_flag("--markdown", options->markdown, "As Markdown")->excludes(json)->excludes(csv);
    add_add(command, options, status);
    add_remove(command, options, status);
    add_forget(command, options, status);
    command.callback([options, &command, &status] {
        if (command.get_subcommands().empty()) status = show_hall(*options);
    });
}

}  // namespace referee::cli
