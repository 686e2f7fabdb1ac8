#include "referee/watch/review/turning_points.h"

#include <algorithm>
#include <iterator>
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

// The move that the playouts like best, and how it compares to the one that was played: found by
// some playouts, compared by others. Without one, no move was liked better.
base::Result<void, std::string> try_moves(Sampler& sampler, const ReviewOptions& terms, Scale scale,
                                          CostlyTurn& lost) {
    const auto [moves, all] = moves_to_try(sampler, lost.turn, terms, lost.played);
    lost.moves_tried = moves.size();
    lost.all_tried = all;
    const Branch as_played{lost.turn, sampler.moves(lost.turn)};
    auto played = sampler.sample(as_played, Use::attempts);
    if (!played) return base::failure(played.error());
    double most = 0;
    std::string best;
    for (const auto& move : moves) {
        auto sample =
            sampler.sample(with_move(sampler, lost.turn, terms.seat, move), Use::attempts);
        if (!sample) return base::failure(sample.error());
        const auto gain = difference_of(*sample, *played, terms.seat, scale).value;
        if (gain <= most) continue;
        most = gain;
        best = move;
    }
    if (best.empty()) return {};
    auto again = sampler.sample(as_played, Use::comparison);
    if (!again) return base::failure(again.error());
    auto other = sampler.sample(with_move(sampler, lost.turn, terms.seat, best), Use::comparison);
    if (!other) return base::failure(other.error());
    const auto gain = difference_of(*other, *again, terms.seat, scale);
    if (gain.value <= 0) return {};  // it was luck
    lost.as_played = estimate_of(*again, terms.seat, scale);
    lost.liked = TriedMove{best, estimate_of(*other, terms.seat, scale), gain};
    return {};
}

}  // namespace

base::Result<CostlyTurn, std::string> look_at_turn(Sampler& sampler, std::int64_t turn,
                                                   const ReviewOptions& terms, Scale scale) {
    CostlyTurn lost;
    lost.turn = turn;
    lost.played = sampler.moves(turn)[terms.seat];
    auto before = sampler.sample({turn}, Use::measure);
    if (!before) return base::failure(before.error());
    auto after = sampler.sample({turn, sampler.moves(turn)}, Use::measure);
    if (!after) return base::failure(after.error());
    lost.before = estimate_of(*before, terms.seat, scale);
    lost.as_played = estimate_of(*after, terms.seat, scale);
    lost.cost = difference_of(*before, *after, terms.seat, scale);
    if (auto tried = try_moves(sampler, terms, scale, lost); !tried)
        return base::failure(tried.error());
    return lost;
}

namespace {

bool went_alike(const std::vector<PlayedOut>& playouts) {
    return std::all_of(playouts.begin(), playouts.end(),
                       [&](const auto& one) { return one.course == playouts.front().course; });
}

}  // namespace

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
    const auto from = position(branch);
    Sample sample;
    if (from->over()) {
        sample.over = true;
        sample.worths.push_back(worth_of(from->outcome()));
        return sample;
    }
    const auto begin = static_cast<std::uint64_t>(use) * playouts_max;
    const auto at_first = playouts_.cost_much() ? std::min(count_, alike_enough) : count_;
    auto played = playouts_.play(branch, *from, begin, at_first);
    if (!played) return base::failure(played.error());
    sample.alike = went_alike(*played);
    if (at_first < count_ && !sample.alike) {
        auto more = playouts_.play(branch, *from, begin + at_first, count_ - at_first);
        if (!more) return base::failure(more.error());
        std::move(more->begin(), more->end(), std::back_inserter(*played));
    }
    for (auto& one : *played) sample.worths.push_back(std::move(one.worth));
    all_alike_ = all_alike_ && sample.alike;
    return sample;
}

}  // namespace referee::review
