#include "referee/submit/collect/tournament_file.h"

#include <filesystem>
#include <string_view>

#include "engines/registry.h"
#include "protocol/base/assertion.h"
#include "protocol/json/writer.h"
#include "referee/report/output_folder.h"
#include "referee/submit/collect/submission_file.h"

namespace referee::collect {
namespace {

namespace json = protocol::json;

constexpr const char* head =
    "// A config for `referee run`, to be changed at will; configs/README.md tells all members.\n"
    "// `referee collect` writes this file anew: keep what you change under another name.\n";

// What a game needs beside its name, as JSON; empty: nothing.
std::string_view setups_of(std::string_view game) {
    if (game == "e7_planets") return R"([{"map": "one_scrap"}, {"map": "two_scrap"}])";
    if (game == "snake_labyrinth") return R"([{"maze": "handout"}])";
    return {};
}

std::string in_quotes(const std::string& text) {
    std::string out;
    json::Writer(out).string(text);
    return out;
}

// JSON with a blank behind each comma and colon.
std::string spaced(std::string_view text) {
    std::string out;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        out += text[i];
        if (in_string && text[i] == '\\') {
            out += text[++i];
            continue;
        }
        if (text[i] == '"') in_string = !in_string;
        if (!in_string && (text[i] == ',' || text[i] == ':')) out += ' ';
    }
    return out;
}

// The members by which it is launched: `"launch": ["./program"]`.
std::string launch_text(const Collected& submission, const kinds::Kind* kind) {
    std::string object;
    json::Writer writer(object);
    writer.begin_object();
    write_played(writer, played_as(submission.built, kind), "launch");
    writer.end_object();
    return spaced(std::string_view(object).substr(1, object.size() - 2));
}

std::string bot_text(const Collected& submission, const matching::ClassList& people,
                     const kinds::Kind* kind) {
    const auto folder = std::filesystem::path("submissions") /
                        report::folder_name_of(submission.name) / build_folder_name /
                        submission.built.within;
    auto directory = folder.lexically_normal().string();
    if (directory.ends_with('/')) directory.pop_back();
    std::string text = "    {\n      \"name\": " + in_quotes(submission.name);
    const auto& team = people.people()[submission.people.front()].team;
    if (!team.empty()) text += ",\n      \"team\": " + in_quotes(team);
    return text + ",\n      " + launch_text(submission, kind) +
           ",\n      \"directory\": " + in_quotes(directory) + "\n    }";
}

std::string format_text(const engines::GameInfo& game) {
    if (game.seats_max == 1) {
        return "      // Everybody plays the same games alone, and the sum of the scores counts.\n"
               "      \"format\": {\"kind\": \"leaderboard\"}\n";
    }
    const auto seats = std::to_string(game.seats_default);
    return "      // Everybody meets everybody.\n"
           "      \"format\": {\"kind\": \"round_robin\"" +
           (game.seats_default == 2 ? std::string() : ", \"seats\": " + seats) + "}\n";
}

}  // namespace

base::Result<std::string, std::string> tournament_text(const CollectOptions& terms,
                                                       const Collection& collection,
                                                       const matching::ClassList& people) {
    const engines::Registry registry;
    const auto* game = registry.find(terms.game);
    REFEREE_ASSERT(game != nullptr);
    const auto seats = game->info().seats_default;
    std::string bots;
    std::size_t count = 0;
    for (const auto& submission : collection.submissions) {
        if (submission.built.run.empty()) continue;
        bots += (count++ == 0 ? "" : ",\n") + bot_text(submission, people, terms.kind);
    }
    if (count < seats) {
        return base::failure("a tournament of " + terms.game + " needs " + std::to_string(seats) +
                             " submissions that can play, found " + std::to_string(count));
    }
    const auto setups = setups_of(terms.game);
    return head + std::string("{\n  \"listen\": {\"address\": \"127.0.0.1\", \"port\": 0},\n") +
           "  \"bots\": [\n" + bots + "\n  ],\n  \"tournaments\": [\n    {\n" +
           "      \"id\": \"submissions\",\n      \"game\": " + in_quotes(terms.game) + ",\n" +
           (setups.empty() ? std::string() : "      \"setups\": " + std::string(setups) + ",\n") +
           format_text(game->info()) + "    }\n  ]\n}\n";
}

}  // namespace referee::collect
