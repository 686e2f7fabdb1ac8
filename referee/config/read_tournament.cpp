#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "referee/config/reader.h"
#include "referee/config/sections.h"
#include "referee/limits.h"

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
    const auto entries = entries_of(tournament, config.bots);
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

// What may change between a run and the one that goes on with it: it decides nothing that is played.
constexpr std::array<std::string_view, 7> may_change{"bots", "rest", "maps", "tie_breaks", "no_show_after", "ready", "starts"};

std::string canonical(json::View object) {
    std::map<std::string_view, json::View> members;
    for (const auto [name, value] : object.members()) {
        if (std::find(may_change.begin(), may_change.end(), name) == may_change.end()) members.emplace(name, value);
    }
    std::string text;
    json::Writer writer(text);
    writer.begin_object();
    for (const auto& [name, value] : members) {
        writer.key(name);
        value.write(writer);
    }
    writer.end_object();
    return text;
}

void read_start(MemberReader& reader, const Config& config, TournamentConfig& tournament) {
    if (const auto starts = reader.word("starts", {"at_once", "by_order"})) tournament.starts_by_order = *starts == 1;
    const auto object = reader.object("field");
    if (!object) return;
    FieldFromLadder from;
    MemberReader field(object, reader.path_of("field"), reader.errors());
    field.text("ladder", from.ladder);
    field.integer("best", from.best, 1, static_cast<std::int64_t>(limits::registered_names_max));
    const auto ladder = [&](const auto& other) {
        return other.id == from.ladder && other.format.kind == tournament::FormatKind::ladder && other.game == tournament.game;
    };
    if (std::none_of(config.tournaments.begin(), config.tournaments.end(), ladder)) {
        field.wrong("ladder", "expected the id of a ladder of the same game that stands before it in the list, found \"" + from.ladder + "\"");
    }
    field.no_others();
    if (reader.has("bots")) reader.wrong("field", "the field is either listed in \"bots\" or taken from a ladder, not both");
    if (reader.has("starts") && !tournament.starts_by_order) {
        reader.wrong("starts", "a field that is taken from a ladder is taken when the order to begin comes; expected \"by_order\"");
    }
    tournament.starts_by_order = true;
    tournament.field_from = from;
    tournament.bots.clear();
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
    read_faults(reader, tournament.faults);
    reader.time("ready", tournament.ready_budget);
    reader.time("no_show_after", tournament.no_show_after);
    reader.time("rest", tournament.rest);
    if (reader.has("rest") && tournament.format.kind != tournament::FormatKind::ladder) reader.wrong("rest", "only a ladder has it");
    read_start(reader, config, tournament);
    reader.no_others();
    // A field that comes together later is checked then.
    if (!tournament.field_from && !(tournament.starts_by_order && tournament.bots.empty())) check_whole(reader, config, game.info(), tournament);
    tournament.text = canonical(reader.object());
    config.tournaments.push_back(std::move(tournament));
}

}  // namespace

std::vector<tournament::Entry> entries_of(const TournamentConfig& tournament, const std::vector<BotConfig>& bots) {
    std::vector<tournament::Entry> entries;
    for (const auto index : tournament.bots) {
        const auto& bot = bots[index];
        entries.push_back({.name = bot.name, .rating = bot.rating, .team = bot.team, .half_point_byes = {}});
    }
    return entries;
}

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
