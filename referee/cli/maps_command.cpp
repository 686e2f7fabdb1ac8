#include <boost/asio/io_context.hpp>
#include <chrono>
#include <filesystem>
#include <iostream>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/document.h"
#include "protocol/limits.h"
#include "referee/cli/commands.h"
#include "referee/config/read_config.h"
#include "referee/files/file.h"
#include "referee/launch/command/launched_command.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/sandbox_terms.h"
#include "referee/roster/kinds/kind.h"

namespace referee::cli {

namespace {

struct ImportedMap {
    std::string name;
    std::string text;   // JSON, not examined yet
    std::string wrong;  // why there is none
};

struct ImportedMaps {
    std::vector<ImportedMap> maps;
    std::string version;  // that the file says; empty: none
};

// A map of 35 x 35 is some KiB; the course's file has sixteen.
constexpr std::size_t output_bytes_max = 16 * 1024 * 1024;
constexpr std::chrono::seconds time_max{60};

using Maps = base::Result<ImportedMaps, Ending>;

process::LaunchSpec spec_for(const std::string& file, const std::string& program,
                             sandbox::Tier tier) {
    const auto adapters = kinds::sample_bots_place() + "/adapters";
    process::LaunchSpec spec;
    spec.command = {program,   "--no-gui",       "--no-history",
                    "--quiet", "--no-init-file", adapters + "/e7_maps.m",
                    file};
    spec.working_directory = "/";
    if (tier > sandbox::Tier::none) {
        spec.sandbox.emplace();
        spec.sandbox->reads = {adapters, file};
    }
    return spec;
}

ImportedMaps maps_in(const std::string& output) {
    ImportedMaps found;
    protocol::json::Document document;
    for (const auto line : base::split(output, '\n')) {
        if (!document.parse(line, {.depth_max = protocol::limits::depth_max})) continue;
        const auto root = document.root();
        if (const auto version = root.find("version").string()) {
            found.version = base::visible_line(*version);
            continue;
        }
        ImportedMap map;
        map.name = root.find("name").text();
        map.wrong = root.find("wrong").text();
        if (map.wrong.empty()) {
            protocol::json::Writer writer(map.text);
            root.find("map").write(writer);
            map.text += '\n';
        }
        found.maps.push_back(std::move(map));
    }
    return found;
}

Maps failed(std::string message, int status = exit_bad_input) {
    return base::failure(Ending{status, std::move(message)});
}

// The maps in a .mat file of the E7 course, read by Octave in a sandbox of the machine's best tier.
// Blocks until that has ended, a minute at most, less its waits for a core.
Maps import_maps(const std::string& file) {
    std::error_code error;
    const auto path = std::filesystem::canonical(file, error);
    if (error || !std::filesystem::is_regular_file(path, error))
        return failed(file +
                      ": no such file; expected a .mat file of the E7 course, such as "
                      "e7planets_maps_published.mat");
    const auto& octave = *kinds::find_kind("octave");
    const auto program =
        process::program_file(std::string(octave.interpreter), "/", process::program_search_path());
    if (program.empty())
        return failed("Octave reads .mat files, and it isn't installed; apt-get install " +
                          std::string(octave.package),
                      exit_trouble);
    boost::asio::io_context loop;
    auto opened = supply::open_launcher(loop.get_executor(), supply::SandboxTerms{});
    if (!opened) return failed(opened.error(), exit_trouble);
    std::string output;
    command::CommandEnd end;
    command::LaunchedCommand run(loop.get_executor(), **opened);
    command::CommandOrder order{spec_for(path.string(), program, (*opened)->sandbox().tier),
                                {},
                                time_max,
                                {},
                                [&output, &run](std::string_view printed) {
                                    output += printed;
                                    if (output.size() > output_bytes_max) run.kill();
                                },
                                [](std::string_view) {}};  // its end is kept by the launcher
    run.begin(std::move(order), [&end, &loop](command::CommandEnd told) {
        end = std::move(told);
        loop.stop();
    });
    loop.run();
    if (end.not_launched) return failed(end.not_launched->message, exit_trouble);
    if (!end.trouble.empty()) return failed(end.trouble, exit_trouble);
    if (end.took_too_long || output.size() > output_bytes_max)
        return failed(
            file + ": Octave was stopped: it took more than a minute, or printed more than 16 MiB");
    auto maps = maps_in(output);
    if (maps.maps.empty()) {
        const auto said = base::visible_line(end.error_tail);
        return failed(
            file +
            ": no maps in it; expected a .mat file of the E7 course, with a struct for each map" +
            (said.empty() ? "" : "; Octave said: " + said));
    }
    return maps;
}

struct MapsOptions {
    std::string game;
    std::string show;
    std::vector<std::string> check;
    std::string directory;
    std::string generate;
    std::uint32_t seed = 1;
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::string import;
    std::string out;
};

void print_facts(const std::vector<engines::MapFact>& facts) {
    for (const auto& fact : facts) std::cout << "  " << fact.name << ": " << fact.value << '\n';
}

std::string describe(const std::string& file, const engines::MapError& error) {
    return config::describe({error.line, error.member, error.message}, file);
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
    if (!text) return refuse("there is no \"" + name + "\"; `referee maps GAME` lists them");
    const auto facts = maps.examine(*text);
    if (!facts) return refuse(describe(name, facts.error()), exit_no);
    std::cout << name << '\n' << maps.picture(*text);
    print_facts(*facts);
    return exit_done;
}

int check_maps(const engines::MapCollection& maps, const std::vector<std::string>& files) {
    int status = exit_done;
    for (const auto& file : files) {
        const auto text = read_input(file);
        if (!text) return refuse(text.error());
        const auto facts = maps.examine(*text);
        if (!facts) {
            status = refuse(describe(file, facts.error()), exit_no);
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
    if (!made) return refuse(describe("--generate", made.error()));
    std::cout << *made;
    return exit_done;
}

// Of those that are good one goes to the standard output or a file NAME.json, all else into the
// folder --out.
int write_imported(const std::vector<ImportedMap>& good, const std::string& version,
                   const MapsOptions& options) {
    if (good.size() == 1 && options.out.empty()) {
        std::cout << good.front().text;
        return exit_done;
    }
    if (good.size() == 1 && options.out.ends_with(".json")) {
        const int status = write_output(options.out, good.front().text);
        if (status == exit_done) std::cout << options.out << '\n';
        return status;
    }
    if (options.out.empty())
        return refuse(
            fmt::format("{} has {} maps; expected --out FOLDER, into which each goes as NAME.json",
                        options.import, good.size()));
    if (const auto made = files::make_folder(options.out); !made)
        return refuse(made.error(), exit_trouble);
    for (const auto& map : good) {
        const auto file = options.out + "/" + map.name + ".json";
        if (const int status = write_output(file, map.text); status != exit_done) return status;
        std::cout << file << '\n';
    }
    const auto file = options.out + "/" + std::string(config::maps_version_file);
    return version.empty() ? exit_done : write_output(file, version + "\n");
}

int import(const engines::MapCollection& maps, const MapsOptions& options) {
    if (options.game != "e7_planets")
        return refuse("--import reads maps of e7_planets alone; mazes are texts already");
    auto imported = import_maps(options.import);
    if (!imported) return ended(imported.error());
    std::vector<ImportedMap> good;
    for (auto& map : imported->maps) {
        const auto facts = maps.examine(map.text);
        if (map.wrong.empty() && facts) {
            good.push_back(std::move(map));
            continue;
        }
        std::cerr << options.import << ": " << map.name << " is no map: "
                  << (map.wrong.empty() ? describe(map.name, facts.error()) : map.wrong) << '\n';
    }
    const bool all = good.size() == imported->maps.size();
    if (good.empty()) return exit_no;
    const int status = write_imported(good, imported->version, options);
    return status == exit_done && !all ? exit_no : status;
}

int maps_of_game(const MapsOptions& options) {
    config::TournamentConfig tournament;
    tournament.game = options.game;
    tournament.maps_directory = options.directory;
    const auto registry = config::registry_for(tournament);
    if (!registry) return refuse(registry.error().message);
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
    if (!options.check.empty()) return check_maps(*game->maps(), options.check);
    if (!options.show.empty()) return show(*game->maps(), options.show);
    if (!options.import.empty()) return import(*game->maps(), options);
    if (!options.generate.empty()) return generate(*game->maps(), options);
    return list(*game->maps());
}

}  // namespace

void add_maps_command(CLI::App& command, int& status) {
    auto& options = options_of<MapsOptions>(command, status, maps_of_game);
    command.description("List, show, check and generate the maps and mazes of a game");
    command.footer(R"(  $ referee maps e7_planets
  $ referee maps e7_planets --show spiral_ghosts
  $ referee maps snake_labyrinth --check my_maze.txt
  $ referee maps e7_planets --generate type-2 --seed 7 > fresh.json
  $ referee maps e7_planets --import e7planets_maps_published.mat --out maps

The type that is told is the narrowest that is proven, else "unknown". The exit
status is 1 where a map that was checked or imported is not valid.)");
    command.add_option("GAME", options.game, "e7_planets or snake_labyrinth")->required();
    command.add_option("--show", options.show, "Draw the map of this name");
    command.add_option("--check", options.check, "Check these files");
    command.add_option("--maps", options.directory,
                       "A folder with maps of your own, beside the shipped ones");
    command.add_option("--generate", options.generate, "Make a fresh map of this type");
    command.add_option("--seed", options.seed, "For --generate: the same seed gives the same map")
        ->capture_default_str();
    command.add_option("--rows", options.rows, "For --generate");
    command.add_option("--columns", options.columns, "For --generate");
    auto* const import =
        command.add_option("--import", options.import,
                           "Turn the maps of a .mat file of the E7 course into ours; needs Octave");
    command
        .add_option("--out", options.out,
                    "For --import: a folder for its maps, or a file NAME.json for its one map")
        ->needs(import);
}

}  // namespace referee::cli
