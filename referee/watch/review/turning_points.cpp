#include "referee/watch/review/turning_points.h"

#include <algorithm>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/split_mix.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/game/trace/replay_lines.h"
#include "referee/watch/review/limits.h"

namespace referee::review {

namespace {

// The same text for the same move, as replays have it.
std::string compact(const std::string& move) {
    protocol::json::Document document;
    if (!document.parse(move, {.depth_max = trace::line_depth_max})) return move;
    std::string text;
    protocol::json::Writer writer(text);
    document.root().write(writer);
    return text;
}

// Moves to try beside the one that was played, and whether these are all.
std::pair<std::vector<std::string>, bool> moves_to_try(Sampler& sampler, std::int64_t turn,
                                                       const ReviewOptions& terms,
                                                       const std::string& played) {
    auto legal = sampler.before(turn).legal_moves(terms.seat);
    if (!legal) return {{}, false};
    auto& moves = legal->moves;
    for (auto& move : moves) move = compact(move);
    std::erase(moves, played);
    if (moves.size() <= moves_tried_max) return {std::move(moves), legal->all};
    base::SplitMix random(base::SplitMix::mixed(terms.seed) + static_cast<std::uint64_t>(turn));
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

}  // namespace

base::Result<void, std::string> Measures::try_moves(CostlyTurn& lost) {
    const auto [moves, all] = moves_to_try(sampler_, lost.turn, terms_, lost.played);
    lost.moves_tried = moves.size();
    lost.all_tried = all;
    const Branch as_played{lost.turn, sampler_.moves(lost.turn)};
    auto played = sampler_.sample(as_played, Use::attempts);
    if (!played) return base::failure(played.error());
    double most = 0;
    std::string best;
    for (const auto& move : moves) {
        auto sample =
            sampler_.sample(with_move(sampler_, lost.turn, terms_.seat, move), Use::attempts);
        if (!sample) return base::failure(sample.error());
        const auto gain = difference_of(*sample, *played, terms_.seat, scale_).value;
        if (gain <= most) continue;
        most = gain;
        best = move;
    }
    if (best.empty()) return {};
    // Found by some playouts, compared by others.
    auto again = sampler_.sample(as_played, Use::comparison);
    if (!again) return base::failure(again.error());
    auto other =
        sampler_.sample(with_move(sampler_, lost.turn, terms_.seat, best), Use::comparison);
    if (!other) return base::failure(other.error());
    const auto gain = difference_of(*other, *again, terms_.seat, scale_);
    if (gain.value <= 0) return {};  // it was luck
    lost.as_played = estimate_of(*again, terms_.seat, scale_);
    lost.liked = TriedMove{best, estimate_of(*other, terms_.seat, scale_), gain};
    return {};
}

base::Result<void, std::string> Measures::add_to(Measured& measured) {
    const auto turn = measured.turn;
    if (auto added = sampler_.add_to(measured.before, {turn}, Use::measure); !added) return added;
    return sampler_.add_to(measured.after, {turn, sampler_.moves(turn)}, Use::measure);
}

base::Result<std::vector<CostlyTurn>, std::string> Measures::of(
    const std::vector<std::int64_t>& turns) {
    std::vector<Measured> all;
    for (const auto turn : turns) {
        all.push_back({turn, {}, {}});
        if (auto added = add_to(all.back()); !added) return base::failure(added.error());
    }
    while (!all.empty() && may_double(sampler_, terms_, more_to_measure_until)) {
        sampler_.play(2 * sampler_.count());
        for (auto& one : all)
            if (auto added = add_to(one); !added) return base::failure(added.error());
    }
    std::vector<CostlyTurn> costly;
    for (const auto& one : all) {
        auto& lost = costly.emplace_back();
        lost.turn = one.turn;
        lost.played = sampler_.moves(one.turn)[terms_.seat];
        lost.before = estimate_of(one.before, terms_.seat, scale_);
        lost.as_played = estimate_of(one.after, terms_.seat, scale_);
        lost.cost = difference_of(one.before, one.after, terms_.seat, scale_);
    }
    return costly;
}

bool may_double(const Sampler& sampler, const ReviewOptions& terms, double until) {
    return terms.spent && !sampler.all_alike() && 2 * sampler.count() <= playouts_max &&
           terms.spent() < until;
}

Sampler::Sampler(showing::ReplayFrames& replay_frames, Playouts& playouts, std::size_t count)
    : replay_frames_(replay_frames), playouts_(playouts), count_(count) {
    for (std::size_t frame = 0; frame < replay_frames.frames(); ++frame)
        if (!replay_frames.facts(frame).forfeit)
            turns_ = std::max(turns_, replay_frames.facts(frame).turn);
}

const engines::State& Sampler::before(std::int64_t turn) {
    const auto frame = replay_frames_.frame_after(turn - 1);
    REFEREE_ASSERT(frame.has_value());
    return replay_frames_.state(*frame);
}

bool Sampler::moved(std::int64_t turn, engines::Seat seat) {
    return before(turn).to_move().test(seat);
}

const std::vector<std::string>& Sampler::moves(std::int64_t turn) const {
    const auto frame = replay_frames_.frame_after(turn);
    REFEREE_ASSERT(frame.has_value());
    return replay_frames_.facts(*frame).moves;
}

std::unique_ptr<engines::State> Sampler::position(const Branch& branch) {
    auto state = before(branch.turn).clone();
    if (branch.moves.empty()) return state;
    const auto frame = replay_frames_.frame_after(branch.turn);
    std::vector<protocol::json::Document> documents(branch.moves.size());
    std::vector<engines::Answer> answers(branch.moves.size());
    for (std::size_t seat = 0; seat < answers.size(); ++seat) {
        const auto& move = branch.moves[seat];
        if (!move.empty() &&
            documents[seat].parse(move, {.depth_max = trace::line_depth_max}).has_value())
            answers[seat].move = documents[seat].root();
        answers[seat].used_us = replay_frames_.facts(*frame).used_us[seat];
    }
    std::vector<engines::Note> notes;
    state->apply(answers, notes);
    return state;
}

base::Result<Sample, std::string> Sampler::sample(const Branch& branch, Use use) {
    Sample sample;
    if (auto added = add_to(sample, branch, use); !added) return base::failure(added.error());
    return sample;
}

base::Result<void, std::string> Sampler::add_to(Sample& sample, const Branch& branch, Use use) {
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
        auto played = playouts_.play(branch, *from, begin + worths.size(), until - worths.size());
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

}  // namespace referee::review
