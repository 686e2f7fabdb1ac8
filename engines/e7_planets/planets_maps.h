#pragma once

// What a map can give at most: for fair partial credit, and to tell a map's type.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/e7_planets/map.h"
#include "engines/e7_planets/travel.h"
#include "engines/maps.h"

namespace engines::e7_planets {

struct Attainable {
    std::int64_t total = 0;  // value of all scraps

    // For each scrap the earliest turn in which it can be picked up (the first is 1), going there
    // straight and ignoring ghosts; nothing where the turns don't suffice or there is no way.
    std::vector<std::optional<std::int64_t>> earliest_turn;
    std::size_t reachable() const;

    // No play scores more. Ghosts are ignored, which can only add to what a ship may do.
    std::int64_t bound = 0;
    // Some play scores this much on the map without its ghosts; equal to `bound` where that is
    // the exact best, which it always is for up to exact_stops_max scraps within reach.
    std::int64_t shown = 0;
    // Turns of that play.
    std::int64_t shown_turns = 0;
    bool exact() const { return bound == shown; }
};

// With Edges::walls for a ship that never wraps. Takes well under a second on any map that ships;
// maps with very many scraps or cells get a coarser bound, and nothing shown.
Attainable attainable(const Map& map, Edges edges = Edges::wrap);

enum class MapType : std::uint8_t { type_1, type_2, type_3, unknown };

// "type-1", ..., "unknown".
std::string_view type_name(MapType type);

// The narrowest type that is proven. Type-1 has no asteroid fields, nebulae or ghosts, and all
// its scraps can be had in time without wrapping; type-2 no ghosts; type-3 is any other map.
// `unknown` where type-1 is neither proven nor refuted: with more than exact_stops_max scraps.
MapType map_type(const Map& map);

// The maps that ship with the game, and an instructor's own.
class PlanetsMaps final : public MapCollection {
 public:
    explicit PlanetsMaps(const Resources& resources);

    std::string_view version() const override;
    std::vector<std::string> names() const override;
    // Other spellings of a name (see RULES.md) are understood here and below.
    std::optional<std::string> text(std::string_view name) const override;
    std::string picture(std::string_view text) const override;
    base::Result<std::vector<MapFact>, MapError> examine(std::string_view text) const override;
    base::Result<std::string, MapError> generate(const GenerateRequest& request) const override;
    std::string params_for_map(std::string_view name) const override;
    std::string params_for_text(std::string_view text) const override;

    struct Named {
        std::string_view name;  // as it is listed
        std::string_view text;
        bool is_shipped = false;
    };
    // Nothing where there is no such map.
    std::optional<Named> find(std::string_view name) const;

 private:
    std::vector<MapFile> own_;
    std::string version_;
};

}  // namespace engines::e7_planets
