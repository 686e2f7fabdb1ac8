#include "referee/config/read_config.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/config/config_sections.h"
#include "referee/files/file.h"
#include "referee/files/log/log.h"

namespace referee::config {
namespace {

// Far beyond a class of thousands, and far beyond any map: a log that was named by mistake is not
// read whole.
constexpr std::size_t config_bytes_max = 16 * 1024 * 1024;
constexpr std::size_t map_bytes_max = 16 * 1024 * 1024;
constexpr std::int64_t connections_most = 1'000'000;
constexpr std::int64_t strangers_least = 2;  // one may wait while another one comes
constexpr Duration wait_least_sensible = std::chrono::milliseconds(1);
constexpr std::int64_t cores_most = 10'000;
constexpr std::int64_t games_at_once_most = 100'000;
constexpr std::uint64_t replays_mb_most = std::uint64_t{1} << 30;

// Of waits that a number without a unit made too short.
void warn_of_tiny_times(Config& config) {
    const auto look = [&config](const std::string& where, Duration time) {
        if (time.count() <= 0 || time >= wait_least_sensible) return;
        config.warnings.push_back(fmt::format(
            "{}: {} us is less than 1 ms. A number without a unit counts microseconds; expected a "
            "time such as \"10s\" or \"50ms\"",
            where, in_us(time)));
    };
    look("grace", config.grace);
    look("join_within", config.join_within);
    for (const auto& tournament : config.tournaments) {
        const auto of = "tournament " + tournament.id + ": ";
        look(of + "ready", tournament.ready_budget);
        look(of + "rest", tournament.rest);
        look(of + "no_show_after", tournament.no_show_after);
    }
}

// A field that is taken while its ladder is played may be another one than its end would give.
void warn_of_early_starts(Config& config) {
    for (const auto& tournament : config.tournaments) {
        const auto& starts = tournament.calendar.starts;
        if (!tournament.field_from || !starts) continue;
        for (const auto& ladder : config.tournaments) {
            const auto& until = ladder.calendar.until;
            if (ladder.id == tournament.field_from->ladder && until && *starts < *until)
                config.warnings.push_back(fmt::format(
                    "tournament {}: starts: its field is taken on {}, before the ladder {} ends on "
                    "{}",
                    tournament.id, moment_text(*starts), ladder.id, moment_text(*until)));
        }
    }
}

void read_connections(json::Reader& root, Config& config) {
    const auto object = root.optional_object("connections");
    if (!object) return;
    json::Reader connections(object);
    auto& limits = config.connections;
    connections.integer("total", limits.bots_max, 1, connections_most);
    connections.integer("per_address", limits.bots_per_address_max, 1, connections_most);
    // All bots of an address may come at once, so there is room for as many strangers.
    limits.strangers_per_address_max =
        std::max(limits.strangers_per_address_max, limits.bots_per_address_max);
    connections.integer("strangers_per_address", limits.strangers_per_address_max, strangers_least,
                        connections_most);
    limits.strangers_max = std::max(limits.strangers_max, limits.strangers_per_address_max);
    connections.integer("strangers", limits.strangers_max, strangers_least, connections_most);
    connections.no_others();
}

void read_log_level(json::Reader& root, Config& config) {
    if (const auto which = root.optional_word("log_level", log::levels))
        config.log_level = log::levels[*which];
}

void read_sandbox(json::Reader& root, Config& config) {
    const auto object = root.optional_object("sandbox");
    if (!object) return;
    json::Reader sandbox(object);
    read_word(sandbox, "min_tier", sandbox_tiers, config.min_tier);
    sandbox.no_others();
}

// Whether tokens, passwords or variables of programs stand there, or could where a name is
// mistyped.
bool is_among_secrets(std::string_view path) {
    return path.starts_with("bots") || path.starts_with("control") ||
           path.starts_with("registration");
}

// A value of the wrong kind may be a secret that stands in the wrong place: only its kind is told.
std::string message_of(const json::Mistake& mistake) {
    if (mistake.kind != json::MistakeKind::wrong_kind || !is_among_secrets(mistake.path))
        return mistake.message;
    return "expected " + mistake.expected + ", found " + std::string(json::describe(mistake.found));
}

std::vector<ConfigError> errors_of(const json::Mistakes& mistakes) {
    std::vector<ConfigError> errors;
    for (const auto& mistake : mistakes.by_lines())
        errors.push_back({mistake.line, base::visible_line(mistake.path),
                          base::visible_line(message_of(mistake))});
    return errors;
}

}  // namespace

base::Result<Config, std::vector<ConfigError>> read_config(std::string_view text,
                                                           const std::string& file,
                                                           const std::string& directory) {
    using Errors = std::vector<ConfigError>;
    json::Document document;
    if (const auto parsed = document.parse(text, {.comments = true, .lines = true}); !parsed)
        return base::failure(Errors{syntax_mistake(text, parsed.error())});
    if (!document.root().is_object())
        return base::failure(
            Errors{{1, "", "expected an object such as {\"tournaments\": [...]}"}});
    Config config;
    config.file = file;
    json::Mistakes mistakes(config_rules);
    json::Reader root(document.root(), mistakes);
    root.optional("$schema");  // for editors
    read_names(root, config);
    read_listen(root, directory, config);
    read_connections(root, config);
    read_network(root.optional_array("network"), config);
    read_registration(root, directory, config);
    if (config.web && config.web->registration && config.registration.password.empty())
        mistakes.add(root.given("listen").find("web").find("registration").line(),
                     "listen.web.registration",
                     "names are registered by who knows the class password; expected "
                     "\"registration\": {\"password\": ...} in the config");
    read_control(root, directory, config);
    read_log_level(root, config);
    read_word(root, "priority", {"plain", "high"}, config.high_priority);
    read_sandbox(root, config);
    read_time(root, "grace", config.grace);
    read_time(root, "join_within", config.join_within);
    root.integer("cores", config.cores, 1, cores_most);
    root.integer("replays_mb", config.replays_mb, 1, replays_mb_most);
    read_word(root, "game_files", {"tournaments", "all", "none"}, config.game_files);
    root.integer("games_at_once", config.games_at_once, 1, games_at_once_most);
    read_bots(root.optional_array("bots"), directory, config);
    read_class_roster(root, config);
    if (!root.has("tournaments"))
        root.wrong("tournaments", "missing; expected a list with at least one tournament");
    read_tournaments(root.optional_array("tournaments"), directory, config);
    read_submissions(root, config);
    read_machines(root, directory, config);
    root.no_others();
    if (!mistakes) {
        warn_of_tiny_budgets(config);
        warn_of_tiny_times(config);
        warn_of_short_budgets(config);
        warn_of_early_starts(config);
        return config;
    }
    return base::failure(errors_of(mistakes));
}

base::Result<Config, std::vector<ConfigError>> read_config_file(const std::string& file) {
    const auto text = files::read_named_file(file, config_bytes_max);
    if (!text) {
        return base::failure(std::vector<ConfigError>{
            {0, "", text.error() + "; expected a config file such as class.json"}});
    }
    const auto directory = std::filesystem::absolute(file).parent_path().string();
    auto config = read_config(*text, file, directory);
    if (!config) return config;
    warn_of_open_secrets(file, *config);
    for (auto& warning : config->warnings) warning = base::visible_line(warning);
    return config;
}

std::string describe(const ConfigError& error, const std::string& file) {
    auto line = file;
    if (error.line > 0) line += ":" + std::to_string(error.line);
    if (!error.member.empty()) line += ": " + error.member;
    return line + ": " + error.message;
}

base::Result<std::unique_ptr<engines::Registry>, ConfigError> registry_for(
    const TournamentConfig& tournament) {
    if (tournament.maps_directory.empty()) return std::make_unique<engines::Registry>();
    engines::Registry::GameResources given;
    given.game = tournament.game;
    std::error_code error;
    for (const auto& name : files::names_in(tournament.maps_directory, error)) {
        const auto path = std::filesystem::path(tournament.maps_directory) / name;
        if (!files::is_regular_file(path.string())) continue;
        auto text = files::read_named_file(path.string(), map_bytes_max);
        if (!text)
            return base::failure(
                ConfigError{0, "maps", base::visible_line(path.string() + " " + text.error())});
        if (path.filename() == maps_version_file) {
            given.resources.maps_version = text->substr(0, text->find_first_of("\r\n"));
            continue;
        }
        given.resources.maps.push_back({path.stem().string(), *std::move(text)});
    }
    if (error)
        return base::failure(ConfigError{0, "maps",
                                         "expected a folder with map files, found " +
                                             tournament.maps_directory + ": " + error.message()});
    std::ranges::sort(given.resources.maps,
                      [](const auto& a, const auto& b) { return a.name < b.name; });
    return std::make_unique<engines::Registry>(std::span(&given, 1));
}

std::string unknown_game(const engines::Registry& registry, std::string_view id) {
    std::vector<std::string> known;
    for (const auto& game : registry.games()) known.emplace_back(game->info().id);
    auto near = base::nearest(id, known);
    // The beginning of one name alone may be too short for a slip: "e7".
    const auto begins = [id](const auto& name) { return !id.empty() && name.starts_with(id); };
    if (near.empty() && std::ranges::count_if(known, begins) == 1)
        near = *std::ranges::find_if(known, begins);
    return "there is no game " + base::quoted(base::visible_line(id)) + " here" +
           base::did_you_mean(near) + (near.empty() ? "; expected" : " Expected") + " one of " +
           base::joined(known);
}

std::vector<formats::Entry> entries_of(const TournamentConfig& tournament,
                                       const std::vector<BotConfig>& bots) {
    std::vector<formats::Entry> entries;
    for (const auto index : tournament.bots) {
        const auto& bot = bots[index];
        const auto* attendance = base::find_in(tournament.attendance, index);
        auto& entry = entries.emplace_back(attendance == nullptr ? formats::Entry{} : *attendance);
        entry.name = bot.name;
        entry.rating = bot.rating;
        entry.team = bot.team;
    }
    return entries;
}

}  // namespace referee::config
