#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "referee/cli/commands.h"
#include "referee/cli/identity_options.h"
#include "referee/exit_code.h"
#include "referee/submit/client/hand_in.h"

namespace referee::cli {
namespace {

using client::Wish;

struct SubmitOptions {
    Wish wish;
    std::string address;
    IdentityOptions identity;
    bool look = false;
    bool withdraw = false;
    bool no_wait = false;
};

base::Result<void, std::string> understand(SubmitOptions& options) {
    auto& wish = options.wish;
    const int wishes =
        (wish.source.empty() ? 0 : 1) + (options.look ? 1 : 0) + (options.withdraw ? 1 : 0);
    if (wishes != 1)
        return base::failure(
            std::string("expected one of these: a program to hand in, --status "
                        "or --withdraw; such as referee submit my-bot/ --to "
                        "lab-server --name Ada"));
    if (!wish.source.empty()) wish.what = Wish::What::hand_in;
    if (options.withdraw) wish.what = Wish::What::withdraw;
    wish.waits = !options.no_wait;
    auto address = server_address_of("--to", options.address);
    if (!address) return base::failure(std::move(address.error()));
    wish.address = *std::move(address);
    auto identity = identity_of(options.identity);
    if (!identity) return base::failure(std::move(identity.error()));
    wish.identity = *std::move(identity);
    wish.terminal = ::isatty(STDERR_FILENO) == 1;
    return {};
}

int submit(SubmitOptions& options) {
    if (const auto understood = understand(options); !understood) {
        std::cerr << understood.error() << '\n';
        return exit_bad_input;
    }
    return client::fulfil(options.wish, std::cout, std::cerr);
}

}  // namespace

void add_submit_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<SubmitOptions>();
    auto* command = app.add_subcommand(
        "submit", "Hand in a program, which the referee builds and plays while you are away");
    command->footer(R"(  $ export REFEREE_TOKEN=my-own-secret
  $ referee submit my-bot/ --to lab-server --name Ada
  $ referee submit bot.zip --to tls://lab-server:7778#sha256=2f0c... --name Ada --token-file token
  $ referee submit --status --to lab-server --name Ada
  $ referee submit --withdraw --to lab-server --name Ada

A folder is packed without links and version control; an archive or a single source file goes as it is. The referee
builds it in its sandbox, as the course says or as what is in it tells (CMakeLists.txt, Makefile, Maven's and Gradle's
layout, the files of one language), and shows what the build printed. The newest version that is built plays from
the next match on; one that isn't built changes nothing. `referee build` tries the same on your own machine.

Exit status: 0 it is built, or what was asked is done; 1 it does not build; 2 the command line is wrong, or the
referee refused; 3 no way to the referee.)");
    command->add_option("SOURCE", options->wish.source, "A folder, an archive or a source file");
    command
        ->add_option("--to", options->address,
                     "HOST, HOST:PORT or tls://HOST:PORT#sha256=..., as the instructor gives it")
        ->required();
    add_identity_options(*command, options->identity);
    command->add_flag("--status", options->look, "What was handed in, and what became of it");
    command->add_flag("--withdraw", options->withdraw, "No program of this name plays any more");
    command->add_flag("--no-wait", options->no_wait, "Don't wait until it is built");
    command->add_flag("--json", options->wish.as_json,
                      "Print the referee's list as it sent it (submission_list in PROTOCOL.md)");
    command->callback([options, &status] { status = submit(*options); });
}

}  // namespace referee::cli
