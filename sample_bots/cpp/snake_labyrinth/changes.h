#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "protocol/base/split_mix.h"
#include "sample_bots/cpp/snake_labyrinth/atlas.h"
#include "sample_bots/cpp/snake_labyrinth/scout.h"

namespace bots::snake_labyrinth {

// A thing to meet or a square to come by, and how to go there.
struct Errand {
    Square target = no_square;
    LegStyle style;
    bool is_waypoint = false;  // nothing is met there; it only bends the way

    bool operator==(const Errand&) const = default;
};
using Order = std::vector<Errand>;

// An order and its walk.
struct WalkedOrder {
    Order order;                      // what was met, things on the way among it
    std::vector<std::size_t> begins;  // steps before each errand, and before leaving
    std::vector<Square> squares;      // one for each step
    std::int64_t points = 0;
};

// A coin, a drill or a mishap: what an errand may be for. A mishap costs nothing while there are no
// coins, and there may be no other way.
bool is_thing(char object);

// Draws changes of an order, and tells by an atlas what an order brings where no body is in the
// way. Deterministic for a seed.
class Changes {
 public:
    Changes(const Position& from, const Grid& grid, Atlas& atlas, std::uint64_t seed);

    // Changes the order of `now` at random. False where the change drawn couldn't be made; the
    // order is no use then.
    bool make(Order& order, const WalkedOrder& now);
    // Points to come from each errand on, and for leaving after the last, as the atlas says.
    void expect(const Order& order, std::vector<std::int64_t>& points_from);

    bool has_things() const { return !things_.empty(); }
    base::SplitMix& random() { return random_; }
    // Squares' worth of looking up since the beginning; the atlas's own isn't counted.
    std::int64_t work() const { return work_; }

 private:
    std::size_t index(std::size_t size) { return static_cast<std::size_t>(random_.below(size)); }
    LegStyle random_style();
    bool put_in(Order& order);
    bool put_in_waypoint(Order& order, const WalkedOrder& now);
    void put_in_best(Order& order, const Errand& errand);
    bool take_out(Order& order);
    bool move(Order& order);
    bool turn_around(Order& order);
    bool restyle(Order& order);
    bool rebuild(Order& order);

    std::int64_t distance(Square from, const Errand& to);
    std::int64_t distance_out(Square from);
    Square before(const Order& order, std::size_t i) const {
        return i == 0 ? from_.walk.head() : order[i - 1].target;
    }

    const Position& from_;
    const Grid& grid_;
    Atlas& atlas_;
    base::SplitMix random_;
    std::vector<Square> things_;
    bool has_drills_;
    std::int64_t work_ = 0;
};

}  // namespace bots::snake_labyrinth
