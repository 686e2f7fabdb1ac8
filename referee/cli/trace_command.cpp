#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include "referee/cli/commands.h"
#include "referee/exit_code.h"
#include "referee/game/trace/trace.h"

namespace referee::cli {
namespace {

struct TraceOptions {
    std::string setup;
    std::string moves;
    std::vector<std::string> replays;
};

// "-" is the standard input.
bool open_input(const std::string& path, std::ifstream& file) {
    if (path == "-") return true;
    file.open(path, std::ios::binary);
    if (file) return true;
    std::cerr << path << ": can't be read; expected a file, or - for the standard input\n";
    return false;
}

int trace_game(const TraceOptions& options) {
    const engines::Registry registry;
    std::ifstream setup_file;
    std::ifstream moves_file;
    if (!open_input(options.setup, setup_file) || !open_input(options.moves, moves_file))
        return exit_bad_input;
    std::ostringstream text;
    text << (options.setup == "-" ? std::cin : setup_file).rdbuf();
    auto setup = trace::read_setup(text.str(), options.setup, registry);
    if (!setup) {
        std::cerr << setup.error().message << '\n';
        return exit_bad_input;
    }
    auto& moves = options.moves == "-" ? std::cin : static_cast<std::istream&>(moves_file);
    const auto traced = trace::trace(*setup, moves, options.moves, std::cout);
    std::cout.flush();
    if (!std::cout) {
        std::cerr << "the trace can't be written to the standard output\n";
        return exit_trouble;
    }
    if (traced) return exit_done;
    std::cerr << traced.error().message << '\n';
    return exit_bad_input;
}

int check_replays(const TraceOptions& options) {
    const engines::Registry registry;
    int status = exit_done;
    for (const auto& path : options.replays) {
        std::ifstream file;
        if (!open_input(path, file)) return exit_bad_input;
        const auto checked = trace::check_replay(
            path == "-" ? std::cin : static_cast<std::istream&>(file), path, registry);
        if (!checked) {
            std::cerr << checked.error().message << '\n';
            return exit_bad_input;
        }
        const auto& verdict = *checked;
        if (verdict.differences.empty()) {
            std::cout << path << ": game " << verdict.game_id << ", " << verdict.turns
                      << " turns, played again: all agrees\n";
            continue;
        }
        status = exit_no;
        for (const auto& difference : verdict.differences)
            std::cout << path << ": differs: " << difference << '\n';
    }
    return status;
}

}  // namespace

void add_trace_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<TraceOptions>();
    auto* command =
        app.add_subcommand("trace", "Drive a game by hand: no bots, no clock, no network");
    command->footer(R"(SETUP is one JSON object, MOVES has a line for each turn:

  $ cat setup.json
  {"game": "walls", "seed": 1, "params": {"size": 3}}
  $ cat moves.ndjson
  {"moves": ["F", null]}
  {"moves": [null, "R"]}
  $ referee trace setup.json moves.ndjson

The answer has a line for the state after each turn, and the outcome at the end
(null where the moves ran out first). A file that is not as it should be is told
with its line, and the exit status is 2.

  $ referee trace --replay out/games/friday_12.1.ndjson

plays a recorded game again; the exit status is 1 if anything differs.)");
    auto* setup =
        command->add_option("SETUP", options->setup, "Setup as JSON; - for the standard input");
    auto* moves =
        command->add_option("MOVES", options->moves, "Moves as NDJSON; - for the standard input")
            ->needs(setup);
    command->add_option("--replay", options->replays, "Play recorded games again and compare")
        ->excludes(setup)
        ->excludes(moves);
    command->callback([options, &status] {
        if (!options->replays.empty()) {
            status = check_replays(*options);
        } else if (options->setup.empty() || options->moves.empty()) {
            throw CLI::RequiredError("SETUP and MOVES, or --replay FILE,");
        } else {
            status = trace_game(*options);
        }
    });
}

}  // namespace referee::cli
