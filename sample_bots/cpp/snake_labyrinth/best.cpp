#include "sample_bots/cpp/snake_labyrinth/best.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>

#include "protocol/base/split_mix.h"
#include "sample_bots/cpp/snake_labyrinth/annealing.h"
#include "sample_bots/cpp/snake_labyrinth/players.h"

namespace bots::snake_labyrinth {
namespace rules_of = engines::snake_labyrinth;
namespace cell = rules_of::cell;

Bound::Bound(const Walk& walk, const Grid& grid)
    : cells_(walk.cells()), grid_(grid), can_drill_(walk.drill_uses() > 0) {
    std::vector<Square> exits;
    for (Square square = 0; square < walk.cells().size(); ++square) {
        const char object = walk.cells()[square];
        if (object == cell::coin) coins_.push_back(square);
        if (object == cell::exit) exits.push_back(square);
        can_drill_ = can_drill_ || object == cell::drill;
    }
    to_exit_ = distances_to(exits);
    for (const auto coin : coins_) to_coin_.push_back(distances_to({coin}));
}

// No walk goes on from an exit, so distances spread from exits but not through them.
std::vector<std::int64_t> Bound::distances_to(const std::vector<Square>& goals) const {
    std::vector<std::int64_t> distances(grid_.size(), unreachable);
    std::vector<Square> queue = goals;
    for (const auto goal : goals) distances[goal] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next) {
        const auto here = queue[next];
        for (const auto beside : grid_.around(here)) {
            if (beside == no_square || distances[beside] != unreachable) continue;
            const char object = cells_[beside];
            if (object == cell::exit || (object == cell::wall && !can_drill_)) continue;
            distances[beside] = distances[here] + 1;
            queue.push_back(beside);
        }
    }
    return distances;
}

std::int64_t Bound::gain(const Trail& trail) {
    left_.clear();
    for (std::size_t coin = 0; coin < coins_.size(); ++coin) {
        if (trail.object(coins_[coin]) == cell::coin) left_.push_back(coin);
    }
    return std::min(gain_by_detours(trail.head()), gain_by_ways_in(trail.head()));
}

// A walk that fetches k coins makes at least the k-th smallest of the detours for single coins.
std::int64_t Bound::gain_by_detours(Square square) {
    const auto straight = to_exit_[square];
    detours_.clear();
    for (const auto coin : left_) {
        detours_.push_back(to_coin_[coin][square] + to_exit_[coins_[coin]] - straight);
    }
    std::sort(detours_.begin(), detours_.end());
    std::int64_t best = 0;
    for (std::size_t k = 0; k < detours_.size(); ++k) {
        best = std::max(best,
                        rules_of::points_a_coin * static_cast<std::int64_t>(k + 1) - detours_[k]);
    }
    return best - straight;
}

// A walk comes to each coin that it fetches from here or from another coin, and leaves the last one
// for an exit.
std::int64_t Bound::gain_by_ways_in(Square square) const {
    std::int64_t sum = 0;
    auto way_out = unreachable;
    for (const auto coin : left_) {
        auto way_in = to_coin_[coin][square];
        for (const auto other : left_) {
            if (other != coin) way_in = std::min(way_in, to_coin_[coin][coins_[other]]);
        }
        sum += std::max<std::int64_t>(0, rules_of::points_a_coin - way_in);
        way_out = std::min(way_out, to_exit_[coins_[coin]]);
    }
    return std::max(-to_exit_[square], sum - way_out);
}

namespace {

class Search {
 public:
    Search(const Position& from, const Grid& grid, const Route& known, std::size_t positions_max)
        : from_(from),
          grid_(grid),
          trail_(from.walk, grid),
          bound_(from.walk, grid),
          best_(known),
          positions_max_(positions_max) {}

    std::optional<Route> run() {
        add(0);
        while (!open_.empty()) {
            // The most promising first, and among equals the one reached last.
            auto& [promise, entries] = *open_.begin();
            if (entries.empty()) {
                open_.erase(open_.begin());
                continue;
            }
            const auto entry = entries.back();
            entries.pop_back();
            if (!can_beat(-promise, entry.steps) || entry.steps != nodes_[entry.node].steps)
                continue;
            if (nodes_.size() > positions_max_) return std::nullopt;
            expand(entry.node);
        }
        return best_;
    }

