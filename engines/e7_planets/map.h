#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"
#include "protocol/base/result.h"
#include "protocol/json/reader.h"
#include "protocol/json/writer.h"

// A map in its initial form: the grid, where everybody starts, and the number of turns. How one is
// generated, and what it can give.

namespace engines::e7_planets {

namespace json = protocol::json;

// A cell of the grid, counted from 0 here and from 1 in every text.
struct Cell {
    std::int32_t row = 0;
    std::int32_t column = 0;
    bool operator==(const Cell&) const = default;
};

enum class Direction : std::uint8_t { up, down, left, right, stay };

inline constexpr std::array<Direction, 4> four_directions = {Direction::up, Direction::down,
                                                             Direction::left, Direction::right};

Direction opposite(Direction direction);
// "U", "D", "L", "R" or ".".
std::string_view letter(Direction direction);

struct Scrap {
    Cell cell;
    std::int64_t value = 0;
    bool operator==(const Scrap&) const = default;
};

enum class GhostType : std::uint8_t { back_and_forth, toward_player };

// "backandforth" or "towardplayer".
std::string_view type_name(GhostType type);

inline constexpr int slowed_and_blocked = 0;  // the transparencies
inline constexpr int blocked_only = 1;
inline constexpr int neither = 2;

struct GhostStart {
    Cell cell;
    Cell before;  // the pre-starting cell; only of back_and_forth
    GhostType type = GhostType::back_and_forth;
    int transparency = slowed_and_blocked;
    bool operator==(const GhostStart&) const = default;
};

inline constexpr std::int64_t asteroid_field = -1;

struct Map {
    std::int32_t rows = 0;
    std::int32_t columns = 0;
    std::vector<std::int64_t> grid;  // row by row: asteroid_field, 0, or a nebula
    Cell ship;
    std::vector<Scrap> scraps;
    std::vector<GhostStart> ghosts;
    std::int64_t turns = 0;

    std::size_t cells() const { return grid.size(); }
    std::size_t index(Cell cell) const {
        return static_cast<std::size_t>(cell.row) * static_cast<std::size_t>(columns) +
               static_cast<std::size_t>(cell.column);
    }
    Cell cell(std::size_t index) const {
        const auto width = static_cast<std::size_t>(columns);
        return {static_cast<std::int32_t>(index / width), static_cast<std::int32_t>(index % width)};
    }
    std::int64_t at(Cell cell) const { return grid[index(cell)]; }
    bool contains(Cell cell) const {
        return cell.row >= 0 && cell.row < rows && cell.column >= 0 && cell.column < columns;
    }
    std::int64_t total_value() const;
    // One step, which may leave the grid.
    static Cell beside(Cell cell, Direction direction);
    // One step around the edges.
    Cell wrapped(Cell cell, Direction direction) const;

    bool operator==(const Map&) const = default;
};

// How large a map may be: far above what a course plays; it keeps one map from taking the machine.

// The grid is written into every whole state, about three bytes a cell.
inline constexpr std::int64_t rows_max = 1000;
inline constexpr std::int64_t columns_max = 1000;

// Bots in MATLAB and JavaScript keep numbers as doubles, which hold every integer up to here.
// Bounds a nebula, a scrap's value and the value of all scraps together.
inline constexpr std::int64_t value_max = (std::int64_t{1} << 53) - 1;

// A turn of the game is at least a message there and back: a million of them is hours.
inline constexpr std::int64_t turns_max = 1'000'000;

inline constexpr std::size_t ghosts_max = 1000;

// Every turn adds a row for the ship and for each ghost to the state, about eight bytes a row:
// (1 + ghosts) * turns is at most this.
inline constexpr std::int64_t history_rows_max = 10'000'000;

// Reads and checks a map as the game's page says. Accepts anything: where it is no map, the first
// mistake is noted and nothing is given. Requires that no mistake was noted before, and that only
// the first is kept.
std::optional<Map> read_map(const json::Placed& map);
// The same from a map's text, a file's for instance.
base::Result<Map, MapError> read_map_text(std::string_view text);

// [row, column], counted from 1.
void write_cell(json::Writer& writer, Cell cell);
void write_grid(json::Writer& writer, const Map& map);
void write_scrap(json::Writer& writer, const Scrap& scrap);

// The map as a file's text that a person can read and edit: a line for each row of the grid, each
// scrap and each ghost. read_map_text gives the same map back.
std::string map_text(const Map& map);

// ---- generate.cpp -------------------------------------------------------------------------------

// Rows and columns that a map can be generated with.
inline constexpr std::size_t generated_side_min = 6;
inline constexpr std::size_t generated_side_max = 100;

// A fresh map: "beta" (open space, one scrap within reach without wrapping), "type-1", "type-2"
// (asteroid fields or nebulae, no ghosts) or "type-3" (ghosts besides). A map's type is proven
// to be the one asked for and no narrower, and some score can be had on it (ghosts aside). The
// same request gives the same map on every machine.
base::Result<Map, MapError> generate_map(const GenerateRequest& request);

// ---- travel.cpp ---------------------------------------------------------------------------------

// How many turns the ship needs from cell to cell where no ghost is in the way; and which stops to
// make, and in which order, for the greatest value within a number of turns.

enum class Edges : std::uint8_t { wrap, walls };
enum class Sense : std::uint8_t { away_from, toward };

inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

// For each cell (by Map::index) the least number of turns between landing on `place` and landing
// on that cell, or the other way round with Sense::toward. Landing includes having started there.
// Nebulae on the way cost their turns, the one that is landed on last does not. `never` where
// there is no way, or none within `limit` turns.
std::vector<std::int64_t> landing_turns(const Map& map, Cell place, Sense sense, Edges edges,
                                        std::int64_t limit);

struct TourProblem {
    std::vector<std::int64_t> values;                // of the stops; positive
    std::vector<std::int64_t> first;                 // turns from the start to a stop, or `never`
    std::vector<std::vector<std::int64_t>> between;  // [from][to]
    std::int64_t limit = 0;                          // turns in all
};

struct Tour {
    std::vector<std::size_t> order;
    std::int64_t value = 0;
    std::int64_t turns = 0;
};

struct TourAnswer {
    Tour tour;               // one that can be made
    std::int64_t bound = 0;  // no tour has a greater value
    bool exact() const { return tour.value == bound; }
};

// Up to so many stops are solved exactly, over all subsets.
inline constexpr std::size_t exact_stops_max = 16;

// The best tour where it is found, else a good one and an upper bound. Of tours with the greatest
// value, exactly solved ones are the shortest. The same problem has the same answer everywhere.
// `between` obeys the triangle inequality, so that passing a stop is no worse than avoiding it.
TourAnswer solve_tour(const TourProblem& problem);

// ---- planets_maps.cpp ---------------------------------------------------------------------------

// The maps that ship with the game: the files of maps/, in the order of CMakeLists.txt.
std::span<const ShippedMap> shipped_maps();

// A shipped map that changes, comes or goes changes this too: 'release', 'revision01', ...
// (a test compares the files with a checksum that stands beside each version).
inline constexpr std::string_view maps_version = "release";

// What a map can give at most: for fair partial credit, and to tell a map's type.
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

    std::string picture(std::string_view text) const override;
    base::Result<std::vector<MapFact>, MapError> examine(std::string_view text) const override;
    base::Result<std::string, MapError> generate(const GenerateRequest& request) const override;
    std::string params_for_map(std::string_view name) const override;
    std::string params_for_text(std::string_view text) const override;

 private:
    // See RULES.md.
    std::string_view listed_name(std::string_view name) const override;
};

}  // namespace engines::e7_planets
