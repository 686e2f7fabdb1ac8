#include <algorithm>
#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "engines/registry.h"
#include "protocol/base/text.h"
#include "referee/check_bot/bot_checker.h"
#include "referee/cli/commands.h"
#include "referee/config/read_config.h"
#include "referee/config/read_values.h"
#include "referee/files/file.h"
#include "referee/roster/kinds/kind.h"
#include "referee/single_game/single_game.h"
#include "referee/tournament/token.h"

namespace referee::cli {
namespace {

namespace fs = std::filesystem;

struct NewBotOptions {
    std::string language;
    std::string game;
    std::string folder;
};

// What differs by language. Paths are below sample_bots; words of a shell.
struct Language {
    std::string_view id;
    std::string_view title;
    std::string_view suffix;    // of the templates: templates/ID/GAME.SUFFIX
    std::string_view bot_file;  // what the template becomes
    std::string_view kit;
    std::string_view build;  // empty: nothing is built
    std::string_view run;
    std::string_view install;  // what brings the language to Debian
};

constexpr std::array languages = {
    Language{"python", "Python", "py", "my_bot.py", "python/referee_bot.py python/referee_games.py",
             "", "python3 my_bot.py", "python3"},
    Language{"cpp", "C++", "cc", "my_bot.cc", "cpp/referee_bot.hpp",
             "g++ -std=c++17 -O2 -o my_bot my_bot.cc", "./my_bot", "g++ nlohmann-json3-dev"},
    Language{"c", "C", "c", "my_bot.c",
             "c/referee_bot.h c/referee_bot.c c/referee_json.h c/referee_json.c",
             "cc -std=c99 -O2 -o my_bot my_bot.c referee_bot.c referee_json.c", "./my_bot",
             "gcc libc6-dev"},
    Language{"java", "Java", "java", "MyBot.java", "java/RefereeBot.java",
             "javac --release 11 MyBot.java RefereeBot.java", "java -cp . MyBot",
             "default-jdk-headless"},
    Language{"javascript", "JavaScript", "js", "my_bot.js", "javascript/referee_bot.js", "",
             "node my_bot.js", "nodejs"},
    Language{"octave", "GNU Octave", "m", "my_bot.m", "octave/referee_bot.m", "",
             "octave-cli --no-gui --no-history --quiet my_bot.m", "octave"},
    Language{"racket", "Racket", "rkt", "my_bot.rkt", "racket/referee_bot.rkt", "",
             "racket my_bot.rkt", "racket"},
};

// What stands behind the bot in `referee play`: the other seats, and the first map of a game that
// has maps.
std::string words_behind(const engines::Game& game) {
    std::string words;
    for (std::size_t seat = 1; seat < game.info().seats_default; ++seat) words += " --bot random";
    if (const auto* maps = game.maps(); maps != nullptr)
        words += " --params '" + maps->params_for_map(maps->names().front()) + "'";
    return words;
}

std::string page_of(const Language& language, const engines::Game& game) {
    const std::string run(language.run), id(game.info().id);
    std::string text = "# A bot for " + std::string(game.info().title) + " in " +
                       std::string(language.title) + "\n\nIt plays, and badly: `" +
                       std::string(language.bot_file) + "` says where to begin. Rules: `engines/" +
                       id + "/RULES.md` of the referee.\n";
    text += "\nWhere the language isn't installed:\n\n    sudo apt install " +
            std::string(language.install) + '\n';
    if (!language.build.empty()) text += "\nBuild it:\n\n    " + std::string(language.build) + '\n';
    text +=
        "\nPlay a game on the spot, without a daemon (`referee` is installed, or in "
        "build/release/bin of its sources):\n\n    referee play " +
        id + " --reads . --bot '" + run + "'" + words_behind(game) + '\n';
    text += "\nSee whether it does all that a bot has to do:\n\n    referee check-bot --reads . " +
            run + '\n';
    text +=
        "\nGo to the referee of the course; the instructor tells address, name and token:\n\n"
        "    REFEREE_ADDRESS=lab-server:7777 REFEREE_NAME=ann REFEREE_TOKEN=... " +
        run +
        "\n\nWhere names are registered by a class password, the first login brings it too, in "
        "REFEREE_PASSWORD. Why did it lose? With the same three in the environment\n"
        "`python3 referee_games.py` (" +
        (language.id == "python" ? "beside this file" : "in the referee's sample_bots/python") +
        ") lists its last games, and tells the story of one by its id.\n";
    return text;
}

std::string listed_languages() {
    return base::joined(languages, ", ", &Language::id);
}

// Empty where the bot can be written there.
std::string objection_to(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder, error)) return {};
    const bool empty = fs::is_directory(folder, error) && fs::is_empty(folder, error);
    if (!error && empty) return {};
    return "expected a folder that is new or empty, found " + folder.string() +
           (fs::is_directory(folder, error) ? " with something in it" : ", which is no folder") +
           "; nothing was written";
}

