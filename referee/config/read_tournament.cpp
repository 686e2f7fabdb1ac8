#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/config/config.h"
#include "referee/config/config_sections.h"
#include "referee/config/read_config.h"
#include "referee/contest/formats/swiss.h"

namespace referee::config {
namespace {

constexpr std::int64_t seed_max = UINT32_MAX;
constexpr std::size_t id_bytes_max = 32;

// Ids stand in file names and in game ids.
bool is_id(std::string_view text) {
    return !text.empty() && text.size() <= id_bytes_max &&
           std::ranges::all_of(text, base::is_of_id);
}

// Rounds of a Swiss, from 1.
constexpr std::uint32_t round_most = 10'000;

// {"name": "alice", "first_round": 2, "last_round": 5, "half_point_byes": [3]}
formats::Entry read_attendance(const json::Placed& element) {
    formats::Entry attendance;
    json::Reader reader(element);
    reader.text("name", attendance.name);
    reader.integer("first_round", attendance.first_round, 1, round_most);
    reader.integer("last_round", attendance.last_round, 1, round_most);
    for (const auto& [member, byes] : {std::pair("half_point_byes", &attendance.half_point_byes),
                                       std::pair("zero_point_byes", &attendance.zero_point_byes)})
        read_numbers(reader, member, *byes, 1, round_most, "numbers of rounds, such as [3]");
    if (attendance.last_round < attendance.first_round)
        reader.wrong("last_round", "expected a round not before first_round, " +
                                       std::to_string(attendance.first_round));
    reader.no_others();
    return attendance;
}

constexpr const char* for_registered =
    R"(; who registers plays by "field": {"ladder": "practice"} instead of "bots")";

void add_entrant(json::Reader& reader, const Config& config, const std::string& name,
                 const std::optional<formats::Entry>& attendance, TournamentConfig& tournament) {
    const auto found = std::ranges::find(config.bots, name, &BotConfig::name);
    const auto index = static_cast<std::size_t>(found - config.bots.begin());
    if (found == config.bots.end()) {
        std::vector<std::string> known;
        for (const auto& bot : config.bots) known.push_back(bot.name);
        reader.wrong("bots", "\"" + name + "\" is not a name in the config's list of bots" +
                                 base::did_you_mean(name, known) +
                                 (config.registration.open() ? for_registered : ""));
    } else if (base::contains(tournament.bots, index) &&
               reader.has("bots")) {  // else two bots have one name, which is told there
        reader.wrong("bots", "\"" + name + "\" is listed twice");
    } else {
        const auto& program = found->program;
        const auto why = program ? kinds::unsuited(*program, tournament.game) : std::string();
        if (!why.empty()) reader.wrong("bots", "\"" + name + "\" " + why);
        tournament.bots.push_back(index);
        if (attendance) tournament.attendance.emplace(index, *attendance);
    }
}

void read_entrants(json::Reader& reader, const Config& config, TournamentConfig& tournament) {
    const auto list = reader.optional_array("bots");
    if (!reader.has("bots")) {
        for (const auto& bot : config.bots)
            add_entrant(reader, config, bot.name, std::nullopt, tournament);
        return;
    }
    for (const auto element : list.elements()) {
        if (const auto name = element.view().string()) {
            add_entrant(reader, config, std::string(*name), std::nullopt, tournament);
        } else if (element.view().is_object()) {
            const auto attendance = read_attendance(element);
            add_entrant(reader, config, attendance.name, attendance, tournament);
        } else {
            element.expected(R"(a name, or an object such as {"name": "alice", "first_round": 2})");
        }
    }
}

// Where a member of the format stands ("stages[1].advance"): the deepest part of the path that is
// there.
std::size_t line_of(json::View at, std::string_view path) {
    std::size_t line = at.line();
    while (!path.empty()) {
        const auto step = path.substr(0, path.find_first_of(".[]"));
        path.remove_prefix(std::min(step.size() + 1, path.size()));
        if (step.empty()) continue;  // between ] and .
        const auto index = base::whole_number<std::size_t>(step);
        at = index ? at.at(*index) : at.find(step);
        if (at) line = at.line();
    }
    return line;
}

// Told of a member of the format.
void wrong_in_format(json::Reader& reader, const std::string& member, std::string message) {
    reader.mistakes().add(line_of(reader.given("format"), member),
                          reader.path_of("format") + "." + member, std::move(message));
}

// A match that stops once it is decided has fewer games the clearer it is. So the share of its
// games that a bot won is not the share that a game brings.
void check_tests(json::Reader& reader, const formats::FormatConfig& format, const std::string& path,
                 bool best_of) {
    const auto* test = formats::sequential_test(format);
    if (best_of && test != nullptr && test->elo == formats::EloOf::game)
        wrong_in_format(reader, path + "sprt.elo",
                        "a game's Elo needs matches of so many games, such as \"match\": "
                        "{\"games\": 2}; of best_of expected \"match\"");
    if (best_of && format.as<formats::AdaptiveOptions>() != nullptr)
        wrong_in_format(reader, path + "kind",
                        "an adaptive tournament needs matches of so many games, such as "
                        "\"match\": {\"games\": 2}; a best_of, which the game has where no "
                        "match is given or this one names it, stops when it is decided");
    const auto stages = formats::stages_of(format);
    for (std::size_t i = 0; i < stages.size(); ++i)
        check_tests(reader, stages[i].format, fmt::format("{}stages[{}].", path, i), best_of);
}

// As many as a field that a ladder gives may have.
std::vector<formats::Entry> field_of_size(std::size_t best) {
    std::vector<formats::Entry> entries;
    for (std::size_t place = 1; place <= best; ++place)
        entries.emplace_back().name = std::to_string(place);
    return entries;
}

void check_whole(json::Reader& reader, const Config& config, const engines::GameInfo& game,
                 const TournamentConfig& tournament) {
    const auto& from = tournament.field_from;
    const auto entries = from ? field_of_size(from->best) : entries_of(tournament, config.bots);
    const formats::GameSeats seats{game.seats_min, game.seats_max, game.seats_max == 1};
    auto errors = formats::check_format(tournament.format, entries, seats);
    if (errors.empty()) {
        if (auto error = formats::first_round_error(tournament.format, entries))
            errors.push_back(*std::move(error));
    }
    for (const auto& error : errors) {
        if (error.member == "name") continue;  // told where the bot stands
        if (from) {
            reader.wrong(
                "field",
                fmt::format("the best {} of the ladder can't begin: {}; change that, or \"best\"",
                            from->best, error.message));
            continue;
        }
        if (error.member == "bots" && reader.has("bots")) {
            reader.wrong("bots", error.message);
        } else if (!reader.given("format").is_object()) {
            reader.wrong("format", error.message);
        } else {
            wrong_in_format(reader, error.member, error.message);
        }
    }
}

// Processor time can be measured only of bots that the referee launches.
void charge_wall_time(Config& config, TournamentConfig& tournament, const std::string& whose) {
    tournament.clock.measure = clock::Measure::wall;
    config.warnings.push_back(
        "tournament " + tournament.id + ": " + whose +
        ", so processor time can't be measured; everybody is charged wall time instead");
}

// Whether bots may come that the config doesn't launch.
bool open_to_all(const Config& config, const TournamentConfig& tournament) {
    const bool gathers = formats::traits_of(tournament.format).open_field || tournament.field_from;
    return gathers &&
           (config.registration.open() || !std::ranges::all_of(config.bots, &BotConfig::launched));
}

void settle_measure(Config& config, TournamentConfig& tournament) {
    if (tournament.clock.measure != clock::Measure::cpu) return;
    for (const auto index : tournament.bots) {
        const auto& bot = config.bots[index];
        if (!bot.launched()) return charge_wall_time(config, tournament, bot.name + " dials in");
    }
    if (open_to_all(config, tournament))
        charge_wall_time(config, tournament, "bots that dial in may take part");
}

// Points come first unless they stand elsewhere in the list.
void read_tie_breaks(json::Reader& reader, TournamentConfig& tournament) {
    const auto usual = [&tournament](const auto& order) {
        tournament.tie_breaks.assign(order.begin(), order.end());
    };
    tournament.format.kind() == formats::FormatKind::swiss ? usual(standings::usual_order_of_swiss)
                                                           : usual(standings::usual_order);
    auto order = read_tie_break_names(reader, "tie_breaks");
    if (!order) return;
    if (!base::contains(*order, standings::TieBreak::points))
        order->insert(order->begin(), standings::TieBreak::points);
    tournament.tie_breaks = *order;
    auto* const options = std::get_if<formats::StagesOptions>(&tournament.format.options);
    if (options == nullptr) return;
    const auto stages = reader.given("format").find("stages");
    for (std::size_t i = 0; i < options->stages.size() && i < stages.size(); ++i) {
        if (!stages.at(i).find("ranked_by")) options->stages[i].ranked_by = *order;
    }
}

// What may change between a run and the one that goes on with it: it decides nothing that is
// played.
constexpr std::array<std::string_view, 10> may_change{
    "bots",  "rest",   "maps",  "tie_breaks", "no_show_after",
    "ready", "starts", "until", "hours",      "withdrawn"};

std::string canonical(json::View object) {
    std::map<std::string_view, json::View> members;
    for (const auto [name, value] : object.members()) {
        if (!base::contains(may_change, name)) members.emplace(name, value);
    }
    return json::object_text([&members](json::Writer& writer) {
        for (const auto& [name, value] : members) value.write(writer.key(name));
    });
}

void read_start(json::Reader& reader, const Config& config, TournamentConfig& tournament) {
    tournament.starts_by_order = read_calendar(reader, tournament.calendar);
    if (tournament.calendar.until && formats::traits_of(tournament.format).ends)
        reader.wrong("until", "only a ladder has it");
    const auto object = reader.optional_object("field");
    if (!object) return;
    FieldFromLadder from;
    json::Reader field(object);
    field.text("ladder", from.ladder);
    field.integer("best", from.best, 1, static_cast<std::int64_t>(registered_names_max));
    field.boolean("house", from.has_house);
    std::vector<std::string> ladders;
    for (const auto& other : config.tournaments)
        if (other.format.kind() == formats::FormatKind::ladder && other.game == tournament.game)
            ladders.push_back(other.id);
    if (!base::contains(ladders, from.ladder))
        field.wrong("ladder",
                    "expected the id of a ladder of the same game that stands before it "
                    "in the list, found \"" +
                        from.ladder + '"' + base::did_you_mean(from.ladder, ladders));
    field.no_others();
    if (reader.has("bots"))
        reader.wrong("field",
                     "the field is either listed in \"bots\" or taken from a ladder, not both");
    if (reader.has("starts") && !tournament.starts_by_order)
        reader.wrong("starts",
                     "a field that is taken from a ladder is taken when the tournament begins; "
                     "expected \"by_order\" or a time such as \"2026-11-27T14:00\"");
    tournament.starts_by_order = true;
    tournament.field_from = from;
    tournament.bots.clear();
}

// What means the same whatever is played.
void read_common(json::Reader& reader, TournamentConfig& tournament) {
    read_tie_breaks(reader, tournament);
    read_faults(reader, tournament.faults);
    read_time(reader, "ready", tournament.ready_budget);
    read_withdrawal(reader, tournament);
    read_time(reader, "rest", tournament.rest);
}

// The game is unknown: what can be judged without it is, so that all its mistakes are told at once.
void read_without_game(json::Reader& reader, const Config& config, TournamentConfig& tournament) {
    read_entrants(reader, config, tournament);
    // Its usual kind and numbers are the game's, so only what is wrong with a kind that is named.
    if (reader.optional_object("format") && reader.given("format").find("kind"))
        read_format(reader, engines::Registry().games().front()->info(), config, tournament);
    read_common(reader, tournament);
    for (const auto* member : {"match", "params", "clock", "field"}) reader.optional_object(member);
    reader.optional_array("setups");
    read_calendar(reader, tournament.calendar);
    reader.no_others();
}

// What tells it from the others, what its chances come of, and where its own maps lie.
void read_identity(json::Reader& reader, const std::string& directory, const Config& config,
                   TournamentConfig& tournament) {
    reader.text("id", tournament.id);
    if (!is_id(tournament.id))
        reader.wrong("id",
                     fmt::format("expected 1 to {} letters, digits, - or _, such as \"friday\"",
                                 id_bytes_max));
    if (base::contains(config.tournaments, tournament.id, &TournamentConfig::id))
        reader.wrong(
            "id", "two tournaments have the id \"" + tournament.id + "\"; expected different ids");
    reader.integer("seed", tournament.seed, 0, seed_max);
    std::string maps;
    reader.text("maps", maps);
    if (!maps.empty())
        tournament.maps_directory =
            (std::filesystem::path(directory) / maps).lexically_normal().string();
}

// Empty where it is none of ours.
std::string read_game(json::Reader& reader) {
    const engines::Registry known;
    std::vector<std::string_view> games;
    for (const auto& game : known.games()) games.push_back(game->info().id);
    if (!reader.has("game"))
        reader.wrong("game", "missing; expected the id of a game, such as \"walls\"");
    const auto which = reader.optional_word("game", games);
    return which ? std::string(games[*which]) : std::string();
}

// A field that is known only later is checked then, and one that is to be of some size here too.
bool is_field_known(const TournamentConfig& tournament) {
    const auto& from = tournament.field_from;
    return from ? from->best > 0 : !(tournament.starts_by_order && tournament.bots.empty());
}

// All that depends on the game.
void read_with_game(json::Reader& reader, const engines::Game& game, Config& config,
                    TournamentConfig& tournament) {
    const auto mistakes_before = reader.mistakes().count();
    for (const auto& bot : config.bots) {
        if (bot.house) tournament.house.insert(bot.name);
    }
    read_entrants(reader, config, tournament);
    read_format(reader, game.info(), config, tournament);
    // The whole is only checked where its parts are good: else the same mistakes would be told
    // twice.
    const bool parts_are_good = reader.mistakes().count() == mistakes_before;
    read_match(reader, game.info(), tournament);
    read_setups(reader, game, tournament);
    read_clock(reader, game.info(), tournament.clock);
    tournament.faults = play::default_faults(game.info());
    read_common(reader, tournament);
    if (reader.has("rest") && !formats::traits_of(tournament.format).pairs_who_is_free)
        reader.wrong("rest", "only a ladder has it");
    read_start(reader, config, tournament);
    settle_measure(config, tournament);
    reader.no_others();
    if (parts_are_good && is_field_known(tournament)) {
        check_whole(reader, config, game.info(), tournament);
        const auto& from = tournament.field_from;
        const auto advice = formats::swiss_advice(tournament.format, tournament.match,
                                                  from ? from->best : tournament.bots.size());
        if (!advice.empty() && reader.mistakes().count() == mistakes_before)
            config.warnings.push_back("tournament " + tournament.id + ": " + advice);
    }
    check_tests(reader, tournament.format, {}, tournament.match.best_of);
}

void read_tournament(json::Reader& reader, const std::string& directory, Config& config) {
    TournamentConfig tournament;
    read_identity(reader, directory, config, tournament);
    tournament.game = read_game(reader);
    if (tournament.game.empty()) return read_without_game(reader, config, tournament);
    const auto registry = registry_for(tournament);
    if (!registry) return reader.wrong("maps", registry.error().message);
    read_with_game(reader, *(*registry)->find(tournament.game), config, tournament);
    tournament.text = canonical(reader.object());
    config.tournaments.push_back(std::move(tournament));
}

}  // namespace

void read_tournaments(const json::Placed& list, const std::string& directory, Config& config) {
    if (list && list.size() == 0) list.wrong("expected at least one tournament");
    for (const auto element : list.elements()) {
        if (!element.object(R"({"id": "friday", "game": "walls"})")) continue;
        json::Reader reader(element);
        read_tournament(reader, directory, config);
    }
}

}  // namespace referee::config
