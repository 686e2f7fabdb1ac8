#include <CLI/CLI.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "protocol/base/text.h"
#include "referee/check_bot/corners.h"
#include "referee/cli/commands.h"
#include "referee/config/read_config.h"
#include "referee/config/read_values.h"
#include "referee/daemon/host/token.h"
#include "referee/daemon/single_game/single_game.h"
#include "referee/exit_code.h"
#include "referee/roster/kinds/kind.h"

namespace referee::cli {
namespace {

struct CheckBotArguments {
    std::vector<std::string> command;
    std::vector<std::string> games;
    std::vector<std::string> reads;
    std::string listen;
    std::optional<Duration> budget;
    std::optional<Duration> start_within;
    std::string junit;
    bool dials_in = false;
    bool json = false;
    bool unsandboxed = false;
};

constexpr std::string_view name_by_hand = "my-bot";
constexpr std::string_view any_of_this_machine = "127.0.0.1";

base::Result<config::BotConfig, std::string> bot_of(const CheckBotArguments& options) {
    config::BotConfig bot;
    bot.directory = std::filesystem::current_path().string();
    bot.launch = options.command;
    if (options.command.size() == 1) {  // a command as `play` takes it, or a kind and its file
        const auto program = kinds::program_in(options.command.front());
        if (!program) return base::failure(program.error());
        daemon::set_command(bot, options.command.front());
    }
    bot.name = daemon::bot_name(options.command.front(), {});
    bot.speaks = options.dials_in ? config::Speaks::tcp : config::Speaks::stdio;
    for (const auto& path : options.reads) {
        bot.reads.push_back(config::absolute_path(bot.directory, path));
        if (bot.reads.back() == "/") {
            return base::failure(
                std::string("--reads: expected what the bot needs alone, such as . or /opt/jdk-17, "
                            "found /, which holds everything"));
        }
    }
    return bot;
}

// "7777" or "0.0.0.0:7777".
base::Result<std::pair<std::string, std::uint16_t>, std::string> place_of(const std::string& text) {
    const auto colon = text.rfind(':');
    const auto host =
        colon == std::string::npos ? std::string(any_of_this_machine) : text.substr(0, colon);
    const auto digits = colon == std::string::npos ? text : text.substr(colon + 1);
    const auto port = base::whole_number<std::uint16_t>(digits);
    if (host.empty() || !port) {
        return base::failure(
            "--listen: expected a port, such as 7777, or an address and a port, such as "
            "0.0.0.0:7777, found " +
            text);
    }
    return std::pair(host, *port);
}

using Opened = base::Result<std::unique_ptr<check_bot::Entrance>, std::string>;

Opened listen_for(boost::asio::io_context& loop, const std::pair<std::string, std::uint16_t>& place,
                  const check_bot::CheckBotOptions& terms) {
    auto opened = check_bot::Entrance::listening(loop, place.first, place.second);
    if (opened) {
        std::cerr << "start your bot with REFEREE_ADDRESS=" << (*opened)->address()
                  << " REFEREE_NAME=" << terms.name << " REFEREE_TOKEN=" << terms.token << '\n'
                  << std::flush;
    }
    return opened;
}

int tell(const check_bot::BotReport& report, const CheckBotArguments& options) {
    if (!options.junit.empty()) {
        const int status = write_output(options.junit, check_bot::as_junit(report));
        if (status != exit_done) return status;
    }
    std::cout << (options.json ? check_bot::as_json(report) + '\n' : check_bot::last_line(report));
    return report.passed() ? exit_done : exit_no;
}

int check_bot(const CheckBotArguments& options) {
    if (!options.command.empty() && options.command.front().starts_with("-")) {
        return refuse(
            "check-bot: expected options such as --game walls and then the bot's command, found " +
            options.command.front() + "; `referee check-bot --help` has all options");
    }
    if (options.command.empty() == options.listen.empty()) {
        return refuse(
            "check-bot: expected a bot's command, such as `referee check-bot python3 my_bot.py`, "
            "or --listen PORT for a bot that you start yourself, found " +
            std::string(options.listen.empty() ? "neither" : "both"));
    }
    const engines::Registry registry;
    for (const auto& game : options.games) {
        if (registry.find(game) == nullptr)
            return refuse("--game: " + config::unknown_game(registry, game));
    }
    check_bot::CheckBotOptions terms;
    terms.games = options.games;
    terms.token = daemon::fresh_token();
    if (options.budget) terms.clock = clock::completed({.budget = *options.budget});
    if (options.start_within) terms.start_within = *options.start_within;
    boost::asio::io_context loop{1};
    const auto work = boost::asio::make_work_guard(loop);
    Opened opened = base::failure(std::string());
    if (options.command.empty()) {
        const auto place = place_of(options.listen);
        if (!place) return refuse(place.error());
        terms.name = name_by_hand;
        terms.program = "a bot that is started by hand";
        terms.on_waiting = [](const std::string& what) { std::cerr << what << '\n' << std::flush; };
        opened = listen_for(loop, *place, terms);
    } else {
        auto bot = bot_of(options);
        if (!bot) return refuse(bot.error());
        bot->start_within = terms.start_within;
        terms.plain_games_only = bot->program.has_value();
        terms.name = bot->name;
        terms.program = base::joined(options.command, " ");
        opened = check_bot::Entrance::launching(loop, *bot, terms.token, options.unsandboxed);
    }
    if (!opened) return refuse(opened.error(), exit_trouble);
    auto& entrance = **opened;
    if (!options.json && !entrance.sandbox().empty()) std::cout << entrance.sandbox() << '\n';
    check_bot::BotChecker examiner(loop, entrance, registry, terms);
    const auto report =
        check_bot::examine(examiner, [&options](const check_bot::CornerFinding& finding) {
            if (!options.json) std::cout << check_bot::as_text(finding) << std::flush;
        });
    const int status = tell(report, options);
    return entrance.never_started() || report.hidden ? exit_trouble : status;
}

}  // namespace

void add_check_bot_command(CLI::App& command, int& status) {
    const auto options = std::make_shared<CheckBotArguments>();
    command.description("Try a bot in the corners of the protocol, and tell what to mend");
    command.footer(R"(  $ referee check-bot walls-greedy
  $ referee check-bot --game walls --reads . python3 my_bot.py
  $ referee check-bot --dials-in --reads . python3 my_bot.py
  $ referee check-bot --listen 7777

Plays the bot through what may happen to it: small and odd games, messages in pieces and of types that
nobody knows yet, a fault, a lost connection, a second match, the end. For each corner the report says
what was seen, what was expected and what to do about it. Options stand before the bot's command.

The bot is launched, as by `referee play`, in a sandbox, and speaks on its standard input and output;
with --dials-in it dials the address in REFEREE_ADDRESS. With --listen you start it yourself, with the
address, name and token that are told.

The exit status is 1 where something is wrong; what could be better leaves it 0. It is 3 where the
bot's command can't be started at all, or not in the sandbox, which hides what it needs.)");
    add_repeated_option(command, "--game", options->games,
                        "Play this game only; once for each. Else all that the bot's login names");
    command.add_flag("--dials-in", options->dials_in,
                     "The bot dials the address in REFEREE_ADDRESS");
    command.add_option("--listen", options->listen,
                       "Wait here for a bot that you start yourself: PORT or ADDRESS:PORT");
    add_time_option(command, "--budget", options->budget, "1s or 500ms",
                    "Time for a turn, such as 1s; else each game's own clock");
    add_time_option(command, "--start-within", options->start_within, "1s or 500ms",
                    "Time for the bot from its launch to its login; 30s unless given");
    add_repeated_option(command, "--reads", options->reads,
                        "A file or folder that the bot may read in the sandbox; once for each");
    command.add_flag("--json", options->json, "The report as one JSON object");
    command.add_option("--junit", options->junit,
                       "Write the report as JUnit's XML to this file too");
    add_unsandboxed(command, options->unsandboxed);
    command.prefix_command();  // what follows the bot's program is the bot's
    command.callback([options, &command, &status] {
        options->command = command.remaining();
        if (!options->command.empty() && options->command.front() == "--")
            options->command.erase(options->command.begin());
        status = check_bot(*options);
    });
}

}  // namespace referee::cli
