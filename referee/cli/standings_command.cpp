#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "referee/cli/commands.h"
#include "referee/cli/report_file.h"
#include "referee/contest/standings/trf_report.h"
#include "referee/exit_code.h"

namespace referee::cli {
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
    command->footer(R"(  $ referee standings --trf tournament.trf

A header and a line for each player, cells separated by tabs. What each tie-break means
is in referee/contest/standings/README.md.)");
    command->add_option("--trf", *path, "TRF16, TRF(x) or TRF26; - for the standard input")
        ->required();
    command->callback([path, &status] { status = print_table(*path); });
}

}  // namespace referee::cli
