#include "referee/watch/showing/replay_frames.h"

#include <limits>
#include <utility>

#include "protocol/base/assertion.h"
#include "referee/game/trace/replay_lines.h"
#include "referee/watch/showing/follower.h"

namespace referee::showing {
namespace {

// Going back by a frame plays at most so many turns again; a game of a hundred thousand turns keeps
// a few thousand positions.
constexpr std::size_t frames_between_kept = 32;

// A replay may have been written by anybody: what is too long for a number stays at the largest.
void add(std::int64_t& sum, std::int64_t us) {
    sum = us > std::numeric_limits<std::int64_t>::max() - sum
              ? std::numeric_limits<std::int64_t>::max()
              : sum + us;
}

FrameFacts facts_of(const Follower& follower, const Words& words, const FrameFacts& before) {
    FrameFacts facts;
    facts.turn = follower.turn_shown();
    facts.forfeit = follower.forfeit();
    facts.notes = follower.notes();
    facts.used_in_all_us = before.used_in_all_us;
    if (facts.forfeit) return facts;
    for (const auto& answer : follower.answers()) {
        auto& move = facts.moves.emplace_back();
        protocol::json::Writer writer(move);
        if (!answer.move.is_null()) answer.move.write(writer);
        facts.used_us.push_back(answer.used_us);
        add(facts.used_in_all_us[facts.used_us.size() - 1], answer.used_us);
    }
    for (const auto said : words.of(facts.turn)) facts.debug.emplace_back(said);
    return facts;
}

}  // namespace

base::Result<std::unique_ptr<ReplayFrames>, trace::Refusal> ReplayFrames::of(
    std::string replay, const std::string& file, const engines::Registry& registry,
    const std::vector<Said>& said) {
    const auto parts = trace::lines_of(replay, file);
    if (!parts) return base::failure(parts.error());
    auto begun = Follower::begin(parts->first, file, registry, false);
    if (!begun) return base::failure(std::move(begun.error()));
    auto& follower = **begun;
    std::unique_ptr<ReplayFrames> replay_frames(new ReplayFrames(follower.info()));
    if (auto read = replay_frames->last_.read(parts->last, file); !read)
        return base::failure(std::move(read.error()));
    replay_frames->game_id_ = follower.first_line().find("game_id").string().value_or("");
    replay_frames->bots_ = follower.bots();
    const auto parsed =
        replay_frames->first_line_.parse(parts->first, {.depth_max = trace::line_depth_max});
    REFEREE_ASSERT(parsed.has_value());
    const Words words(said, replay_frames->bots_);

    replay_frames->facts_.emplace_back().used_in_all_us.assign(replay_frames->bots_.size(), 0);
    replay_frames->kept_.push_back(follower.state().clone());
    // The text's own place may change when it is moved; its lines are counted from its begin.
    const auto turns_at = static_cast<std::size_t>(parts->turns.data() - replay.data());
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (std::size_t at = 0; at < parts->turns.size();) {
        if (follower.state().over()) {
            replay_frames->differences_.push_back("line " +
                                                  std::to_string(replay_frames->facts_.size() + 1) +
                                                  ": a turn after the end of the game");
            break;
        }
        const auto size = parts->turns.find('\n', at) - at;
        if (auto followed = follower.follow(parts->turns.substr(at, size)); !followed)
            return base::failure(std::move(followed.error()));
        places.emplace_back(turns_at + at, size);
        replay_frames->facts_.push_back(facts_of(follower, words, replay_frames->facts_.back()));
        if (places.size() % frames_between_kept == 0)
            replay_frames->kept_.push_back(follower.state().clone());
        at += size + 1;
    }
    for (auto& difference :
         trace::differences(replay_frames->last_.result(),
                            {follower.state(), follower.turns(), follower.engine_faults()}))
        replay_frames->differences_.push_back(std::move(difference));
    replay_frames->replay_ = std::move(replay);
    for (const auto& [begin, size] : places)
        replay_frames->lines_.push_back(
            std::string_view(replay_frames->replay_).substr(begin, size));
    replay_frames->state_ = replay_frames->kept_.front()->clone();
    replay_frames->add_faults();
    return replay_frames;
}

void ReplayFrames::add_faults() {
    const auto text = [](protocol::json::View view) {
        return std::string(view.string().value_or(""));
    };
    for (const auto fault : result().find("faults").elements()) {
        const auto seat = fault.find("seat").unsigned_integer().value_or(bots_.size());
        if (seat >= bots_.size()) continue;
        faults_.push_back({seat, fault.find("turn").integer().value_or(0), text(fault.find("code")),
                           text(fault.find("consequence")), text(fault.find("message"))});
    }
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
