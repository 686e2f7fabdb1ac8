#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>
#include <thread>

#include "engines/registry.h"
#include "protocol/base/text.h"
#include "protocol/codec.h"
#include "referee/cli/commands.h"
#include "referee/config/read_config.h"
#include "referee/roster/kinds/kind.h"
#include "referee/submit/collect/collect.h"

namespace referee::cli {

namespace {

struct CollectArguments {
    collect::CollectOptions terms;
    std::string shape;
    std::string groups = "none";
    std::vector<std::string> deadlines;
    std::optional<Duration> grace;
    std::string run;
    std::string kind;
    std::optional<Duration> build_time;
};

using Understood = base::Result<void, std::string>;

Understood read_shape(CollectArguments& options) {
    if (options.shape.empty()) return {};
    options.terms.shape = base::value_named(exports::shapes, options.shape);
    if (options.terms.shape) return {};
    return base::failure("--shape: expected one of " +
                         base::joined(base::values_in(exports::shapes), ", ", exports::name_of) +
                         ", found " + options.shape);
}

Understood read_groups(CollectArguments& options) {
    if (options.groups == "none") return {};
    if (options.groups != "team" && options.groups != "first-line")
        return base::failure("--groups: expected none, team or first-line, found " +
                             options.groups);
    options.terms.groups =
        options.groups == "team" ? collect::GroupsBy::team : collect::GroupsBy::first_line;
    return {};
}

Understood read_times(CollectArguments& options) {
    for (const auto& text : options.deadlines) {
        auto deadline = exports::deadline_in(text);
        if (!deadline) return base::failure("--deadline: " + deadline.error());
        options.terms.deadlines.push_back(*std::move(deadline));
    }
    using std::chrono::floor;
    using std::chrono::seconds;
    if (options.grace) options.terms.grace_s = floor<seconds>(*options.grace).count();
    if (options.build_time) options.terms.limits.time = floor<seconds>(*options.build_time);
    return {};
}

Understood read_kind(const std::string& kind, collect::CollectOptions& terms) {
    if (kind.empty()) return {};
    terms.kind = kinds::find_kind(kind);
    if (terms.kind != nullptr) return {};
    return base::failure("--kind: found " + kind +
                         "; expected one of these: " + kinds::list_of_kinds());
}

Understood read_game(CollectArguments& options) {
    auto& terms = options.terms;
    if (auto kind = read_kind(options.kind, terms); !kind) return kind;
    if (terms.kind != nullptr) {
        if (terms.game.empty()) terms.game = terms.kind->game;
        if (terms.game != terms.kind->game)
            return base::failure("--game: a program of the kind " + options.kind + " plays " +
                                 std::string(terms.kind->game) + " alone, found " + terms.game);
    }
    const engines::Registry registry;
    if (!terms.game.empty() && registry.find(terms.game) == nullptr)
        return base::failure("--game: " + config::unknown_game(registry, terms.game));
    return {};
}

int collect(CollectArguments& options) {
    for (const auto check : {read_shape, read_groups, read_times, read_game}) {
        if (const auto checked = check(options); !checked) return refuse(checked.error());
    }
    auto& terms = options.terms;
    if (!options.run.empty()) terms.handout.run = kinds::command_of(options.run);
    terms.builds_at_once = std::max(1U, std::thread::hardware_concurrency());
    terms.terminal = ::isatty(STDERR_FILENO) == 1;
    return collect::collect(terms, std::cout, std::cerr);
}

struct BuildOptions {
    collect::CollectOptions terms;
    std::string source;
    std::string name = "bot";
    std::string run;
    std::string kind;
    std::optional<Duration> build_time;
    pid_t with_process = 0;
};

Understood understand(BuildOptions& options) {
    auto& terms = options.terms;
    if (!protocol::is_valid_name(options.name))
        return base::failure("--name: expected a bot's name of one printable line, such as Ada");
    if (auto kind = read_kind(options.kind, terms); !kind) return kind;
    if (!options.run.empty()) terms.handout.run = kinds::command_of(options.run);
    if (options.build_time)
        terms.limits.time = std::chrono::floor<std::chrono::seconds>(*options.build_time);
    return {};
}

// Whoever is killed leaves nobody behind that goes on in its folder; it may have been killed before
// this one was ready to hear of it.
void end_with(pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) std::raise(SIGKILL);
}

int build(BuildOptions& options) {
    if (options.with_process != 0) end_with(options.with_process);
    if (const auto understood = understand(options); !understood) return refuse(understood.error());
    return collect::build_single(options.terms, options.source, options.name, std::cout, std::cerr);
}

// How a course builds, where that isn't found out, and with what limits.
void add_handout_options(CLI::App& command, collect::CollectOptions& terms, std::string& run,
                         std::optional<Duration>& build_time) {
    command.add_option("--build", terms.handout.build, "The handout's command of a shell");
    command.add_option("--build-in", terms.handout.within,
                       "The handout's folder, in which it works");
    command.add_option("--run", run,
                       "What runs the program, in that folder; else what the build made");
    add_time_option(command, "--build-time", build_time, "90s or 2h",
                    "Of one build; 120s unless given", std::chrono::seconds(1));
    command.add_option("--build-memory", terms.limits.memory_mb, "Of one build, in MB")
        ->check(CLI::Range(64, 1 << 20))
        ->capture_default_str();
    add_unsandboxed(command, terms.unsandboxed);
}

}  // namespace