 private:
    // A position, by its last step. The first node is where the search begins.
    struct Node {
        std::size_t before;
        std::int64_t steps;
        Square square;
    };
    struct Entry {
        std::size_t node;
        std::int64_t steps;  // out of date where the node's are fewer now
    };

    // With equal scores fewer steps win; the bound says nothing of those, so equals are looked at.
    bool can_beat(std::int64_t promise, std::int64_t steps) const {
        if (!best_.is_out) return true;
        if (promise != best_.score) return promise > best_.score;
        return steps < best_.steps;
    }

    // What the trail's position has to come, apart from the steps made. Of 64 bits, so that two
    // positions of a search are taken for one in less than one of a hundred million searches.
    std::uint64_t likeness() const {
        std::uint64_t gone = 0;
        for (std::size_t step = 0; step < trail_.length(); ++step) {
            if (trail_.met(step) != cell::empty)
                gone ^= base::SplitMix::mixed(trail_.square_after(step) + base::SplitMix::stride);
        }
        auto hash = gone;
        const auto add = [&hash](std::uint64_t value) {
            hash = base::SplitMix::mixed(hash + value + base::SplitMix::stride);
        };
        add(trail_.head());
        add(static_cast<std::uint64_t>(trail_.drill_uses()));
        add(static_cast<std::uint64_t>(trail_.coins()));
        for (std::int64_t i = 0; i < trail_.body_length(); ++i) add(trail_.segment(i));
        return hash;
    }

    // The trail's position, which is a step behind that of a node.
    void add(std::size_t before) {
        const auto steps = trail_.steps();
        const auto to_exit = bound_.steps_to_exit(trail_.head());
        if (to_exit == Bound::unreachable || steps + to_exit > from_.steps_max) return;
        const auto promise = trail_.score() + bound_.gain(trail_);
        if (!can_beat(promise, steps)) return;
        const auto [at, is_new] = known_.try_emplace(likeness(), nodes_.size());
        if (is_new) {
            nodes_.push_back({before, steps, trail_.head()});
        } else {
            auto& node = nodes_[at->second];
            if (node.steps <= steps || is_on_way(at->second)) return;
            node.steps = steps;
            node.before = before;
        }
        open_[-promise].push_back({at->second, steps});
    }

    void expand(std::size_t index) {
        way_.clear();
        for (auto node = index; node != 0; node = nodes_[node].before) way_.push_back(node);
        trail_.take_back(0);
        for (auto node = way_.rbegin(); node != way_.rend(); ++node)
            trail_.step_to(nodes_[*node].square);
        const auto length = trail_.length();
        for (const auto square : grid_.around(trail_.head())) {
            if (square == no_square) continue;
            if (trail_.object(square) == cell::wall && trail_.drill_uses() == 0) continue;
            trail_.step_to(square);
            if (trail_.has_left()) {
                leave();
            } else {
                add(index);
            }
            trail_.take_back(length);
        }
    }

    // A way that comes round to a position is no better way to it, though the position's steps may
    // be out of date.
    bool is_on_way(std::size_t node) const {
        return node == 0 || std::find(way_.begin(), way_.end(), node) != way_.end();
    }

    void leave() {
        if (trail_.steps() > from_.steps_max) return;
        Route route{{}, true, trail_.score(), trail_.steps()};
        if (!route.is_better_than(best_)) return;
        route.letters = trail_.letters();
        best_ = std::move(route);
    }

    const Position& from_;
    const Grid& grid_;
    Trail trail_;
    Bound bound_;
    Route best_;
    const std::size_t positions_max_;
    std::unordered_map<std::uint64_t, std::size_t> known_;  // only looked up, never walked through
    std::vector<Node> nodes_;
    std::map<std::int64_t, std::vector<Entry>> open_;  // by promise, the largest first
    std::vector<std::size_t> way_;  // the nodes up to the one that is expanded, the last first
};

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

std::optional<Route> exact_search(const Position& from, const Grid& grid, const Route& known,
                                  std::size_t positions_max) {
    return Search(from, grid, known, positions_max).run();
}

BestPlan best_plan(const Position& position, const Effort& effort) {
    return Thinker(position, effort).think();
}

}  // namespace bots::snake_labyrinth
