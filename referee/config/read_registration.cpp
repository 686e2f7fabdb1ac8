#include <algorithm>
#include <filesystem>
#include <functional>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/limits.h"
#include "referee/config/config.h"
#include "referee/config/config_sections.h"
#include "referee/config/read_values.h"
#include "referee/files/file.h"
#include "referee/roster/kinds/kind.h"
#include "referee/roster/names/looks.h"

// Who may come whom "bots" doesn't name, and the programs that bots' owners hand in.

namespace referee::config {
namespace {

constexpr std::uint32_t registrations_per_hour_most = 100'000;

using TellMistake = std::function<void(const roster::CsvMistake&)>;

// Names that people take for one another, one in the config and one on the roster; and bots that
// have a token in both.
void hold_against_bots(const std::vector<BotConfig>& bots, const roster::Roster& students,
                       const TellMistake& tell) {
    names::KnownLooks looks;
    for (const auto& bot : bots) looks.add(bot.name);
    for (const auto& student : students.students()) {
        if (const auto like = looks.like(student.name); !like.empty())
            tell({student.line, "name",
                  '"' + student.name + "\" looks like the config's bot \"" + like +
                      "\": " + names::difference(student.name, like) +
                      "; expected names that nobody takes for one another"});
        for (const auto& bot : bots) {
            if (bot.name == student.name && !bot.token.empty() && !student.token.empty())
                tell({student.line, "token",
                      '"' + student.name +
                          "\" has a token here and in \"bots\"; expected it in one of the two"});
        }
    }
}

// Whoever has no token and no class password can't come.
void warn_of_locked_out(const roster::Roster& students, Config& config) {
    if (!config.registration.password.empty()) return;
    std::size_t without = 0;
    for (const auto& student : students.students()) without += student.token.empty() ? 1 : 0;
    if (without == 0) return;
    config.warnings.push_back(
        fmt::format("{} rows of {} have no token, and there is no class password: these bots can't "
                    "log in; `referee roster tokens` makes tokens",
                    without, config.registration.roster_file));
}

bool has_secrets(const Config& config) {
    if (!config.registration.password.empty() || !config.control.token.empty()) return true;
    for (const auto& bot : config.bots) {
        if (!bot.token.empty()) return true;
    }
    return false;
}

void warn_if_open(const std::string& file, const std::string& holds, Config& config) {
    namespace fs = std::filesystem;
    std::error_code error;
    const auto mode = fs::status(file, error).permissions();
    if (error || (mode & fs::perms::others_read) == fs::perms::none) return;
    config.warnings.push_back("every user of this machine can read " + file + ", which holds " +
                              holds + "; `chmod o-r " + file + "` ends that");
}

constexpr std::uint32_t archive_mb_most = 256;
constexpr std::uint32_t per_hour_most = 1000;
constexpr std::uint32_t versions_most = 100;
constexpr Duration build_within_least = std::chrono::seconds(1);

void read_games(json::Reader& reader, const Config& config, SubmissionsConfig& read) {
    const auto& tournaments = config.tournaments;
    const auto played = tournaments.empty() ? "walls" : tournaments.front().game;
    reader.texts("games", read.games);
    for (const auto& game : read.games) {
        if (!base::contains(tournaments, game, &TournamentConfig::game))
            reader.wrong("games", "no tournament of this config plays \"" + game +
                                      "\"; expected games of its tournaments, such as [\"" +
                                      played + "\"]");
    }
    if (!read.games.empty()) return;
    for (const auto& tournament : tournaments) {
        const bool is_ladder = formats::traits_of(tournament.format).open_field;
        if (is_ladder && !base::contains(read.games, tournament.game))
            read.games.push_back(tournament.game);
    }
    if (read.games.empty() && !tournaments.empty())
        reader.wrong("games",
                     "missing; expected the games that programs are handed in for, such as [\"" +
                         played + "\"], as the config has no ladder whose game it could be");
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
    const bool tokens = std::ranges::any_of(
        config.bots, [](const BotConfig& bot) { return !bot.launched() && !bot.token.empty(); });
    if (tokens || config.registration.open()) return;
    config.warnings.emplace_back(
        "\"submissions\": nobody can hand in a program, as no bot that dials in has a \"token\" "
        "and no name can be registered; expected one of both");
}

}  // namespace

void read_registration(json::Reader& root, const std::string& directory, Config& config) {
    const auto object = read_object_of_secrets(root, "registration");
    if (!object) return;
    json::Reader reader(object);
    auto& read = config.registration;
    read_secret(reader, "password", read.password);
    reader.boolean("approval", read.approval);
    reader.integer("per_address_per_hour", read.per_address_per_hour, 1,
                   registrations_per_hour_most);
    reader.integer("total", read.total, 1, registered_names_max);
    reader.text("roster", read.roster_file);
    const auto is_empty_text = [&reader](std::string_view name) {
        const auto text = reader.given(name).string();
        return text && text->empty();
    };
    if (is_empty_text("roster"))
        reader.wrong("roster", "expected a CSV file, such as \"students.csv\"");
    if (!read.roster_file.empty())
        read.roster_file = files::absolute_path(directory, read.roster_file);
    if (is_empty_text("password") || (!reader.has("password") && !reader.has("roster")))
        reader.wrong("password", "missing; expected the class password as a text \"...\"");
    reader.no_others();
}

void read_class_roster(json::Reader& root, Config& config) {
    auto& registration = config.registration;
    const auto& file = registration.roster_file;
    if (file.empty()) return;
    const auto object = root.optional_object("registration");
    json::Reader reader(object);
    const auto tell = [&](const roster::CsvMistake& mistake) {
        reader.wrong("roster", roster::describe(mistake, file));
    };
    auto read = roster::read_roster_file(file);
    if (!read) {
        for (const auto& mistake : read.error()) tell(mistake);
        return;
    }
    for (const auto& remark : read->remarks) config.warnings.push_back(file + ": " + remark);
    hold_against_bots(config.bots, read->roster, tell);
    warn_of_locked_out(read->roster, config);
    registration.class_roster = std::move(read->roster);
}

void warn_of_open_secrets(const std::string& file, Config& config) {
    const auto warn_if_sample = [&config](const std::string& member, const std::string& secret) {
        if (secret.starts_with("change me"))
            config.warnings.push_back(member +
                                      " still begins with \"change me\", as in a sample "
                                      "that everybody can read: expected a secret of yours");
    };
    warn_if_sample("registration.password", config.registration.password);
    warn_if_sample("control.token", config.control.token);
    if (has_secrets(config)) warn_if_open(file, "tokens or passwords", config);
    const auto& students = config.registration.class_roster;
    if (!students) return;
    warn_if_open(config.registration.roster_file,
                 students->holds_tokens() ? "students' names and tokens" : "students' names",
                 config);
}

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
    reader.integer("build_memory_mb", read.build_memory_mb, protocol::limits::build_memory_mb_min,
                   protocol::limits::build_memory_mb_max);
    read_start_within(reader, read.program);
    read_limits(reader, read.program);
    reader.no_others();
    warn_if_nobody_can(config);
    config.submissions = std::move(read);
}

}  // namespace referee::config
