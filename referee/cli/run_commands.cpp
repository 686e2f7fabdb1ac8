#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "referee/cli/commands.h"
#include "referee/cluster/jobs/job_folder.h"
#include "referee/daemon/daemon.h"
#include "referee/files/log/log.h"
#include "referee/run/run_screen.h"
#include "referee/run/tournament_run.h"

namespace referee::cli {

namespace {

// Whether the program that finds the browser was there and found one.
bool opened(std::string file) {
    std::string program = "xdg-open";
    std::array<char*, 3> words{program.data(), file.data(), nullptr};
    posix_spawn_file_actions_t quiet;
    if (posix_spawn_file_actions_init(&quiet) != 0) return false;
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_RDWR, 0);
    pid_t pid = 0;
    const bool begun =
        posix_spawnp(&pid, program.c_str(), &quiet, nullptr, words.data(), environ) == 0;
    posix_spawn_file_actions_destroy(&quiet);
    int status = 0;
    return begun && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

// Without a screen a browser would take over this terminal.
bool has_screen() {
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
        const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
        if (value != nullptr && *value != '\0') return true;
    }
    return false;
}

// Shows a page from disk in the person's browser; where none can be called, says where the page is.
void open_page(const std::string& file) {
    std::error_code error;
    const auto whole = std::filesystem::absolute(file, error).lexically_normal().string();
    const auto& page = error ? file : whole;
    if (!std::filesystem::exists(page, error)) {
        std::cerr << page << ": there is no such page\n";
        return;
    }
    if (!has_screen() || !opened(page))
        std::cout << "The standings and all games, for a browser: " << page << '\n';
}

struct RunCommandOptions {
    std::string config;
    run::RunOptions run;
    bool open = false;
};

int run(const RunCommandOptions& options) {
    const auto config = read_config(options.config);
    if (!config) return exit_bad_input;
    auto run = options.run;
    run.terminal = run::can_show_a_table();
    const int status = ended(run::run_tournaments(*config, run, std::cout));
    if (options.open && status <= exit_no) open_page(run.out + "/index.html");
    return status;
}

int serve(const daemon::DaemonOptions& options, bool level_given) {
    const auto config = read_config(options.config);
    if (!config) return exit_bad_input;
    // A daemon logs at "info", because people look for its news there; --log-level overrides it.
    if (!level_given) log::set_level(config->log_level.empty() ? "info" : config->log_level);
    return ended(daemon::serve(*config, options));
}

int play_job(const std::string& folder) {
    const auto ending = jobs::play_job(folder);
    if (!ending.message.empty())
        (ending.status == exit_done ? std::cout : std::cerr) << ending.message << '\n';
    return ending.status;
}

}  // namespace

void add_run_command(CLI::App& command, int& status) {
    auto& options =
        options_of<RunCommandOptions>(command, status, [&command](RunCommandOptions given) {
            given.run.resume = command_line(command);
            return run(given);
        });
    command.description("Play the tournaments of a config and write their standings");
    command.footer(
        R"(Launches the bots that the config says to launch, waits for those that dial in,
plays, writes standings.json, .csv, .txt, games/*.ndjson and an index.html that shows them all in
a browser, and exits. What was played stands
in referee.db of the same folder: after Ctrl-C or a power cut the same command goes on with it.

  $ referee run configs/walls-round-robin.json --out out

On a terminal a table shows how far it is while it plays: matches, games a second, about how long it
still takes (as soon as enough was measured), who leads, and the latest faults. Elsewhere, and where
TERM is dumb, it is a line every two seconds, and more seldom the longer
it takes; with --quiet it is nothing.

The exit status is 0 when the tournaments are finished, whoever won. A CI job wants to know of its
own submission:

  $ referee run ci.json --out out --quiet --fail-on-forfeits submission

ends with 1 where that bot crashed, didn't come, or was too late so that it lost a game by it. A bot
that can't be launched at all (its program is missing, or the sandbox can't be made) ends the run
with 3: no game is forfeited for it, and the same command goes on when that is mended.

configs/README.md explains the config; `referee check` finds its mistakes.)");
    command.add_option("CONFIG", options.config, "The config, JSON with comments")->required();
    command
        .add_option("--out", options.run.out,
                    "The folder for what is written; a run that was stopped there goes on")
        ->required();
    command.add_flag_callback(
        "--quiet", [&options] { options.run.shown = run::Shown::trouble; },
        "Nothing on the screen but what may need you: bots that are withdrawn, a disk "
        "that is full, games that wait for a calm machine; and at the end how many "
        "games were annulled and played again");
    add_repeated_option(command, "--fail-on-forfeits", options.run.fail_on_forfeits,
                        "Exit status 1 where this bot has forfeited a game by its own fault, for "
                        "CI; once for each bot");
    command.add_flag("--statistics", options.run.statistics,
                     "At the end, print what statistics.txt has: ratings, and how sure each is");
    command.add_flag("--open", options.open,
                     "At the end, show the standings and all games in the browser: index.html of "
                     "the folder, which works from disk");
    add_unsandboxed(command, options.run.unsandboxed);
}

void add_serve_command(CLI::App& command, int& status) {
    const auto& app = *command.get_parent();
    auto& options = options_of<daemon::DaemonOptions>(command, status, [&app](const auto& given) {
        return serve(given, app.count("--log-level") > 0);
    });
    command.description("Stay up, let bots come and go, and play tournaments and ladders");
    command.footer(
        R"(Does all that `run` does, and stays until it is stopped. What was played stands in referee.db
of the folder: a daemon that is started again there goes on, whatever ended the one before.

  $ referee serve configs/class.json --out class
  $ referee ctl --out class status

SIGTERM or Ctrl-C: no new games; running ones may end within "grace"; once more stops at once.
SIGHUP: reads the config again (new bots, tournaments, addresses, the log's level).)");
    command.add_option("CONFIG", options.config, "The config, JSON with comments")->required();
    command.add_option("--out", options.out, "The folder of the store and of all that is written")
        ->required();
    add_unsandboxed(command, options.unsandboxed);
}

void add_job_command(CLI::App& command, int& status) {
    auto& folder = options_of<std::string>(command, status, play_job);
    command.description("Play matches of another machine's tournament");
    command.footer(R"(  $ referee job /shared/friday/jobs/000017

The folder holds job.json: matches of a tournament, with their seeds, seats and programs. They are
played as `run` would play them, on the cores that this process may use, and result.ndjson is
written when all of them are over. Where it is there already, nothing is played. SIGTERM ends it
soon and writes nothing: the job can be played again, here or elsewhere. configs/MACHINES.md tells
of the files.)");
    command.add_option("FOLDER", folder, "The job's folder")->required();
}

}  // namespace referee::cli
