#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>
#include <memory>

#include "protocol/json/text.h"
#include "referee/cli/commands.h"
#include "referee/exit_code.h"
#include "referee/grading/hall_of_fame/hall.h"
#include "referee/net/loop/machine.h"

namespace referee::cli {
namespace {

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
    if (!text.empty() && text.size() <= semester_bytes_max &&
        protocol::json::is_one_printable_line(text))
        return true;
    std::cerr << "--semester: expected one line of 1 to " << semester_bytes_max
              << " bytes, such as \"Fall 2026\"\n";
    return false;
}

int show_hall(const HallOptions& options) {
    const auto entries = hall_of_fame::read_table(hall_of_fame::file_of(options.table));
    if (!entries) return ended(entries.error());
    const auto rows = hall_of_fame::rows_of(*entries, options.filter);
    std::cout << (options.json       ? hall_of_fame::json_of(rows)
                  : options.csv      ? hall_of_fame::csv_of(rows)
                  : options.markdown ? hall_of_fame::markdown_of(rows)
                                     : hall_of_fame::text_of(rows));
    for (const auto& doubt : hall_of_fame::doubts_about(rows))
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
    return refuse(protocol::json::visible_line(options.name) + " stands nowhere in " +
                      hall_of_fame::file_of(options.table) + ": nothing was changed",
                  exit_no);
}

int remove_from_hall(const HallOptions& options) {
    if (!is_semester(options.filter.semester)) return exit_bad_input;
    const auto removed =
        hall_of_fame::remove(hall_of_fame::file_of(options.table), options.name, options.filter);
    if (!removed) return ended(removed.error());
    if (*removed == 0) return nobody(options);
    std::cout << protocol::json::visible_line(options.name) << " is taken out\n";
    return exit_done;
}

int forget_in_hall(const HallOptions& options) {
    const auto placeholder =
        hall_of_fame::forget(hall_of_fame::file_of(options.table), options.name);
    if (!placeholder) return ended(placeholder.error());
    if (placeholder->empty()) return nobody(options);
    std::cout << protocol::json::visible_line(options.name) << " becomes " << *placeholder << '\n';
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
