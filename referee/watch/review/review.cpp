#include "referee/watch/review/review.h"

#include <algorithm>
#include <utility>

#include "referee/watch/review/limits.h"
#include "referee/watch/review/turning_points.h"

namespace referee::review {
namespace {

std::int64_t turns_between(std::int64_t wished, std::int64_t turns) {
    if (wished > 0) return wished;
    return std::max<std::int64_t>(1, (turns + positions_wanted - 1) / positions_wanted);
}

// Looks for the turns that cost most, by halving what lies between positions.
class Search {
 public:
    Search(Sampler& sampler, const ReviewOptions& terms, const Progress& progress, Review& review)
        : sampler_(sampler), terms_(terms), progress_(progress), review_(review) {}

    base::Result<void, std::string> draw_curve() {
        for (std::int64_t turn = 1; turn <= sampler_.turns(); turn += review_.every) {
            progress_("position before turn " + std::to_string(turn) + " of " +
                      std::to_string(sampler_.turns()));
            if (auto added = add(turn); !added) return added;
        }
        progress_("position at the end");
        if (auto added = add(sampler_.turns() + 1); !added) return added;
        while (may_double(sampler_, terms_, more_for_curve_until)) {
            sampler_.play(2 * sampler_.count());
            progress_(std::to_string(sampler_.count()) + " playouts of each position");
            for (auto& point : review_.points) {
                if (auto added = sampler_.add_to(point.sample, {point.turn}, Use::curve); !added)
                    return added;
            }
        }
        return {};
    }

    // Until the steepest drops are those of single turns.
    base::Result<void, std::string> narrow_down() {
        for (std::size_t split = 0; split < splits_max; ++split) {
            const auto wide = widest_of_steepest();
            if (!wide || (terms_.spent && terms_.spent() >= closer_until)) break;
            const auto turn = *wide;
            progress_("looking closer: position before turn " + std::to_string(turn));
            if (auto added = add(turn); !added) return added;
        }
        return {};
    }

    // Those turns, most costly first.
    std::vector<std::int64_t> found() {
        std::vector<std::int64_t> turns;
        for (const auto& drop : steepest())
            if (drop.to - drop.from == 1) turns.push_back(drop.from);
        return turns;
    }

 private:
    // Between two neighbouring points.
    struct Drop {
        std::int64_t from = 1;
        std::int64_t to = 1;
        double depth = 0;
    };

    base::Result<void, std::string> add(std::int64_t turn) {
        auto sample = sampler_.sample({turn}, Use::curve);
        if (!sample) return base::failure(sample.error());
        const auto behind =
            std::upper_bound(review_.points.begin(), review_.points.end(), turn,
                             [](std::int64_t at, const Point& point) { return at < point.turn; });
        review_.points.insert(behind, Point{turn, *std::move(sample)});
        return {};
    }

    bool has_own_turn(std::int64_t from, std::int64_t to) {
        for (auto turn = from; turn < to; ++turn)
            if (sampler_.moved(turn, terms_.seat)) return true;
        return false;
    }

    std::vector<Drop> steepest() {
        std::vector<Drop> drops;
        for (std::size_t i = 1; i < review_.points.size(); ++i) {
            const auto& a = review_.points[i - 1];
            const auto& b = review_.points[i];
            // By the means, whatever the scale: those of the parts of a drop sum up to it.
            const auto depth =
                mean_of(a.sample.of(terms_.seat)) - mean_of(b.sample.of(terms_.seat));
            if (depth > 0 && has_own_turn(a.turn, b.turn)) drops.push_back({a.turn, b.turn, depth});
        }
        std::stable_sort(drops.begin(), drops.end(),
                         [](const Drop& a, const Drop& b) { return a.depth > b.depth; });
        if (drops.size() > turns_told) drops.resize(turns_told);
        return drops;
    }

    // The turn by which the steepest drop that spans several is halved.
    std::optional<std::int64_t> widest_of_steepest() {
        for (const auto& drop : steepest())
            if (drop.to - drop.from > 1) return drop.from + (drop.to - drop.from) / 2;
        return std::nullopt;
    }

    Sampler& sampler_;
    const ReviewOptions& terms_;
    const Progress& progress_;
    Review& review_;
};

// What can't be told from chance teaches nobody: of such turns one is enough.
void keep_the_sure(std::vector<CostlyTurn>& lost) {
    const auto is_sure = [](const CostlyTurn& turn) { return turn.is_sure(); };
    if (std::any_of(lost.begin(), lost.end(), is_sure)) {
        std::erase_if(lost, [&](const CostlyTurn& turn) { return !is_sure(turn); });
    } else if (lost.size() > 1) {
        lost.resize(1);
    }
}

}  // namespace

base::Result<Review, std::string> review(showing::ReplayFrames& replay_frames, Playouts& playouts,
                                         const ReviewOptions& terms, const Progress& progress) {
    Sampler sampler(replay_frames, playouts, terms.playouts);
    if (sampler.turns() == 0)
        return base::failure(
            std::string("expected a game in which a turn was played; this one has none"));
    Review review;
    review.scale = replay_frames.bots().size() == 1 ? Scale::score : Scale::share;
    review.turns = sampler.turns();
    review.every = turns_between(terms.every, review.turns);
    review.ended_by_moves = sampler.before(review.turns + 1).over();
    Search search(sampler, terms, progress, review);
    if (auto drawn = search.draw_curve(); !drawn) return base::failure(drawn.error());
    if (auto narrowed = search.narrow_down(); !narrowed) return base::failure(narrowed.error());
    review.playouts = sampler.count();
    const auto turns = search.found();
    progress("measuring what " + std::to_string(turns.size()) + " turns cost");
    Measures measures(sampler, terms, review.scale);
    auto costly = measures.of(turns);
    if (!costly) return base::failure(costly.error());
    review.lost = *std::move(costly);
    review.measured = sampler.count();
    std::stable_sort(
        review.lost.begin(), review.lost.end(),
        [](const CostlyTurn& a, const CostlyTurn& b) { return a.cost.value > b.cost.value; });
    sampler.play(review.playouts);
    for (auto& lost : review.lost) {
        const bool is_first = &lost == &review.lost.front();
        lost.had_time = is_first || !terms.spent || terms.spent() < tries_until;
        if (!lost.had_time) continue;
        progress("trying the moves of turn " + std::to_string(lost.turn));
        if (auto tried = measures.try_moves(lost); !tried) return base::failure(tried.error());
    }
    std::erase_if(review.lost, [](const CostlyTurn& lost) {
        return lost.cost.value < cost_told_min && !lost.is_sure();
    });
    keep_the_sure(review.lost);
    review.alike = sampler.all_alike();
    return review;
}

}  // namespace referee::review
