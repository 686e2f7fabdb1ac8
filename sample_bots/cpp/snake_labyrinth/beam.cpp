#include "sample_bots/cpp/snake_labyrinth/beam.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "protocol/base/split_mix.h"

namespace bots::snake_labyrinth {
namespace {

namespace rules_of = engines::snake_labyrinth;
namespace cell = rules_of::cell;

// A way so far.
struct Branch {
    Walk walk;
    std::vector<Stop> stops;
    std::uint64_t taken = 0;  // a hash of the squares whose objects are gone
};

// A way with one thing more, not walked yet.
struct Extension {
    std::size_t branch = 0;
    Stop stop;
    std::string letters;
    std::int64_t value = 0;
    std::uint64_t taken = 0;
};

// Of the ways that are kept, so many at most end on one square: a beam of look-alikes sees little.
constexpr std::size_t width_an_end = 6;
constexpr std::size_t ends_min = 2;

// Same things gone, same place: only the best of them is worth keeping.
using Likeness = std::pair<std::uint64_t, Square>;

std::uint64_t hash_of(Square square) {
    return base::SplitMix(square).next();
}

class Beam {
 public:
    Beam(const Position& from, LegFinder& legs, const std::vector<std::int64_t>& exit_costs,
         const BeamSettings& settings, std::int64_t work_max)
        : from_(from),
          legs_(legs),
          exit_costs_(exit_costs),
          settings_(settings),
          work_max_(work_max) {}

    BeamResult run() {
        branches_.push_back({from_.walk, {}, 0});
        while (!branches_.empty() && legs_.work() < work_max_) {
            extensions_.clear();
            for (std::size_t i = 0; i < branches_.size() && legs_.work() < work_max_; ++i)
                extend(i);
            grow();
        }
        return std::move(result_);
    }

 private:
    void extend(std::size_t index) {
        const auto& walk = branches_[index].walk;
        const auto uses = static_cast<unsigned>(
            std::min<std::int64_t>(walk.drill_uses(), LegFinder::walls_limit));
        LegRules rules;
        rules.walls_max = uses;
        rules.legs_max = settings_.branches;
        propose(index, rules);
        if (walk.body_length() < 2) return;  // a short body is never in the way
        rules.reckless = true;
        propose(index, rules);
    }

    void propose(std::size_t index, const LegRules& rules) {
        const auto safe_count = extensions_.size();
        for (const auto& leg : legs_.search(branches_[index].walk, rules)) {
            auto letters = legs_.letters(leg);
            if (rules.reckless && is_known(safe_count, index, leg, letters)) continue;
            judge(index, {leg.target, leg.walls, rules.reckless}, std::move(letters));
        }
    }

    // Whether the careful search found a leg to that target that is as short.
    bool is_known(std::size_t end, std::size_t index, const Leg& leg,
                  const std::string& letters) const {
        for (auto i = end; i > 0 && extensions_[i - 1].branch == index; --i) {
            const auto& one = extensions_[i - 1];
            if (one.stop.target == leg.target && one.letters.size() <= letters.size()) return true;
        }
        return false;
    }

    void judge(std::size_t index, const Stop& stop, std::string letters) {
        const auto& branch = branches_[index];
        const auto& start = branch.walk;
        std::uint64_t taken = branch.taken;
        auto square = start.head();
        for (const char letter : letters) {
            square = *start.board().neighbour(square, *rules_of::direction_of(letter));
            if (start.cells()[square] != cell::empty) taken ^= hash_of(square);
        }
        const auto length = static_cast<std::int64_t>(letters.size());
        const char object = start.cells()[stop.target];
        if (start.steps() + length > from_.steps_max) return;
        std::int64_t coins = start.coins();
        if (stop.reckless) {
            coins = coins_after(start, letters);
        } else if (object == cell::mishap) {
            coins /= 2;
        } else if (object == cell::coin) {
            ++coins;
        }
        const auto score =
            rules_of::points_at_start + rules_of::points_a_coin * coins - start.steps() - length;
        if (object == cell::exit) {
            finish(branch, stop, letters, score);
            return;
        }
        auto uses = start.drill_uses() - static_cast<std::int64_t>(stop.walls);
        if (object == cell::drill) uses += rules_of::uses_a_drill;
        const auto value = score - exit_costs_[stop.target] +
                           settings_.drill_worth * uses / rules_of::uses_a_drill +
                           static_cast<std::int64_t>(random_.below(settings_.noise + 1));
        extensions_.push_back({index, stop, std::move(letters), value, taken});
    }

    std::int64_t coins_after(const Walk& start, const std::string& letters) {
        Walk walk = start;
        for (const char letter : letters) walk.step(*rules_of::direction_of(letter));
        legs_.add_work(static_cast<std::int64_t>(walk.cells().size()));
        return walk.coins();
    }

    void finish(const Branch& branch, const Stop& stop, const std::string& letters,
                std::int64_t score) {
        const auto steps = branch.walk.steps() + static_cast<std::int64_t>(letters.size());
        Route route{{}, true, score, steps};
        if (!route.is_better_than(result_.route)) return;
        const auto begin = from_.walk.path().size();
        route.letters = std::string(branch.walk.path().substr(begin)) + letters;
        result_.route = std::move(route);
        result_.stops = branch.stops;
        result_.stops.push_back(stop);
    }

    void grow() {
        std::stable_sort(extensions_.begin(), extensions_.end(),
                         [](const Extension& a, const Extension& b) { return a.value > b.value; });
        std::vector<Branch> next;
        std::set<Likeness> seen;
        std::map<Square, std::size_t> ends;
        const auto ends_max = std::max(settings_.width / width_an_end, ends_min);
        for (const auto& one : extensions_) {
            if (next.size() == settings_.width) break;
            if (ends[one.stop.target] == ends_max) continue;
            if (!seen.emplace(one.taken, one.stop.target).second) continue;
            ++ends[one.stop.target];
            auto& branch = next.emplace_back(branches_[one.branch]);
            for (const char letter : one.letters) branch.walk.step(*rules_of::direction_of(letter));
            branch.stops.push_back(one.stop);
            branch.taken = one.taken;
            legs_.add_work(static_cast<std::int64_t>(branch.walk.cells().size()));
        }
        branches_ = std::move(next);
    }

    const Position& from_;
    LegFinder& legs_;
    const std::vector<std::int64_t>& exit_costs_;
    const BeamSettings settings_;
    const std::int64_t work_max_;
    base::SplitMix random_{settings_.seed};
    std::vector<Branch> branches_;
    std::vector<Extension> extensions_;
    BeamResult result_;
};

}  // namespace

BeamResult beam_search(const Position& from, LegFinder& legs,
                       const std::vector<std::int64_t>& exit_costs, const BeamSettings& settings,
                       std::int64_t work_max) {
    return Beam(from, legs, exit_costs, settings, work_max).run();
}

}  // namespace bots::snake_labyrinth
