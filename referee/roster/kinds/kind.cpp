#include "referee/roster/kinds/kind.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"

namespace referee::kinds {
namespace {

// Built with the referee, and installed where launched programs are looked for.
constexpr std::string_view process_adapter = "referee-adapter";

constexpr std::array<Kind, 5> known{{
    {"octave-function", "octave", "e7_planets", "octave-cli", "octave", false},
    {"racket-team", "racket", "light_cycles", "racket", "racket", false},
    {"snake-challenge", "snake", "snake_labyrinth", {}, {}, true, "--challenge", true},
    {"superball-moves", "superball", "superball", {}, {}, true, "rows cols min_score_size colors"},
    {"walls-lines", "walls", "walls", {}, {}, true},
}};

// Of an interpreter: its own words before the adapter's file, that file, and the kit beside it.
struct Script {
    std::vector<std::string> options;
    std::string_view file;
    std::string_view kit;
};

Script script_of(const Kind& kind) {
    if (kind.short_name == "octave")
        return {{"--no-gui", "--no-history", "--quiet"}, "octave_e7.m", "octave"};
    return {{}, "racket_cycles.rkt", "racket"};
}

bool is_name(std::string_view text) {
    return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") ==
                                std::string_view::npos;
}

std::string example_of(const Kind& kind) {
    const auto name = std::string(kind.short_name);
    if (kind.short_name == "octave") return name + ":e7planets_player.m";
    return name + (kind.takes_commands ? ":./program" : ":lightcycle.scm");
}

}  // namespace

std::span<const Kind> all_kinds() {
    return known;
}

const Kind* find_kind(std::string_view name) {
    const auto* const found = std::ranges::find_if(
        known, [&](const auto& kind) { return kind.name == name || kind.short_name == name; });
    return found == known.end() ? nullptr : found;
}

std::string list_of_kinds() {
    return base::joined(known, ", ", [](const Kind& kind) {
        return fmt::format("{} (or {}) for {}", kind.name, kind.short_name, kind.game);
    });
}

KindProgram program_of_file(const Kind& kind, const std::string& file) {
    const bool bare = file.find('/') == std::string::npos;
    return {&kind, {(bare ? "./" : "") + file}, true};
}

KindProgram program_of_command(const Kind& kind, std::vector<std::string> words) {
    REFEREE_ASSERT(kind.takes_commands && !words.empty());
    return {&kind, std::move(words), false};
}

base::Result<std::optional<KindProgram>, std::string> program_in(std::string_view text) {
    const auto colon = text.find(':');
    const auto name = text.substr(0, colon);
    if (colon == std::string_view::npos || !is_name(name)) return std::optional<KindProgram>();
    const auto* const kind = find_kind(name);
    if (kind == nullptr) {
        return base::failure("there is no kind of programs \"" + std::string(name) +
                             "\"; expected a command, or one of " + list_of_kinds() +
                             ", such as octave:e7planets_player.m");
    }
    const std::string rest(text.substr(colon + 1));
    auto words = base::command_of(rest);
    if (words.empty())
        return base::failure(
            "expected the file with the student's program behind the colon, such as " +
            example_of(*kind) + ", found nothing");
    if (kind->takes_commands && words.size() > 1)
        return std::optional(program_of_command(*kind, std::move(words)));
    return std::optional(program_of_file(*kind, kind->takes_commands ? words.front() : rest));
}

std::string unsuited(const KindProgram& program, std::string_view game) {
    if (program.kind->game == game) return {};
    return fmt::format("is of the kind {}, which plays {} and not {}", program.kind->name,
                       program.kind->game, game);
}

KindLaunch launch_of(const KindProgram& program, const std::string& directory,
                     const std::string& sample_bots) {
    const auto& kind = *program.kind;
    KindLaunch launch;
    auto words = program.words;
    // Whatever folder an adapter works in, it finds the file.
    if (program.is_file)
        words[0] = (std::filesystem::path(directory) / words[0]).lexically_normal().string();
    if (kind.interpreter.empty()) {
        launch.command = {std::string(process_adapter), std::string(kind.name)};
    } else {
        const auto script = script_of(kind);
        launch.reads = {sample_bots + "/adapters", sample_bots + "/" + std::string(script.kit)};
        launch.adapter = launch.reads[0] + "/" + std::string(script.file);
        launch.command = {std::string(kind.interpreter)};
        launch.command.insert(launch.command.end(), script.options.begin(), script.options.end());
        launch.command.push_back(launch.adapter);
    }
    launch.command.insert(launch.command.end(), words.begin(), words.end());
    return launch;
}

namespace fs = std::filesystem;

std::vector<std::string> sample_bots_places(const std::string& program) {
    auto folder = fs::path(program).parent_path();
    const auto installed = folder.parent_path() / "share/referee/sample_bots";
    std::vector<std::string> places{installed.lexically_normal().string()};
    // A checkout that was copied: its build's link leads to where it was, or to nothing.
    for (; folder.has_relative_path(); folder = folder.parent_path())
        places.push_back((folder / "sample_bots").string());
    return places;
}

std::string sample_bots_place() {
    std::error_code error;
    const auto places = sample_bots_places(fs::read_symlink("/proc/self/exe", error).string());
    const auto found = std::ranges::find_if(places, [](const auto& place) {
        std::error_code none;
        return fs::is_directory(fs::path(place) / "templates", none);
    });
    const auto& best = found == places.end() ? places.front() : *found;
    const auto followed = fs::weakly_canonical(best, error);
    return error ? best : followed.string();
}

}  // namespace referee::kinds
