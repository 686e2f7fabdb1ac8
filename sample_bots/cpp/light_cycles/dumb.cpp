#include <random>

#include "engines/light_cycles/arena.h"
#include "sample_bots/cpp/light_cycles/field.h"
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

}  // namespace

std::unique_ptr<kit::Player> make_dumb(const kit::GameStart& start) {
    return std::make_unique<DumbPlayer>(start);
}

}  // namespace bots::light_cycles