// Empty where all was written.
std::string write_bot(const Language& language, const engines::Game& game, const fs::path& samples,
                      const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    const auto copy = [&](const fs::path& from, const fs::path& to) {
        if (!error) fs::copy_file(from, to, error);
    };
    copy(samples / "templates" / language.id /
             (std::string(game.info().id) + "." + std::string(language.suffix)),
         folder / language.bot_file);
    for (const auto& file : base::command_of(std::string(language.kit)))
        copy(samples / file, folder / fs::path(file).filename());
    if (error) return "the bot can't be written to " + folder.string() + ": " + error.message();
    const auto written =
        files::write_file((folder / "README.md").string(), page_of(language, game));
    return written ? std::string() : written.error();
}

int new_bot(const NewBotOptions& options) {
    const auto* const language = std::ranges::find(languages, options.language, &Language::id);
    if (language == languages.end())
        return refuse("LANG: expected one of " + listed_languages() + ", found " +
                      options.language);
    const engines::Registry registry;
    const auto* const game = registry.find(options.game);
    if (game == nullptr) return refuse("GAME: " + config::unknown_game(registry, options.game));
    const fs::path folder(options.folder);
    if (const auto objection = objection_to(folder); !objection.empty())
        return refuse("DIR: " + objection);
    const fs::path samples = kinds::sample_bots_place();
    std::error_code none;
    const auto tried = kinds::sample_bots_places(fs::read_symlink("/proc/self/exe", none).string());
    const auto failed = fs::exists(samples / "templates")
                            ? write_bot(*language, *game, samples, folder)
                            : "expected the templates and kits of sample_bots in one of " +
                                  base::joined(tried) +
                                  ", found none: copy the sources' folder sample_bots to one of "
                                  "these, or install the referee again";
    if (!failed.empty()) return refuse(failed, exit_trouble);
    std::cout << page_of(*language, *game);
    return exit_done;
}

struct CheckBotCommandOptions {
    check_bot::CheckBotOptions terms;
    std::vector<std::string> command;
    std::vector<std::string> reads;
    std::string listen;
    std::optional<Duration> budget;
    std::string junit;
    bool dials_in = false;
    bool json = false;
    bool unsandboxed = false;
};

constexpr std::string_view name_by_hand = "my-bot";
constexpr std::string_view any_of_this_machine = "127.0.0.1";

base::Result<config::BotConfig, std::string> bot_of(const CheckBotCommandOptions& options) {
    config::BotConfig bot;
    bot.directory = std::filesystem::current_path().string();
    bot.launch = options.command;
    if (options.command.size() == 1) {  // a command as `play` takes it, or a kind and its file
        const auto program = kinds::program_in(options.command.front());
        if (!program) return base::failure(program.error());
        single_game::set_command(bot, options.command.front());
    }
    bot.name = single_game::bot_name(options.command.front(), {});
    bot.speaks = options.dials_in ? config::Speaks::tcp : config::Speaks::stdio;
    auto reads = absolute_reads(options.reads, bot.directory);
    if (!reads) return base::failure(std::move(reads.error()));
    // Beside those of an adapter.
    bot.reads.insert(bot.reads.end(), reads->begin(), reads->end());
    return bot;
}

