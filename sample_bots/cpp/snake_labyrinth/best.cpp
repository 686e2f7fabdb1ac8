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
#include "sample_bots/cpp/snake_labyrinth/refine.h"
#include "sample_bots/cpp/snake_labyrinth/tour.h"
#include "sample_bots/cpp/snake_labyrinth/wandering.h"

namespace bots::snake_labyrinth {
namespace {

// To the first beams drills in hand are worth nothing. Where there are drills, beams that value
// them find the ways through walls.
constexpr std::array glances{BeamSettings{.width = 1, .branches = 4},
                             BeamSettings{.width = 8, .branches = 6},
                             BeamSettings{.width = 8, .branches = 6, .drill_worth = 30}};
constexpr std::uint64_t tours = 4;
constexpr std::int64_t nodes_a_tour_round = 100;
constexpr std::size_t squares_to_prove_max = 4096;  // boards on which a proof is tried at all
constexpr std::size_t coins_to_prove_max = 40;
// Beams take this part of all nodes, annealing the rest.
constexpr std::int64_t beam_percent = 70;
constexpr std::uint64_t rounds_max = 200;  // of beams, where they have little to look at
constexpr std::size_t polishes = 4;        // annealings, one after the other
constexpr std::int64_t filler_letters_max = 4096;

// The long annealings. Which heat is best differs from maze to maze: where drills open short cuts
// it takes more to leave a good order for a better one.
struct Refinement {
    double hot_points;
    bool goes_on;  // begins with the best order that is known, not with an empty one
};
constexpr std::array refinements{Refinement{10, true}, Refinement{24, false}, Refinement{10, false},
                                 Refinement{24, true}, Refinement{10, false}, Refinement{24, false},
                                 Refinement{16, true}, Refinement{24, true},  Refinement{6, true},
                                 Refinement{4, true}};
// Of the effort's nodes each of them takes this part for each thing, but not more than what it
// takes for so many.
constexpr std::int64_t refinement_parts = 400;
constexpr std::int64_t things_refined_max = 70;

// The beams of the long search: narrow and wide ones by turns, each with another eye for drills and
// another noise.
BeamSettings varied(std::uint64_t round) {
    BeamSettings settings{.width = 24, .branches = 8};
    if (round % 2 == 0) settings.width = 96;
    settings.drill_worth = static_cast<std::int64_t>(round % 3) * 20;
    settings.noise = round < 3 ? 0 : 3 + round % 5 * 6;
    settings.seed = round;
    return settings;
}

namespace cell = engines::snake_labyrinth::cell;

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
        consider({walk_route(position_, shortest_plan(position_.walk)), {}});
        for (const auto& settings : glances) {
            if (!is_late()) look(settings);
        }
        for (std::uint64_t seed = 1; seed <= tours && !is_late(); ++seed) {
            consider(follow_stops(
                position_, legs_,
                coin_tour(position_.walk, grid_, seed, effort_.nodes_max / nodes_a_tour_round)));
        }
        if (!is_late() && prove()) return answer(true);
        look_around();
        const auto begin = legs_.work();
        for (std::size_t i = 1; i <= polishes; ++i) {
            const auto share = (effort_.nodes_max - begin) * static_cast<std::int64_t>(i) /
                               static_cast<std::int64_t>(polishes);
            if (is_late()) break;
            best_ = polish(position_, legs_, best_, i, begin + share);
        }
        refine();
        return answer(false);
    }

 private:
    BestPlan answer(bool is_proven) const {
        const bool is_out = best_.route.is_out;
        return {is_out ? best_.route.letters : filler(), is_out, is_proven};
    }

    void consider(BeamResult found) {
        if (found.route.is_better_than(best_.route)) best_ = std::move(found);
    }

    void look(const BeamSettings& settings) {
        consider(beam_search(position_, legs_, exit_costs_, settings, beam_nodes()));
    }

    void look_around() {
        for (std::uint64_t round = 1; round <= rounds_max && legs_.work() < beam_nodes(); ++round) {
            if (is_late()) return;
            look(varied(round));
        }
    }

    void refine() {
        if (!Refiner::fits(position_)) return;
        const auto& cells = position_.walk.cells();
        const auto things = std::count_if(cells.begin(), cells.end(), is_thing);
        const auto work = effort_.nodes_max / refinement_parts *
                          std::min<std::int64_t>(things, things_refined_max);
        Refiner refiner(position_, grid_, effort_.is_late);
        auto order = refiner.errands_of(best_.route);
        std::uint64_t seed = 0;
        for (const auto& one : refinements) {
            const auto score_before = refiner.best().score;
            auto found =
                refiner.anneal({one.goes_on ? order : Order(), ++seed, work, one.hot_points});
            if (refiner.best().score > score_before) order = std::move(found);
        }
        consider({walk_route(position_, refiner.best().letters), {}});
    }

    bool is_late() const { return effort_.is_late && effort_.is_late(); }

    std::int64_t beam_nodes() const { return effort_.nodes_max / 100 * beam_percent; }

    bool prove() {
        const auto& cells = position_.walk.cells();
        const auto coins =
            static_cast<std::size_t>(std::count(cells.begin(), cells.end(), cell::coin));
        if (grid_.size() > squares_to_prove_max || coins > coins_to_prove_max) return false;
        auto proven = exact_search(position_, grid_, best_.route, effort_.positions_max);
        if (!proven) return false;
        best_.route = std::move(*proven);
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
    LegFinder legs_;
    std::vector<std::int64_t> exit_costs_;
    BeamResult best_;
};

}  // namespace

BestPlan best_plan(const Position& position, const Effort& effort) {
    return Thinker(position, effort).think();
}

}  // namespace bots::snake_labyrinth
