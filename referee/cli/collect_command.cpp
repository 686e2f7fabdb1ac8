#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <thread>

#include "engines/registry.h"
#include "referee/cli/commands.h"
#include "referee/cli/unsandboxed.h"
#include "referee/config/fields.h"
#include "referee/config/unknown_game.h"
#include "referee/exit_code.h"
#include "referee/roster/kinds/command_text.h"
#include "referee/submit/collect/collect.h"

namespace referee::cli {
namespace {

struct CollectArguments {
    collect::CollectOptions terms;
    std::string shape;
    std::string groups = "none";
    std::vector<std::string> deadlines;
    std::string grace;
    std::string run;
    std::string kind;
    std::string build_time;
};

using Understood = base::Result<void, std::string>;

Understood read_shape(CollectArguments& options) {
    if (options.shape.empty()) return {};
    options.terms.shape = exports::shape_of(options.shape);
    if (options.terms.shape) return {};
    std::string names;
    for (const auto shape : exports::all_shapes)
        names += (names.empty() ? "" : ", ") + std::string(exports::name_of(shape));
    return base::failure("--shape: expected one of " + names + ", found " + options.shape);
}

Understood read_groups(CollectArguments& options) {
    if (options.groups == "none") return {};
    if (options.groups != "team" && options.groups != "first-line") {
        return base::failure("--groups: expected none, team or first-line, found " +
                             options.groups);
    }
    options.terms.groups =
        options.groups == "team" ? collect::Groups::team : collect::Groups::first_line;
    return {};
}

base::Result<std::optional<Duration>, std::string> span_of(const std::string& option,
                                                           const std::string& text) {
    if (text.empty()) return std::optional<Duration>();
    const auto time = config::time_from(text);
    if (!time || *time <= Duration::zero())
        return base::failure(option + ": expected a time such as 2h or 90s, found " + text);
    return std::optional<Duration>(*time);
}

Understood read_times(CollectArguments& options) {
    for (const auto& text : options.deadlines) {
        auto deadline = exports::deadline_in(text);
        if (!deadline) return base::failure("--deadline: " + deadline.error());
        options.terms.deadlines.push_back(*std::move(deadline));
    }
    const auto grace = span_of("--grace", options.grace);
    if (!grace) return base::failure(grace.error());
    using std::chrono::duration_cast;
    using std::chrono::seconds;
    if (*grace) options.terms.grace_s = duration_cast<seconds>(**grace).count();
    const auto build = span_of("--build-time", options.build_time);
    if (!build) return base::failure(build.error());
    if (*build) options.terms.limits.time = std::max(seconds(1), duration_cast<seconds>(**build));
    return {};
}

Understood read_game(CollectArguments& options) {
    auto& terms = options.terms;
    if (!options.kind.empty()) {
        terms.kind = kinds::find_kind(options.kind);
        if (terms.kind == nullptr) {
            return base::failure("--kind: found " + options.kind +
                                 "; expected one of these: " + kinds::list_of_kinds());
        }
        if (terms.game.empty()) terms.game = terms.kind->game;
        if (terms.game != terms.kind->game) {
            return base::failure("--game: a program of the kind " + options.kind + " plays " +
                                 std::string(terms.kind->game) + " alone, found " + terms.game);
        }
    }
    const engines::Registry registry;
    if (!terms.game.empty() && registry.find(terms.game) == nullptr)
        return base::failure("--game: " + config::unknown_game(registry, terms.game));
    return {};
}

int collect(CollectArguments& options) {
    for (const auto check : {read_shape, read_groups, read_times, read_game}) {
        if (const auto checked = check(options); !checked) {
            std::cerr << checked.error() << '\n';
            return exit_bad_input;
        }
    }
    auto& terms = options.terms;
    if (!options.run.empty()) terms.handout.run = kinds::command_of(options.run);
    terms.builds_at_once = std::max(1U, std::thread::hardware_concurrency());
    terms.terminal = ::isatty(STDERR_FILENO) == 1;
    return collect::collect(terms, std::cout, std::cerr);
}

}  // namespace

void add_collect_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<CollectArguments>();
    auto& terms = options->terms;
    auto* command = app.add_subcommand(
        "collect", "Unpack and build what a class handed in, from the archives of a course");
    command->footer(
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
        ->add_option("ARCHIVE", terms.archives, "zip, tar, tar.gz, 7z or rar; later ones are newer")
        ->required();
    command->add_option("--roster", terms.roster, "The class: a CSV file")->required();
    command->add_option("--out", terms.out, "A folder: a new one, or that of the last time")
        ->required();
    command->add_option("--game", terms.game, "Of the tournament: walls, light_cycles, ...");
    command->add_option("--kind", options->kind,
                        "The submissions are programs of this kind, which speak no protocol");
    command->add_option("--shape", options->shape,
                        "moodle, canvas, gradescope, classroom or plain; else it is found out");
    command
        ->add_option("--groups", options->groups,
                     "Who hands in together: none, team (of the roster) or first-line (the ids in "
                     "the first line of main.c)")
        ->capture_default_str();
    command
        ->add_option("--deadline", options->deadlines,
                     "2026-05-01T23:59+02:00, or NAME=... once for each challenge")
        ->allow_extra_args(false);
    command->add_option("--grace", options->grace, "Late only after so long beyond, such as 2h");
    command->add_option("--build", terms.handout.build, "The handout's command of a shell");
    command->add_option("--build-in", terms.handout.within,
                        "The handout's folder, in which it works");
    command->add_option("--run", options->run,
                        "What runs the program, in that folder; else what the build made");
    command->add_option("--build-time", options->build_time, "Of one build; 120s unless given");
    command->add_option("--build-memory", terms.limits.memory_mb, "Of one build, in MB")
        ->check(CLI::Range(64, 1 << 20))
        ->capture_default_str();
    add_unsandboxed(*command, terms.unsandboxed);
    command->callback([options, &status] { status = collect(*options); });
}

}  // namespace referee::cli