void add_collect_command(CLI::App& command, int& status) {
    const auto options = std::make_shared<CollectArguments>();
    auto& terms = options->terms;
    command.description("Unpack and build what a class handed in, from the archives of a course");
    command.footer(
        R"(  $ referee collect moodle.zip --roster students.csv --out snake --game snake_labyrinth \
        --build 'gcc -O2 -std=c99 --pedantic *.c -o iap' --build-in iap --kind snake-challenge \
        --deadline challenge-1=2026-05-01T23:59+02:00 --deadline final=2026-06-01T23:59+02:00 --grace 2h
  $ referee collect submissions.zip --roster students.csv --out e7 --kind octave-function

Reads the archives as Moodle, Canvas, Gradescope and GitHub Classroom write them, finds the students by the
roster, and builds each submission in the sandbox: by --build, or by what is in it (CMakeLists.txt, Makefile,
Maven's and Gradle's layout, the files of one language). The folder gets collected.json, collected.txt,
tournament.json for `referee run`, and a folder for each submission. Called again it goes on where it was, and
builds only what is new. configs/GRADING.md tells it all.

Exit status: 0 all is there and built; 1 something was refused, unknown, to be looked at, left by an earlier
collection or did not build; 2 the command line, the roster, groups.txt or an archive is wrong; 3 trouble of the machine, which is never told as a student's.)");
    command
        .add_option("ARCHIVE", terms.archives, "zip, tar, tar.gz, 7z or rar; later ones are newer")
        ->required();
    command.add_option("--roster", terms.roster, "The class: a CSV file")->required();
    command.add_option("--out", terms.out, "A folder: a new one, or that of the last time")
        ->required();
    command.add_option("--game", terms.game, "Of the tournament: walls, light_cycles, ...");
    command.add_option("--kind", options->kind,
                       "The submissions are programs of this kind, which speak no protocol");
    command.add_option("--shape", options->shape,
                       "moodle, canvas, gradescope, classroom or plain; else it is found out");
    command
        .add_option("--groups", options->groups,
                    "Who hands in together: none, team (of the roster) or first-line (the ids in "
                    "the first line of main.c)")
        ->capture_default_str();
    add_repeated_option(command, "--deadline", options->deadlines,
                        "2026-05-01T23:59+02:00, or NAME=... once for each challenge");
    add_time_option(command, "--grace", options->grace, "2h or 90s",
                    "Late only after so long beyond, such as 2h");
    add_handout_options(command, terms, options->run, options->build_time);
    command.callback([options, &status] { status = collect(*options); });
}

void add_build_command(CLI::App& command, int& status) {
    const auto options = std::make_shared<BuildOptions>();
    auto& terms = options->terms;
    command.description("Build one submission in the sandbox, as a course builds it");
    command.footer(
        R"(  $ referee build my-bot.zip --out built
  $ referee build iap/ --out built --build 'gcc -O2 -std=c99 *.c -o iap' --kind snake-challenge

Takes an archive, a single file or a folder, finds how it is built (CMakeLists.txt, Makefile, Maven's and Gradle's
layout, the files of one language) unless --build says it, and builds a copy of it in the sandbox, with limits of
time and memory. `referee collect` and a daemon that takes programs (`referee submit`) build in the same way, so
this tells whether they will. What was built stands in OUT/submissions/NAME.

Exit status: 0 it is built, or nothing is to be built; 1 it can't be taken or does not build; 2 the command line is
wrong; 3 trouble of the machine.)");
    command.add_option("SOURCE", options->source, "An archive, a file or a folder")->required();
    command.add_option("--out", terms.out, "A folder: a new one, or that of the last time")
        ->required();
    command.add_option("--name", options->name, "Of the bot")->capture_default_str();
    command.add_option("--kind", options->kind,
                       "It is a program of this kind, which speaks no protocol");
    add_handout_options(command, terms, options->run, options->build_time);
    add_repeated_option(command, "--run-word", terms.handout.run,
                        "The same, each of its words by such an option");
    command.add_option("--with-process", options->with_process,
                       "End at once when this process ends, which began this one");
    command.callback([options, &status] { status = build(*options); });
}

}  // namespace referee::cli
