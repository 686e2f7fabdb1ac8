#include <algorithm>

#include "protocol/base/text.h"
#include "protocol/codes.h"
#include "referee/config/config_sections.h"
#include "referee/config/read_config.h"
#include "referee/config/read_values.h"
#include "referee/contest/formats/format.h"

// How a tournament's matches are played: their games, their setups, and what they are worth; clock
// and faults, and what a bot's absence comes to.

namespace referee::config {
namespace {

constexpr std::int64_t games_most = 10'000;
constexpr std::int64_t strikes_most = 1000;
constexpr std::int64_t idle_matches_most = 1000;

// Below it the way through the kernel and a change of processes are a good part of the time.
constexpr Duration budget_least_sensible = std::chrono::milliseconds(1);

using engines::Score;
using formats::FormatConfig;
using formats::MatchConfig;
using formats::MatchPoints;

// `base` with the members of `over` in place of its own.
std::string merged(json::View base, json::View over) {
    return json::object_text([&](json::Writer& writer) {
        for (const auto& [name, value] : base.members()) {
            const auto instead = over.find(name);
            (instead ? instead : value).write(writer.key(name));
        }
        json::write_members(writer, over,
                            [&base](const auto& member) { return !base.find(member.name); });
    });
}

std::unique_ptr<engines::State> started(const engines::Game& game, const std::string& setup,
                                        std::uint32_t seed = 1) {
    json::Document document;
    if (!document.parse(setup)) return nullptr;
    auto result = game.start(document.root(), seed);
    return result ? *std::move(result) : nullptr;
}

// The position in which the game begins; empty where it can't.
std::string beginning_of(const engines::Game& game, const std::string& setup, std::uint32_t seed) {
    std::string text;
    json::Writer writer(text);
    if (const auto state = started(game, setup, seed)) state->write_state(writer);
    return text;
}

// Where chance matters, games that begin alike from three seeds are a wonder.
bool begins_by_chance(const engines::Game& game, const std::string& setup) {
    const auto first = beginning_of(game, setup, 1);
    return beginning_of(game, setup, 2) != first || beginning_of(game, setup, 3) != first;
}

void check_setup(json::Reader& reader, std::string_view member, const engines::Game& game,
                 const std::string& setup, std::size_t seats) {
    json::Document document;
    if (!document.parse(setup)) return;
    const auto result = game.start(document.root(), 1);
    if (!result) {
        reader.wrong(member, result.error().member + ": " + result.error().message);
        return;
    }
    const auto has = (*result)->seats();
    const bool possible = seats >= game.info().seats_min && seats <= game.info().seats_max;
    if (possible && has != seats) {
        reader.wrong(
            member, fmt::format("expected params for {} seats, as the format has; these are for {}",
                                seats, has));
    }
}

// What the winner of a game of so many gets when all others give up at once.
Score top_score(const engines::Game& game, const std::string& setup, std::size_t seats) {
    auto state = started(game, setup);
    if (state != nullptr && state->seats() != seats) {
        json::Document document;
        if (!document.parse(setup)) return Score::whole(1);
        const auto fewer = game.params_with_seats(document.root(), seats);
        state = fewer ? started(game, *fewer) : nullptr;
    }
    if (state == nullptr) return Score::whole(1);
    for (engines::Seat seat = 1; seat < state->seats() && !state->over(); ++seat)
        state->forfeit(seat);
    return state->over() ? state->outcome().scores[0] : Score::whole(1);
}

// What a bot placed behind is worth where the config doesn't say. By results that is a point; by
// scores it is what so many won games bring, shared by all that are behind.
Score worth_of_win(const TournamentConfig& config, std::size_t seats, const engines::Game& game) {
    const auto& match = config.match;
    if (match.points == MatchPoints::result) return Score::whole(1);
    const auto games = static_cast<std::int64_t>(match.best_of ? match.games / 2 + 1 : match.games);
    if (match.solo) return Score::whole(games);
    const auto others = static_cast<std::int64_t>(std::max<std::size_t>(seats, 2) - 1);
    const auto top = top_score(game, config.setups.front(), seats);
    return Score::halves(top.in_halves() * games / others);
}

bool names_points(json::View format) {
    return format.find("win_points") || format.find("draw_points");
}

// Whether the config says anywhere what a win or a draw is worth.
bool points_are_named(json::View format) {
    bool named = names_points(format);
    for (const auto stage : format.find("stages").elements()) named = named || names_points(stage);
    return named;
}

// A format as the config has it and as it is read; nothing where there is none.
struct Above {
    json::View given;
    const FormatConfig* format = nullptr;
};

// A stage that names no points has those that are named for all stages, in the format above it.
void complete_points(json::View given, const Above& above, const TournamentConfig& config,
                     const engines::Game& game, FormatConfig& format) {
    const bool own = names_points(given);
    const auto stages = formats::stages_of(format);
    // Points that are named above the stages are meant for the game's usual number of seats,
    // whatever the stages' own sizes.
    const bool as_usual = !stages.empty() && game.info().seats_max > 1;
    const auto seats = as_usual ? game.info().seats_default : formats::seats_of(format);
    if (!own && names_points(above.given)) {
        format.win_points = above.format->win_points;
        format.draw_points = above.format->draw_points;
    } else {
        if (!given.find("win_points")) format.win_points = worth_of_win(config, seats, game);
        if (!given.find("draw_points"))
            format.draw_points = Score::halves(format.win_points.in_halves() / 2);
    }
    // In a pod of four nobody would be sure of the first place: a bye is worth the middle.
    if (!given.find("bye_points")) {
        const bool pods = seats > 2;
        format.bye_points = !own && above.given.find("bye_points") ? above.format->bye_points
                            : pods                                 ? formats::draw_of_match(format)
                                                                   : formats::win_of_match(format);
    }
    auto* const options = std::get_if<formats::StagesOptions>(&format.options);
    if (options == nullptr) return;
    const auto listed = given.find("stages");
    for (std::size_t i = 0; i < options->stages.size(); ++i) {
        const auto stage = listed && i < listed.size() ? listed.at(i) : json::View{};
        complete_points(stage, {given, &format}, config, game, options->stages[i].format);
    }
}

void read_games(json::Reader& reader, MatchConfig& match) {
    reader.integer("games", match.games, 1, games_most);
    if (reader.optional("best_of")) {
        reader.integer("best_of", match.games, 1, games_most);
        match.best_of = true;
        if (reader.has("games")) {
            reader.wrong("best_of", "expected \"games\" or \"best_of\", not both");
        } else if (match.solo) {
            reader.wrong("best_of",
                         "solo games are compared on all of their setups; expected \"games\"");
        } else if (match.games % 2 == 0) {
            reader.wrong("best_of",
                         "expected an odd number, such as 3, found " + std::to_string(match.games));
        }
    } else if (reader.has("games")) {
        match.best_of = false;
    }
}

// Pods usually go by the sum of the games' scores. A best-of match goes by its result, because it
// has fewer games when one bot wins clearly. Points that are named for a win or a draw are those of
// results.
MatchPoints usual_points(json::View format, const TournamentConfig& config) {
    const bool pods = !config.match.solo && seats_most(config.format) > 2;
    const bool by_scores = pods && !config.match.best_of && !points_are_named(format);
    return by_scores ? MatchPoints::scores : MatchPoints::result;
}

}  // namespace

void read_match(json::Reader& tournament, const engines::GameInfo& game, TournamentConfig& config) {
    auto& match = config.match;
    match.solo = game.seats_max == 1;
    match.games = game.match.games;
    match.best_of = game.match.best_of;
    match.seat_order =
        game.match.seats_rotate ? formats::SeatOrder::rotate : formats::SeatOrder::same;
    match.least_time = game.match.least_time;
    const auto object = tournament.optional_object("match");
    json::Reader reader(object);
    read_games(reader, match);
    match.points = usual_points(tournament.given("format"), config);
    read_word(reader, "seats", {"rotate", "same"}, match.seat_order);
    read_word(reader, "points", {"result", "scores"}, match.points);
    read_word(reader, "starts", {"first", "drawn"}, match.starts);
    reader.boolean("same_seeds", match.same_seeds);
    read_numbers(reader, "seeds", match.seeds, 0, UINT32_MAX, "integers from 0 to 4294967295");
    const auto seeds = reader.given("seeds");
    if (seeds.is_array() && seeds.size() == 0)
        reader.wrong("seeds", "expected at least one seed, such as [1, 2, 3]");
    reader.no_others();
}

void read_setups(json::Reader& tournament, const engines::Game& game, TournamentConfig& config) {
    const auto& info = game.info();
    const auto seats = std::max(seats_most(config.format), info.seats_min);
    const auto given = tournament.optional_object("params").view();
    // A game for another number of seats than its usual one needs params of its own. And some games
    // can't start without any params: where none are given, their usual map is taken.
    const bool unusual = info.seats_max > 1 && seats != info.seats_default;
    const bool none = !tournament.has("params") && !tournament.has("setups");
    const bool needs_usual = unusual || (none && started(game, "{}") == nullptr);
    const auto usual =
        needs_usual ? game.params_for(info.seats_max == 1 ? 1 : seats) : std::nullopt;
    json::Document base;
    if (!base.parse(merged({}, given))) return;
    json::Document usual_params;
    if (usual && usual_params.parse(*usual)) {
        const auto text = merged(usual_params.root(), given);
        if (!base.parse(text)) return;
    }
    const auto list = tournament.optional_array("setups").view();
    for (const auto setup : list.elements()) {
        if (!setup.is_object()) {
            tournament.wrong("setups", "expected a list of objects with params");
            return;
        }
        config.setups.push_back(merged(base.root(), setup));
        check_setup(tournament, "setups", game, config.setups.back(), seats);
    }
    if (!list) {
        for (const auto overlay : info.match.setups) {
            json::Document document;
            if (document.parse(overlay))
                config.setups.push_back(merged(document.root(), base.root()));
        }
        if (config.setups.empty()) config.setups.push_back(merged(base.root(), {}));
        check_setup(tournament, "params", game, config.setups.front(), seats);
    }
    if (config.setups.empty()) {
        tournament.wrong("setups", "expected at least one object with params");
        return;
    }
    config.match.setups = static_cast<std::uint32_t>(config.setups.size());
    const auto wrong = formats::wrong_starts(config.match, seats);
    if (!wrong.empty()) tournament.wrong("match", "starts: " + wrong);
    complete_points(tournament.given("format"), {}, config, game, config.format);
}

std::string remark_on_seed(const TournamentConfig& tournament) {
    const bool is_known = tournament.seed == TournamentConfig().seed;
    if (!is_known || !tournament.match.seeds.empty()) return {};
    // Without an instructor's own maps: games that have maps begin as these say.
    const engines::Registry registry;
    const auto* game = registry.find(tournament.game);
    if (game == nullptr || std::ranges::none_of(tournament.setups, [game](const auto& setup) {
            return begins_by_chance(*game, setup);
        }))
        return {};
    return fmt::format(
        "tournament {} has the seed {}, as every config that names none: anybody can compute how "
        "its games of {} begin. Where it counts, give it a \"seed\" that nobody knows, such as one "
        "from `shuf -i 2-4294967295 -n 1`",
        tournament.id, tournament.seed, tournament.game);
}

void read_clock(json::Reader& tournament, const engines::GameInfo& game,
                clock::ClockConfig& clock) {
    clock = clock::default_clock(game);
    const auto object = tournament.optional_object("clock");
    if (!object) return;
    json::Reader reader(object);
    bool lacks_budget = false;
    auto kind = clock.kind;
    read_word(reader, "kind", base::clock_kinds, kind);
    if (kind != clock.kind) {
        const auto measure = clock.measure;
        clock = {};
        clock.kind = kind;
        clock.measure = measure;
        lacks_budget = clock.kind != clock::ClockKind::none && !reader.has("budget");
        if (lacks_budget)
            reader.wrong("kind", "a clock of kind \"" + std::string(clock::name_of(clock.kind)) +
                                     "\" needs a \"budget\", such as \"1s\"");
    }
    read_word(reader, "measure", base::measures, clock.measure);
    if (reader.has("budget")) clock.hard_limit = {};
    read_time(reader, "budget", clock.budget);
    read_time(reader, "increment", clock.increment);
    read_time(reader, "hard_limit", clock.hard_limit);
    reader.boolean("waits_for_late", clock.waits_for_late);
    read_time(reader, "hung_after", clock.hung_after);
    reader.boolean("network_allowance", clock.allowance);
    read_time(reader, "allowance_max", clock.allowance_max);
    if (reader.optional("jitter_max")) read_time(reader, "jitter_max", clock.jitter_max.emplace());
    reader.no_others();
    if (!clock.waits_for_late && reader.has("hung_after"))
        reader.wrong("hung_after", "counts only where \"waits_for_late\" is true");
    for (const auto& mistake : clock::mistakes(clock)) {
        const auto colon = mistake.find(": ");
        const auto member = mistake.substr(0, colon);
        if (lacks_budget && member == "budget") continue;  // told with the kind
        reader.wrong(member, mistake.substr(colon + 2));
    }
    clock = clock::completed(clock);
}

void warn_of_tiny_budgets(Config& config) {
    for (const auto& tournament : config.tournaments) {
        const auto& clock = tournament.clock;
        if (clock.kind == clock::ClockKind::none || clock.budget >= budget_least_sensible) continue;
        config.warnings.push_back(fmt::format(
            "tournament {}: clock.budget: {} budget is {} us, less than 1 ms: hardly any program "
            "answers in that time. A number without a unit counts microseconds; expected a time "
            "such as \"1s\" or \"50ms\"",
            tournament.id, clock.kind == clock::ClockKind::game ? "a game's" : "a turn's",
            in_us(clock.budget)));
    }
}

void read_faults(json::Reader& tournament, play::FaultPolicy& faults) {
    const auto object = tournament.optional_object("faults");
    if (!object) return;
    json::Reader reader(object);
    static constexpr std::initializer_list<Consequence> consequences{
        Consequence::none, Consequence::missing_move, Consequence::lost_turn, Consequence::strike,
        Consequence::forfeit};
    std::vector<std::string_view> words;
    for (const auto consequence : consequences) words.push_back(protocol::name_of(consequence));
    for (const auto code : protocol::all_codes<protocol::FaultCode>()) {
        if (const auto which = reader.optional_word(protocol::name_of(code), words))
            faults.set(code, *(consequences.begin() + *which));
    }
    reader.integer("strikes", faults.strikes_max, 1, strikes_most);
    reader.no_others();
}

void read_withdrawal(json::Reader& tournament, TournamentConfig& config) {
    read_time(tournament, "no_show_after", config.no_show_after);
    read_word(tournament, "withdrawn", {"forfeit", "drop"}, config.drops_withdrawn);
    if (config.drops_withdrawn && config.format.kind() != formats::FormatKind::round_robin)
        tournament.wrong("withdrawn",
                         "only a round_robin can drop matches: elsewhere results decide who meets "
                         "whom; expected \"forfeit\"");
    tournament.integer("withdraw_after", config.withdraw_after, 0, idle_matches_most);
}

}  // namespace referee::config
