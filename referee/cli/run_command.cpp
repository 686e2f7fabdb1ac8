#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "protocol/base/shell_word.h"
#include "referee/cli/commands.h"
#include "referee/cli/config_file.h"
#include "referee/cli/open_page.h"
#include "referee/cli/unsandboxed.h"
#include "referee/daemon/live_painter.h"
#include "referee/daemon/tournament_run.h"
#include "referee/exit_code.h"

namespace referee::cli {
namespace {

struct RunCommandOptions {
    std::string config;
    daemon::RunOptions run;
    bool quiet = false;
    bool open = false;
};

int run(const RunCommandOptions& options) {
    const auto config = read_config(options.config);
    if (!config) return exit_bad_input;
    auto run = options.run;
    if (options.quiet) run.shown = daemon::Shown::trouble;
    run.resume = "referee run " + base::shell_word(options.config) + " --out " +
                 base::shell_word(run.out) + (options.quiet ? " --quiet" : "") +
                 (run.unsandboxed ? " --unsandboxed" : "");
    for (const auto& bot : run.fail_on_forfeits)
        run.resume += " --fail-on-forfeits " + base::shell_word(bot);
    const auto ending = daemon::run_tournaments(*config, run, std::cout);
    if (!ending.message.empty()) std::cerr << ending.message << '\n';
    if (options.open && ending.status <= exit_no) open_page(run.out + "/index.html");
    return ending.status;
}

}  // namespace

void add_run_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<RunCommandOptions>();
    auto* command =
        app.add_subcommand("run", "Play the tournaments of a config and write their standings");
    command->footer(
        R"(Launches the bots that the config says to launch, waits for those that dial in,
plays, writes standings.json, .csv, .txt, games/*.ndjson and an index.html that shows them all in
a browser, and exits. What was played stands
in referee.db of the same folder: after Ctrl-C or a power cut the same command goes on with it.

  $ referee run configs/walls-round-robin.json --out out

On a terminal a table shows how far it is while it plays: matches, games a second, about how long it
still takes (as soon as enough was measured), who leads, and the latest faults. ExecutorMatches, and where
TERM is dumb, it is a line every two seconds, and more seldom the longer
it takes; with --quiet it is nothing.

The exit status is 0 when the tournaments are finished, whoever won. A CI job wants to know of its
own submission:

  $ referee run ci.json --out out --quiet --fail-on-forfeits submission

ends with 1 where that bot crashed, didn't come, or was too late so that it lost a game by it. A bot
that can't be launched at all (its program is missing, or the sandbox can't be made) ends the run
with 3: no game is forfeited for it, and the same command goes on when that is mended.

configs/README.md explains the config; `referee check` finds its mistakes.)");
    command->add_option("CONFIG", options->config, "The config, JSON with comments")->required();
    command
        ->add_option("--out", options->run.out,
                     "The folder for what is written; a run that was stopped there goes on")
        ->required();
    command->add_flag(
        "--quiet", options->quiet,
        "Nothing on the screen but what may need you: bots that are withdrawn, a disk "
        "that is full, games that wait for a calm machine; and at the end how many "
        "games were annulled and played again");
    command
        ->add_option("--fail-on-forfeits", options->run.fail_on_forfeits,
                     "Exit status 1 where this bot has forfeited a game by its own fault, for CI; "
                     "once for each bot")
        ->allow_extra_args(false);
    command->add_flag("--open", options->open,
                      "At the end, show the standings and all games in the browser: index.html of "
                      "the folder, which works from disk");
    add_unsandboxed(*command, options->run.unsandboxed);
    command->callback([options, &status] {
        options->run.terminal = daemon::can_show_a_table();
        status = run(*options);
    });
}

}  // namespace referee::cli
