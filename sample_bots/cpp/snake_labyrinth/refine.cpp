#include "sample_bots/cpp/snake_labyrinth/refine.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "sample_bots/cpp/snake_labyrinth/scout.h"
#include "sample_bots/cpp/snake_labyrinth/trail.h"

namespace bots::snake_labyrinth {
namespace {

namespace rules_of = engines::snake_labyrinth;
namespace cell = rules_of::cell;

constexpr std::size_t table_entries_max = 24'000'000;  // two bytes each
constexpr double coldest_points = 0.25;
constexpr std::int64_t no_way_out_points = -1'000'000;
// So much may be gained beyond what the atlas says: walls that are open by then, things on the way.
constexpr std::int64_t slack_points = 6;
// So many steps take as long as looking at a square in a search.
constexpr std::int64_t new_steps_a_square = 2;
constexpr std::int64_t old_steps_a_square = 4;  // gone again, their way is known

}  // namespace

struct Refiner::Memory {
    Memory(const Position& position, const Grid& the_grid, std::function<bool()> late)
        : from(position),
          grid(the_grid),
          is_late(std::move(late)),
          atlas(position.walk.board(), the_grid),
          scout(the_grid, atlas),
          trail(position.walk, the_grid) {}

    const Position& from;
    const Grid& grid;
    std::function<bool()> is_late;
    Atlas atlas;
    LegScout scout;
    Trail trail;
    Route best;
};

class Refiner::Annealing {
 public:
    Annealing(Memory& memory, const Run& run);
    Order run();

 private:
    std::int64_t work() const {
        return atlas_.work() + scout_.work() + changes_.work() + extra_work_;
    }
    // Above 0, 1 at the most.
    double random_unit();
    bool walk(const Order& order, std::size_t first, std::int64_t points_min);
    void go(const Errand& errand);
    void leave();
    void take_over(std::size_t first);
    void go_back(std::size_t first);

    Memory& memory_;
    Atlas& atlas_;
    LegScout& scout_;
    Trail& trail_;
    Changes changes_;
    std::int64_t work_end_;
    double hot_points_;
    std::int64_t extra_work_ = 0;
    WalkedOrder now_, tried_;
    Order best_order_;
    std::int64_t best_points_ = no_way_out_points;
    std::vector<std::int64_t> expected_;
    std::int64_t expected_now_ = 0;
};

Refiner::Annealing::Annealing(Memory& memory, const Run& run)
    : memory_(memory),
      atlas_(memory.atlas),
      scout_(memory.scout),
      trail_(memory.trail),
      changes_(memory.from, memory.grid, memory.atlas, run.seed),
      work_end_(memory.atlas.work() + memory.scout.work() + run.work),
      hot_points_(run.hot_points) {
    trail_.take_back(0);
    now_.begins = {0};
    now_.points = no_way_out_points;
    walk(run.order, 0, 2 * no_way_out_points);
    take_over(0);
}

double Refiner::Annealing::random_unit() {
    constexpr std::uint64_t parts = 1ULL << 32U;
    return (static_cast<double>(changes_.random().below(parts)) + 1) / static_cast<double>(parts);
}

Order Refiner::Annealing::run() {
    constexpr std::uint64_t rounds_a_look = 256;  // at the heat and the clock
    const auto work_begin = work();
    double heat = hot_points_;
    for (std::uint64_t round = 0; work() < work_end_ && changes_.has_things(); ++round) {
        if (round % rounds_a_look == 0) {
            if (memory_.is_late && memory_.is_late()) break;
            const auto done = static_cast<double>(work() - work_begin) /
                              static_cast<double>(work_end_ - work_begin);
            heat = hot_points_ * std::pow(coldest_points / hot_points_, done);
        }
        Order changed = now_.order;
        ++extra_work_;
        if (!changes_.make(changed, now_)) continue;
        const auto first = static_cast<std::size_t>(
            std::mismatch(changed.begin(), changed.end(), now_.order.begin(), now_.order.end())
                .first -
            changed.begin());
        if (first == changed.size() && first == now_.order.size()) continue;
        const auto points_min =
            now_.points + static_cast<std::int64_t>(std::ceil(heat * std::log(random_unit())));
        changes_.expect(changed, expected_);
        if (now_.points + expected_.front() - expected_now_ + slack_points < points_min) continue;
        if (!walk(changed, first, points_min)) {
            go_back(first);
            continue;
        }
        take_over(first);
    }
    return best_order_;
}

// Walks the order from errand `first` on; those before it must be as they are now. False where the
// walk doesn't come to `points_min`.
bool Refiner::Annealing::walk(const Order& order, std::size_t first, std::int64_t points_min) {
    trail_.take_back(now_.begins[first]);
    tried_.order.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(first));
    tried_.begins.assign(now_.begins.begin(),
                         now_.begins.begin() + static_cast<std::ptrdiff_t>(first));
    for (auto i = first; i < order.size(); ++i) {
        if (!expected_.empty() && trail_.score() + expected_[i] + slack_points < points_min)
            return false;
        go(order[i]);
    }
    leave();
    const bool is_out = trail_.has_left() && trail_.steps() <= memory_.from.steps_max;
    tried_.points = is_out ? trail_.score() : no_way_out_points;
    return tried_.points >= points_min;
}

