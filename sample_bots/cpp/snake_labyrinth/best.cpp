#include "sample_bots/cpp/snake_labyrinth/best.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "sample_bots/cpp/snake_labyrinth/beam.h"
#include "sample_bots/cpp/snake_labyrinth/exact.h"
#include "sample_bots/cpp/snake_labyrinth/legs.h"
#include "sample_bots/cpp/snake_labyrinth/outlook.h"
#include "sample_bots/cpp/snake_labyrinth/polish.h"
#include "sample_bots/cpp/snake_labyrinth/tour.h"
#include "sample_bots/cpp/snake_labyrinth/wandering.h"

namespace bots::snake_labyrinth {
namespace {

// From a glance to a thorough look. Drills in hand are worth nothing at first; where they are,
// beams that value them find the ways through walls.
constexpr std::array glances{BeamSettings{1, 4, 0}, BeamSettings{8, 6, 0}, BeamSettings{8, 6, 30}};
constexpr std::array looks{BeamSettings{40, 8, 0}, BeamSettings{40, 8, 15}, BeamSettings{40, 8, 60},
                           BeamSettings{160, 10, 5}, BeamSettings{160, 10, 40}};
constexpr std::int64_t beam_part = 2;       // the beams may take one in so many of all nodes
constexpr std::size_t polishes = 4;         // annealings, one after the other
constexpr std::uint64_t tours = 3;
constexpr std::size_t squares_to_prove_max = 4096;  // boards on which a proof is tried at all
constexpr std::int64_t filler_letters_max = 4096;

class Thinker {
 public:
    Thinker(const Position& position, const Effort& effort)
        : position_(position),
          effort_(effort),
          grid_(position.walk.board()),
          legs_(grid_),
          exit_costs_(costs_to_exit(position.walk.board(), grid_)) {}

    BestPlan think() {
        best_.route = walk_route(position_, right_hand_plan(position_));
        consider(walk_route(position_, shortest_plan(position_.walk)));
        for (const auto& settings : glances) look(settings);
        if (prove()) return {best_.route.letters, true};
        for (std::uint64_t seed = 1; seed <= tours; ++seed) {
            auto found = follow_stops(position_, legs_, coin_tour(position_.walk, grid_, seed));
            if (found.route.is_better_than(best_.route)) best_ = std::move(found);
        }
        for (const auto& settings : looks) look(settings);
        const auto rest = effort_.nodes_max - legs_.work();
        for (std::size_t i = 0; i < polishes; ++i) {
            const auto until = effort_.nodes_max - rest * static_cast<std::int64_t>(polishes - 1 - i) /
                                                       static_cast<std::int64_t>(polishes);
            best_ = polish(position_, legs_, best_, i + 1, until);
        }
        return {best_.route.is_out ? best_.route.letters : filler(), false};
    }

 private:
    void consider(Route route) {
        if (route.is_better_than(best_.route)) best_ = {std::move(route), {}};
    }

    void look(const BeamSettings& settings) {
        const auto work_max = effort_.nodes_max / beam_part;
        auto found = beam_search(position_, legs_, exit_costs_, settings, work_max);
        if (found.route.is_better_than(best_.route)) best_ = std::move(found);
    }

    bool prove() {
        if (grid_.size() > squares_to_prove_max) return false;
        auto proven = exact_search(position_, grid_, best_.route, effort_.positions_max);
        if (!proven || !proven->is_out) return false;
        best_.route = std::move(*proven);
        return true;
    }

    // Nothing leads out: walls and edges are run against until the game is over.
    std::string filler() const {
        const auto left = std::max<std::int64_t>(position_.steps_max - position_.walk.steps(), 1);
        return std::string(static_cast<std::size_t>(std::min(left, filler_letters_max)), 'N');
    }

    const Position& position_;
    const Effort& effort_;
    Grid grid_;
    LegFinder legs_;
    std::vector<std::int64_t> exit_costs_;
    BeamResult best_;
};

}  // namespace

BestPlan best_plan(const Position& position, const Effort& effort) { return Thinker(position, effort).think(); }

}  // namespace bots::snake_labyrinth
