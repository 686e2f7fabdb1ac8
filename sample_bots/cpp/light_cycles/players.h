#pragma once

// The reference bots for Light Cycles. Each plays one game.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engines/light_cycles/arena.h"
#include "protocol/json/document.h"
#include "sample_bots/cpp/bot/bot.h"

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

// A move as JSON text: a cell for each cycle of the team.
std::string move_text(const std::vector<Cell>& cells);

// Which team gets where first, if all run there as straight as the trails allow.
class Territory {
 public:
    // How many free cells the team of `cycle` reaches first once the cycle has gone to `target`,
    // the mates in `decided` (the team's first cycles; nowhere for a terminated one) have gone
    // there, and all others are still to move. A team that comes to a cell at the same time as
    // another comes too late. Looks at `cells_max` cells at most. Requires: cycle living, target
    // free.
    std::size_t measure(const Field& field, std::size_t cycle, Cell target,
                        const std::vector<Cell>& decided, std::size_t cells_max);

 private:
    enum Mark : std::uint8_t { free_cell = 0, obstacle, others, own };

    void put(std::size_t index, Mark mark);
    void put_those_to_move(const Field& field, std::size_t cycle, std::size_t decided);
    void spread(std::size_t until);

    std::vector<std::uint8_t> marks_;
    std::vector<std::uint32_t> queue_;
    std::vector<std::uint32_t> ahead_;
    std::size_t next_ = 0;
    std::size_t stride_ = 0;
};

// Each cycle goes straight on while that is legal; else it takes any legal turn with equal
// probability, the same ones again in a game of the same id and seat.
std::unique_ptr<Player> make_dumb(const GameStart& start);
// Each cycle goes where its team can get to most of the grid before anybody else. The work is
// counted in cells, not in time: it stays well inside the mean budget, and a game of the same id
// can be repeated. Games of other ids differ.
std::unique_ptr<Player> make_smarter(const GameStart& start);

}  // namespace bots::light_cycles
