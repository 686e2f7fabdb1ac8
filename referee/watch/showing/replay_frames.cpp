#include "referee/watch/showing/replay_frames.h"

#include <utility>

#include "protocol/base/assertion.h"
#include "referee/game/trace/replay.h"
#include "referee/watch/showing/follower.h"

namespace referee::showing {
namespace {

// Going back by a frame plays at most so many turns again; a game of a hundred thousand turns keeps
// a few thousand positions.
constexpr std::size_t frames_between_kept = 32;

FrameFacts facts_of(const Follower& follower, const Words& words) {
    FrameFacts facts;
    facts.turn = follower.turn_shown();
    facts.forfeit = follower.forfeit();
    facts.notes = follower.notes();
    if (facts.forfeit) return facts;
    for (const auto& answer : follower.answers()) {
        auto& move = facts.moves.emplace_back();
        protocol::json::Writer writer(move);
        if (!answer.move.is_null()) answer.move.write(writer);
        facts.used_us.push_back(answer.used_us);
    }
    for (const auto said : words.of(facts.turn)) facts.debug.emplace_back(said);
    return facts;
}

}  // namespace

base::Result<std::unique_ptr<ReplayFrames>, trace::Refusal> ReplayFrames::of(
    std::string replay, const std::string& file, const engines::Registry& registry,
    const std::vector<Said>& said) {
    std::unique_ptr<ReplayFrames> made(new ReplayFrames(std::move(replay)));
    const auto parts = trace::lines_of(made->replay_, file);
    if (!parts) return base::failure(parts.error());
    auto begun = Follower::begin(parts->first, file, registry, false);
    if (!begun) return base::failure(std::move(begun.error()));
    auto& follower = **begun;
    if (auto read = made->last_.read(parts->last, file); !read)
        return base::failure(std::move(read.error()));
    made->info_ = &follower.info();
    made->game_id_ = follower.first_line().find("game_id").string().value_or("");
    made->bots_ = follower.bots();
    const Words words(said, made->bots_);
    made->facts_.emplace_back();
    made->kept_.push_back(follower.state().clone());
    auto followed = follow_all(follower, *parts, made->last_, [&](std::string_view line) {
        made->lines_.push_back(line);
        made->facts_.push_back(facts_of(follower, words));
        if (made->lines_.size() % frames_between_kept == 0)
            made->kept_.push_back(follower.state().clone());
    });
    if (!followed) return base::failure(std::move(followed.error()));
    made->differences_ = *std::move(followed);
    made->state_ = made->kept_.front()->clone();
    for (const auto fault : made->result().find("faults").elements()) {
        const auto seat = fault.find("seat").unsigned_integer();
        if (seat && *seat < made->bots_.size()) made->faults_.push_back(fault);
    }
    return made;
}

const engines::State& ReplayFrames::state(std::size_t frame) {
    REFEREE_ASSERT(frame < frames());
    if (frame < at_ || frame - at_ > frames_between_kept) {
        const auto kept = frame / frames_between_kept;
        state_ = kept_[kept]->clone();
        at_ = kept * frames_between_kept;
    }
    trace::TurnLine line;
    std::vector<engines::Note> notes;
    for (; at_ < frame; ++at_) {
        const auto read = line.read(lines_[at_], bots_.size(), true);
        REFEREE_ASSERT(read.has_value());
        if (line.forfeit()) {
            state_->forfeit(*line.forfeit());
        } else {
            state_->apply(line.answers(), notes);
        }
    }
    return *state_;
}

std::optional<std::size_t> ReplayFrames::frame_after(std::int64_t turn) const {
    for (std::size_t frame = frames(); frame-- > 0;) {
        if (facts_[frame].turn == turn) return frame;
    }
    return std::nullopt;
}

}  // namespace referee::showing
