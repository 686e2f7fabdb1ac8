#include "referee/watch/review/review.h"

#include <algorithm>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/split_mix.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"

namespace referee::review {

namespace {

// Each use of playouts has numbers of its own, so that what was found by some is measured by
// others.
enum class Use : std::uint8_t { curve, measure, attempts, comparison };

// The positions of a game, and samples of what they come to.
class Sampler {
 public:
    Sampler(showing::ReplayFrames& replay_frames, Playouts& playouts, std::size_t count)
        : replay_frames_(replay_frames), playouts_(playouts), count_(count) {
        for (std::size_t frame = 0; frame < replay_frames.frames(); ++frame)
            if (!replay_frames.facts(frame).forfeit)
                turns_ = std::max(turns_, replay_frames.facts(frame).turn);
    }

    // Turns that were played; a forfeit behind the last is none.
    std::int64_t turns() const { return turns_; }
    // The position in which the turn was to be played, also that behind the last one.
    const engines::State& before(std::int64_t turn) {
        const auto frame = replay_frames_.frame_after(turn - 1);
        REFEREE_ASSERT(frame.has_value());
        return replay_frames_.state(*frame);
    }
    // By seat, as JSON text.
    const std::vector<std::string>& moves(std::int64_t turn) const {
        const auto frame = replay_frames_.frame_after(turn);
        REFEREE_ASSERT(frame.has_value());
        return replay_frames_.facts(*frame).moves;
    }

    base::Result<Sample, std::string> sample(const Branch& branch, Use use) {
        Sample sample;
        if (auto added = add_to(sample, branch, use); !added) return base::failure(added.error());
        return sample;
    }
    // More playouts of what was sampled before, as many as are played of each branch now.
    base::Result<void, std::string> add_to(Sample& sample, const Branch& branch, Use use) {
        const auto from = position(branch);
        if (from->over()) {
            sample.over = true;
            sample.worths.assign(1, worth_of(from->outcome()));
            return {};
        }
        const auto begin = static_cast<std::uint64_t>(use) * playouts_max;
        auto& worths = sample.worths;
        while (worths.size() < count_) {
            // Where chance has no part in it, bots that cost much play no more.
            const bool looks_first = playouts_.cost_much() && worths.size() < alike_enough;
            if (playouts_.cost_much() && !looks_first && sample.alike) break;
            const auto until = looks_first ? std::min(count_, alike_enough) : count_;
            auto played =
                playouts_.play(branch, *from, begin + worths.size(), until - worths.size());
            if (!played) return base::failure(played.error());
            for (auto& one : *played) {
                if (worths.empty()) sample.course = one.course;
                sample.alike = one.course == sample.course && (worths.empty() || sample.alike);
                worths.push_back(std::move(one.worth));
            }
        }
        all_alike_ = all_alike_ && sample.alike;
        return {};
    }
    // From now on so many are played of each branch.
    void play(std::size_t count) { count_ = count; }
    std::size_t count() const { return count_; }
    // Whether all samples of games that went on were alike.
    bool all_alike() const { return all_alike_; }

 private:
    std::unique_ptr<engines::State> position(const Branch& branch) {
        auto state = before(branch.turn).clone();
        if (branch.moves.empty()) return state;
        const auto frame = replay_frames_.frame_after(branch.turn);
        std::vector<protocol::json::Document> documents(branch.moves.size());
        std::vector<engines::Answer> answers(branch.moves.size());
        for (std::size_t seat = 0; seat < answers.size(); ++seat) {
            const auto& move = branch.moves[seat];
            if (!move.empty() && documents[seat].parse(move).has_value())
                answers[seat].move = documents[seat].root();
            answers[seat].used_us = replay_frames_.facts(*frame).used_us[seat];
        }
        std::vector<engines::Note> notes;
        state->apply(answers, notes);
        return state;
    }

    showing::ReplayFrames& replay_frames_;
    Playouts& playouts_;
    std::size_t count_;
    std::int64_t turns_ = 0;
    bool all_alike_ = true;
};

// The same text for the same move, as replays have it.
std::string compact(const std::string& move) {
    protocol::json::Document document;
    const auto parsed = document.parse(move);
    return parsed ? document.root().json_text() : move;
}

// Moves to try beside the one that was played, and whether these are all.
std::pair<std::vector<std::string>, bool> moves_to_try(Sampler& sampler, std::int64_t turn,
                                                       const ReviewOptions& options,
                                                       const std::string& played) {
    auto legal = sampler.before(turn).legal_moves(options.seat);
    if (!legal) return {{}, false};
    auto& moves = legal->moves;
    for (auto& move : moves) move = compact(move);
    std::erase(moves, played);
    if (moves.size() <= moves_tried_max) return {std::move(moves), legal->all};
    base::SplitMix random(base::SplitMix::mixed(options.seed) + static_cast<std::uint64_t>(turn));
    for (std::size_t i = 0; i < moves_tried_max; ++i)
        std::swap(moves[i], moves[i + random.below(moves.size() - i)]);
    moves.resize(moves_tried_max);
    return {std::move(moves), false};
}

Branch with_move(Sampler& sampler, std::int64_t turn, engines::Seat seat, const std::string& move) {
    Branch branch{turn, sampler.moves(turn)};
    branch.moves[seat] = move;
    return branch;
}

std::int64_t turns_between(std::int64_t wished, std::int64_t turns) {
    return wished > 0 ? wished : (turns + positions_wanted - 1) / positions_wanted;
}

// Looks for the turns that cost most, by halving what lies between positions.
class Search {
 public:
    Search(Sampler& sampler, const ReviewOptions& options, const Progress& progress, Review& review)
        : sampler_(sampler), options_(options), progress_(progress), review_(review) {}

