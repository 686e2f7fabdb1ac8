#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include "referee/cli/commands.h"
#include "referee/exit_code.h"
#include "referee/standings/trf_table.h"
#include "referee/trf/trf.h"

namespace referee::cli {
namespace {

int print_table(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (file) text << file.rdbuf();
    if (!file) {
        std::cerr << path << ": can't be read; expected a FIDE report file\n";
        return exit_bad_input;
    }
    const auto parsed = trf::parse(text.str());
    if (const auto* problem = std::get_if<trf::Problem>(&parsed)) {
        std::cerr << path << ':' << problem->line << ':' << problem->column << ": expected " << problem->expected << '\n';
        return exit_bad_input;
    }
    std::cout << standings::trf_table(std::get<trf::Document>(parsed));
    return exit_done;
}

}  // namespace

void add_standings_command(CLI::App& app, int& status) {
    const auto path = std::make_shared<std::string>();
    auto* command = app.add_subcommand("standings", "Standings and tie-breaks of a FIDE report file");
    command->footer(R"(  $ referee standings --trf tournament.trf

A header and a line for each player, cells separated by tabs. What each tie-break means
is in referee/standings/README.md.)");
    command->add_option("--trf", *path, "TRF16, TRF(x) or TRF26")->required();
    command->callback([path, &status] { status = print_table(*path); });
}

}  // namespace referee::cli
