#include <algorithm>
#include <filesystem>

#include "protocol/codec.h"
#include "referee/config/sections.h"

namespace referee::config {
namespace {

constexpr std::int64_t rating_max = 10'000;
constexpr std::int64_t memory_mb_most = 1 << 20;

void read_environment(json::Reader& reader, BotConfig& bot) {
    const auto object = reader.optional_object("environment");
    json::Reader environment(object);
    for (const auto [name, value] : object.view().members()) {
        if (const auto text = environment.optional_text(name))
            bot.environment.emplace_back(name, *text);
    }
}

void read_launch(json::Reader& reader, const std::string& directory, BotConfig& bot) {
    reader.texts("launch", bot.launch);
    if (reader.has("launch") && bot.launch.empty()) {
        reader.wrong("launch",
                     "expected a command and its arguments, such as [\"python3\", \"bot.py\"]");
    }
    std::string folder;
    reader.text("directory", folder);
    bot.directory = (std::filesystem::path(directory) / folder).lexically_normal().string();
    bot.has_own_directory = reader.has("directory");
    read_environment(reader, bot);
    if (const auto speaks = reader.optional_word("speaks", {"stdio", "tcp"}))
        bot.speaks = static_cast<Speaks>(*speaks);
    if (const auto output = reader.optional_word("stdout", {"socket", "pipe"})) {
        bot.standard_output = static_cast<StandardOutput>(*output);
        if (bot.speaks == Speaks::tcp)
            reader.wrong("stdout", "only a bot that speaks \"stdio\" has it");
    }
    if (const auto life = reader.optional_word("lifetime", {"tournament", "match", "game"}))
        bot.lifetime = static_cast<Lifetime>(*life);
    read_time(reader, "start_within", bot.start_within);
    if (bot.start_within <= Duration::zero())
        reader.wrong("start_within", "expected more than no time, such as \"30s\"");
    bot.freeze_between_turns = reader.optional_boolean("freeze_between_turns");
    reader.integer("memory_mb", bot.memory_mb_max, 1, memory_mb_most);
    if (bot.launched()) return;
    for (const auto* name : {"directory", "environment", "speaks", "stdout", "lifetime",
                             "start_within", "freeze_between_turns", "memory_mb"}) {
        if (reader.has(name)) reader.wrong(name, "only a bot with a \"launch\" command has it");
    }
}

}  // namespace

void read_bots(const json::Placed& list, const std::string& directory, Config& config) {
    for (const auto element : list.elements()) {
        if (!element.object(R"({"name": "alice", "token": "..."})")) continue;
        json::Reader reader(element);
        BotConfig bot;
        reader.text("name", bot.name);
        reader.text("token", bot.token);
        reader.text("team", bot.team);
        reader.integer("rating", bot.rating, 0, rating_max);
        read_launch(reader, directory, bot);
        reader.no_others();
        if (!protocol::is_valid_name(bot.name)) {
            reader.wrong("name", "expected a name of 1 to " +
                                     std::to_string(protocol::limits::name_bytes_max) +
                                     " bytes of printable text, such as \"alice\"");
        }
        if (bot.token.size() > protocol::limits::token_bytes_max)
            reader.wrong("token", "expected at most " +
                                      std::to_string(protocol::limits::token_bytes_max) + " bytes");
        const auto same = [&bot](const BotConfig& other) { return other.name == bot.name; };
        if (std::any_of(config.bots.begin(), config.bots.end(), same)) {
            reader.wrong("name",
                         "two bots have the name \"" + bot.name + "\"; expected different names");
        }
        config.bots.push_back(std::move(bot));
    }
}

}  // namespace referee::config
