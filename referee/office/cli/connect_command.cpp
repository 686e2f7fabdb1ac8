#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include "protocol/codec.h"
#include "protocol/json/printable.h"
#include "protocol/limits.h"
#include "referee/bots/bridge/bridge.h"
#include "referee/config/fields.h"
#include "referee/exit_code.h"
#include "referee/files/named_file.h"
#include "referee/office/cli/commands.h"
#include "referee/students/kinds/kind.h"
#include "referee/students/kinds/sample_bots_place.h"

namespace referee::cli {
namespace {

// Where a referee listens that says nothing else.
constexpr std::string_view port_default = ":7777";

struct ConnectOptions {
    std::string address;
    std::string name;
    std::string token;
    std::string token_file;
    std::string password;
    std::string keep;
    std::string login_within;
    std::string give_up_after;
    std::uint64_t matches = 0;
    bool trace = false;
    std::vector<std::string> command;
};

// A host alone has the usual port; TLS has none.
base::Result<protocol::ServerAddress, std::string> address_of(const std::string& text) {
    const bool bare = text.find("://") == std::string::npos &&
                      (text.find(':') == std::string::npos || text.ends_with(']'));
    auto address = protocol::read_address(bare ? text + std::string(port_default) : text);
    if (!address) return base::failure("HOST: " + address.error());
    return *std::move(address);
}

std::string from_environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

base::Result<std::string, std::string> token_in(const std::string& file) {
    auto text = files::read_named_file(file, 2 * protocol::limits::token_bytes_max);
    if (!text) return base::failure("--token-file: " + file + " " + text.error());
    text->resize(std::min(text->find_first_of("\r\n"), text->size()));
    if (text->empty())
        return base::failure("--token-file: expected the token on the first line of " + file +
                             ", found an empty line");
    return *std::move(text);
}

base::Result<std::string, std::string> secret(std::string_view what, std::string value) {
    if (value.size() > protocol::limits::token_bytes_max ||
        !protocol::json::is_one_printable_line(value))
        return base::failure(std::string(what) +
                             ": expected one line of printable text of at most " +
                             std::to_string(protocol::limits::token_bytes_max) +
                             " bytes; what is there isn't shown");
    return value;
}

base::Result<relay::Identity, std::string> identity_of(const ConnectOptions& options) {
    relay::Identity identity;
    identity.name = options.name.empty() ? from_environment("REFEREE_NAME") : options.name;
    if (!protocol::is_valid_name(identity.name))
        return base::failure(
            "expected --name with the bot's name, such as --name Ada (or REFEREE_NAME): 1 to 64 "
            "bytes of printable text, found \"" +
            protocol::json::visible_line(identity.name) + "\"");
    auto token = options.token;
    if (token.empty() && !options.token_file.empty()) {
        auto read = token_in(options.token_file);
        if (!read) return base::failure(std::move(read.error()));
        token = *std::move(read);
    }
    if (token.empty()) token = from_environment("REFEREE_TOKEN");
    auto good = secret("the token", std::move(token));
    if (!good) return base::failure(std::move(good.error()));
    identity.token = *std::move(good);
    auto password =
        secret("the password",
               options.password.empty() ? from_environment("REFEREE_PASSWORD") : options.password);
    if (!password) return base::failure(std::move(password.error()));
    identity.password = *std::move(password);
    return identity;
}

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
    auto address = address_of(options.address);
    if (!address) return base::failure(std::move(address.error()));
    bridge.address = *std::move(address);
    auto identity = identity_of(options);
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
output (protocol/PROTOCOL.md); it needs no network. The bridge puts name, token and password into its
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
    command->add_option("--name", options->name, "The bot's name (or REFEREE_NAME)");
    command->add_option("--token", options->token,
                        "What proves the name; better in REFEREE_TOKEN or a file");
    command->add_option("--token-file", options->token_file, "A file with the token in it");
    command->add_option("--password", options->password,
                        "The class password, for the first login of a name (or REFEREE_PASSWORD)");
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