// "7777" or "0.0.0.0:7777".
base::Result<std::pair<std::string, std::uint16_t>, std::string> place_of(const std::string& text) {
    const auto colon = text.rfind(':');
    const auto host =
        colon == std::string::npos ? std::string(any_of_this_machine) : text.substr(0, colon);
    const auto digits = colon == std::string::npos ? text : text.substr(colon + 1);
    const auto port = base::whole_number<std::uint16_t>(digits);
    if (host.empty() || !port)
        return base::failure(
            "--listen: expected a port, such as 7777, or an address and a port, such as "
            "0.0.0.0:7777, found " +
            text);
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

int tell(const check_bot::BotReport& report, const CheckBotCommandOptions& options) {
    if (!options.junit.empty()) {
        const int status = write_output(options.junit, check_bot::as_junit(report));
        if (status != exit_done) return status;
    }
    std::cout << (options.json ? check_bot::as_json(report) + '\n' : check_bot::last_line(report));
    return report.passed() ? exit_done : exit_no;
}

int check_bot(const CheckBotCommandOptions& options) {
    if (!options.command.empty() && options.command.front().starts_with("-"))
        return refuse(
            "check-bot: expected options such as --game walls and then the bot's command, found " +
            options.command.front() + "; `referee check-bot --help` has all options");
    if (options.command.empty() == options.listen.empty())
        return refuse(
            "check-bot: expected a bot's command, such as `referee check-bot python3 my_bot.py`, "
            "or --listen PORT for a bot that you start yourself, found " +
            std::string(options.listen.empty() ? "neither" : "both"));
    const engines::Registry registry;
    auto terms = options.terms;
    for (const auto& game : terms.games) {
        if (registry.find(game) == nullptr)
            return refuse("--game: " + config::unknown_game(registry, game));
    }
    terms.token = tournament::fresh_token();
    if (options.budget) terms.clock = clock::completed({.budget = *options.budget});
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
    check_bot::BotChecker checker(loop, entrance, registry, terms);
    const auto report =
        check_bot::examine(checker, [&options](const check_bot::CornerFinding& finding) {
            if (!options.json) std::cout << check_bot::as_text(finding) << std::flush;
        });
    const int status = tell(report, options);
    return entrance.never_started() || report.hidden ? exit_trouble : status;
}

}  // namespace

void add_new_bot_command(CLI::App& command, int& status) {
    auto& options = options_of<NewBotOptions>(command, status, new_bot);
    command.description("Write a bot that plays, and badly, to begin from");
    command.footer(R"(  $ referee new-bot python walls my_bot
  $ referee new-bot java e7_planets my_bot

The folder gets the bot, the kit of its language and a page that says how to build it, to play offline,
to check it and to go to a referee.)");
    command.add_option("LANG", options.language, listed_languages())->required();
    command.add_option("GAME", options.game, "walls, light_cycles, e7_planets, ...")->required();
    command.add_option("DIR", options.folder, "A folder that is new or empty")->required();
}

void add_check_bot_command(CLI::App& command, int& status) {
    auto& options = options_of<CheckBotCommandOptions>(command, status, [&command](auto& given) {
        given.command = command.remaining();
        if (!given.command.empty() && given.command.front() == "--")
            given.command.erase(given.command.begin());
        return check_bot(given);
    });
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
    add_repeated_option(command, "--game", options.terms.games,
                        "Play this game only; once for each. Else all that the bot's login names");
    command.add_flag("--dials-in", options.dials_in,
                     "The bot dials the address in REFEREE_ADDRESS");
    command.add_option("--listen", options.listen,
                       "Wait here for a bot that you start yourself: PORT or ADDRESS:PORT");
    add_time_option(command, "--budget", options.budget, "1s or 500ms",
                    "Time for a turn, such as 1s; else each game's own clock");
    add_time_option(command, "--start-within", options.terms.start_within, "1s or 500ms",
                    "Time for the bot from its launch to its login; 30s unless given");
    add_repeated_option(command, "--reads", options.reads,
                        "A file or folder that the bot may read in the sandbox; once for each");
    command.add_flag("--json", options.json, "The report as one JSON object");
    command.add_option("--junit", options.junit,
                       "Write the report as JUnit's XML to this file too");
    add_unsandboxed(command, options.unsandboxed);
    command.prefix_command();  // what follows the bot's program is the bot's
}

}  // namespace referee::cli
