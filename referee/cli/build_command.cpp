#include <sys/prctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>

#include "protocol/codec.h"
#include "referee/cli/commands.h"
#include "referee/cli/unsandboxed.h"
#include "referee/config/fields.h"
#include "referee/exit_code.h"
#include "referee/roster/kinds/command_text.h"
#include "referee/submit/collect/single.h"

namespace referee::cli {
namespace {

struct BuildOptions {
    collect::CollectOptions terms;
    std::string source;
    std::string name = "bot";
    std::string run;
    std::string kind;
    std::string time;
    pid_t with_process = 0;
};

base::Result<void, std::string> understand(BuildOptions& options) {
    auto& terms = options.terms;
    if (!protocol::is_valid_name(options.name))
        return base::failure("--name: expected a bot's name of one printable line, such as Ada");
    if (!options.kind.empty()) {
        terms.kind = kinds::find_kind(options.kind);
        if (terms.kind == nullptr)
            return base::failure("--kind: found " + options.kind +
                                 "; expected one of these: " + kinds::list_of_kinds());
    }
    if (!options.run.empty()) terms.handout.run = kinds::command_of(options.run);
    if (options.time.empty()) return {};
    const auto time = config::time_from(options.time);
    if (!time || *time < std::chrono::seconds(1))
        return base::failure("--build-time: expected a time such as 90s, found " + options.time);
    terms.limits.time = std::chrono::duration_cast<std::chrono::seconds>(*time);
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
    if (const auto understood = understand(options); !understood) {
        std::cerr << understood.error() << '\n';
        return exit_bad_input;
    }
    return collect::build_single(options.terms, options.source, options.name, std::cout, std::cerr);
}

}  // namespace

void add_build_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<BuildOptions>();
    auto& terms = options->terms;
    auto* command =
        app.add_subcommand("build", "Build one submission in the sandbox, as a course builds it");
    command->footer(
        R"(  $ referee build my-bot.zip --out built
  $ referee build iap/ --out built --build 'gcc -O2 -std=c99 *.c -o iap' --kind snake-challenge

Takes an archive, a single file or a folder, finds how it is built (CMakeLists.txt, Makefile, Maven's and Gradle's
layout, the files of one language) unless --build says it, and builds a copy of it in the sandbox, with limits of
time and memory. `referee collect` and a daemon that takes programs (`referee submit`) build in the same way, so
this tells whether they will. What was built stands in OUT/submissions/NAME.

Exit status: 0 it is built, or nothing is to be built; 1 it can't be taken or does not build; 2 the command line is
wrong; 3 trouble of the machine.)");
    command->add_option("SOURCE", options->source, "An archive, a file or a folder")->required();
    command->add_option("--out", terms.out, "A folder: a new one, or that of the last time")
        ->required();
    command->add_option("--name", options->name, "Of the bot")->capture_default_str();
    command->add_option("--kind", options->kind,
                        "It is a program of this kind, which speaks no protocol");
    command->add_option("--build", terms.handout.build, "The handout's command of a shell");
    command->add_option("--build-in", terms.handout.within,
                        "The handout's folder, in which it works");
    command->add_option("--run", options->run,
                        "What runs the program, in that folder; else what the build made");
    command
        ->add_option("--run-word", terms.handout.run,
                     "The same, each of its words by such an option")
        ->allow_extra_args(false);
    command->add_option("--build-time", options->time, "120s unless given");
    command->add_option("--build-memory", terms.limits.memory_mb, "In MB")
        ->check(CLI::Range(64, 1 << 20))
        ->capture_default_str();
    command->add_option("--with-process", options->with_process,
                        "End at once when this process ends, which began this one");
    add_unsandboxed(*command, terms.unsandboxed);
    command->callback([options, &status] { status = build(*options); });
}

}  // namespace referee::cli
