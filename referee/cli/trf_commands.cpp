#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "referee/cli/commands.h"
#include "referee/cli/report_file.h"
#include "referee/contest/standings/trf_report.h"
#include "referee/exit_code.h"

namespace referee::cli {
namespace {

void add_pair_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<PairArguments>();
    auto* command =
        app.add_subcommand("pair", "Pair the next round of a FIDE report file by the Dutch system");
    command->footer(R"(  $ referee trf pair tournament.trf
  $ referee trf pair --check tournament.trf

The answer is the number of pairs, then a line "white black" for each board, the bye
last as "ID 0"; where all rounds are played already, standard error says so. The exit
status is 1 where there is no legal pairing, or where --check finds a round that comes out
differently; 2 where the file is malformed, which is told with line and column.)");
    command->add_option("FILE", options->file, "TRF16, TRF(x) or TRF26; - for the standard input")
        ->required();
    command->add_flag("--check", options->check,
                      "Derive each played round again and tell differences");
    command->add_option("-o,--output", options->output, "Write the pairs to this file");
    command->callback([options, &status] { status = pair_report(*options, std::cout, std::cerr); });
}

namespace {

int print_table(const std::string& path) {
    const auto document = report_in(path, std::cerr);
    if (!document) return exit_bad_input;
    std::cout << standings::trf_table(*document);
    return exit_done;
}

}  // namespace

void add_standings_command(CLI::App& app, int& status) {
    const auto path = std::make_shared<std::string>();
    auto* command =
        app.add_subcommand("standings", "Standings and tie-breaks of a FIDE report file");
    command->footer(R"(  $ referee trf standings --trf tournament.trf

A header and a line for each player, cells separated by tabs. What each tie-break means
is in referee/contest/standings/README.md.)");
    command->add_option("--trf", *path, "TRF16, TRF(x) or TRF26; - for the standard input")
        ->required();
    command->callback([path, &status] { status = print_table(*path); });
}

}  // namespace

void add_trf_command(CLI::App& app, int& status) {
    auto* command =
        app.add_subcommand("trf", "Chess' report files: pair the next round, print standings");
    command->footer(R"(  $ referee trf pair tournament.trf
  $ referee trf standings --trf tournament.trf)");
    command->require_subcommand(1);
    add_pair_command(*command, status);
    add_standings_command(*command, status);
}

}  // namespace referee::cli
