#include "engines/snake_labyrinth/maze.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engines/snake_labyrinth/board.h"
#include "engines/snake_labyrinth/snake_labyrinth.h"
#include "protocol/base/assertion.h"
#include "protocol/base/split_mix.h"
#include "protocol/base/text.h"

namespace engines::snake_labyrinth {
namespace {

constexpr std::size_t side_min = 5;
// Sides that are drawn where none are asked for.
constexpr std::size_t drawn_rows_min = 9, drawn_rows_max = 19;
constexpr std::size_t drawn_columns_min = 13, drawn_columns_max = 35;

constexpr std::size_t exits_max = 3;
constexpr std::size_t cells_a_block = 14;  // of a challenge2 board, about
constexpr std::size_t block_side_max = 6;
constexpr std::size_t hollow_side_min = 4;
constexpr std::uint64_t filled_percent = 60;  // of the blocks that are large enough to be hollow
constexpr std::uint64_t loop_percent = 12;    // walls of a final maze that fall to make loops
constexpr std::uint64_t coin_percent_min = 4, coin_percent_max = 10;
constexpr std::uint64_t mishap_percent = 2;
constexpr std::size_t cells_a_drill = 120;

// A board in the making.
class Draft {
 public:
    Draft(std::size_t rows, std::size_t columns, char inside)
        : rows_(rows, std::string(columns, inside)) {
        rows_.front().assign(columns, cell::wall);
        rows_.back().assign(columns, cell::wall);
        for (auto& row : rows_) row.front() = row.back() = cell::wall;
    }

    std::size_t rows() const { return rows_.size(); }
    std::size_t columns() const { return rows_.front().size(); }
    char& at(std::size_t row, std::size_t column) { return rows_[row][column]; }
    char at(std::size_t row, std::size_t column) const { return rows_[row][column]; }

    Board board() const {
        const std::vector<std::string_view> views(rows_.begin(), rows_.end());
        auto board = Board::from_rows(views);
        REFEREE_ASSERT(board);
        return *std::move(board);
    }

 private:
    std::vector<std::string> rows_;
};

// Whether a block and the ring around it are free.
bool is_free(const Draft& draft, std::size_t top, std::size_t left, std::size_t high,
             std::size_t wide) {
    for (auto row = top - 1; row <= top + high; ++row) {
        for (auto column = left - 1; column <= left + wide; ++column) {
            if (draft.at(row, column) != cell::empty) return false;
        }
    }
    return true;
}

// Walls that can be walked around: single cells, lines, filled and hollow blocks, each with a free
// ring of its own, so that no dead end comes about.
void put_blocks(Draft& draft, base::SplitMix& random) {
    const auto tries = draft.rows() * draft.columns() / cells_a_block;
    const auto high_max = std::min(block_side_max, draft.rows() - 4);
    const auto wide_max = std::min(block_side_max, draft.columns() - 4);
    for (std::size_t i = 0; i < tries; ++i) {
        auto high = random.between(1, high_max);
        auto wide = random.between(1, wide_max);
        if (random.chance(filled_percent)) (random.chance(50) ? high : wide) = 1;
        const auto top = random.between(2, draft.rows() - 2 - high);
        const auto left = random.between(2, draft.columns() - 2 - wide);
        if (!is_free(draft, top, left, high, wide)) continue;
        const bool hollow =
            high >= hollow_side_min && wide >= hollow_side_min && !random.chance(filled_percent);
        for (auto row = top; row < top + high; ++row) {
            for (auto column = left; column < left + wide; ++column) {
                const bool on_rim = row == top || column == left || row + 1 == top + high ||
                                    column + 1 == left + wide;
                if (on_rim || !hollow) draft.at(row, column) = cell::wall;
            }
        }
    }
}

// A spanning tree of the cells with odd row and column, then some loops.
class Carver {
 public:
    Carver(Draft& draft, base::SplitMix& random) : draft_(draft), random_(random) {}

    void carve() {
        std::vector<std::pair<std::size_t, std::size_t>> trail{{1, 1}};
        draft_.at(1, 1) = cell::empty;
        while (!trail.empty()) {
            const auto [row, column] = trail.back();
            if (!dig_from(row, column, trail)) trail.pop_back();
        }
        open_loops();
        widen();
    }

