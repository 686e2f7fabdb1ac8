#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engines/light_cycles/arena.h"
#include "protocol/json/document.h"

namespace bots::light_cycles {

using engines::light_cycles::Cell;

// The four ways, clockwise.
inline constexpr std::array<Cell, 4> steps = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
inline constexpr std::size_t no_step = steps.size();

inline Cell moved(Cell from, std::size_t step) {
    return {from.x + steps[step].x, from.y + steps[step].y};
}

// What a bot knows of the grid. The states don't show the trails, so it remembers where each cycle
// has been. (After a reconnect only what comes from then on.)
class Field {
 public:
    // `params` and `state` as a game's start has them; what can't be read leaves an empty field.
    Field(protocol::json::View params, protocol::json::View state);

    // Takes in the next state.
    void update(protocol::json::View state);

    int width() const { return width_; }
    int height() const { return height_; }
    std::int64_t mean_budget_us() const { return mean_budget_us_; }
    std::size_t cycles_per_team() const { return cycles_per_team_; }
    std::size_t cycles() const { return trails_.size(); }
    std::size_t team_of(std::size_t cycle) const { return cycle / cycles_per_team_; }
    bool living(std::size_t cycle) const { return !trails_[cycle].empty(); }
    // Requires: living.
    Cell position(std::size_t cycle) const { return trails_[cycle].back(); }
    // The way of the cycle's last step; no_step before the first.
    std::size_t last_step(std::size_t cycle) const;

    // Cells are kept with a rim around the grid that is never free.
    std::size_t index(Cell cell) const {
        return static_cast<std::size_t>(cell.y + 1) * stride() +
               static_cast<std::size_t>(cell.x + 1);
    }
    std::size_t stride() const { return static_cast<std::size_t>(width_) + 2; }
    bool free(Cell cell) const { return blocked_[index(cell)] == 0; }
    // Whether the cell is on that cycle's trail.
    bool on_trail(Cell cell, std::size_t cycle) const {
        return owner_[index(cell)] == static_cast<std::int16_t>(cycle);
    }
    // By index(): not 0 where nobody can go.
    const std::vector<std::uint8_t>& blocked() const { return blocked_; }

 private:
    int width_ = 0;
    int height_ = 0;
    std::size_t cycles_per_team_ = 1;
    std::int64_t mean_budget_us_ = 0;
    std::vector<std::uint8_t> blocked_;
    std::vector<std::int16_t> owner_;        // by index(): the cycle whose trail it is on
    std::vector<std::vector<Cell>> trails_;  // of each living cycle
};

// What a bot's chance in a game begins with: the same for the same game and seat, on every machine.
std::uint64_t chance_of(std::string_view game_id, std::size_t seat);

// A move as JSON text: a cell for each cycle of the team.
std::string move_text(const std::vector<Cell>& cells);

}  // namespace bots::light_cycles
