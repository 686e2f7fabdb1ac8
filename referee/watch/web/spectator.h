#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace referee::web {

// A piece of a stream, shared by all who get it.
using Piece = std::shared_ptr<const std::string>;

// An event as a stream has it; `id` may be empty. `data` has no line feed.
Piece event_piece(std::string_view event, std::string_view id, std::string_view data);
// One that has only a text to tell: {"game_id": "friday/12.1"}.
Piece event_of(std::string_view event, std::string_view member, std::string_view text);

// One who looks on: what waits for it is bounded. Who doesn't take it in time gets the event
// `reload` in place of all that waits, and then the stream ends. On the web server's thread.
class Spectator {
 public:
    explicit Spectator(std::size_t bytes_max) : bytes_max_(bytes_max) {}

    // Is called when there is something to take, or the end has come.
    void on_ready(std::function<void()> call) { ready_ = std::move(call); }
    void push(const Piece& piece);
    // Nothing comes any more behind what waits.
    void end();
    // The connection is gone: nothing is kept from now on.
    void leave();

    // The next piece; null where nothing waits.
    Piece take();
    bool empty() const { return waiting_.empty(); }
    bool ended() const { return ended_; }
    // Nothing that is pushed reaches it.
    bool gone() const { return left_ || ended_; }

 private:
    void tell() const {
        if (ready_) ready_();
    }

    std::size_t bytes_max_;
    std::function<void()> ready_;
    std::deque<Piece> waiting_;
    std::size_t bytes_ = 0;
    bool ended_ = false;
    bool left_ = false;
};

}  // namespace referee::web