 private:
    using Trail = std::vector<std::pair<std::size_t, std::size_t>>;

    bool dig_from(std::size_t row, std::size_t column, Trail& trail) {
        const auto first = random_.below(all_directions.size());
        for (std::size_t i = 0; i < all_directions.size(); ++i) {
            const auto direction = all_directions[(first + i) % all_directions.size()];
            const auto [down, right] = offset(direction);
            const auto next_row = row + 2 * down;
            const auto next_column = column + 2 * right;
            // Beyond the top or the left the sum has wrapped around and is large.
            if (next_row > draft_.rows() - 2 || next_column > draft_.columns() - 2) continue;
            if (draft_.at(next_row, next_column) == cell::empty) continue;
            draft_.at(row + down, column + right) = cell::empty;
            draft_.at(next_row, next_column) = cell::empty;
            trail.emplace_back(next_row, next_column);
            return true;
        }
        return false;
    }

    static std::pair<std::size_t, std::size_t> offset(Direction direction) {
        constexpr auto back = static_cast<std::size_t>(-1);
        constexpr std::array<std::pair<std::size_t, std::size_t>, all_directions.size()> offsets{
            {{back, 0}, {1, 0}, {0, back}, {0, 1}}};
        return offsets[static_cast<std::size_t>(direction)];
    }

    void open_loops() {
        for (std::size_t row = 1; row + 1 < draft_.rows(); ++row) {
            for (std::size_t column = 1; column + 1 < draft_.columns(); ++column) {
                const bool between_cells = (row + column) % 2 == 1;
                if (between_cells && random_.chance(loop_percent))
                    draft_.at(row, column) = cell::empty;
            }
        }
    }

    // Where a side is even, the last row or column has no cells of its own: corridors get wider.
    void widen() {
        if (draft_.rows() % 2 == 0) {
            for (std::size_t column = 1; column + 1 < draft_.columns(); ++column) {
                draft_.at(draft_.rows() - 2, column) = draft_.at(draft_.rows() - 3, column);
            }
        }
        if (draft_.columns() % 2 == 0) {
            for (std::size_t row = 1; row + 1 < draft_.rows(); ++row) {
                draft_.at(row, draft_.columns() - 2) = draft_.at(row, draft_.columns() - 3);
            }
        }
    }

