#include "sample_bots/cpp/snake_labyrinth/polish.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "protocol/base/split_mix.h"

namespace bots::snake_labyrinth {
namespace {

namespace rules_of = engines::snake_labyrinth;
namespace cell = rules_of::cell;

using Stops = std::vector<Stop>;

constexpr double hot_points = 14.0;  // losses that are taken now and then at the beginning
constexpr double cold_points = 0.4;
constexpr std::int64_t not_out_points = -1'000'000;
constexpr std::uint64_t reckless_percent = 10;
constexpr std::uint64_t drilling_percent = 40;

class Polish {
 public:
    Polish(const Position& from, LegFinder& legs, const BeamResult& begin, std::uint64_t seed,
           std::int64_t work_max)
        : from_(from), legs_(legs), best_(begin), random_(seed), work_max_(work_max) {
        for (Square square = 0; square < from.walk.cells().size(); ++square) {
            const char object = from.walk.cells()[square];
            if (object == cell::coin || object == cell::drill) things_.push_back(square);
            has_drills_ = has_drills_ || object == cell::drill;
        }
        has_drills_ = has_drills_ || from.walk.drill_uses() > 0;
    }

    BeamResult run() {
        auto current = best_.stops;
        if (!current.empty()) current.pop_back();  // the exit is found anew each time
        auto current_points = points_of(try_stops(current));
        const auto work_begin = legs_.work();
        while (legs_.work() < work_max_ && !things_.empty()) {
            const auto done = static_cast<double>(legs_.work() - work_begin) /
                              static_cast<double>(work_max_ - work_begin);
            const auto heat = hot_points * std::pow(cold_points / hot_points, done);
            auto changed = current;
            change(changed);
            const auto points = points_of(try_stops(changed));
            if (!is_taken(points - current_points, heat)) continue;
            current = std::move(changed);
            current_points = points;
        }
        return std::move(best_);
    }

 private:
    static std::int64_t points_of(const Route& route) {
        return route.is_out ? route.score : not_out_points;
    }

    // Losses are taken with probability e^(loss / heat), by whole parts of a thousand.
    bool is_taken(std::int64_t gain, double heat) {
        if (gain >= 0) return true;
        constexpr std::uint64_t parts = 1U << 20U;
        const auto chance = std::exp(static_cast<double>(gain) / heat);
        return static_cast<double>(random_.below(parts)) < chance * static_cast<double>(parts);
    }

    std::size_t index_in(const Stops& stops) {
        return static_cast<std::size_t>(random_.below(stops.size()));
    }

    Stop random_stop() {
        Stop stop{things_[static_cast<std::size_t>(random_.below(things_.size()))], 0, false};
        if (from_.walk.has_body()) stop.reckless = random_.chance(reckless_percent);
        if (has_drills_ && random_.chance(drilling_percent)) {
            stop.walls = 1 + static_cast<unsigned>(random_.below(rules_of::uses_a_drill));
        }
        return stop;
    }

    void change(Stops& stops) {
        enum Change : std::uint64_t {
            put_in,
            leave_out,
            move,
            swap,
            turn_around,
            take_anew,
            changes
        };
        const auto what = stops.size() < 2 ? put_in : static_cast<Change>(random_.below(changes));
        if (what == put_in) {
            const auto at = static_cast<std::ptrdiff_t>(random_.below(stops.size() + 1));
            stops.insert(stops.begin() + at, random_stop());
            return;
        }
        const auto a = index_in(stops);
        const auto b = index_in(stops);
        switch (what) {
            case leave_out:
                stops.erase(stops.begin() + static_cast<std::ptrdiff_t>(a));
                return;
            case move: {
                const auto stop = stops[a];
                stops.erase(stops.begin() + static_cast<std::ptrdiff_t>(a));
                const auto at = static_cast<std::ptrdiff_t>(random_.below(stops.size() + 1));
                stops.insert(stops.begin() + at, stop);
                return;
            }
            case swap:
                std::swap(stops[a], stops[b]);
                return;
            case turn_around:
                std::reverse(stops.begin() + static_cast<std::ptrdiff_t>(std::min(a, b)),
                             stops.begin() + static_cast<std::ptrdiff_t>(std::max(a, b)) + 1);
                return;
            default: {
                const auto target = stops[a].target;
                stops[a] = random_stop();
                if (random_.chance(50)) stops[a].target = target;
                return;
            }
        }
    }

    // Walks to one stop after the other, leaving out what is gone already or can't be reached.
    // `kept` is cleared of those, so that an order doesn't fill up with them.
    Route try_stops(Stops& stops) {
        Walk walk = from_.walk;
        legs_.add_work(static_cast<std::int64_t>(walk.cells().size()) / 4);
        Stops kept;
        for (const auto& stop : stops) {
            if (walk.has_left() || walk.steps() >= from_.steps_max) break;
            if (walk.cells()[stop.target] == cell::empty) continue;
            LegRules rules;
            rules.goal = stop.target;
            rules.reckless = stop.reckless;
            rules.walls_max =
                static_cast<unsigned>(std::min<std::int64_t>(stop.walls, walk.drill_uses()));
            if (follow(walk, legs_.search(walk, rules))) kept.push_back(stop);
        }
        stops = std::move(kept);
        leave(walk);
        Route route{
            {}, walk.has_left() && walk.steps() <= from_.steps_max, walk.score(), walk.steps()};
        if (route.is_better_than(best_.route)) {
            route.letters = std::string(walk.path().substr(from_.walk.path().size()));
            best_ = {route, stops};
            best_.stops.push_back({walk.head(), 0, false});
        }
        return route;
    }

    bool follow(Walk& walk, const std::vector<Leg>& found) {
        if (found.empty()) return false;
        for (const char letter : legs_.letters(found.front()))
            walk.step(*rules_of::direction_of(letter));
        return true;
    }

    void leave(Walk& walk) {
        if (walk.has_left()) return;
        LegRules rules;
        rules.any_exit = true;
        if (follow(walk, legs_.search(walk, rules))) return;
        rules.walls_max = static_cast<unsigned>(
            std::min<std::int64_t>(walk.drill_uses(), LegFinder::walls_limit));
        if (rules.walls_max > 0 && follow(walk, legs_.search(walk, rules))) return;
        rules.reckless = true;
        if (walk.body_length() > 1) follow(walk, legs_.search(walk, rules));
    }

    const Position& from_;
    LegFinder& legs_;
    BeamResult best_;
    base::SplitMix random_;
    std::int64_t work_max_;
    std::vector<Square> things_;
    bool has_drills_ = false;
};

}  // namespace

BeamResult polish(const Position& from, LegFinder& legs, const BeamResult& begin,
                  std::uint64_t seed, std::int64_t work_max) {
    return Polish(from, legs, begin, seed, work_max).run();
}

BeamResult follow_stops(const Position& from, LegFinder& legs, const std::vector<Stop>& stops) {
    auto begin = stops;
    begin.emplace_back();  // the exit, found anew
    return Polish(from, legs, {{}, std::move(begin)}, 0, 0).run();
}

}  // namespace bots::snake_labyrinth
