#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "referee/cli/commands.h"
#include "referee/cli/unsandboxed.h"
#include "referee/config/fields.h"
#include "referee/config/paths.h"
#include "referee/daemon/single_game.h"
#include "referee/daemon/single_game_report.h"
#include "referee/exit_code.h"

namespace referee::cli {
namespace {

struct PlayOptions {
    daemon::SingleGame game;
    std::string budget;
    std::string start_within;
    bool human = false;
    std::size_t human_seat = 0;
    bool quiet = false;
    bool json = false;
};

// The terminal that the person looks at; of the usual size where none is known.
engines::Screen terminal_screen() {
    engines::Screen screen;
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return screen;
    if (size.ws_col > 0) screen.columns = size.ws_col;
    if (size.ws_row > 0) screen.lines = size.ws_row;
    return screen;
}

// A person may take any time.
constexpr Duration a_day = std::chrono::hours(24);

int play(PlayOptions options) {
    if (options.human) {
        options.game.person = options.human_seat;
        options.game.screen = terminal_screen();
    }
    options.game.directory = std::filesystem::current_path().string();
    options.game.show = !options.quiet;
    options.game.silent = options.json;
    for (auto& path : options.game.reads) {
        path = config::absolute_path(std::filesystem::current_path().string(), path);
        if (path == "/") {
            std::cerr << "--reads: expected what the bots need alone, such as . or /opt/jdk-17, "
                         "found /, which holds everything\n";
            return exit_bad_input;
        }
    }
    if (!options.start_within.empty()) {
        const auto time = config::time_from(options.start_within);
        if (!time || *time <= Duration::zero()) {
            std::cerr << "--start-within: expected a time such as 30s or 500ms, found "
                      << options.start_within << '\n';
            return exit_bad_input;
        }
        options.game.start_within = *time;
    }
    if (options.human || !options.budget.empty()) {
        clock::ClockConfig clock;
        if (options.human) {
            clock.kind = clock::ClockKind::none;
            clock.measure = clock::Measure::cpu;  // of which a person uses none
            clock.hard_limit = a_day;
        } else if (const auto budget = config::time_from(options.budget)) {
            clock.budget = *budget;
        } else {
            std::cerr << "--budget: expected a time such as 1s or 50ms, found " << options.budget
                      << '\n';
            return exit_bad_input;
        }
        options.game.clock = clock::completed(clock);
    }
    const auto ending = daemon::play_game(options.game, std::cin, std::cout);
    if (options.json) {
        std::cout << daemon::as_json(ending) << '\n';
    } else if (!ending.message.empty()) {
        std::cerr << ending.message << '\n';
    }
    return ending.status;
}

}  // namespace

void add_play_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<PlayOptions>();
    auto* command = app.add_subcommand("play", "Play one game on the spot, with bots or by hand");
    command->footer(R"(  $ referee play walls --bot walls-greedy --bot 'python3 my_bot.py'
  $ referee play walls --human --bot walls-minimax
  $ referee play walls --bot walls-greedy --bot random
  $ referee play snake_labyrinth --human --params '{"maze": "handout"}'

Bots are launched and speak the protocol on their standard input and output. The
commands take the seats in their order; a person takes the one that --human-seat says.
The bot "random" is built in and plays any legal move of any game; without a --bot it
takes all seats that are left.

A program that was written for a course's handout plays unchanged as KIND:FILE, such as
octave:e7planets_player.m. The kinds are octave, racket, snake, superball and walls; the
last three take a command too, as in 'walls:java -jar Walls.jar'
(sample_bots/adapters/README.md).

Launched bots run in a sandbox. There they see the system's programs, the files that their
command names, and what --reads names (--reads . for a bot with modules beside it), and can
write in /tmp alone.

The exit status is 1 where the first --bot forfeits the game by its own fault: it crashed, never came
or was too late so that it lost by it; and where it gave no valid move at all. It is 3 where a bot's command can't be started at all,
or not in the sandbox, which hides what it needs.)");
    command->add_option("GAME", options->game.game, "walls, light_cycles, e7_planets, ...")
        ->required();
    command
        ->add_option(
            "--bot", options->game.bots,
            "A bot's command, KIND:FILE for a student's program, or random; once for each seat")
        ->allow_extra_args(false);
    command->add_flag("--human", options->human, "Play yourself, without a clock");
    command->add_option("--human-seat", options->human_seat, "Which seat, from 0")
        ->needs("--human");
    command->add_option("--params", options->game.params, "The game's params as JSON");
    command->add_option("--seed", options->game.seed, "For games with chance")
        ->capture_default_str();
    command->add_option("--maps", options->game.maps_directory, "A folder with maps of your own");
    command->add_option("--budget", options->budget,
                        "Time for a turn, such as 1s; else the game's own clock");
    command->add_option("--start-within", options->start_within,
                        "Time for a bot from its launch to its login; 30s unless given");
    command
        ->add_option_function<std::string>(
            "--stdout",
            [options](const std::string& word) {
                if (word == "pipe") options->game.standard_output = config::StandardOutput::pipe;
            },
            "The bots' standard output: socket, as long as nothing else is said, or pipe, for "
            "programs that open /dev/stdout")
        ->check(CLI::IsMember({"socket", "pipe"}));
    command->add_flag("--quiet", options->quiet, "Show the last position only");
    command
        ->add_flag("--json", options->json,
                   "Show nothing but one JSON object at the end: the exit status and the result "
                   "(configs/README.md has its members)")
        ->excludes("--human");
    command
        ->add_option("--reads", options->game.reads,
                     "A file or folder that the bots may read in the sandbox; once for each")
        ->allow_extra_args(false);
    command->add_option("--replay", options->game.replay, "Write the replay to this file");
    add_unsandboxed(*command, options->game.unsandboxed);
    command->callback([options, &status] { status = play(*options); });
}

}  // namespace referee::cli
