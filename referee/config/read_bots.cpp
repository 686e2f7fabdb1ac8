#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/codec.h"
#include "protocol/limits.h"
#include "referee/config/config_sections.h"
#include "referee/config/read_config.h"
#include "referee/config/read_values.h"
#include "referee/files/file.h"
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

constexpr std::int64_t rating_max = 10'000;

void read_environment(json::Reader& reader, BotConfig& bot) {
    const auto object = reader.optional_object("environment");
    json::Reader environment(object);
    for (const auto [name, value] : object.view().members()) {
        if (const auto text = environment.optional_text(name))
            bot.environment.emplace_back(name, *text);
    }
}

// The files that hold what no bot may read.
struct Secrets {
    std::string config;
    std::string control_socket;  // empty: it lies beside the store
};

// Empty where a bot may read the path.
std::string why_not(const std::string& path, const Secrets& secrets) {
    const std::string needs = "; expected what this bot needs alone, such as \"/opt/jdk-17\"";
    if (path == "/") return "\"/\" holds everything, the results and all tokens too" + needs;
    if (files::lies_in(secrets.config, path))
        return "it holds this config, in which everybody's tokens stand" + needs;
    if (!secrets.control_socket.empty() && files::lies_in(secrets.control_socket, path))
        return "it holds the control socket, which takes orders from whoever reaches it" + needs;
    return {};
}

void read_reads(json::Reader& reader, const std::string& directory, const Secrets& secrets,
                BotConfig& bot) {
    const auto list = reader.optional_array("reads");
    for (const auto element : list.elements()) {
        const auto text = element.text();
        if (!text) continue;
        const auto path = files::absolute_path(directory, std::string(*text));
        const bool absolute = text->starts_with('/');
        if (text->empty() || (!absolute && !files::lies_in(path, directory))) {
            element.expected(
                "a path that is absolute, or lies below the config's folder, such as \"tables\" or "
                "\"/opt/jdk-17\"");
        } else if (auto why = why_not(path, secrets); !why.empty()) {
            element.wrong(std::move(why));
        } else {
            bot.reads.push_back(path);
        }
    }
}

void read_launch(json::Reader& reader, const std::string& directory, const Secrets& secrets,
                 BotConfig& bot) {
    reader.texts("launch", bot.launch);
    bot.launch_line = reader.given("launch").line();
    if (reader.has("launch") && bot.launch.empty())
        reader.wrong("launch",
                     "expected a command and its arguments, such as [\"python3\", \"bot.py\"]");
    const auto program = read_program(reader);
    if (program && reader.has("launch"))
        reader.wrong("program", "a bot has a \"launch\" or a \"program\", not both");
    std::string folder;
    reader.text("directory", folder);
    bot.directory = (std::filesystem::path(directory) / folder).lexically_normal().string();
    bot.has_own_directory = reader.has("directory");
    if (bot.has_own_directory && files::absolute_path(bot.directory, {}) == "/")
        reader.wrong(
            "directory",
            "\"/\" holds everything, the results and all tokens too; expected a folder for "
            "this bot alone, such as \"bots/alice\"");
    read_reads(reader, directory, secrets, bot);
    if (program) {
        set_program(bot, *program);
        bot.launch_line = reader.given("program").line();
    }
    read_environment(reader, bot);
    read_word(reader, "speaks", {"stdio", "tcp"}, bot.speaks);
    if (const auto output = reader.optional_word("stdout", {"socket", "pipe"})) {
        bot.standard_output = static_cast<StandardOutput>(*output);
        if (bot.speaks == Speaks::tcp)
            reader.wrong("stdout", "only a bot that speaks \"stdio\" has it");
    }
    read_word(reader, "lifetime", {"tournament", "match", "game"}, bot.lifetime);
    read_start_within(reader, bot);
    reader.boolean("freeze_between_turns", bot.freeze_between_turns);
    read_limits(reader, bot);
    if (bot.launched() || reader.has("program")) return;
    for (const auto* name :
         {"directory", "environment", "speaks", "stdout", "lifetime", "start_within",
          "freeze_between_turns", "memory_mb", "processes", "disk_mb", "reads"}) {
        if (reader.has(name))
            reader.wrong(name, "only a bot with a \"launch\" or a \"program\" has it");
    }
}

}  // namespace

void read_start_within(json::Reader& reader, BotConfig& bot) {
    read_time(reader, "start_within", bot.start_within);
    if (bot.start_within <= Duration::zero())
        reader.wrong("start_within", "expected more than no time, such as \"30s\"");
}

void read_limits(json::Reader& reader, BotConfig& bot) {
    constexpr std::uint64_t memory_mb_least = 16;  // room for a program to be loaded
    // Beyond these no machine of a class goes, and sums stay far from overflow.
    constexpr std::uint64_t memory_mb_most = 1 << 20;
    constexpr std::uint64_t disk_mb_most = 1 << 20;
    // As many as the kernel has numbers for.
    constexpr std::uint64_t processes_most = 1 << 22;
    reader.integer("memory_mb", bot.memory_mb_max, memory_mb_least, memory_mb_most);
    reader.integer("processes", bot.processes_max, 1, processes_most);
    reader.integer("disk_mb", bot.disk_mb_max, 1, disk_mb_most);
}

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
    auto launch = kinds::launch_of(program, bot.directory);
    bot.program = program;
    bot.launch = std::move(launch.command);
    bot.reads.insert(bot.reads.end(), launch.reads.begin(), launch.reads.end());
}

void read_bots(const json::Placed& list, const std::string& directory, Config& config) {
    const Secrets secrets{
        files::absolute_path(directory, std::filesystem::path(config.file).filename().string()),
        config.control.socket};
    for (const auto element : list.elements()) {
        if (!is_object_of_secrets(element, R"({"name": "alice", "token": "..."})")) continue;
        json::Reader reader(element);
        BotConfig bot;
        reader.text("name", bot.name);
        read_secret(reader, "token", bot.token);
        reader.text("team", bot.team);
        reader.integer("rating", bot.rating, 0, rating_max);
        reader.boolean("house", bot.house);
        read_launch(reader, directory, secrets, bot);
        reader.no_others();
        if (!protocol::is_valid_name(bot.name))
            reader.wrong(
                "name",
                fmt::format("expected a name of 1 to {} bytes of printable text, such as \"alice\"",
                            protocol::limits::name_bytes_max));
        if (bot.token.size() > protocol::limits::token_bytes_max)
            reader.wrong("token", fmt::format("expected at most {} bytes",
                                              protocol::limits::token_bytes_max));
        // Strangers who may come at all may guess.
        if (config.registration.open() && !bot.token.empty() &&
            bot.token.size() < protocol::limits::registered_token_bytes_min)
            reader.wrong("token", fmt::format("expected at least {} bytes, as of who registers",
                                              protocol::limits::registered_token_bytes_min));
        if (base::contains(config.bots, bot.name, &BotConfig::name))
            reader.wrong("name",
                         "two bots have the name \"" + bot.name + "\"; expected different names");
        config.bots.push_back(std::move(bot));
    }
}

}  // namespace referee::config
