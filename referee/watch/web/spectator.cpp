#include "referee/watch/web/spectator.h"

#include <utility>

#include "protocol/json/writer.h"

namespace referee::web {

Piece event_piece(std::string_view event, std::string_view id, std::string_view data) {
    std::string text;
    if (!id.empty()) text.append("id: ").append(id).append("\n");
    text.append("event: ").append(event).append("\ndata: ").append(data).append("\n\n");
    return std::make_shared<const std::string>(std::move(text));
}

Piece event_of(std::string_view event, std::string_view member, std::string_view text) {
    std::string data;
    protocol::json::Writer writer(data);
    writer.begin_object().member(member, text).end_object();
    return event_piece(event, {}, data);
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

}  // namespace referee::web
