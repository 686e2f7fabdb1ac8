#include <algorithm>
#include <filesystem>

#include "referee/config/reader.h"
#include "referee/config/sections.h"

namespace referee::config {
namespace {

constexpr std::int64_t seed_max = UINT32_MAX;
constexpr std::size_t id_bytes_max = 32;

// Ids stand in file names and in game ids.
bool is_id(std::string_view text) {
    const auto good = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    };
    return !text.empty() && text.size() <= id_bytes_max && std::all_of(text.begin(), text.end(), good);
}

void read_entrants(MemberReader& reader, const Config& config, TournamentConfig& tournament) {
    std::vector<std::string> names;
    reader.texts("bots", names);
    if (!reader.has("bots")) {
        for (std::size_t i = 0; i < config.bots.size(); ++i) tournament.bots.push_back(i);
        return;
    }
    for (const auto& name : names) {
        const auto found = std::find_if(config.bots.begin(), config.bots.end(), [&name](const auto& bot) { return bot.name == name; });
        const auto index = static_cast<std::size_t>(found - config.bots.begin());
        if (found == config.bots.end()) {
            reader.wrong("bots", "\"" + name + "\" is not a name in the config's list of bots");
        } else if (std::find(tournament.bots.begin(), tournament.bots.end(), index) != tournament.bots.end()) {
            reader.wrong("bots", "\"" + name + "\" stands twice");
        } else {
            tournament.bots.push_back(index);
        }
    }
}

void check_whole(MemberReader& reader, const Config& config, const engines::GameInfo& game, const TournamentConfig& tournament) {
    std::vector<tournament::Entry> entries;
    for (const auto index : tournament.bots) {
        tournament::Entry entry;
        entry.name = config.bots[index].name;
        entry.rating = config.bots[index].rating;
        entry.team = config.bots[index].team;
        entries.push_back(std::move(entry));
    }
    const tournament::GameSeats seats{game.seats_min, game.seats_max, game.seats_max == 1};
    for (const auto& error : tournament::check_format(tournament.format, entries, seats)) {
        const auto member = error.member.empty() ? std::string("format") : error.member;
        reader.wrong(member == "bots" ? "bots" : "format", error.message);
    }
}

// Processor time can be measured of bots that the referee launches, of no others.
void settle_measure(Config& config, TournamentConfig& tournament) {
    if (tournament.clock.measure != clock::Measure::cpu) return;
    for (const auto index : tournament.bots) {
        const auto& bot = config.bots[index];
        if (bot.launched()) continue;
        tournament.clock.measure = clock::Measure::wall;
        config.warnings.push_back("tournament " + tournament.id + ": " + bot.name +
                                  " dials in, so its processor time can't be measured; everybody is charged wall time instead");
        return;
    }
}

void read_tie_breaks(MemberReader& reader, TournamentConfig& tournament) {
    std::vector<std::string> names;
    reader.texts("tie_breaks", names);
    tournament.tie_breaks = {standings::TieBreak::points};
    if (!reader.has("tie_breaks")) {
        tournament.tie_breaks.push_back(standings::TieBreak::scores);
        return;
    }
    for (const auto& name : names) {
        const auto tie_break = standings::tie_break_named(name);
        if (!tie_break) {
            std::string known;
            for (const auto& each : standings::tie_break_names()) known += " " + std::string(each.name);
            reader.wrong("tie_breaks", "\"" + name + "\" is no tie-break; expected some of:" + known);
        } else if (*tie_break != standings::TieBreak::points) {
            tournament.tie_breaks.push_back(*tie_break);
        }
    }
}

void read_tournament(MemberReader& reader, const std::string& directory, Config& config) {
    TournamentConfig tournament;
    reader.text("id", tournament.id);
    if (!is_id(tournament.id)) {
        reader.wrong("id", "expected 1 to " + std::to_string(id_bytes_max) + " letters, digits, - or _, such as \"friday\"");
    }
    const auto same = [&tournament](const auto& other) { return other.id == tournament.id; };
    if (std::any_of(config.tournaments.begin(), config.tournaments.end(), same)) {
        reader.wrong("id", "two tournaments have the id \"" + tournament.id + "\"; expected different ids");
    }
    reader.integer("seed", tournament.seed, 0, seed_max);
    std::string maps;
    reader.text("maps", maps);
    if (!maps.empty()) tournament.maps_directory = (std::filesystem::path(directory) / maps).lexically_normal().string();
    const engines::Registry known;
    std::vector<std::string_view> games;
    for (const auto& game : known.games()) games.push_back(game->info().id);
    if (!reader.has("game")) reader.wrong("game", "missing; expected the id of a game, such as \"walls\"");
    const auto which = reader.word("game", games);
    if (!which) return;
    tournament.game = games[*which];
    const auto registry = registry_for(tournament);
    if (const auto* error = std::get_if<ConfigError>(&registry)) {
        reader.wrong("maps", error->message);
        return;
    }
    const auto& game = *std::get<std::unique_ptr<engines::Registry>>(registry)->find(tournament.game);
    read_entrants(reader, config, tournament);
    read_format(reader, game.info(), tournament);
    read_match(reader, game.info(), tournament);
    read_setups(reader, game, tournament);
    read_tie_breaks(reader, tournament);
    read_clock(reader, game.info(), tournament.clock);
    settle_measure(config, tournament);
    tournament.faults = play::default_faults(game.info());
    read_faults(reader, tournament.faults);
    reader.time("ready", tournament.ready_budget);
    reader.time("no_show_after", tournament.no_show_after);
    reader.no_others();
    check_whole(reader, config, game.info(), tournament);
    config.tournaments.push_back(std::move(tournament));
}

}  // namespace

void read_tournaments(json::View list, const std::string& directory, Config& config, std::vector<ConfigError>& errors) {
    std::size_t index = 0;
    if (list && list.size() == 0) errors.push_back({list.line(), "tournaments", "expected at least one tournament"});
    for (const auto element : list.elements()) {
        const auto path = "tournaments[" + std::to_string(index++) + "]";
        if (!element.is_object()) {
            errors.push_back({element.line(), path, "expected an object such as {\"id\": \"friday\", \"game\": \"walls\"}"});
            continue;
        }
        MemberReader reader(element, path, errors);
        read_tournament(reader, directory, config);
    }
}

}  // namespace referee::config
