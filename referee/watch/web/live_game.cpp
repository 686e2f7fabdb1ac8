#include "referee/watch/web/live_game.h"

#include <algorithm>
#include <utility>

#include "protocol/base/text.h"
#include "protocol/json/writer.h"

namespace referee::web {

// Frames of a game that is watched: beyond that it can't be watched.
constexpr std::size_t watched_frames_bytes_max = 32 * 1024 * 1024;

Piece event_piece(std::string_view event, std::string_view id, std::string_view data) {
    std::string text;
    if (!id.empty()) text.append("id: ").append(id).append("\n");
    text.append("event: ").append(event).append("\ndata: ").append(data).append("\n\n");
    return std::make_shared<const std::string>(std::move(text));
}

Piece event_of(std::string_view event, std::string_view member, std::string_view text) {
    return event_piece(event, {}, protocol::json::object_text([&](protocol::json::Writer& writer) {
                           writer.member(member, text);
                       }));
}

void Spectator::push(const Piece& piece) {
    if (gone()) return;
    if (bytes_ + piece->size() > bytes_max_) {
        waiting_.clear();
        waiting_.push_back(event_piece(
            "reload", {}, R"({"why":"this connection was too slow; load the page again"})"));
        bytes_ = waiting_.front()->size();
        return end();
    }
    bytes_ += piece->size();
    waiting_.push_back(piece);
    tell();
}

void Spectator::end() {
    ended_ = true;
    tell();
}

void Spectator::leave() {
    left_ = true;
    ready_ = nullptr;
    waiting_.clear();
    bytes_ = 0;
}

Piece Spectator::take() {
    if (waiting_.empty()) return nullptr;
    auto piece = std::move(waiting_.front());
    waiting_.pop_front();
    bytes_ -= piece->size();
    return piece;
}

bool LiveGame::begin(const PlayedSoFar& so_far, const engines::Registry& registry, Instant now) {
    if (begun()) begin_anew();
    const auto line = std::string_view(so_far.setup_line).substr(0, so_far.setup_line.find('\n'));
    const bool with_text = !engines::board_of(news_.game);
    auto begun = showing::ReplayFollower::begin(line, news_.id, registry, with_text);
    if (so_far.too_long || !begun) {
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
    while (!lines.empty()) held_.push_back({std::string(base::next_line(lines)), now});
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
    const auto end = told(*end_);
    send(event_piece("end", {}, *end.with_names), event_piece("end", {}, *end.masked));
    for (const auto& watcher : watchers_) watcher.spectator->end();
}

void LiveGame::show(const std::string& line) {
    if (!follower_->follow(line)) return fail();
    std::string frame;
    protocol::json::Writer writer(frame);
    follower_->write_frame(writer, {});
    frames_.push_back(told(std::move(frame)));
    const auto& shown = frames_.back();
    frames_bytes_ += shown.with_names->size();
    if (shown.masked != shown.with_names) frames_bytes_ += shown.masked->size();
    if (frames_bytes_ > watched_frames_bytes_max) return fail();
    showing_ = {};
    if (!watched()) return;
    const auto number = std::to_string(frames_.size());
    const auto masked = event_piece("frame", number, *shown.masked);
    const bool same = shown.masked == shown.with_names;
    send(same ? masked : event_piece("frame", number, *shown.with_names), masked);
}

LiveGame::Told LiveGame::told(std::string text) const {
    auto whole = std::make_shared<const std::string>(std::move(text));
    if (!name_mask_.hides()) return {whole, whole};
    auto masked = name_mask_.json(*whole, news_.bots);
    if (masked == *whole) return {whole, whole};
    return {std::move(whole), std::make_shared<const std::string>(std::move(masked))};
}

void LiveGame::send(const Piece& with_names, const Piece& masked) {
    for (const auto& watcher : watchers_)
        watcher.spectator->push(watcher.all_names ? with_names : masked);
    std::erase_if(watchers_, [](const auto& one) { return one.spectator->gone(); });
}

void LiveGame::fail() {
    failed_ = true;
    begin_anew();
}

void LiveGame::begin_anew() {
    send(event_piece("reload", {}, "{}"));
    for (const auto& watcher : std::exchange(watchers_, {})) watcher.spectator->end();
    opening_.clear();
    frames_.clear();
    frames_bytes_ = 0;
    showing_ = {};
    held_.clear();
}

std::string LiveGame::facts() const {
    return protocol::json::object_text([this](protocol::json::Writer& writer) {
        follower_->write_facts(writer, showing::Seed::secret);
    });
}

std::string LiveGame::position() const {
    return protocol::json::object_text([this](protocol::json::Writer& writer) {
        writer.member("game_id", news_.id).member("turn", follower_->turns()).key("state");
        follower_->state().write_state(writer);
        if (!engines::board_of(news_.game)) writer.member("text", follower_->state().render());
    });
}

bool LiveGame::watched() const {
    return std::ranges::any_of(watchers_, [](const auto& one) { return !one.spectator->gone(); });
}

Piece LiveGame::showing(const pseudonyms::NameMask& name_mask) {
    auto& kept = name_mask.hides() ? showing_.masked : showing_.with_names;
    if (kept != nullptr && !name_mask.has_own_name()) return kept;
    std::string text = opening_;
    if (name_mask.hides()) {
        // The beginning of a showing is the whole of one when its end is there.
        text = name_mask.json(text + '}');
        text.pop_back();
    }
    text += ",\"frames\":[";
    for (std::size_t i = 0; i < frames_.size(); ++i) {
        if (i > 0) text += ',';
        text += frames_[i].of(!name_mask.hides());
    }
    text += "],\"faults\":[],\"faults_total\":0}";
    auto made = std::make_shared<const std::string>(std::move(text));
    if (!name_mask.has_own_name()) kept = made;
    return made;
}

void LiveGame::join(const std::shared_ptr<Spectator>& spectator, std::size_t from, bool all_names) {
    for (auto i = from; i < frames_.size(); ++i)
        spectator->push(event_piece("frame", std::to_string(i + 1), frames_[i].of(all_names)));
    if (!ended()) return watchers_.push_back({spectator, all_names});
    spectator->push(event_piece("end", {}, told(*end_).of(all_names)));
    spectator->end();
}

}  // namespace referee::web
