#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/registry.h"
#include "protocol/base/result.h"
#include "protocol/json/document.h"
#include "referee/game/trace/trace.h"
#include "referee/watch/showing/showing.h"

namespace referee::showing {

// What led to a frame.
struct FrameFacts {
    std::int64_t turn = 0;  // 0: the first position
    std::optional<engines::Seat> forfeit{};
    // By seat; the first frame has none of them.
    std::vector<std::string> moves{};     // as JSON text; empty: none
    std::vector<std::int64_t> used_us{};  // charged in this turn
    std::vector<std::string> debug{};     // empty where nothing was said
    std::vector<engines::Note> notes{};
};

// A replay of which any position can be had: for whoever draws it here. Frame 0 is the position
// before the first turn.
class ReplayFrames {
 public:
    static base::Result<std::unique_ptr<ReplayFrames>, trace::Refusal> of(
        std::string replay, const std::string& file, const engines::Registry& registry,
        const std::vector<Said>& said);

    std::size_t frames() const { return facts_.size(); }  // frame 0 too; at least 1
    // Requires: the frame is below frames().
    const FrameFacts& facts(std::size_t frame) const { return facts_[frame]; }
    // The position at that frame; valid until the next call.
    const engines::State& state(std::size_t frame);

    // The frame that shows the position after that turn; nothing where the game had no such turn.
    std::optional<std::size_t> frame_after(std::int64_t turn) const;
    std::int64_t turns() const { return facts_.back().turn; }

    const engines::GameInfo& info() const { return *info_; }
    const std::string& replay() const { return replay_; }
    const std::string& game_id() const { return game_id_; }
    const std::vector<std::string>& bots() const { return bots_; }
    protocol::json::View result() const { return last_.result(); }
    // As the result has them: those of seats that the game has.
    const std::vector<protocol::json::View>& faults() const { return faults_; }
    // As in a Showing.
    const std::vector<std::string>& differences() const { return differences_; }

 private:
    explicit ReplayFrames(std::string replay) : replay_(std::move(replay)) {}

    const engines::GameInfo* info_ = nullptr;
    std::string replay_;
    std::vector<std::string_view> lines_;  // those of turns
    std::string game_id_;
    std::vector<std::string> bots_;
    LastLine last_;
    std::vector<FrameFacts> facts_;
    // Every so many frames' position; from there the others are played.
    std::vector<std::unique_ptr<engines::State>> kept_;
    std::unique_ptr<engines::State> state_;
    std::size_t at_ = 0;
    std::vector<protocol::json::View> faults_;
    std::vector<std::string> differences_;
};

}  // namespace referee::showing
