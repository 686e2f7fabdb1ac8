#include <algorithm>

#include "protocol/base/text.h"
#include "referee/config/config_sections.h"
#include "referee/config/read_values.h"

namespace referee::config {
namespace {

constexpr std::uint32_t archive_mb_most = 256;
constexpr std::uint32_t per_hour_most = 1000;
constexpr std::uint32_t versions_most = 100;
constexpr std::uint64_t build_memory_mb_least = 64;
constexpr std::uint64_t build_memory_mb_most = 1 << 20;
constexpr Duration build_within_least = std::chrono::seconds(1);

void read_games(json::Reader& reader, const Config& config, SubmissionsConfig& read) {
    std::vector<std::string> of_ladders;
    std::vector<std::string> all;
    for (const auto& tournament : config.tournaments) {
        const bool ladder = formats::traits_of(tournament.format).open_field;
        for (auto* games : {&all, ladder ? &of_ladders : nullptr}) {
            if (games != nullptr && std::count(games->begin(), games->end(), tournament.game) == 0)
                games->push_back(tournament.game);
        }
    }
    reader.texts("games", read.games);
    for (const auto& game : read.games) {
        if (std::count(all.begin(), all.end(), game) == 0)
            reader.wrong("games", "no tournament of this config plays \"" + game +
                                      "\"; expected games of its tournaments, such as [\"" +
                                      (all.empty() ? "walls" : all.front()) + "\"]");
    }
    if (!read.games.empty()) return;
    read.games = of_ladders;
    if (of_ladders.empty() && !config.tournaments.empty())
        reader.wrong("games",
                     "missing; expected the games that programs are handed in for, such as [\"" +
                         (all.empty() ? "walls" : all.front()) +
                         "\"], as the config has no ladder whose game it could be");
}

void read_recipe(json::Reader& reader, SubmissionsConfig& read) {
    reader.text("build", read.build);
    reader.text("build_in", read.build_in);
    reader.texts("run", read.run);
    std::string kind;
    reader.text("kind", kind);
    if (kind.empty()) return;
    read.kind = kinds::find_kind(kind);
    if (read.kind == nullptr) {
        reader.wrong("kind",
                     "found \"" + kind + "\"; expected one of these: " + kinds::list_of_kinds());
    } else if (read.games != std::vector<std::string>{std::string(read.kind->game)}) {
        reader.wrong("kind", "a program of the kind " + kind + " plays " +
                                 std::string(read.kind->game) + " alone; expected \"games\": [\"" +
                                 std::string(read.kind->game) + "\"] beside it");
    }
}

// Whoever hands in proves a name by a token.
void warn_if_nobody_can(Config& config) {
    const bool tokens =
        std::any_of(config.bots.begin(), config.bots.end(),
                    [](const BotConfig& bot) { return !bot.launched() && !bot.token.empty(); });
    if (tokens || config.registration.open()) return;
    config.warnings.emplace_back(
        "\"submissions\": nobody can hand in a program, as no bot that dials in has a \"token\" "
        "and "
        "no name can be registered; expected one of both");
}

}  // namespace

void read_submissions(json::Reader& root, Config& config) {
    const auto object = root.optional_object("submissions");
    if (!object) return;
    json::Reader reader(object);
    SubmissionsConfig read;
    read_games(reader, config, read);
    read_recipe(reader, read);
    reader.integer("archive_mb", read.archive_mb, 1, archive_mb_most);
    reader.integer("per_hour", read.per_hour, 1, per_hour_most);
    reader.integer("versions", read.versions, 1, versions_most);
    read_time(reader, "build_within", read.build_within);
    if (read.build_within < build_within_least)
        reader.wrong("build_within", "expected at least a second, such as \"120s\"");
    reader.integer("build_memory_mb", read.build_memory_mb, build_memory_mb_least,
                   build_memory_mb_most);
    read_time(reader, "start_within", read.program.start_within);
    if (read.program.start_within <= Duration::zero())
        reader.wrong("start_within", "expected more than no time, such as \"30s\"");
    read_limits(reader, read.program);
    reader.no_others();
    warn_if_nobody_can(config);
    config.submissions = std::move(read);
}

}  // namespace referee::config
