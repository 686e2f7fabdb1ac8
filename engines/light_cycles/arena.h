#pragma once

// The rules of Light Cycles alone, without JSON.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engines/game.h"
#include "protocol/base/result.h"
#include "protocol/json/document.h"

namespace engines::light_cycles {

struct Cell {
    int x = 0;
    int y = 0;
    bool operator==(const Cell&) const = default;
};

inline constexpr int width_default = 170;
inline constexpr int height_default = 170;
inline constexpr int side_max = 1000;
inline constexpr int teams_default = 4;
inline constexpr int teams_min = 2;
inline constexpr int teams_max = static_cast<int>(seats_max);
inline constexpr int cycles_per_team_default = 3;
inline constexpr int cycles_per_team_max = 100;
inline constexpr std::int64_t mean_budget_us_default = 50'000;

struct Setup {
    int width = width_default;
    int height = height_default;
    int teams = teams_default;
    int cycles_per_team = cycles_per_team_default;
    std::int64_t mean_budget_us = mean_budget_us_default;
    std::int64_t grace_turns = 0;
    std::vector<Cell> starts;  // one for each cycle, team by team

    std::size_t cycles() const {
        return static_cast<std::size_t>(teams) * static_cast<std::size_t>(cycles_per_team);
    }
};

// Params as a game's page has them; absent ones get their defaults.
base::Result<Setup, SetupError> read_setup(protocol::json::View params);
std::string setup_text(const Setup& setup);

// The usual grid for so many teams: for up to four the usual starts of the first teams, for more
// all cycles at equal distances along the edge. Requires: teams_min to teams_max.
Setup setup_for(int teams);

inline constexpr Cell nowhere = {-1, -1};  // where a terminated cycle is

// What a team wants of one of its cycles.
struct Choice {
    enum class Kind : std::uint8_t { missing, malformed, cell };
    Kind kind = Kind::missing;
    std::int64_t x = 0;  // of a cell: as the bot has it, in or out of the grid
    std::int64_t y = 0;
};

// What became of a cycle in a turn.
enum class Verdict : std::uint8_t {
    moved,
    ignored,  // it was terminated before
    // The rest are terminations.
    missing,
    malformed,
    outside,
    not_a_step,
    occupied,
    contest_lost,
    contest_tied,
    over_mean,
};

class Arena {
 public:
    // Requires: a setup that read_setup() or setup_for() gave.
    explicit Arena(Setup setup);

    const Setup& setup() const { return setup_; }
    std::size_t teams() const { return static_cast<std::size_t>(setup_.teams); }
    std::size_t cycles() const { return positions_.size(); }
    std::size_t cycles_per_team() const { return static_cast<std::size_t>(setup_.cycles_per_team); }
    std::size_t team_of(std::size_t cycle) const { return cycle / cycles_per_team(); }

    std::int64_t turn() const { return turn_; }  // turns played
    Cell position(std::size_t cycle) const { return positions_[cycle]; }
    bool living(std::size_t cycle) const { return positions_[cycle] != nowhere; }
    std::size_t living_of(std::size_t team) const { return living_of_[team]; }
    std::size_t living_teams() const;
    std::int64_t used_us(std::size_t team) const { return used_us_[team]; }
    // The turn in which the team's last cycle was terminated; nothing while one lives.
    std::optional<std::int64_t> eliminated_turn(std::size_t team) const {
        return eliminated_turn_[team];
    }
    bool occupied(Cell cell) const { return grid_[index(cell)] != 0; }
    // The cycle whose trail is on the cell. Requires: it is occupied.
    std::size_t holder(Cell cell) const;

    // What rule 2 says of a choice for a living cycle: `moved` where nothing is against it.
    Verdict judge(std::size_t cycle, const Choice& choice) const;

    // One turn: a choice for each cycle, a charge (not negative) for each team. Gives what became
    // of each cycle, until the next call.
    std::span<const Verdict> play(std::span<const Choice> choices,
                                  std::span<const std::int64_t> used_us);

    // All cycles of the team are terminated, between two turns.
    void eliminate(std::size_t team);

    // Calls visit(Cell) for each cell of a living cycle's trail, the newest first.
    template <typename Visit>
    void walk_trail(std::size_t cycle, const Visit& visit) const {
        for (Cell at = positions_[cycle];;) {
            visit(at);
            const Trail trail = grid_[index(at)];
            if (trail == start_mark) return;
            at = step_back(at, trail);
        }
    }

 private:
    // How a cell was entered: 0 not at all, else a direction or a start. So a trail can be walked
    // back from the cycle without being kept anywhere else.
    using Trail = std::uint8_t;
    static constexpr Trail start_mark = 5;

    struct Contender {
        std::size_t cell;
        std::size_t cycle;
    };

    std::size_t index(Cell cell) const {
        return static_cast<std::size_t>(cell.y) * static_cast<std::size_t>(setup_.width) +
               static_cast<std::size_t>(cell.x);
    }
    static Cell step_back(Cell at, Trail trail);
    static Trail trail_between(Cell from, Cell to);
    bool over_mean(std::size_t team) const;
    void judge_all(std::span<const Choice> choices);
    void settle_contests(std::span<const Choice> choices);
    void settle_contest(std::span<const Contender> contenders);
    void terminate(std::size_t cycle);

    Setup setup_;
    std::vector<Trail> grid_;
    std::vector<Cell> positions_;
    std::vector<std::size_t> living_of_;
    std::vector<std::int64_t> used_us_;
    std::vector<std::optional<std::int64_t>> eliminated_turn_;
    std::int64_t turn_ = 0;
    std::vector<Verdict> verdicts_;
    std::vector<Contender> contenders_;
};

}  // namespace engines::light_cycles
