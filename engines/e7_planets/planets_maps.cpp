#include "engines/e7_planets/map.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "engines/e7_planets/e7_planets.h"
#include "protocol/base/assertion.h"
#include "protocol/base/text.h"

namespace engines::e7_planets {
namespace {

// With up to so many scraps all legs between them are worked out; with more only the ways from the
// start.
constexpr std::size_t scraps_with_legs_max = 100;
constexpr std::size_t cells_visited_max = 2'000'000;

bool legs_affordable(const Map& map, std::size_t stops) {
    return stops <= scraps_with_legs_max && stops * map.cells() <= cells_visited_max;
}

std::vector<std::int64_t> turns_from_start(const Map& map, Edges edges) {
    const auto turns = landing_turns(map, map.ship, Sense::away_from, edges, map.turns);
    std::vector<std::int64_t> to_scraps;
    for (const auto& scrap : map.scraps) to_scraps.push_back(turns[map.index(scrap.cell)]);
    return to_scraps;
}

// The tour over those scraps that can be reached at all.
TourProblem tour_problem(const Map& map, Edges edges, const std::vector<std::int64_t>& from_start) {
    TourProblem problem;
    problem.limit = map.turns;
    std::vector<std::size_t> stops;
    for (std::size_t i = 0; i < map.scraps.size(); ++i) {
        if (from_start[i] != never) stops.push_back(i);
    }
    for (const auto from : stops) {
        problem.values.push_back(map.scraps[from].value);
        problem.first.push_back(from_start[from]);
        const auto turns =
            landing_turns(map, map.scraps[from].cell, Sense::away_from, edges, map.turns);
        auto& legs = problem.between.emplace_back();
        for (const auto to : stops) legs.push_back(turns[map.index(map.scraps[to].cell)]);
    }
    return problem;
}

// The most valuable scraps, one for each turn.
std::int64_t coarse_bound(const Map& map, const std::vector<std::int64_t>& from_start) {
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < map.scraps.size(); ++i) {
        if (from_start[i] != never) values.push_back(map.scraps[i].value);
    }
    std::sort(values.begin(), values.end(), std::greater<>());
    if (static_cast<std::int64_t>(values.size()) > map.turns) {
        values.resize(static_cast<std::size_t>(map.turns));
    }
    return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

bool is_open_space(const Map& map) {
    return map.ghosts.empty() && std::ranges::count(map.grid, 0) == std::ssize(map.grid);
}

struct Alias {
    std::string_view spelling;
    std::string_view name;
};

constexpr std::array<Alias, 6> aliases = {{
    {"two_scraps", "two_scrap"},
    {"two_scraps_ghosts", "two_scrap_ghosts"},
    {"two_scraps_block", "two_scrap_block"},
    {"two_scraps_block_ghosts", "two_scrap_block_ghosts"},
    {"two_scraps_nebula", "two_scrap_nebula"},
    {"two_scraps_nebula_ghosts", "two_scrap_nebula_ghosts"},
}};

std::string scraps_fact(const Map& map) {
    return fmt::format("{}, worth {}", map.scraps.size(), map.total_value());
}

std::string ghosts_fact(const Map& map) {
    if (map.ghosts.empty()) return "none";
    return base::joined(map.ghosts, ", ", [](const auto& ghost) {
        return fmt::format("{} of transparency {}", type_name(ghost.type), ghost.transparency);
    });
}

std::string reachable_fact(const Map& map, const Attainable& facts) {
    auto text = fmt::format("{} of {}", facts.reachable(), map.scraps.size());
    for (std::size_t i = 0; i < map.scraps.size(); ++i) {
        if (facts.earliest_turn[i]) continue;
        const auto cell = map.scraps[i].cell;
        text += fmt::format(", not [{}, {}]", cell.row + 1, cell.column + 1);
    }
    return text;
}

std::string attainable_fact(const Map& map, const Attainable& facts) {
    if (!facts.exact()) return fmt::format("some play has {}, none has more", facts.shown);
    return fmt::format("exact{}, in {} turns", map.ghosts.empty() ? "" : " but for the ghosts",
                       facts.shown_turns);
}

}  // namespace

std::size_t Attainable::reachable() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(earliest_turn, [](const auto& turn) { return turn.has_value(); }));
}

Attainable attainable(const Map& map, Edges edges) {
    Attainable facts;
    facts.total = map.total_value();
    const auto from_start = turns_from_start(map, edges);
    for (const auto turns : from_start) {
        facts.earliest_turn.push_back(turns == never ? std::nullopt : std::optional(turns));
    }
    if (!legs_affordable(map, facts.reachable())) {
        facts.bound = coarse_bound(map, from_start);
        return facts;
    }
    const auto answer = solve_tour(tour_problem(map, edges, from_start));
    facts.bound = answer.bound;
    facts.shown = answer.tour.value;
    facts.shown_turns = answer.tour.turns;
    return facts;
}

std::string_view type_name(MapType type) {
    constexpr std::array<std::string_view, 4> names{"type-1", "type-2", "type-3", "unknown"};
    return names.at(static_cast<std::size_t>(type));
}

MapType map_type(const Map& map) {
    if (!map.ghosts.empty()) return MapType::type_3;
    if (!is_open_space(map)) return MapType::type_2;
    const auto facts = attainable(map, Edges::walls);
    if (facts.shown == facts.total) return MapType::type_1;
    return facts.bound < facts.total ? MapType::type_2 : MapType::unknown;
}

PlanetsMaps::PlanetsMaps(const Resources& resources)
    : MapCollection(resources, shipped_maps(), maps_version) {}

std::string_view PlanetsMaps::listed_name(std::string_view name) const {
    for (const auto& alias : aliases) {
        if (alias.spelling == name) return alias.name;
    }
    return name;
}

std::string PlanetsMaps::picture(std::string_view text) const {
    const auto map = read_map_text(text);
    REFEREE_ASSERT(map.has_value());
    return render_position(*map, initial_position(*map), whole_board(map->rows, map->columns));
}

base::Result<std::vector<MapFact>, MapError> PlanetsMaps::examine(std::string_view text) const {
    auto read = read_map_text(text);
    if (!read) return base::failure(std::move(read.error()));
    const auto& map = *read;
    const auto facts = attainable(map);
    return std::vector<MapFact>{
        {"size", fmt::format("{} x {}", map.rows, map.columns)},
        {"type", std::string(type_name(map_type(map)))},
        {"turns", std::to_string(map.turns)},
        {"scraps", scraps_fact(map)},
        {"ghosts", ghosts_fact(map)},
        {"reachable", reachable_fact(map, facts)},
        {"attainable", std::to_string(facts.bound)},
        {"attainable is", attainable_fact(map, facts)},
    };
}

base::Result<std::string, MapError> PlanetsMaps::generate(const GenerateRequest& request) const {
    return generate_map(request).map(map_text);
}

std::string PlanetsMaps::params_for_map(std::string_view name) const {
    return json::object_text([&](json::Writer& writer) { writer.member("map", name); });
}

std::string PlanetsMaps::params_for_text(std::string_view text) const {
    const auto map = read_map_text(text);
    REFEREE_ASSERT(map.has_value());
    return json::object_text([&](json::Writer& writer) { writer.key("map").raw(map_text(*map)); });
}

}  // namespace engines::e7_planets
