// The parts of a tournament that say how a game is played: format, match, setups, clock, faults.

#include <algorithm>

#include "protocol/codes.h"
#include "referee/config/sections.h"
#include "referee/play/play.h"

namespace referee::config {
namespace {

constexpr std::int64_t many = 1'000'000;
constexpr std::int64_t cycles_most = 1000;
constexpr std::int64_t strikes_most = 1000;
constexpr std::int64_t games_most = 10'000;

using tournament::FormatConfig;
using tournament::FormatKind;

void read_one_format(MemberReader& reader, FormatConfig& format) {
    static constexpr std::initializer_list<FormatKind> kinds{
        FormatKind::round_robin, FormatKind::swiss, FormatKind::leaderboard,
        FormatKind::gauntlet,    FormatKind::knockout, FormatKind::stages,
        FormatKind::ladder};
    std::vector<std::string_view> names;
    for (const auto kind : kinds) names.push_back(tournament::name_of(kind));
    if (const auto which = reader.word("kind", names)) format.kind = *(kinds.begin() + *which);
    reader.integer("seats", format.seats, 1, static_cast<std::int64_t>(engines::seats_max));
    reader.integer("cycles", format.cycles, 1, cycles_most);
    reader.integer("rounds", format.rounds, 1, many);
    reader.boolean("draw_numbers", format.draw_numbers);
    reader.boolean("swap_last_rounds", format.swap_last_rounds);
    reader.boolean("keep_teams_apart", format.keep_teams_apart);
    reader.boolean("accelerated", format.accelerated);
    reader.boolean("double_elimination", format.double_elimination);
    reader.boolean("third_place_match", format.third_place_match);
    reader.boolean("second_final", format.second_final);
    reader.integer("advance", format.advance, 1, many);
    std::size_t index = 0;
    for (const auto element : reader.array("stages").elements()) {
        const auto path = reader.path_of("stages") + "[" + std::to_string(index++) + "]";
        if (!element.is_object()) {
            reader.errors().push_back({element.line(), path, "expected an object such as {\"kind\": \"swiss\"}"});
            continue;
        }
        MemberReader stage(element, path, reader.errors());
        FormatConfig& next = format.stages.emplace_back();
        next.seats = format.seats;
        next.seats_min = format.seats_min;
        read_one_format(stage, next);
    }
    reader.no_others();
}

// `base` with the members of `over` in place of its own.
std::string merged(json::View base, json::View over) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object();
    for (const auto [name, value] : base.members()) {
        writer.key(name);
        const auto instead = over.find(name);
        (instead ? instead : value).write(writer);
    }
    for (const auto [name, value] : over.members()) {
        if (base.find(name)) continue;
        writer.key(name);
        value.write(writer);
    }
    writer.end_object();
    return text;
}

void check_setup(MemberReader& reader, std::string_view member, const engines::Game& game, const std::string& setup) {
    json::Document document;
    if (document.parse(setup, {.depth_max = play::params_depth_max})) return;
    const auto started = game.start(document.root(), 1);
    if (const auto* error = std::get_if<engines::SetupError>(&started)) {
        reader.wrong(member, error->field + ": " + error->message);
    }
}

}  // namespace

void read_format(MemberReader& tournament, const engines::GameInfo& game, TournamentConfig& config) {
    config.format.kind = game.seats_max == 1 ? FormatKind::leaderboard : FormatKind::round_robin;
    config.format.seats = game.seats_default;
    config.format.seats_min = game.seats_min;
    const auto object = tournament.object("format");
    if (!object) return;
    MemberReader reader(object, tournament.path_of("format"), tournament.errors());
    read_one_format(reader, config.format);
}

