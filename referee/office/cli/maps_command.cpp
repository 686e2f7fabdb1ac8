#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include "referee/config/reader.h"
#include "referee/config/unknown_game.h"
#include "referee/exit_code.h"
#include "referee/office/cli/commands.h"

namespace referee::cli {
namespace {

struct MapsOptions {
    std::string game;
    std::string show;
    std::vector<std::string> check;
    std::string directory;
    std::string generate;
    std::uint32_t seed = 1;
    std::size_t rows = 0;
    std::size_t columns = 0;
};

void print_facts(const std::vector<engines::MapFact>& facts) {
    for (const auto& fact : facts) std::cout << "  " << fact.name << ": " << fact.value << '\n';
}

std::string describe(const std::string& file, const engines::MapError& error) {
    auto text = file;
    if (error.line > 0) text += ":" + std::to_string(error.line);
    if (!error.member.empty()) text += ": " + error.member;
    return text + ": " + error.message;
}

int list(const engines::MapCollection& maps) {
    std::cout << "version " << maps.version() << '\n';
    for (const auto& name : maps.names()) {
        std::cout << name;
        const auto facts = maps.examine(*maps.text(name));
        if (facts) {
            for (const auto& fact : *facts) std::cout << "  " << fact.name << " " << fact.value;
            std::cout << '\n';
        } else {
            std::cout << "  " << describe(name, facts.error()) << '\n';
        }
    }
    return exit_done;
}

int show(const engines::MapCollection& maps, const std::string& name) {
    const auto text = maps.text(name);
    if (!text) {
        std::cerr << "there is no \"" << name << "\"; `referee maps GAME` lists them\n";
        return exit_bad_input;
    }
    const auto facts = maps.examine(*text);
    if (!facts) {
        std::cerr << describe(name, facts.error()) << '\n';
        return exit_no;
    }
    std::cout << name << '\n' << maps.picture(*text);
    print_facts(*facts);
    return exit_done;
}

int check(const engines::MapCollection& maps, const std::vector<std::string>& files) {
    int status = exit_done;
    for (const auto& file : files) {
        std::ifstream stream(file, std::ios::binary);
        std::ostringstream text;
        if (stream) text << stream.rdbuf();
        if (!stream) {
            std::cerr << file << ": can't be read\n";
            return exit_bad_input;
        }
        const auto facts = maps.examine(text.str());
        if (!facts) {
            std::cerr << describe(file, facts.error()) << '\n';
            status = exit_no;
            continue;
        }
        std::cout << file << ": good\n";
        print_facts(*facts);
    }
    return status;
}

int generate(const engines::MapCollection& maps, const MapsOptions& options) {
    engines::GenerateRequest request;
    request.type = options.generate;
    request.seed = options.seed;
    if (options.rows > 0) request.rows = options.rows;
    if (options.columns > 0) request.columns = options.columns;
    const auto made = maps.generate(request);
    if (!made) {
        std::cerr << describe("--generate", made.error()) << '\n';
        return exit_bad_input;
    }
    std::cout << *made;
    return exit_done;
}

int run(const MapsOptions& options) {
    config::TournamentConfig tournament;
    tournament.game = options.game;
    tournament.maps_directory = options.directory;
    const auto registry = config::registry_for(tournament);
    if (!registry) {
        std::cerr << registry.error().message << '\n';
        return exit_bad_input;
    }
    const auto* game = (*registry)->find(options.game);
    if (game == nullptr || game->maps() == nullptr) {
        std::cerr << (game == nullptr ? config::unknown_game(**registry, options.game)
                                      : "there are no maps in \"" + options.game + "\"")
                  << "; games with maps:";
        for (const auto& each : (*registry)->games()) {
            if (each->maps() != nullptr) std::cerr << ' ' << each->info().id;
        }
        std::cerr << '\n';
        return exit_bad_input;
    }
    if (!options.check.empty()) return check(*game->maps(), options.check);
    if (!options.show.empty()) return show(*game->maps(), options.show);
    if (!options.generate.empty()) return generate(*game->maps(), options);
    return list(*game->maps());
}

}  // namespace

void add_maps_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<MapsOptions>();
    auto* command =
        app.add_subcommand("maps", "List, show, check and generate the maps and mazes of a game");
    command->footer(R"(  $ referee maps e7_planets
  $ referee maps e7_planets --show spiral_ghosts
  $ referee maps snake_labyrinth --check my_maze.txt
  $ referee maps e7_planets --generate type-2 --seed 7 > fresh.json

The type that is told is the narrowest that is proven, else "unknown". The exit
status is 1 where a map that was checked is not valid.)");
    command->add_option("GAME", options->game, "e7_planets or snake_labyrinth")->required();
    command->add_option("--show", options->show, "Draw the map of this name");
    command->add_option("--check", options->check, "Check these files");
    command->add_option("--maps", options->directory,
                        "A folder with maps of your own, beside the shipped ones");
    command->add_option("--generate", options->generate, "Make a fresh map of this type");
    command->add_option("--seed", options->seed, "For --generate: the same seed gives the same map")
        ->capture_default_str();
    command->add_option("--rows", options->rows, "For --generate");
    command->add_option("--columns", options->columns, "For --generate");
    command->callback([options, &status] { status = run(*options); });
}

}  // namespace referee::cli
