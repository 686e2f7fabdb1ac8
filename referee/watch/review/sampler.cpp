#include "referee/watch/review/sampler.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/json/document.h"
#include "referee/game/trace/replay_lines.h"
#include "referee/watch/review/limits.h"

namespace referee::review {
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