void read_match(MemberReader& tournament, const engines::GameInfo& game, TournamentConfig& config) {
    auto& match = config.match;
    match.solo = game.seats_max == 1;
    match.games = game.match.games;
    match.best_of = game.match.best_of;
    match.seat_order = game.match.seats_rotate ? tournament::SeatOrder::rotate : tournament::SeatOrder::same;
    const auto object = tournament.object("match");
    if (!object) return;
    MemberReader reader(object, tournament.path_of("match"), tournament.errors());
    reader.integer("games", match.games, 1, games_most);
    if (reader.has("best_of")) {
        reader.integer("best_of", match.games, 1, games_most);
        match.best_of = true;
        if (reader.has("games")) reader.wrong("best_of", "expected \"games\" or \"best_of\", not both");
    } else if (reader.has("games")) {
        match.best_of = false;
    }
    if (const auto seats = reader.word("seats", {"rotate", "same"})) match.seat_order = static_cast<tournament::SeatOrder>(*seats);
    if (const auto points = reader.word("points", {"result", "scores"})) match.points = static_cast<tournament::MatchPoints>(*points);
    reader.boolean("same_seeds", match.same_seeds);
    for (const auto seed : reader.array("seeds").elements()) {
        const auto value = seed.unsigned_integer();
        if (value && *value <= UINT32_MAX) {
            match.seeds.push_back(static_cast<std::uint32_t>(*value));
        } else {
            reader.errors().push_back({seed.line(), reader.path_of("seeds"), "expected integers from 0 to 4294967295"});
        }
    }
    reader.no_others();
}

void read_setups(MemberReader& tournament, const engines::Game& game, TournamentConfig& config) {
    json::Document empty;
    const bool failed = empty.parse("{}").has_value();
    const auto given = tournament.object("params");
    const auto base = given || failed ? given : empty.root();
    const auto list = tournament.array("setups");
    for (const auto setup : list.elements()) {
        if (!setup.is_object()) {
            tournament.wrong("setups", "expected a list of objects with params");
            return;
        }
        config.setups.push_back(merged(base, setup));
        check_setup(tournament, "setups", game, config.setups.back());
    }
    if (!list) {
        for (const auto overlay : game.info().match.setups) {
            json::Document document;
            if (!document.parse(overlay)) config.setups.push_back(merged(document.root(), base));
        }
        if (config.setups.empty()) config.setups.push_back(merged(base, {}));
        check_setup(tournament, "params", game, config.setups.front());
    }
    if (config.setups.empty()) tournament.wrong("setups", "expected at least one object with params");
    config.match.setups = static_cast<std::uint32_t>(std::max<std::size_t>(config.setups.size(), 1));
}

void read_clock(MemberReader& tournament, const engines::GameInfo& game, clock::ClockConfig& clock) {
    clock = clock::default_clock(game);
    const auto object = tournament.object("clock");
    if (!object) return;
    MemberReader reader(object, tournament.path_of("clock"), tournament.errors());
    const auto kind = reader.word("kind", {"turn", "game", "none"});
    if (kind && static_cast<clock::ClockKind>(*kind) != clock.kind) {
        const auto measure = clock.measure;
        clock = {};
        clock.kind = static_cast<clock::ClockKind>(*kind);
        clock.measure = measure;
        if (clock.kind != clock::ClockKind::none && !reader.has("budget")) {
            reader.wrong("kind", "a clock of kind \"" + std::string(clock::name_of(clock.kind)) + "\" needs a \"budget\", such as \"1s\"");
        }
    }
    if (const auto measure = reader.word("measure", {"wall", "cpu"})) clock.measure = static_cast<clock::Measure>(*measure);
    if (reader.has("budget")) clock.hard_limit = {};
    reader.time("budget", clock.budget);
    reader.time("increment", clock.increment);
    reader.time("hard_limit", clock.hard_limit);
    reader.boolean("waits_for_late", clock.waits_for_late);
    reader.time("hung_after", clock.hung_after);
    reader.boolean("network_allowance", clock.allowance);
    reader.time("allowance_max", clock.allowance_max);
    reader.no_others();
    for (const auto& mistake : clock::mistakes(clock)) {
        const auto colon = mistake.find(": ");
        reader.wrong(mistake.substr(0, colon), mistake.substr(colon + 2));
    }
    clock = clock::completed(clock);
}

void read_faults(MemberReader& tournament, play::FaultPolicy& faults) {
    const auto object = tournament.object("faults");
    if (!object) return;
    MemberReader reader(object, tournament.path_of("faults"), tournament.errors());
    static constexpr std::initializer_list<Consequence> consequences{
        Consequence::none, Consequence::missing_move, Consequence::lost_turn, Consequence::strike, Consequence::forfeit};
    std::vector<std::string_view> words;
    for (const auto consequence : consequences) words.push_back(protocol::name_of(consequence));
    for (const auto code : protocol::all_fault_codes()) {
        if (const auto which = reader.word(protocol::name_of(code), words)) faults.set(code, *(consequences.begin() + *which));
    }
    reader.integer("strikes", faults.strikes_max, 1, strikes_most);
    reader.no_others();
}

}  // namespace referee::config