    Draft& draft_;
    base::SplitMix& random_;
};

// Puts the start and the exits where the edge has an open cell beside it.
void put_doors(Draft& draft, base::SplitMix& random) {
    std::vector<std::pair<std::size_t, std::size_t>> doors;
    const auto last_row = draft.rows() - 1;
    const auto last_column = draft.columns() - 1;
    for (std::size_t row = 1; row < last_row; ++row) {
        if (draft.at(row, 1) == cell::empty) doors.emplace_back(row, 0);
        if (draft.at(row, last_column - 1) == cell::empty) doors.emplace_back(row, last_column);
    }
    for (std::size_t column = 1; column < last_column; ++column) {
        if (draft.at(1, column) == cell::empty) doors.emplace_back(0, column);
        if (draft.at(last_row - 1, column) == cell::empty) doors.emplace_back(last_row, column);
    }
    const auto exits = random.between(1, exits_max);
    for (std::size_t i = 0; i <= exits; ++i) {
        const auto chosen = i + random.below(doors.size() - i);
        std::swap(doors[i], doors[chosen]);
        draft.at(doors[i].first, doors[i].second) = i == 0 ? cell::start : cell::exit;
    }
}

void put_objects(Draft& draft, Level level, base::SplitMix& random) {
    const auto coin_percent = random.between(coin_percent_min, coin_percent_max);
    for (std::size_t row = 1; row + 1 < draft.rows(); ++row) {
        for (std::size_t column = 1; column + 1 < draft.columns(); ++column) {
            auto& here = draft.at(row, column);
            if (here != cell::empty) continue;
            if (random.chance(coin_percent)) {
                here = cell::coin;
            } else if (level != Level::challenge1 && random.chance(mishap_percent)) {
                here = cell::mishap;
            } else if (level != Level::challenge1 && random.below(cells_a_drill) == 0) {
                here = cell::drill;
            }
        }
    }
}

base::Result<void, MapError> check_side(std::string_view member, std::optional<std::size_t> side) {
    if (!side || (*side >= side_min && *side <= side_max)) return {};
    return base::failure(
        MapError{0, std::string(member),
                 fmt::format("expected {} to {}, not {}", side_min, side_max, *side)});
}

std::string count_text(const Board& board, char object) {
    return std::to_string(std::count(board.cells().begin(), board.cells().end(), object));
}

struct Exits {
    std::size_t all = 0;
    std::size_t reachable = 0;
    std::uint32_t nearest = unreached;
};

Exits find_exits(const Board& board) {
    const auto distances = distances_from_start(board);
    Exits exits;
    for (Square square = 0; square < board.size(); ++square) {
        if (board.at(square) != cell::exit) continue;
        ++exits.all;
        if (distances[square] == unreached) continue;
        ++exits.reachable;
        exits.nearest = std::min(exits.nearest, distances[square]);
    }
    return exits;
}

std::vector<MapFact> facts_of(const Maze& maze) {
    const auto& board = maze.board;
    const auto exits = find_exits(board);
    const auto narrowest = std::string(name_of(narrowest_level(board)));
    return {
        {"size", fmt::format("{} x {}", board.rows(), board.columns())},
        {"level", narrowest},
        {"played at", std::string(name_of(maze.play_level()))},
        {"exits", std::to_string(exits.all)},
        {"reachable exits", std::to_string(exits.reachable)},
        {"shortest way",
         exits.reachable == 0 ? "none without drilling" : std::to_string(exits.nearest)},
        {"coins", count_text(board, cell::coin)},
        {"mishaps", count_text(board, cell::mishap)},
        {"drills", count_text(board, cell::drill)},
    };
}

}  // namespace

std::string MazeCollection::picture(std::string_view text) const {
    const auto maze = read_maze(text);
    REFEREE_ASSERT(maze.has_value());
    return draw_board(maze->board);
}

base::Result<std::vector<MapFact>, MapError> MazeCollection::examine(std::string_view text) const {
    return read_maze(text).map(facts_of);
}

base::Result<std::string, MapError> MazeCollection::generate(const GenerateRequest& request) const {
    const auto level = level_named(request.type);
    if (!level) {
        return base::failure(
            MapError{0, "type", "expected challenge1, challenge2, challenge3 or final"});
    }
    if (auto side = check_side("rows", request.rows); !side)
        return base::failure(std::move(side.error()));
    if (auto side = check_side("columns", request.columns); !side)
        return base::failure(std::move(side.error()));
    base::SplitMix random(request.seed);
    const auto drawn_rows = random.between(drawn_rows_min, drawn_rows_max);
    const auto drawn_columns = random.between(drawn_columns_min, drawn_columns_max);
    const bool is_final = *level == Level::final;
    Draft draft(request.rows.value_or(drawn_rows), request.columns.value_or(drawn_columns),
                is_final ? cell::wall : cell::empty);
    if (is_final) {
        Carver(draft, random).carve();
    } else if (*level != Level::challenge1) {
        put_blocks(draft, random);
    }
    put_doors(draft, random);
    put_objects(draft, *level, random);
    const auto board = draft.board();
    REFEREE_ASSERT(check_promise(board, *level));
    if (narrowest_level(board) == *level) return write_maze(board);
    return write_maze(board, *level);
}

std::string MazeCollection::params_for_map(std::string_view name) const {
    return json::object_text([&](json::Writer& writer) {
        writer.member("maze", name);
        const auto maze_text = text(name);
        if (!maze_text) return;
        if (const auto maze = read_maze(*maze_text))
            writer.member("level", name_of(maze->play_level()));
    });
}

std::string MazeCollection::params_for_text(std::string_view text) const {
    const auto maze = read_maze(text);
    REFEREE_ASSERT(maze.has_value());
    return json::object_text([&](json::Writer& writer) {
        writer.key("board");
        write_board(writer, maze->board);
        writer.member("level", name_of(maze->play_level()));
    });
}

}  // namespace engines::snake_labyrinth
