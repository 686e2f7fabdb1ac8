#include "referee/watching/web/live_game.h"

#include <algorithm>
#include <utility>

#include "engines/boards.h"
#include "protocol/json/writer.h"
#include "referee/watching/web/limits.h"

namespace referee::web {

bool LiveGame::begin(const SoFar& so_far, const engines::Registry& registry, Instant now) {
    if (so_far.too_long || so_far.setup_line.empty()) {
        fail();
        return false;
    }
    const auto line = std::string_view(so_far.setup_line).substr(0, so_far.setup_line.find('\n'));
    const bool with_text = !engines::board_of(news_.game);
    auto begun = showing::Follower::begin(line, news_.id, registry, with_text);
    if (!begun) {
        fail();
        return false;
    }
    follower_ = *std::move(begun);
    protocol::json::Writer writer(opening_);
    writer.begin_object().member("showing", 1);
    follower_->write_facts(writer, showing::Seed::secret);
    writer.member("live", true);
    follower_->write_opening(writer);
    hold(so_far.history, now);
    look(now);
    return !failed_;
}

void LiveGame::more(std::string_view lines, Instant now) {
    if (!begun() || failed_) return;
    hold(lines, now);
    look(now);
}

void LiveGame::over(std::string end, Instant now) {
    end_ = std::move(end);
    over_at_ = now;
    look(now);
}

void LiveGame::hold(std::string_view lines, Instant now) {
    while (!lines.empty()) {
        const auto end = std::min(lines.find('\n'), lines.size());
        held_.push_back({std::string(lines.substr(0, end)), now});
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
}

// A delay in turns is over when the game is: nobody gets help from the screen any more.
bool LiveGame::due(const Held& held, Instant now) const {
    if (delay_.turns > 0 && !end_) return held_.size() > delay_.turns;
    return held.played + delay_.time <= now;
}

void LiveGame::look(Instant now) {
    if (failed_ || ended()) return;
    while (begun() && !held_.empty() && due(held_.front(), now)) {
        show(held_.front().line);
        if (failed_) return;
        held_.pop_front();
    }
    if (!end_ || over_at_ + delay_.time > now) return;
    ended_since_ = now;
    send(event_piece("end", {}, *end_));
    for (const auto& spectator : spectators_) spectator->end();
}

void LiveGame::show(const std::string& line) {
    if (!follower_->follow(line)) return fail();
    std::string frame;
    protocol::json::Writer writer(frame);
    follower_->write_frame(writer, {});
    frames_bytes_ += frame.size();
    if (frames_bytes_ > limits::watched_frames_bytes_max) return fail();
    frames_.push_back(std::move(frame));
    showing_ = nullptr;
    if (watched()) send(event_piece("frame", std::to_string(frames_.size()), frames_.back()));
}

void LiveGame::send(const Piece& piece) {
    for (const auto& spectator : spectators_) spectator->push(piece);
    std::erase_if(spectators_, [](const auto& one) { return one->left() || one->ended(); });
}

// Who looks on loads the page again, and is told there that there is nothing to be seen yet.
void LiveGame::fail() {
    failed_ = true;
    send(event_piece("reload", {}, "{}"));
    for (const auto& spectator : spectators_) spectator->end();
    frames_.clear();
    held_.clear();
}

bool LiveGame::watched() const {
    return std::any_of(spectators_.begin(), spectators_.end(),
                       [](const auto& one) { return !one->left() && !one->ended(); });
}

const Piece& LiveGame::showing() {
    if (showing_ != nullptr) return showing_;
    std::string text = opening_;
    text += ",\"frames\":[";
    for (std::size_t i = 0; i < frames_.size(); ++i) {
        if (i > 0) text += ',';
        text += frames_[i];
    }
    text += "],\"faults\":[],\"faults_total\":0}";
    showing_ = std::make_shared<const std::string>(std::move(text));
    return showing_;
}

void LiveGame::join(const std::shared_ptr<Spectator>& spectator, std::size_t from) {
    for (auto i = from; i < frames_.size(); ++i)
        spectator->push(event_piece("frame", std::to_string(i + 1), frames_[i]));
    if (!ended()) return spectators_.push_back(spectator);
    spectator->push(event_piece("end", {}, *end_));
    spectator->end();
}

}  // namespace referee::web
