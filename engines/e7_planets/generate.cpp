#include "engines/e7_planets/map.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "protocol/base/split_mix.h"
#include "protocol/base/text.h"

namespace engines::e7_planets {
namespace {

struct Range {
    std::int64_t least;
    std::int64_t most;
};

// What a type's maps look like.
struct Recipe {
    std::string_view type;
    Range side;  // rows and columns where the request leaves them open
    Range scraps;
    Range turns;          // in percent of the turns in which all scraps within reach can be had
    Range blocks;         // of asteroid fields
    Range clouds;         // of nebulae
    std::int64_t vaults;  // percent of maps with a scrap behind asteroid fields on all sides
    Range ghosts;
    Edges edges;  // for the turns
};

constexpr std::array<Recipe, 4> recipes = {{
    {"beta", {6, 15}, {1, 1}, {110, 180}, {0, 0}, {0, 0}, 0, {0, 0}, Edges::walls},
    {"type-1", {8, 22}, {2, 9}, {100, 140}, {0, 0}, {0, 0}, 0, {0, 0}, Edges::walls},
    {"type-2", {9, 26}, {3, 10}, {75, 150}, {2, 7}, {1, 5}, 30, {0, 0}, Edges::wrap},
    {"type-3", {10, 26}, {3, 9}, {100, 200}, {1, 6}, {0, 4}, 20, {1, 5}, Edges::wrap},
}};

constexpr int attempts_max = 10'000;
constexpr std::int64_t side_of_obstacles = 14;  // a recipe's obstacles are for a map of this side
constexpr Range scrap_value{1, 20};
constexpr Range nebula{1, 5};
constexpr Range block_length{2, 6};
constexpr Range cloud_side{2, 4};
constexpr std::int32_t ghost_distance_min = 4;  // from the ship's start
constexpr std::int64_t wall_percent = 50;       // of blocks that are one cell thick

class Generator {
 public:
    Generator(const Recipe& recipe, const GenerateRequest& request, std::uint64_t seed)
        : recipe_(recipe), random_(seed), rows_(request.rows), columns_(request.columns) {}

    // One attempt; may give something of another type, or nothing where there is no room.
    std::optional<Map> attempt() {
        map_ = Map();
        taken_.clear();
        map_.rows = side(rows_);
        map_.columns = side(columns_);
        map_.grid.assign(
            static_cast<std::size_t>(map_.rows) * static_cast<std::size_t>(map_.columns), 0);
        for (auto n = obstacles(recipe_.blocks); n > 0; --n) put_block();
        for (auto n = obstacles(recipe_.clouds); n > 0; --n) put_cloud();
        if (random_.chance(static_cast<std::uint64_t>(recipe_.vaults))) put_vault();
        if (!place(0, map_.ship)) return std::nullopt;
        for (auto n = pick(recipe_.scraps); n > 0; --n) {
            if (!place(0, map_.scraps.emplace_back().cell)) return std::nullopt;
            map_.scraps.back().value = pick(scrap_value);
        }
        for (auto n = pick(recipe_.ghosts); n > 0; --n) {
            if (!put_ghost()) return std::nullopt;
        }
        put_turns();
        return map_;
    }

 private:
    std::int64_t pick(Range range) { return between(range.least, range.most); }
    std::int64_t between(std::int64_t least, std::int64_t most) {
        return least + static_cast<std::int64_t>(
                           random_.below(static_cast<std::uint64_t>(most - least) + 1));
    }

    std::int32_t side(std::optional<std::size_t> wished) {
        return static_cast<std::int32_t>(wished ? static_cast<std::int64_t>(*wished)
                                                : pick(recipe_.side));
    }

    // More of them on a larger map.
    std::int64_t obstacles(Range range) {
        const auto cells = static_cast<std::int64_t>(map_.cells());
        return (pick(range) * cells + side_of_obstacles * side_of_obstacles / 2) /
               (side_of_obstacles * side_of_obstacles);
    }

    Cell any_cell() { return map_.cell(random_.below(map_.cells())); }

    // Chooses a cell that is neither an asteroid field nor taken, so far from the ship at least;
    // taken from then on. False where there is none.
    bool place(std::int32_t distance, Cell& cell) {
        std::vector<Cell> free;
        for (std::size_t i = 0; i < map_.cells(); ++i) {
            const auto each = map_.cell(i);
            if (map_.at(each) == asteroid_field || is_taken(each)) continue;
            if (distance == 0 || distance_from_ship(each) >= distance) free.push_back(each);
        }
        if (free.empty()) return false;
        cell = free[random_.below(free.size())];
        taken_.push_back(cell);
        return true;
    }

    bool is_taken(Cell cell) const { return base::contains(taken_, cell); }