    base::Result<void, std::string> draw_curve() {
        for (std::int64_t turn = 1; turn <= sampler_.turns(); turn += review_.every) {
            progress_(fmt::format("position before turn {} of {}", turn, sampler_.turns()));
            if (auto added = add(turn); !added) return added;
        }
        progress_("position at the end");
        return add(sampler_.turns() + 1);
    }

    // Until the steepest drops are those of single turns.
    base::Result<void, std::string> narrow_down() {
        for (std::size_t split = 0; split < splits_max; ++split) {
            const auto wide = widest_of_steepest();
            if (!wide) break;
            // Which turns are found must not depend on the machine: none are.
            review_.time_over = options_.spent && options_.spent() >= closer_until;
            if (review_.time_over) break;
            progress_("looking closer: position before turn " + std::to_string(*wide));
            if (auto added = add(*wide); !added) return added;
        }
        return {};
    }

    // Those turns, most costly first.
    std::vector<std::int64_t> found() {
        std::vector<std::int64_t> turns;
        if (review_.time_over) return turns;
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
        const auto behind = std::ranges::upper_bound(review_.points, turn, {}, &Point::turn);
        review_.points.insert(behind, Point{turn, *std::move(sample)});
        return {};
    }

    bool has_own_turn(std::int64_t from, std::int64_t to) {
        for (auto turn = from; turn < to; ++turn)
            if (sampler_.before(turn).to_move().test(options_.seat)) return true;
        return false;
    }

    std::vector<Drop> steepest() {
        std::vector<Drop> drops;
        for (std::size_t i = 1; i < review_.points.size(); ++i) {
            const auto& a = review_.points[i - 1];
            const auto& b = review_.points[i];
            // By the means, whatever the scale: those of the parts of a drop sum up to it.
            const auto depth =
                mean_of(a.sample.of(options_.seat)) - mean_of(b.sample.of(options_.seat));
            if (depth > 0 && has_own_turn(a.turn, b.turn)) drops.push_back({a.turn, b.turn, depth});
        }
        std::ranges::stable_sort(drops, std::ranges::greater(), &Drop::depth);
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
    const ReviewOptions& options_;
    const Progress& progress_;
    Review& review_;
};

// What turns of the seat cost.
class Measures {
 public:
    Measures(Sampler& sampler, const ReviewOptions& options, Scale scale)
        : sampler_(sampler), options_(options), scale_(scale) {}

    // Each by as many playouts as are played of a branch; where the time is bounded, by more until
    // one of them is sure. Their intervals hold together, however often they were looked at.
    base::Result<std::vector<CostlyTurn>, std::string> of(const std::vector<std::int64_t>& turns) {
        std::vector<Measured> all;
        for (const auto turn : turns) {
            all.push_back({turn, {}, {}});
            if (auto added = add_to(all.back()); !added) return base::failure(added.error());
        }
        if (all.empty()) return std::vector<CostlyTurn>();
        // Each turn at each look, and its liked move.
        std::size_t looks = 1;
        for (auto count = sampler_.count(); options_.spent && 2 * count <= playouts_max; count *= 2)
            ++looks;
        covered_ = level_of_each(all.size() * (looks + 1));
        const auto is_sure = [this](const Measured& one) { return cost_of(one).interval.low > 0; };
        while (options_.spent && !sampler_.all_alike() && 2 * sampler_.count() <= playouts_max &&
               std::ranges::none_of(all, is_sure)) {
            time_over_ = options_.spent() >= more_to_measure_until;
            if (time_over_) break;
            sampler_.play(2 * sampler_.count());
            for (auto& one : all)
                if (auto added = add_to(one); !added) return base::failure(added.error());
        }
        std::vector<CostlyTurn> costly;
        for (const auto& one : all) {
            auto& lost = costly.emplace_back();
            lost.turn = one.turn;
            lost.played = sampler_.moves(one.turn)[options_.seat];
            lost.before = estimate_of(one.before, options_.seat, scale_);
            lost.as_played = estimate_of(one.after, options_.seat, scale_);
            lost.cost = cost_of(one);
        }
        return costly;
    }

