#include <algorithm>
#include <cstdlib>
#include <random>

#include "engines/light_cycles/arena.h"
#include "sample_bots/cpp/light_cycles/players.h"

namespace bots::light_cycles {
namespace {

using engines::light_cycles::nowhere;

class DumbPlayer final : public kit::Player {
 public:
    explicit DumbPlayer(const kit::GameStart& start)
        : field_(start.params, start.state),
          team_(start.seat),
          random_(chance_of(start.game_id, start.seat)) {}

    std::string move(const kit::Turn& turn) override {
        field_.update(turn.state);
        std::vector<Cell> cells;
        const auto own = field_.cycles_per_team();
        for (std::size_t i = 0; i < own; ++i) {
            const auto cycle = team_ * own + i;
            const bool living = cycle < field_.cycles() && field_.living(cycle);
            cells.push_back(living ? choose(cycle) : nowhere);
        }
        return move_text(cells);
    }

 private:
    Cell choose(std::size_t cycle) {
        const Cell at = field_.position(cycle);
        const auto last = field_.last_step(cycle);
        if (last != no_step && field_.free(moved(at, last))) return moved(at, last);
        std::vector<Cell> legal;
        for (std::size_t step = 0; step < steps.size(); ++step) {
            if (field_.free(moved(at, step))) legal.push_back(moved(at, step));
        }
        return legal.empty() ? at : legal[random_() % legal.size()];
    }

    Field field_;
    std::size_t team_;
    std::mt19937_64 random_;
};

// How far a look goes, from the mean budget: any machine of today does far more cells in that time.
constexpr std::int64_t cells_per_us = 8;
constexpr std::int64_t cells_min = 64;
constexpr std::int64_t cells_max = 1 << 20;

// What a step is worth beside the cells that the team then reaches first. Going to and fro beside
// its own trail keeps the way open to the cells that come free when other teams' trails vanish; a
// spiral would shut that way.
constexpr double trail_bonus = 5;
constexpr double wall_bonus = 1;
constexpr double straight_bonus = 0.1;
constexpr double contest_factor = 0.5;  // where another team may choose the same cell
// Chance decides between steps that are worth about the same, so that games of the same setup
// differ.
constexpr double whim_max = 2;

class SmarterPlayer final : public kit::Player {
 public:
    explicit SmarterPlayer(const kit::GameStart& start)
        : field_(start.params, start.state),
          team_(start.seat),
          chance_(chance_of(start.game_id, start.seat)) {
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
            chosen.push_back(living ? choose(cycle, chosen) : nowhere);
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
            const double worth = worth_of(cycle, step, target, decided) + whim();
            if (worth <= best_worth) continue;
            best_worth = worth;
            best = target;
        }
        return best;
    }

    double whim() {
        return static_cast<double>(chance_()) / static_cast<double>(std::mt19937_64::max()) *
               whim_max;
    }

    double worth_of(std::size_t cycle, std::size_t step, Cell target,
                    const std::vector<Cell>& decided) {
        const auto cells = territory_.measure(field_, cycle, target, decided, cells_a_look_);
        auto worth = static_cast<double>(cells);
        if (rival_beside(cycle, target)) worth *= contest_factor;
        for (std::size_t beside = 0; beside < steps.size(); ++beside) {
            const Cell cell = moved(target, beside);
            if (!field_.free(cell)) worth += wall_bonus;
            if (field_.on_trail(cell, cycle)) worth += trail_bonus;
        }
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

    Field field_;
    std::size_t team_;
    std::size_t cells_a_look_;
    Territory territory_;
    std::mt19937_64 chance_;
};

}  // namespace

std::unique_ptr<kit::Player> make_dumb(const kit::GameStart& start) {
    return std::make_unique<DumbPlayer>(start);
}

std::unique_ptr<kit::Player> make_smarter(const kit::GameStart& start) {
    return std::make_unique<SmarterPlayer>(start);
}

}  // namespace bots::light_cycles
