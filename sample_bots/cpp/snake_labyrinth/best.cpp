#include "sample_bots/cpp/snake_labyrinth/best.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sample_bots/cpp/snake_labyrinth/annealing.h"
#include "sample_bots/cpp/snake_labyrinth/exact.h"
#include "sample_bots/cpp/snake_labyrinth/route.h"
#include "sample_bots/cpp/snake_labyrinth/trail.h"
#include "sample_bots/cpp/snake_labyrinth/wandering.h"

namespace bots::snake_labyrinth {
namespace {

namespace cell = engines::snake_labyrinth::cell;

constexpr std::size_t squares_to_prove_max = 4096;  // boards on which a proof is tried at all
constexpr std::size_t coins_to_prove_max = 40;
constexpr std::int64_t filler_letters_max = 4096;

// The annealings. Which heat is best differs from maze to maze: where drills open short cuts it
// takes more to leave a good order for a better one.
struct Heat {
    double hot_points;
    bool goes_on;  // begins with the best order that is known, not with an empty one
};
constexpr std::array heats{Heat{10, false}, Heat{24, false}, Heat{10, false}, Heat{24, true},
                           Heat{10, false}, Heat{24, false}, Heat{16, true},  Heat{24, true},
                           Heat{6, true},   Heat{4, true}};
// Of the effort's nodes each of them takes this part for each thing, but not more than what it
// takes for so many.
constexpr std::int64_t parts = 250;
constexpr std::int64_t things_max = 70;
// Before the proof they are tried with this part of that.
constexpr std::int64_t parts_of_first_tries = 50;

class Thinker {
 public:
    Thinker(const Position& position, const Effort& effort)
        : position_(position),
          effort_(effort),
          grid_(position.walk.board()),
          annealing_(position, grid_, effort.is_late) {}

    BestPlan think() {
        best_ = walk_route(position_, right_hand_plan(position_));
        consider(walk_route(position_, shortest_plan(position_.walk)));
        const auto things = static_cast<std::int64_t>(annealing_.things().size());
        const auto work = effort_.nodes_max / parts * std::min(things, things_max);
        anneal(work / parts_of_first_tries);
        if (!is_late() && prove()) return answer(true);
        anneal(work);
        return answer(false);
    }

 private:
    BestPlan answer(bool is_proven) const {
        return {best_.is_out ? best_.letters : filler(), best_.is_out, is_proven};
    }

    void consider(const Route& found) {
        if (found.is_better_than(best_)) best_ = found;
    }

    void anneal(std::int64_t work) {
        for (const auto& heat : heats) {
            if (is_late()) return;
            const auto score_before = annealing_.best().score;
            auto found =
                annealing_.run({heat.goes_on ? order_ : Order(), ++seed_, work, heat.hot_points});
            if (annealing_.best().score > score_before) order_ = std::move(found);
            consider(annealing_.best());
        }
    }

    bool is_late() const { return effort_.is_late && effort_.is_late(); }

    bool prove() {
        const auto& cells = position_.walk.cells();
        const auto coins =
            static_cast<std::size_t>(std::count(cells.begin(), cells.end(), cell::coin));
        if (grid_.size() > squares_to_prove_max || coins > coins_to_prove_max) return false;
        auto proven = exact_search(position_, grid_, best_, effort_.positions_max);
        if (!proven) return false;
        best_ = std::move(*proven);
        return true;
    }

    // No way leads out: the snake runs against walls and edges until the game is over.
    std::string filler() const {
        const auto left = std::max<std::int64_t>(position_.steps_max - position_.walk.steps(), 1);
        return std::string(static_cast<std::size_t>(std::min(left, filler_letters_max)), 'N');
    }

    const Position& position_;
    const Effort& effort_;
    Grid grid_;
    Annealing annealing_;
    Route best_;
    Order order_;  // the best that is known
    std::uint64_t seed_ = 0;
};

}  // namespace

BestPlan best_plan(const Position& position, const Effort& effort) {
    return Thinker(position, effort).think();
}

}  // namespace bots::snake_labyrinth