    // What the playouts would have had the seat play instead.
    base::Result<void, std::string> try_moves(CostlyTurn& lost) {
        const auto [moves, all] = moves_to_try(sampler_, lost.turn, options_, lost.played);
        lost.moves_tried = moves.size();
        lost.all_tried = all;
        const Branch as_played{lost.turn, sampler_.moves(lost.turn)};
        auto played = sampler_.sample(as_played, Use::attempts);
        if (!played) return base::failure(played.error());
        double most = 0;
        std::string best;
        for (const auto& move : moves) {
            auto sample =
                sampler_.sample(with_move(sampler_, lost.turn, options_.seat, move), Use::attempts);
            if (!sample) return base::failure(sample.error());
            const auto gain = difference_of(*sample, *played, options_.seat, scale_).value;
            if (gain <= most) continue;
            most = gain;
            best = move;
        }
        if (best.empty()) return {};
        // Found by some playouts, compared by others.
        auto again = sampler_.sample(as_played, Use::comparison);
        if (!again) return base::failure(again.error());
        auto other =
            sampler_.sample(with_move(sampler_, lost.turn, options_.seat, best), Use::comparison);
        if (!other) return base::failure(other.error());
        const auto gain = difference_of(*other, *again, options_.seat, scale_, covered_);
        if (gain.value <= 0) return {};  // it was luck
        lost.as_played = estimate_of(*again, options_.seat, scale_);
        lost.liked = TriedMove{best, estimate_of(*other, options_.seat, scale_), gain};
        return {};
    }

    // Whether more playouts might have told more, and there was no time for them.
    bool time_over() const { return time_over_; }

 private:
    struct Measured {
        std::int64_t turn = 1;
        Sample before;
        Sample after;
    };

    base::Result<void, std::string> add_to(Measured& measured) {
        const auto turn = measured.turn;
        if (auto added = sampler_.add_to(measured.before, {turn}, Use::measure); !added)
            return added;
        return sampler_.add_to(measured.after, {turn, sampler_.moves(turn)}, Use::measure);
    }
    Difference cost_of(const Measured& one) const {
        return difference_of(one.before, one.after, options_.seat, scale_, covered_);
    }

    Sampler& sampler_;
    const ReviewOptions& options_;
    Scale scale_;
    double covered_ = level;  // by each interval, so that all hold together
    bool time_over_ = false;
};

// What can't be told from chance teaches nobody: of such turns one is enough.
void keep_the_sure(std::vector<CostlyTurn>& lost) {
    const auto is_sure = [](const CostlyTurn& turn) { return turn.is_sure(); };
    if (std::ranges::any_of(lost, is_sure)) {
        std::erase_if(lost, [&](const CostlyTurn& turn) { return !is_sure(turn); });
    } else if (lost.size() > 1) {
        lost.resize(1);
    }
}

}  // namespace

base::Result<Review, std::string> review(showing::ReplayFrames& replay_frames, Playouts& playouts,
                                         const ReviewOptions& options, const Progress& progress) {
    Sampler sampler(replay_frames, playouts, options.playouts);
    if (sampler.turns() == 0)
        return base::failure(
            std::string("expected a game in which a turn was played; this one has none"));
    Review review;
    review.scale = replay_frames.bots().size() == 1 ? Scale::score : Scale::share;
    review.turns = sampler.turns();
    review.every = turns_between(options.every, review.turns);
    review.ended_by_moves = sampler.before(review.turns + 1).over();
    Search search(sampler, options, progress, review);
    if (auto drawn = search.draw_curve(); !drawn) return base::failure(drawn.error());
    if (auto narrowed = search.narrow_down(); !narrowed) return base::failure(narrowed.error());
    review.playouts = sampler.count();
    const auto turns = search.found();
    progress(fmt::format("measuring what {} turns cost", turns.size()));
    Measures measures(sampler, options, review.scale);
    auto costly = measures.of(turns);
    if (!costly) return base::failure(costly.error());
    review.lost = *std::move(costly);
    review.measured = sampler.count();
    review.time_over = review.time_over || measures.time_over();
    std::ranges::stable_sort(review.lost, std::ranges::greater(),
                             [](const CostlyTurn& turn) { return turn.cost.value; });
    std::stable_partition(review.lost.begin(), review.lost.end(),
                          [](const CostlyTurn& turn) { return turn.cost.interval.low > 0; });
    sampler.play(review.playouts);
    for (auto& lost : review.lost) {
        const bool is_first = &lost == &review.lost.front();
        // A move that was liked by chance doesn't make a turn sure where the time decides how often
        // it was looked at.
        const bool may_try = options.spent && lost.cost.interval.low > 0 &&
                             (is_first || options.spent() < tries_until);
        lost.had_time = !options.spent || may_try;
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
