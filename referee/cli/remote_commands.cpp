#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <limits>

#include "protocol/address.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/codec.h"
#include "protocol/limits.h"
#include "referee/cli/commands.h"
#include "referee/connect/bridge/bridge.h"
#include "referee/connect/relay/lines.h"
#include "referee/files/file.h"
#include "referee/roster/kinds/kind.h"
#include "referee/submit/client/hand_in.h"

namespace referee::cli {

namespace {

// Where a referee listens that says nothing else.
constexpr std::string_view port_default = ":7777";

// What was given, else what the environment says.
std::string given_or(const std::string& given, const char* variable) {
    const char* const value = given.empty() ? std::getenv(variable) : nullptr;
    return value == nullptr ? given : value;
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

// As whom a person comes to a referee on another machine: what the command line says, and where it
// says nothing the token's file and the environment.
base::Result<void, std::string> complete(relay::BotIdentity& identity,
                                         const std::string& token_file) {
    identity.name = given_or(identity.name, "REFEREE_NAME");
    if (!protocol::is_valid_name(identity.name))
        return base::failure(
            "expected --name with the bot's name, such as --name Ada (or REFEREE_NAME): 1 to 64 "
            "bytes of printable text, found \"" +
            base::visible_line(identity.name) + "\"");
    if (identity.token.empty() && !token_file.empty()) {
        auto token = token_in(token_file);
        if (!token) return base::failure(std::move(token.error()));
        identity.token = *std::move(token);
    }
    identity.token = given_or(identity.token, "REFEREE_TOKEN");
    identity.password = given_or(identity.password, "REFEREE_PASSWORD");
    for (const auto& [what, secret] :
         {std::pair("the token", &identity.token), std::pair("the password", &identity.password)}) {
        if (secret->size() > protocol::limits::token_bytes_max ||
            !base::is_one_printable_line(*secret))
            return base::failure(
                fmt::format("{}: expected one line of printable text of at most {} bytes; what is "
                            "there isn't shown",
                            what, protocol::limits::token_bytes_max));
    }
    identity.version = given_or(identity.version, "REFEREE_VERSION");
    if (identity.version.size() > protocol::limits::version_bytes_max ||
        !base::is_one_printable_line(identity.version))
        return base::failure(fmt::format(
            "--version: expected one line of printable text of at most {} bytes, such as --version "
            "2.1 (or REFEREE_VERSION), found \"{}\"",
            protocol::limits::version_bytes_max, base::visible_line(identity.version)));
    return {};
}

// HOST, HOST:PORT or tls://HOST:PORT#sha256=...; a host alone has the usual port. An error begins
// with `what`, the option's name.
base::Result<protocol::ServerAddress, std::string> server_address_of(const std::string& what,
                                                                     const std::string& text) {
    const bool bare = text.find("://") == std::string::npos &&
                      (text.find(':') == std::string::npos || text.ends_with(']'));
    auto address = protocol::read_address(bare ? text + std::string(port_default) : text);
    if (!address) return base::failure(what + ": " + address.error());
    return *std::move(address);
}

void add_identity_options(CLI::App& command, relay::BotIdentity& identity,
                          std::string& token_file) {
    command.add_option("--name", identity.name, "The bot's name (or REFEREE_NAME)");
    command.add_option("--token", identity.token,
                       "What proves the name; better in REFEREE_TOKEN or a file");
    command.add_option("--token-file", token_file, "A file with the token in it");
    command.add_option("--password", identity.password,
                       "The class password, for the first login of a name (or REFEREE_PASSWORD)");
}

struct ConnectOptions {
    std::string address;
    std::string token_file;
    bridge::BridgeOptions bridge;
};

// The first word may name a kind of program, as in `play`.
base::Result<std::vector<std::string>, std::string> command_of(
    const std::vector<std::string>& words) {
    const auto program = kinds::program_in(base::joined(words, " "));
    if (!program) return base::failure("COMMAND: " + program.error());
    if (!*program) return words;
    return kinds::launch_of(**program, std::filesystem::current_path().string()).command;
}

int connect(ConnectOptions& options) {
    auto& bridge = options.bridge;
    auto address = server_address_of("HOST", options.address);
    if (!address) return refuse(address.error());
    bridge.address = *std::move(address);
    if (const auto whole = complete(bridge.identity, options.token_file); !whole)
        return refuse(whole.error());
    auto words = command_of(bridge.command);
    if (!words) return refuse(words.error());
    bridge.command = *std::move(words);
    if (bridge.keep.empty()) bridge.keep = bridge::default_folder(bridge.identity.name);
    return bridge::run_bridge(bridge, std::cerr, std::cout);
}

using client::SubmitRequest;

struct SubmitOptions {
    SubmitRequest request;
    std::string address;
    std::string token_file;
    bool look = false;
    bool withdraw = false;
};

int submit(SubmitOptions& options) {
    auto& request = options.request;
    if (int{!request.source.empty()} + int{options.look} + int{options.withdraw} != 1)
        return refuse(
            "expected one of these: a program to hand in, --status or --withdraw; such as referee "
            "submit my-bot/ --to lab-server --name Ada");
    if (!request.source.empty()) request.what = SubmitRequest::What::hand_in;
    if (options.withdraw) request.what = SubmitRequest::What::withdraw;
    auto address = server_address_of("--to", options.address);
    if (!address) return refuse(address.error());
    request.address = *std::move(address);
    if (const auto whole = complete(request.identity, options.token_file); !whole)
        return refuse(whole.error());
    request.terminal = ::isatty(STDERR_FILENO) == 1;
    return client::submit(request, std::cout, std::cerr);
}

}  // namespace

void add_connect_command(CLI::App& command, int& status) {
    auto& options = options_of<ConnectOptions>(command, status, connect);
    command.description("Join a program that speaks on standard input and output to a referee");
    command.footer(R"(  $ export REFEREE_TOKEN=my-own-secret
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
        .add_option("HOST", options.address,
                    "HOST, HOST:PORT or tls://HOST:PORT#sha256=..., as the instructor gives it")
        ->required();
    command
        .add_option("COMMAND", options.bridge.command, "The program and its arguments, behind --")
        ->required();
    add_identity_options(command, options.bridge.identity, options.token_file);
    command.add_option("--version", options.bridge.identity.version,
                       "Which version of the program this is, such as 2.1: the results of its "
                       "games name it (or REFEREE_VERSION; else as the program says)");
    command.add_option("--matches", options.bridge.matches, "End when so many matches are over")
        ->check(CLI::Range(1, std::numeric_limits<int>::max(), "POSITIVE"));
    command.add_option("--keep", options.bridge.keep,
                       "The folder for what it printed and for its games' stories; referee-NAME "
                       "unless given");
    add_time_option(command, "--login-within", options.bridge.login_within, "30s or 10m",
                    "Time for the program from the referee's hello to its login; 30s unless given");
    add_time_option(command, "--give-up-after", options.bridge.give_up_after, "30s or 10m",
                    "End after so long without a connection, such as 10m; never unless given");
    command.add_flag("--trace", options.bridge.trace, "Show all lines that pass");
}

void add_submit_command(CLI::App& command, int& status) {
    auto& options = options_of<SubmitOptions>(command, status, submit);
    command.description("Hand in a program, which the referee builds and plays while you are away");
    command.footer(R"(  $ export REFEREE_TOKEN=my-own-secret
  $ referee submit my-bot/ --to lab-server --name Ada
  $ referee submit bot.zip --to tls://lab-server:7778#sha256=2f0c... --name Ada --token-file token
  $ referee submit --status --to lab-server --name Ada
  $ referee submit --withdraw --to lab-server --name Ada

A folder is packed without links and version control; an archive or a single source file goes as it is. The referee
builds it in its sandbox, as the course says or as what is in it tells (CMakeLists.txt, Makefile, Maven's and Gradle's
layout, the files of one language), shows what the build printed, and starts it. The newest version that is built and
logs in plays from the next match on; one that isn't built changes nothing. `referee build` tries the same on your own
machine.

Exit status: 0 it is built, or what was asked is done; 1 it does not build or start; 2 the command line is wrong,
or the referee refused; 3 no way to the referee, or trouble of its own.)");
    command.add_option("SOURCE", options.request.source, "A folder, an archive or a source file");
    command
        .add_option("--to", options.address,
                    "HOST, HOST:PORT or tls://HOST:PORT#sha256=..., as the instructor gives it")
        ->required();
    add_identity_options(command, options.request.identity, options.token_file);
    command.add_flag("--status", options.look, "What was handed in, and what became of it");
    command.add_flag("--withdraw", options.withdraw, "No program of this name plays any more");
    command.add_flag_callback(
        "--no-wait", [&options] { options.request.waits = false; },
        "Don't wait until it is built and has logged in");
    command.add_flag("--json", options.request.as_json,
                     "Print the referee's list as it sent it (submission_list in PROTOCOL.md)");
}

}  // namespace referee::cli