    void fill(Cell corner, std::int64_t height, std::int64_t width, Range values) {
        for (std::int64_t row = corner.row; row < corner.row + height; ++row) {
            for (std::int64_t column = corner.column; column < corner.column + width; ++column) {
                const Cell cell{static_cast<std::int32_t>(row), static_cast<std::int32_t>(column)};
                if (map_.contains(cell)) map_.grid[map_.index(cell)] = pick(values);
            }
        }
    }

    void put_block() {
        auto height = pick(block_length);
        auto width = pick(block_length);
        if (random_.chance(wall_percent)) (random_.chance(50) ? height : width) = 1;
        fill(any_cell(), height, width, {asteroid_field, asteroid_field});
    }

    void put_cloud() {
        const auto width = pick(cloud_side);
        const auto height = pick(cloud_side);
        fill(any_cell(), height, width, nebula);
    }

    // A scrap that can't be had.
    void put_vault() {
        const Cell middle{static_cast<std::int32_t>(between(1, map_.rows - 2)),
                          static_cast<std::int32_t>(between(1, map_.columns - 2))};
        for (const auto direction : four_directions) {
            map_.grid[map_.index(Map::beside(middle, direction))] = asteroid_field;
        }
        map_.grid[map_.index(middle)] = 0;
        taken_.push_back(middle);
        map_.scraps.push_back({middle, pick(scrap_value)});
    }

    // Going around the edges is near too.
    std::int32_t distance_from_ship(Cell cell) const {
        const auto down = std::abs(cell.row - map_.ship.row);
        const auto right = std::abs(cell.column - map_.ship.column);
        return std::min(down, map_.rows - down) + std::min(right, map_.columns - right);
    }

    bool put_ghost() {
        GhostStart ghost;
        if (!place(ghost_distance_min, ghost.cell)) return false;
        ghost.type = random_.chance(50) ? GhostType::back_and_forth : GhostType::toward_player;
        ghost.transparency = static_cast<int>(between(slowed_and_blocked, neither));
        if (ghost.type == GhostType::back_and_forth) {
            do {
                ghost.before =
                    Map::beside(ghost.cell, four_directions[random_.below(four_directions.size())]);
            } while (!map_.contains(ghost.before));
        }
        map_.ghosts.push_back(ghost);
        return true;
    }

    void put_turns() {
        constexpr std::int64_t percent = 100;
        // Enough for any tour: every cell on every leg, at its slowest.
        map_.turns =
            static_cast<std::int64_t>(map_.cells() * map_.scraps.size()) * (nebula.most + 1);
        const auto all = attainable(map_, recipe_.edges).shown_turns;
        map_.turns = std::max<std::int64_t>(1, (all * pick(recipe_.turns) + percent - 1) / percent);
    }

    const Recipe& recipe_;
    base::SplitMix random_;
    const std::optional<std::size_t> rows_;
    const std::optional<std::size_t> columns_;
    Map map_;
    std::vector<Cell> taken_;
};

bool fits(const Recipe& recipe, const Map& map) {
    const auto empty = std::count(map.grid.begin(), map.grid.end(), 0);
    if (empty < static_cast<std::ptrdiff_t>(map.cells() / 2)) return false;
    const auto facts = attainable(map);
    if (facts.bound == 0 || facts.reachable() * 2 < map.scraps.size()) return false;
    const auto type = map_type(map);
    return &recipe == &recipes.front() ? type == MapType::type_1 : type_name(type) == recipe.type;
}

MapError bad_side(std::string member, std::size_t side) {
    return {0, std::move(member),
            fmt::format("expected from {} to {}, found {}", generated_side_min, generated_side_max,
                        side)};
}

bool side_fits(std::optional<std::size_t> side) {
    return !side || (*side >= generated_side_min && *side <= generated_side_max);
}

}  // namespace

base::Result<Map, MapError> generate_map(const GenerateRequest& request) {
    const auto* const recipe = std::ranges::find(recipes, request.type, &Recipe::type);
    if (recipe == recipes.end()) {
        return base::failure(MapError{
            0, "type",
            "expected 'beta', 'type-1', 'type-2' or 'type-3', found '" + request.type + "'"});
    }
    if (!side_fits(request.rows)) return base::failure(bad_side("rows", *request.rows));
    if (!side_fits(request.columns)) return base::failure(bad_side("columns", *request.columns));
    const auto number = static_cast<std::uint64_t>(recipe - recipes.begin());
    Generator generator(*recipe, request, std::uint64_t{request.seed} * recipes.size() + number);
    for (int i = 0; i < attempts_max; ++i) {
        auto map = generator.attempt();
        if (map && fits(*recipe, *map)) return *std::move(map);
    }
    REFEREE_ASSERT(false && "a map that fits is found long before");
    return base::failure(MapError{});
}

}  // namespace engines::e7_planets
