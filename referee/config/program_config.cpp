#include "referee/config/program_config.h"

#include <string>
#include <vector>

#include "referee/roster/kinds/kind.h"

namespace referee::config {
namespace {

constexpr const char* example = R"({"kind": "octave-function", "file": "e7planets_player.m"})";

std::optional<kinds::KindProgram> read_words(json::Reader& reader, const kinds::Kind& kind) {
    const auto file = reader.optional_text("file");
    std::vector<std::string> command;
    reader.texts("command", command);
    if (reader.has("command") && !kind.takes_commands) {
        reader.wrong("command", "the kind " + std::string(kind.name) +
                                    " takes one file and no command; expected \"file\"");
        return std::nullopt;
    }
    if (reader.has("file") && reader.has("command")) {
        reader.wrong("command", "a program is a \"file\" or a \"command\", not both");
        return std::nullopt;
    }
    if (!command.empty()) return kinds::program_of_command(kind, std::move(command));
    if (file && !file->empty()) return kinds::program_of_file(kind, std::string(*file));
    if (!reader.has("command") && (!reader.has("file") || file)) {
        reader.wrong("file", std::string("expected the file with the student's program, such as ") +
                                 example);
    } else if (reader.has("command")) {
        reader.wrong("command",
                     "expected a command and its arguments, such as [\"java\", \"-jar\", "
                     "\"Walls.jar\"]");
    }
    return std::nullopt;
}

}  // namespace

std::optional<kinds::KindProgram> read_program(json::Reader& bot) {
    const auto object = bot.optional_object("program");
    if (!object.view().is_object()) return std::nullopt;
    json::Reader reader(object);
    const auto name = reader.optional_text("kind");
    const auto* const kind = kinds::find_kind(name.value_or(""));
    std::optional<kinds::KindProgram> program;
    if (kind != nullptr) {
        program = read_words(reader, *kind);
        reader.no_others();
    } else if (name || !reader.has("kind")) {
        reader.wrong("kind", "expected one of " + kinds::list_of_kinds() + "; found " +
                                 (name ? "\"" + std::string(*name) + "\"" : "nothing"));
    }
    return program;
}

void set_program(BotConfig& bot, const kinds::KindProgram& program) {
    auto launch = kinds::launch_of(program, bot.directory, kinds::sample_bots_place());
    bot.program = program;
    bot.launch = std::move(launch.command);
    bot.reads.insert(bot.reads.end(), launch.reads.begin(), launch.reads.end());
}

}  // namespace referee::config
