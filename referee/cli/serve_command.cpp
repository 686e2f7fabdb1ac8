#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "referee/cli/commands.h"
#include "referee/cli/config_file.h"
#include "referee/cli/unsandboxed.h"
#include "referee/daemon/daemon.h"
#include "referee/exit_code.h"
#include "referee/report/log/log.h"

namespace referee::cli {
namespace {

int serve(const daemon::DaemonOptions& options, bool level_given) {
    const auto config = read_config(options.config);
    if (!config) return exit_bad_input;
    // A daemon logs at "info", because people look for its news there; --log-level overrides it.
    if (!level_given) log::set_level(config->log_level.empty() ? "info" : config->log_level);
    const auto ending = daemon::serve(*config, options);
    if (!ending.message.empty()) std::cerr << ending.message << '\n';
    return ending.status;
}

}  // namespace

void add_serve_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<daemon::DaemonOptions>();
    auto* command = app.add_subcommand(
        "serve", "Stay up, let bots come and go, and play tournaments and ladders");
    command->footer(
        R"(Does all that `run` does, and stays until it is stopped. What was played stands in referee.db
of the folder: a daemon that is started again there goes on, whatever ended the one before.

  $ referee serve configs/class.json --out class
  $ referee ctl --out class status

SIGTERM or Ctrl-C: no new games; running ones may end within "grace"; once more stops at once.
SIGHUP: reads the config again (new bots, tournaments, addresses, the log's level).)");
    command->add_option("CONFIG", options->config, "The config, JSON with comments")->required();
    command->add_option("--out", options->out, "The folder of the store and of all that is written")
        ->required();
    add_unsandboxed(*command, options->unsandboxed);
    command->callback(
        [options, &app, &status] { status = serve(*options, app.count("--log-level") > 0); });
}

}  // namespace referee::cli
