#include "engines/e7_planets/attainable.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "engines/e7_planets/travel.h"

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
    return map.ghosts.empty() && std::all_of(map.grid.begin(), map.grid.end(),
                                             [](std::int64_t cell) { return cell == 0; });
}

}  // namespace

std::size_t Attainable::reachable() const {
    return static_cast<std::size_t>(
        std::count_if(earliest_turn.begin(), earliest_turn.end(),
                      [](const auto& turn) { return turn.has_value(); }));
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
    switch (type) {
        case MapType::type_1:
            return "type-1";
        case MapType::type_2:
            return "type-2";
        case MapType::type_3:
            return "type-3";
        case MapType::unknown:
            return "unknown";
    }
    return "unknown";
}

MapType map_type(const Map& map) {
    if (!map.ghosts.empty()) return MapType::type_3;
    if (!is_open_space(map)) return MapType::type_2;
    const auto facts = attainable(map, Edges::walls);
    if (facts.shown == facts.total) return MapType::type_1;
    return facts.bound < facts.total ? MapType::type_2 : MapType::unknown;
}

}  // namespace engines::e7_planets
