#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "protocol/json/printable.h"
#include "referee/cli/commands.h"
#include "referee/cli/identity_options.h"
#include "referee/config/fields.h"
#include "referee/connect/bridge/bridge.h"
#include "referee/exit_code.h"
#include "referee/roster/kinds/kind.h"
#include "referee/roster/kinds/sample_bots_place.h"

namespace referee::cli {
namespace {

struct ConnectOptions {
    std::string address;
    IdentityOptions identity;
    std::string keep;
    std::string login_within;
    std::string give_up_after;
    std::uint64_t matches = 0;
    bool trace = false;
    std::vector<std::string> command;
};

base::Result<Duration, std::string> positive_time(std::string_view option,
                                                  const std::string& text) {
    const auto time = config::time_from(text);
    if (!time || *time <= Duration::zero())
        return base::failure(std::string(option) + ": expected a time such as 30s or 10m, found " +
                             protocol::json::visible_line(text));
    return *time;
}

// The first word may name a kind of program, as in `play`.
base::Result<std::vector<std::string>, std::string> command_of(
    const std::vector<std::string>& words) {
    std::string line;
    for (const auto& word : words) line += (line.empty() ? "" : " ") + word;
    const auto program = kinds::program_in(line);
    if (!program) return base::failure("COMMAND: " + program.error());
    if (!*program) return words;
    return kinds::launch_of(**program, std::filesystem::current_path().string(),
                            kinds::sample_bots_place())
        .command;
}

base::Result<bridge::BridgeOptions, std::string> bridge_options(const ConnectOptions& options) {
    bridge::BridgeOptions bridge;
    auto address = server_address_of("HOST", options.address);
    if (!address) return base::failure(std::move(address.error()));
    bridge.address = *std::move(address);
    auto identity = identity_of(options.identity);
    if (!identity) return base::failure(std::move(identity.error()));
    bridge.identity = *std::move(identity);
    auto words = command_of(options.command);
    if (!words) return base::failure(std::move(words.error()));
    bridge.command = *std::move(words);
    bridge.keep =
        options.keep.empty() ? bridge::default_folder(bridge.identity.name) : options.keep;
    bridge.trace = options.trace;
    if (options.matches > 0) bridge.matches = options.matches;
    if (!options.login_within.empty()) {
        const auto time = positive_time("--login-within", options.login_within);
        if (!time) return base::failure(time.error());
        bridge.login_within = *time;
    }
    if (!options.give_up_after.empty()) {
        const auto time = positive_time("--give-up-after", options.give_up_after);
        if (!time) return base::failure(time.error());
        bridge.give_up_after = *time;
    }
    return bridge;
}

int connect(const ConnectOptions& options) {
    const auto bridge = bridge_options(options);
    if (!bridge) {
        std::cerr << bridge.error() << '\n';
        return exit_bad_input;
    }
    return bridge::run_bridge(*bridge, std::cerr, std::cout);
}

}  // namespace

void add_connect_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<ConnectOptions>();
    auto* command = app.add_subcommand(
        "connect", "Join a program that speaks on standard input and output to a referee");
    command->footer(R"(  $ export REFEREE_TOKEN=my-own-secret
  $ referee connect lab-server --name Ada -- python3 my_bot.py
  $ referee connect lab-server:7777 --name Ada --trace --matches 1 -- ./my_bot
  $ referee connect lab-server --name Ada -- octave:e7planets_player.m
  $ referee connect tls://lab-server:7778#sha256=2f0c... --name Ada --token-file token -- java MyBot

The program reads the referee's lines from its standard input, and prints its answers to standard
output (protocol/PROTOCOL.md); it needs no network. The bridge puts name, token, password and version into its
login, dials again when the connection is lost, and begins the program again when it ends after a
valid move. What happens to it is told here in plain words, and a table at the end. The folder of
--keep has all that it printed and the stories of its last 20 games. No process of it stays behind.

Exit status: 0 done (the referee's goodbye, or --matches); 1 the program failed; 2 bad input, or the
referee refused the login; 3 no connection within --give-up-after; 130 or 143 interrupted.)");
    command
        ->add_option("HOST", options->address,
                     "HOST, HOST:PORT or tls://HOST:PORT#sha256=..., as the instructor gives it")
        ->required();
    command->add_option("COMMAND", options->command, "The program and its arguments, behind --")
        ->required();
    add_identity_options(*command, options->identity);
    command->add_option("--version", options->identity.version,
                        "Which version of the program this is, such as 2.1: the results of its "
                        "games name it (or REFEREE_VERSION; else as the program says)");
    command->add_option("--matches", options->matches, "End when so many matches are over")
        ->check(CLI::PositiveNumber);
    command->add_option("--keep", options->keep,
                        "The folder for what it printed and for its games' stories; referee-NAME "
                        "unless given");
    command->add_option("--login-within", options->login_within,
                        "Time for the program from the referee's hello to its login; 30s unless "
                        "given");
    command->add_option("--give-up-after", options->give_up_after,
                        "End after so long without a connection, such as 10m; never unless given");
    command->add_flag("--trace", options->trace, "Show all lines that pass");
    command->callback([options, &status] { status = connect(*options); });
}

}  // namespace referee::cli
