#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>

#include "engines/registry.h"
#include "protocol/base/text.h"
#include "referee/cli/commands.h"
#include "referee/config/read_config.h"
#include "referee/exit_code.h"
#include "referee/files/file.h"
#include "referee/roster/kinds/kind.h"

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
    std::array<std::string_view, 4> kit;
    std::string_view build;  // empty: nothing is built
    std::string_view run;
    std::string_view install;  // what brings the language to Debian
};

constexpr std::array languages = {
    Language{"python",
             "Python",
             "py",
             "my_bot.py",
             {"python/referee_bot.py", "python/referee_games.py"},
             "",
             "python3 my_bot.py",
             "python3"},
    Language{"cpp",
             "C++",
             "cc",
             "my_bot.cc",
             {"cpp/referee_bot.hpp"},
             "g++ -std=c++17 -O2 -o my_bot my_bot.cc",
             "./my_bot",
             "g++ nlohmann-json3-dev"},
    Language{"c",
             "C",
             "c",
             "my_bot.c",
             {"c/referee_bot.h", "c/referee_bot.c", "c/referee_json.h", "c/referee_json.c"},
             "cc -std=c99 -O2 -o my_bot my_bot.c referee_bot.c referee_json.c",
             "./my_bot",
             "gcc libc6-dev"},
    Language{"java",
             "Java",
             "java",
             "MyBot.java",
             {"java/RefereeBot.java"},
             "javac --release 11 MyBot.java RefereeBot.java",
             "java -cp . MyBot",
             "default-jdk-headless"},
    Language{"javascript",
             "JavaScript",
             "js",
             "my_bot.js",
             {"javascript/referee_bot.js"},
             "",
             "node my_bot.js",
             "nodejs"},
    Language{"octave",
             "GNU Octave",
             "m",
             "my_bot.m",
             {"octave/referee_bot.m"},
             "",
             "octave-cli --no-gui --no-history --quiet my_bot.m",
             "octave"},
    Language{"racket",
             "Racket",
             "rkt",
             "my_bot.rkt",
             {"racket/referee_bot.rkt"},
             "",
             "racket my_bot.rkt",
             "racket"},
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
    for (const auto file : language.kit) {
        if (!file.empty()) copy(samples / file, folder / fs::path(file).filename());
    }
    if (error) return "the bot can't be written to " + folder.string() + ": " + error.message();
    const auto written =
        files::write_file((folder / "README.md").string(), page_of(language, game));
    return written ? std::string() : written.error();
}

std::string places_tried() {
    std::error_code error;
    return base::joined(
        kinds::sample_bots_places(fs::read_symlink("/proc/self/exe", error).string()));
}

int new_bot(const NewBotOptions& options) {
    const auto* const language =
        std::find_if(languages.begin(), languages.end(),
                     [&](const auto& one) { return one.id == options.language; });
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
    const auto failed = fs::exists(samples / "templates")
                            ? write_bot(*language, *game, samples, folder)
                            : "expected the templates and kits of sample_bots in one of " +
                                  places_tried() +
                                  ", found none: copy the sources' folder sample_bots to one of "
                                  "these, or install the referee again";
    if (!failed.empty()) return refuse(failed, exit_trouble);
    std::cout << page_of(*language, *game);
    return exit_done;
}

}  // namespace

void add_new_bot_command(CLI::App& command, int& status) {
    const auto options = std::make_shared<NewBotOptions>();
    command.description("Write a bot that plays, and badly, to begin from");
    command.footer(R"(  $ referee new-bot python walls my_bot
  $ referee new-bot java e7_planets my_bot

The folder gets the bot, the kit of its language and a page that says how to build it, to play offline,
to check it and to go to a referee.)");
    command.add_option("LANG", options->language, listed_languages())->required();
    command.add_option("GAME", options->game, "walls, light_cycles, e7_planets, ...")->required();
    command.add_option("DIR", options->folder, "A folder that is new or empty")->required();
    command.callback([options, &status] { status = new_bot(*options); });
}

}  // namespace referee::cli
