#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "protocol/base/split_mix.h"
#include "sample_bots/cpp/snake_labyrinth/ways.h"

namespace bots::snake_labyrinth {

// A thing to meet or a square to come by, and how to go there.
struct Errand {
    Square target = no_square;
    LegStyle style;
    bool is_waypoint = false;  // nothing is met there; it only bends the way

    bool operator==(const Errand&) const = default;
};
using Order = std::vector<Errand>;

// Improves orders of errands by annealing. Each change is first judged by an atlas, which is quick
// and knows no body; only what is promising is walked, and only from the first errand that
// changed.
class Annealing {
 public:
    // `is_late` ends a run early; it may be empty.
    Annealing(const Position& from, const Grid& grid, std::function<bool()> is_late);

    // What a run begins with and how it goes.
    struct Run {
        Order order;
        std::uint64_t seed = 0;
        std::int64_t work = 0;  // squares and table entries looked at
        double hot_points = 0;  // losses that are taken now and then at the beginning
    };
    // The order that the run found best. Deterministic for a run.
    Order run(const Run& run);

    // The best route of all runs so far; not out where none was found.
    const Route& best() const { return best_; }
    // What errands may be for: coins, drills and mishaps, for a mishap costs nothing while there
    // are no coins, and there may be no other way. Of a large board those near the way out.
    const std::vector<Square>& things() const { return things_; }

 private:
    // An order and its walk.
    struct WalkedOrder {
        Order order;                      // what was met, things on the way among it
        std::vector<std::size_t> begins;  // steps before each errand, and before leaving
        std::vector<Square> squares;      // one for each step
        std::int64_t points = 0;
    };

    // Changes of an order at random. False where the change drawn can't be made; the order is no
    // use then.
    bool change(Order& order);
    bool put_in(Order& order);
    bool put_in_waypoint(Order& order);
    bool take_out(Order& order);
    bool move(Order& order);
    bool turn_around(Order& order);
    bool restyle(Order& order);
    bool rebuild(Order& order);
    void put_in_best(Order& order, const Errand& errand);
    LegStyle random_style();
    std::size_t index(std::size_t size) { return static_cast<std::size_t>(random_.below(size)); }
    double random_unit();  // above 0, 1 at the most

    // What the atlas says.
    std::int64_t distance(Square from, const Errand& to);
    std::int64_t distance_out(Square from);
    Square before(const Order& order, std::size_t i) const {
        return i == 0 ? from_.walk.head() : order[i - 1].target;
    }
    // Points to come from each errand on, and for leaving after the last.
    void expect(const Order& order);

    bool walk(const Order& order, std::size_t first, std::int64_t points_min);
    void go(const Errand& errand);
    void take_over(std::size_t first);
    std::int64_t work() const { return atlas_.work() + scout_.work() + work_; }

    const Position& from_;
    const Grid& grid_;
    std::function<bool()> is_late_;
    Atlas atlas_;
    LegScout scout_;
    Trail trail_;
    std::vector<Square> things_;
    bool has_drills_;
    Route best_;
    // Of the present run.
    base::SplitMix random_{0};
    std::int64_t work_ = 0;  // that of the atlas and the scout isn't counted here
    WalkedOrder now_, tried_;
    Order best_order_;
    std::int64_t best_points_ = 0;
    std::vector<std::int64_t> expected_;
    std::int64_t expected_now_ = 0;
};

}  // namespace bots::snake_labyrinth
