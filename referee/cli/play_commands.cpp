#include <filesystem>
#include <iostream>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/cli/commands.h"
#include "referee/config/read_values.h"
#include "referee/files/file.h"
#include "referee/game/trace/replay.h"
#include "referee/single_game/single_game.h"
#include "referee/watch/terminal/terminal.h"

namespace referee::cli {

namespace {

struct PlayOptions {
    single_game::SingleGame game;
    std::optional<Duration> budget;
    bool human = false;
    std::size_t human_seat = 0;
};

int play_and_tell(const single_game::SingleGame& game) {
    const auto ending = single_game::play_game(game, std::cin, std::cout);
    if (!game.silent) return ended(ending);
    std::cout << single_game::as_json(ending) << '\n';
    return ending.status;
}

// Its bots are launched from here. An error says which file they can't read.
base::Result<void, std::string> set_up(single_game::SingleGame& game) {
    game.directory = std::filesystem::current_path().string();
    auto reads = absolute_reads(game.reads, game.directory);
    if (!reads) return base::failure(reads.error());
    game.reads = *std::move(reads);
    return {};
}

// A person may take any time.
constexpr Duration a_day = std::chrono::hours(24);

int play(PlayOptions options) {
    if (options.human) {
        options.game.person = options.human_seat;
        options.game.screen = terminal::screen_size();
    }
    if (auto set = set_up(options.game); !set) return refuse(set.error());
    if (options.human || options.budget) {
        clock::ClockConfig clock;
        if (options.human) {
            clock.kind = clock::ClockKind::none;
            clock.measure = clock::Measure::cpu;  // of which a person uses none
            clock.hard_limit = a_day;
        } else {
            clock.budget = *options.budget;
        }
        options.game.clock = clock::completed(clock);
    }
    return play_and_tell(options.game);
}

struct ForkOptions {
    std::string replay;
    std::int64_t turn = 0;
    std::string bot;
    std::string seat;  // its number or its bot's name; empty: the only one
    std::vector<std::string> against;
    single_game::SingleGame game;
};

// The seat that the new program takes. An error says which there are.
base::Result<std::size_t, std::string> new_seat(const std::string& given,
                                                const std::vector<std::string>& bots) {
    if (given.empty() && bots.size() == 1) return 0;
    if (given.empty())
        return base::failure(
            "--seat: say which seat the new program takes, by its number or its bot: " +
            seats_told(bots));
    return seat_named(given, bots);
}

// The commands of all seats: the others' as given, in the order of their seats, and reference bots
// for those that are left.
base::Result<std::vector<std::string>, std::string> commands_of(const ForkOptions& options,
                                                                std::size_t seat, std::size_t seats,
                                                                const engines::Game& game) {
    if (options.against.size() >= seats) {
        const auto given = base::counted(options.against.size(), "command is", "commands are");
        return base::failure(fmt::format("--against: the game has {}, and {} given",
                                         base::counted(seats - 1, "other seat"), given));
    }
    const auto reference = game.info().reference_bots;
    std::vector<std::string> commands;
    auto given = options.against.begin();
    for (std::size_t other = 0; other < seats; ++other) {
        if (other == seat) {
            commands.push_back(options.bot);
        } else if (given != options.against.end()) {
            commands.push_back(*given++);
        } else {
            commands.emplace_back(reference.empty() ? "random" : reference.back());
        }
    }
    return commands;
}

std::string beginning_told(const trace::ForkPoint& point, std::int64_t turn,
                           const std::vector<std::string>& commands) {
    std::string text =
        fmt::format("played on from turn {} of {}:", turn, base::visible_line(point.past.game_id));
    for (std::size_t seat = 0; seat < commands.size(); ++seat)
        text += fmt::format("{}{} in place of {} (seat {})", seat == 0 ? " " : ", ", commands[seat],
                            base::visible_line(point.past.bots[seat]), seat);
    return text +
           "\nEach bot is told what came before (resumed, history). Whether it makes use of "
           "that can't be seen from outside.\n";
}

int fork_game(ForkOptions options) {
    if (const auto mistake = mistake_of_output("--replay", options.game.replay, options.replay);
        !mistake.empty())
        return refuse(mistake);
    const auto replay = files::read_named_file(options.replay, input_bytes_max);
    if (!replay) return refuse(options.replay + " " + replay.error());
    const engines::Registry registry;
    const auto point = trace::fork_point(*replay, options.replay, options.turn, registry);
    if (!point) return refuse(point.error().message);
    const auto seat = new_seat(options.seat, point->past.bots);
    if (!seat) return refuse(seat.error());
    auto commands =
        commands_of(options, *seat, point->past.bots.size(), *registry.find(point->game));
    if (!commands) return refuse(commands.error());
    if (auto mistake = single_game::mistake_in_commands(*commands, point->game); !mistake.empty())
        return refuse(mistake);
    auto& game = options.game;
    game.game = point->game;
    game.params = point->params;
    game.seed = point->seed;
    game.clock = point->clock;
    game.past = point->past;
    game.told_seat = *seat;
    if (auto set = set_up(game); !set) return refuse(set.error());
    if (!game.silent) std::cout << beginning_told(*point, options.turn, *commands) << std::flush;
    game.bots = *std::move(commands);
    return play_and_tell(game);
}

void add_quiet(CLI::App& command, single_game::SingleGame& game) {
    command.add_flag_callback(
        "--quiet", [&game] { game.show = false; }, "Show the last position only");
}

void add_sandbox_options(CLI::App& command, single_game::SingleGame& game) {
    add_repeated_option(command, "--reads", game.reads,
                        "A file or folder that the bots may read in the sandbox; once for each");
    add_unsandboxed(command, game.unsandboxed);
}

}  // namespace

void add_play_command(CLI::App& command, int& status) {
    auto& options = options_of<PlayOptions>(command, status, play);
    command.description("Play one game on the spot, with bots or by hand");
    command.footer(R"(  $ referee play walls --bot walls-greedy --bot 'python3 my_bot.py'
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
write in /tmp alone. What they print on their standard error is shown, a line each behind the
bot's name.

The exit status is 1 where the first --bot forfeits the game by its own fault: it crashed, never came
or was too late so that it lost by it; and where it gave no valid move at all. It is 3 where a bot's command can't be started at all,
or not in the sandbox, which hides what it needs.)");
    command.add_option("GAME", options.game.game, "walls, light_cycles, e7_planets, ...")
        ->required();
    add_repeated_option(
        command, "--bot", options.game.bots,
        "A bot's command, KIND:FILE for a student's program, or random; once for each seat");
    command.add_flag("--human", options.human, "Play yourself, without a clock");
    command.add_option("--human-seat", options.human_seat, "Which seat, from 0")->needs("--human");
    command.add_option("--params", options.game.params, "The game's params as JSON");
    command.add_option("--seed", options.game.seed, "For games with chance")->capture_default_str();
    command.add_option("--maps", options.game.maps_directory, "A folder with maps of your own");
    add_time_option(command, "--budget", options.budget, "1s or 50ms",
                    "Time for a turn, such as 1s; else the game's own clock");
    add_time_option(command, "--start-within", options.game.start_within, "30s or 500ms",
                    "Time for a bot from its launch to its login; 30s unless given");
    command
        .add_option_function<std::string>(
            "--stdout",
            [&options](const std::string& word) {
                if (word == "pipe") options.game.standard_output = config::StandardOutput::pipe;
            },
            "The bots' standard output: socket, as long as nothing else is said, or pipe, for "
            "programs that open /dev/stdout")
        ->check(CLI::IsMember({"socket", "pipe"}));
    add_quiet(command, options.game);
    command
        .add_flag("--json", options.game.silent,
                  "Show nothing but one JSON object at the end: the exit status and the result "
                  "(configs/README.md has its members)")
        ->excludes("--human");
    command.add_option("--replay", options.game.replay, "Write the replay to this file");
    add_sandbox_options(command, options.game);
}

void add_fork_command(CLI::App& command, int& status) {
    auto& options = options_of<ForkOptions>(command, status, fork_game);
    command.description("Play a recorded game on from one of its turns, with your bot");
    command.footer(
        R"(  $ referee fork out/games/friday_12.1.ndjson --turn 41 --seat alice --bot ./alice
  $ referee fork game.ndjson --turn 7 --bot 'python3 my_bot.py' --replay again.ndjson

The engine is led to the turn, which is then played anew: the same start, the same seed, the
same clock, with the time that was used before charged. Each bot gets its start with resumed, and
the history of all turns before (protocol/PROTOCOL.md). A bot that makes nothing of these plays as
if the game had begun there; the result says what all were told (past_told_by), and what it was
forked from.

The programs of the recorded game are not known here, so the other seats are played by what
--against says, in the order of their seats; else by the game's strongest reference bot.

The turn at which a bot failed is the one after its last: the loss is not taken over.
The exit status is that of `referee play`, and tells of the new program.)");
    command.add_option("GAME", options.replay, "The game's replay file")->required();
    command.add_option("--turn", options.turn, "The first turn that is played anew, from 1")
        ->required();
    command
        .add_option("--bot", options.bot,
                    "The new program's command, KIND:FILE for a student's program, or random")
        ->required();
    command.add_option("--seat", options.seat,
                       "Whose seat it takes: a number from 0, or the name of the bot there");
    add_repeated_option(command, "--against", options.against,
                        "Who takes the next of the other seats");
    command.add_option("--replay", options.game.replay, "Write the new game's replay to this file");
    add_quiet(command, options.game);
    command.add_flag("--json", options.game.silent,
                     "Show nothing but one JSON object at the end: the exit status and the result");
    add_sandbox_options(command, options.game);
}

}  // namespace referee::cli
