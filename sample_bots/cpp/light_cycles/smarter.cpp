#include <algorithm>
#include <optional>

#include "sample_bots/cpp/light_cycles/field.h"
#include "sample_bots/cpp/light_cycles/players.h"
#include "sample_bots/cpp/light_cycles/territory.h"

namespace bots::light_cycles {
namespace {

constexpr std::int64_t cells_per_us = 8;  // of the mean budget: a slow machine does ten times that
constexpr std::int64_t cells_min = 64;    // of a single look
constexpr std::int64_t cells_max = 1 << 20;
constexpr double own_weight = 1.0;
constexpr double team_weight = 1.0;
constexpr double contest_factor = 0.5;  // for a cell that another team may take this turn too
constexpr double wall_bonus = 0.2;      // alone in a region, keep to the walls
constexpr double trail_bonus = 0.5;
constexpr double straight_bonus = 0.1;

class SmarterPlayer final : public kit::Player {
 public:
    explicit SmarterPlayer(const kit::GameStart& start)
        : field_(start.params, start.state), team_(start.seat) {
        const auto looks = static_cast<std::int64_t>(field_.cycles_per_team() * (steps.size() - 1));
        const auto cells = std::min(field_.mean_budget_us(), cells_max) * cells_per_us / looks;
        cells_a_look_ = static_cast<std::size_t>(std::clamp(cells, cells_min, cells_max));
    }

    std::string move(const kit::Turn& turn) override {
        field_.update(turn.state);
        std::vector<Cell> chosen;
        const auto own = field_.cycles_per_team();
        for (std::size_t i = 0; i < own; ++i) {
            const auto cycle = team_ * own + i;
            const bool living = cycle < field_.cycles() && field_.living(cycle);
            chosen.push_back(living ? choose(cycle, chosen) : Cell{-1, -1});
        }
        return move_text(chosen);
    }

 private:
    Cell choose(std::size_t cycle, const std::vector<Cell>& decided) {
        const Cell at = field_.position(cycle);
        Cell best = at;
        double best_worth = -1;
        for (std::size_t step = 0; step < steps.size(); ++step) {
            const Cell target = moved(at, step);
            const bool taken = std::find(decided.begin(), decided.end(), target) != decided.end();
            if (!field_.free(target) || taken) continue;
            const double worth = worth_of(cycle, step, target, decided);
            if (worth <= best_worth) continue;
            best_worth = worth;
            best = target;
        }
        return best;
    }

    double worth_of(std::size_t cycle, std::size_t step, Cell target,
                    const std::vector<Cell>& decided) {
        const auto share = territory_.measure(field_, cycle, target, decided, cells_a_look_);
        double worth = own_weight * static_cast<double>(share.own) +
                       team_weight * static_cast<double>(share.team);
        if (rival_beside(cycle, target)) worth *= contest_factor;
        if (!share.contested) worth += wall_bonus * walls_around(target);
        worth += trail_bonus * trail_around(cycle, target);
        if (field_.last_step(cycle) == step) worth += straight_bonus;
        return worth;
    }

    // Whether a cycle of another team could go to the cell in this turn.
    bool rival_beside(std::size_t cycle, Cell target) const {
        for (std::size_t i = 0; i < field_.cycles(); ++i) {
            if (field_.team_of(i) == field_.team_of(cycle) || !field_.living(i)) continue;
            const Cell at = field_.position(i);
            if (std::abs(at.x - target.x) + std::abs(at.y - target.y) == 1) return true;
        }
        return false;
    }

    double walls_around(Cell cell) const {
        int walls = 0;
        for (std::size_t step = 0; step < steps.size(); ++step)
            walls += !field_.free(moved(cell, step));
        return walls;
    }

    double trail_around(std::size_t cycle, Cell cell) const {
        int cells = -1;  // the one that it comes from doesn't count
        for (std::size_t step = 0; step < steps.size(); ++step) cells += field_.on_trail(moved(cell, step), cycle);
        return cells;
    }

    Field field_;
    std::size_t team_;
    std::size_t cells_a_look_;
    Territory territory_;
};

}  // namespace

std::unique_ptr<kit::Player> make_smarter(const kit::GameStart& start) {
    return std::make_unique<SmarterPlayer>(start);
}

}  // namespace bots::light_cycles