void Refiner::Annealing::go(const Errand& errand) {
    if (!errand.is_waypoint && trail_.object(errand.target) == cell::empty) return;
    const auto& way = scout_.find(trail_, errand.target, errand.style);
    auto begin = trail_.length();
    for (const auto square : way) {
        const bool is_met = is_thing(trail_.object(square)) && square != errand.target;
        trail_.step_to(square);
        if (!is_met) continue;
        tried_.order.push_back({square, errand.style, false});
        tried_.begins.push_back(begin);
        begin = trail_.length();
    }
    if (way.empty()) return;
    tried_.order.push_back(errand);
    tried_.begins.push_back(begin);
    extra_work_ += static_cast<std::int64_t>(way.size()) / new_steps_a_square;
}

void Refiner::Annealing::leave() {
    tried_.begins.push_back(trail_.length());
    LegStyle style;
    style.walls = Atlas::walls_limit;
    style.may_cross = true;
    for (const auto square : scout_.find(trail_, Atlas::exits, style)) trail_.step_to(square);
}

void Refiner::Annealing::take_over(std::size_t first) {
    const auto kept = now_.begins[first];
    std::swap(now_.order, tried_.order);
    std::swap(now_.begins, tried_.begins);
    now_.points = tried_.points;
    now_.squares.resize(kept);
    for (auto step = kept; step < trail_.length(); ++step)
        now_.squares.push_back(trail_.square_after(step));
    changes_.expect(now_.order, expected_);
    expected_now_ = expected_.front();
    if (now_.points <= best_points_) return;
    best_points_ = now_.points;
    best_order_ = now_.order;
    const Route route{{}, true, trail_.score(), trail_.steps()};
    if (!route.is_better_than(memory_.best)) return;
    memory_.best = route;
    memory_.best.letters = trail_.letters();
}

void Refiner::Annealing::go_back(std::size_t first) {
    trail_.take_back(now_.begins[first]);
    for (auto step = now_.begins[first]; step < now_.squares.size(); ++step)
        trail_.step_to(now_.squares[step]);
    const auto steps = now_.squares.size() - now_.begins[first];
    extra_work_ += static_cast<std::int64_t>(steps) / old_steps_a_square;
}

bool Refiner::fits(const Position& from) {
    const auto& cells = from.walk.cells();
    const auto things =
        static_cast<std::size_t>(std::count_if(cells.begin(), cells.end(), is_thing));
    return (things + 1) * cells.size() * Atlas::layers <= table_entries_max;
}

Refiner::Refiner(const Position& from, const Grid& grid, std::function<bool()> is_late)
    : memory_(std::make_unique<Memory>(from, grid, std::move(is_late))) {}

Refiner::~Refiner() = default;

Order Refiner::anneal(const Run& run) {
    return Annealing(*memory_, run).run();
}

Order Refiner::errands_of(const Route& route) const {
    Order errands;
    Walk walk = memory_->from.walk;
    const LegStyle style{Atlas::walls_limit, true, 0};
    for (const char letter : route.letters) {
        const auto direction = *rules_of::direction_of(letter);
        const auto square = *walk.board().neighbour(walk.head(), direction);
        const bool is_met = is_thing(walk.cells()[square]);
        walk.step(direction);
        if (is_met) errands.push_back({square, style, false});
    }
    return errands;
}

const Route& Refiner::best() const {
    return memory_->best;
}

}  // namespace bots::snake_labyrinth
