#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "protocol/base/split_mix.h"
#include "sample_bots/cpp/snake_labyrinth/annealing.h"
#include "sample_bots/cpp/snake_labyrinth/players.h"

namespace bots::snake_labyrinth {
namespace {

namespace rules_of = engines::snake_labyrinth;
namespace cell = rules_of::cell;

constexpr std::int64_t unreachable = 1'000'000;

// What can still be won at the most, from any square. Distances take walls for open where the
// snake could ever drill, and mishaps and the body are taken to cost nothing, so no way wins more.
class Bound {
 public:
    Bound(const Walk& walk, const Grid& grid)
        : cells_(walk.cells()), grid_(grid), can_drill_(walk.drill_uses() > 0) {
        std::vector<Square> exits;
        for (Square square = 0; square < cells_.size(); ++square) {
            if (cells_[square] == cell::coin) coins_.push_back(square);
            if (cells_[square] == cell::exit) exits.push_back(square);
            can_drill_ = can_drill_ || cells_[square] == cell::drill;
        }
        to_exit_ = distances_to(exits);
        for (const auto coin : coins_) to_coin_.push_back(distances_to({coin}));
    }

    // Steps to the nearest exit, or `unreachable`.
    std::int64_t steps_to_exit(Square square) const { return to_exit_[square]; }

    // Coins' points less the steps to come, at the most, from where the trail is. Requires: an exit
    // can be reached.
    std::int64_t gain(const Trail& trail) const {
        std::vector<std::size_t> left;
        for (std::size_t coin = 0; coin < coins_.size(); ++coin) {
            if (trail.object(coins_[coin]) == cell::coin) left.push_back(coin);
        }
        const auto straight = to_exit_[trail.head()];
        std::vector<std::int64_t> detours;
        std::int64_t sum = 0;
        auto way_out = unreachable;
        for (const auto coin : left) {
            auto way_in = to_coin_[coin][trail.head()];
            detours.push_back(way_in + to_exit_[coins_[coin]] - straight);
            for (const auto other : left) {
                if (other != coin) way_in = std::min(way_in, to_coin_[coin][coins_[other]]);
            }
            sum += std::max<std::int64_t>(0, rules_of::points_a_coin - way_in);
            way_out = std::min(way_out, to_exit_[coins_[coin]]);
        }
        // A walk that fetches k coins makes at least the k-th smallest of the detours for single
        // coins; it comes to each of them from here or from another, and leaves the last for an
        // exit.
        std::ranges::sort(detours);
        std::int64_t by_detours = -straight, points = -straight;
        for (const auto detour : detours) {
            points += rules_of::points_a_coin;
            by_detours = std::max(by_detours, points - detour);
        }
        return std::min(by_detours, std::max(-straight, sum - way_out));
    }

 private:
    // By square. No walk goes on from an exit, so distances spread from exits but not through them.
    std::vector<std::int64_t> distances_to(std::vector<Square> queue) const {
        std::vector<std::int64_t> distances(grid_.size(), unreachable);
        for (const auto goal : queue) distances[goal] = 0;
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

    const std::string& cells_;
    const Grid& grid_;
    bool can_drill_;
    std::vector<Square> coins_;
    std::vector<std::int64_t> to_exit_;
    std::vector<std::vector<std::int64_t>> to_coin_;  // by coin, then by square
};

// Looks at everything that can be better than a route that is known: a best-first search over
// whole positions (head, body, objects and walls that are gone), with a bound on what can still be
// won.
class Search {
 public:
    Search(const Position& from, const Grid& grid, const Route& known, std::size_t positions_max)
        : from_(from),
          grid_(grid),
          trail_(from.walk, grid),
          bound_(from.walk, grid),
          best_(known),
          positions_max_(positions_max) {}

    // The best route there is (the known one where nothing beats it), or nothing where it would
    // have to look at too many positions. A known route that isn't out stands for 'none is known'.
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
        if (to_exit == unreachable || steps + to_exit > from_.steps_max) return;
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
constexpr std::ptrdiff_t coins_to_prove_max = 40;
constexpr std::int64_t filler_letters_max = 4096;

// The annealings. Which heat is best differs from maze to maze: where drills open short cuts it
// takes more to leave a good order for a better one.
struct Heat {
    double hot_points;
    bool goes_on;  // begins with the best order that is known, not with an empty one
};
constexpr Heat heats[] = {{10, false}, {24, false}, {10, false}, {24, true}, {10, false},
                          {24, false}, {16, true},  {24, true},  {6, true},  {4, true}};
// Of the effort's nodes each of them takes this part for each thing, but not more than what it
// takes for so many.
constexpr std::int64_t parts = 250;
constexpr std::int64_t things_max = 70;
// Before the proof they are tried with this part of that.
constexpr std::int64_t parts_of_first_tries = 50;

}  // namespace

std::string best_plan(const Position& position, const Effort& effort) {
    const auto& cells = position.walk.cells();
    const Grid grid(position.walk.board());
    Annealing annealing(position, grid, effort.is_late);
    auto best = walk_route(position, right_hand_plan(position));
    const auto consider = [&best](const Route& found) {
        if (found.is_better_than(best)) best = found;
    };
    consider(walk_route(position, shortest_plan(position.walk)));
    const auto is_late = [&effort] { return effort.is_late && effort.is_late(); };
    Order order;  // the best that is known
    std::uint64_t seed = 0;
    const auto anneal = [&](std::int64_t work) {
        for (const auto& [hot_points, goes_on] : heats) {
            if (is_late()) return;
            const auto score_before = annealing.best().score;
            auto found = annealing.run({goes_on ? order : Order(), ++seed, work, hot_points});
            if (annealing.best().score > score_before) order = std::move(found);
            consider(annealing.best());
        }
    };
    const auto things = static_cast<std::int64_t>(annealing.things().size());
    const auto work = effort.nodes_max / parts * std::min(things, things_max);
    anneal(work / parts_of_first_tries);
    std::optional<Route> proven;
    if (!is_late() && grid.size() <= squares_to_prove_max &&
        std::count(cells.begin(), cells.end(), cell::coin) <= coins_to_prove_max)
        proven = Search(position, grid, best, effort.positions_max).run();
    if (proven)
        best = std::move(*proven);
    else
        anneal(work);
    if (best.is_out) return best.letters;
    // No way leads out: the snake runs against walls and edges until the game is over.
    const auto left = std::max<std::int64_t>(position.steps_max - position.walk.steps(), 1);
    return std::string(static_cast<std::size_t>(std::min(left, filler_letters_max)), 'N');
}

}  // namespace bots::snake_labyrinth
