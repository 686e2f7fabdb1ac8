#include "engines/e7_planets/collection.h"

#include <algorithm>
#include <array>

#include "engines/e7_planets/attainable.h"
#include "engines/e7_planets/generate.h"
#include "engines/e7_planets/render.h"
#include "engines/e7_planets/rules.h"
#include "engines/e7_planets/shipped_maps.h"
#include "protocol/base/assertion.h"

namespace engines::e7_planets {
namespace {

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

std::string_view listed_name(std::string_view name) {
    for (const auto& alias : aliases) {
        if (alias.spelling == name) return alias.name;
    }
    return name;
}

std::string scraps_fact(const Map& map) {
    return std::to_string(map.scraps.size()) + ", worth " + std::to_string(map.total_value());
}

std::string ghosts_fact(const Map& map) {
    if (map.ghosts.empty()) return "none";
    std::string text;
    for (const auto& ghost : map.ghosts) {
        text += (text.empty() ? "" : ", ") + std::string(type_name(ghost.type)) +
                " of transparency " + std::to_string(ghost.transparency);
    }
    return text;
}

std::string reachable_fact(const Map& map, const Attainable& facts) {
    std::string text =
        std::to_string(facts.reachable()) + " of " + std::to_string(map.scraps.size());
    for (std::size_t i = 0; i < map.scraps.size(); ++i) {
        if (facts.earliest_turn[i]) continue;
        const auto cell = map.scraps[i].cell;
        text +=
            ", not [" + std::to_string(cell.row + 1) + ", " + std::to_string(cell.column + 1) + "]";
    }
    return text;
}

std::string attainable_fact(const Map& map, const Attainable& facts) {
    if (!facts.exact()) return "some play has " + std::to_string(facts.shown) + ", none has more";
    const auto turns = "in " + std::to_string(facts.shown_turns) + " turns";
    return map.ghosts.empty() ? "exact, " + turns : "exact but for the ghosts, " + turns;
}

}  // namespace

PlanetsMaps::PlanetsMaps(const Resources& resources)
    : own_(resources.maps),
      version_(resources.maps_version.empty() ? maps_version : resources.maps_version) {}

std::string_view PlanetsMaps::version() const {
    return version_;
}

std::vector<std::string> PlanetsMaps::names() const {
    const auto is_own = [&](std::string_view name) {
        return std::any_of(own_.begin(), own_.end(),
                           [&](const MapFile& file) { return file.name == name; });
    };
    std::vector<std::string> names;
    for (const auto& map : shipped_maps()) {
        if (!is_own(map.name)) names.emplace_back(map.name);
    }
    for (const auto& file : own_) names.push_back(file.name);
    return names;
}

std::optional<PlanetsMaps::Named> PlanetsMaps::find(std::string_view name) const {
    for (const auto& file : own_) {
        if (file.name == name) return Named{file.name, file.text, false};
    }
    const auto listed = listed_name(name);
    for (const auto& file : own_) {
        if (file.name == listed) return Named{file.name, file.text, false};
    }
    for (const auto& map : shipped_maps()) {
        if (map.name == listed) return Named{map.name, map.text, true};
    }
    return std::nullopt;
}

std::optional<std::string> PlanetsMaps::text(std::string_view name) const {
    const auto found = find(name);
    return found ? std::optional(std::string(found->text)) : std::nullopt;
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
        {"size", std::to_string(map.rows) + " x " + std::to_string(map.columns)},
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
    auto made = generate_map(request);
    if (!made) return base::failure(std::move(made.error()));
    return map_text(*made);
}

std::string PlanetsMaps::params_for_map(std::string_view name) const {
    std::string text;
    json::Writer writer(text);
    writer.begin_object().member("map", name).end_object();
    return text;
}

std::string PlanetsMaps::params_for_text(std::string_view text) const {
    const auto map = read_map_text(text);
    REFEREE_ASSERT(map.has_value());
    std::string params;
    json::Writer writer(params);
    writer.begin_object().key("map").raw(map_text(*map)).end_object();
    return params;
}

}  // namespace engines::e7_planets
