#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/registry.h"
#include "referee/game/clock/time.h"
#include "referee/roster/pseudonyms/pseudonyms.h"
#include "referee/watch/showing/showing.h"
#include "referee/watch/web/request.h"
#include "referee/watch/web/web_news.h"

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

// How long frames of a game that goes on are held back.
struct Delay {
    std::uint32_t turns = 0;
    Duration time{};
};

// A game that somebody watches while it goes on: its frames so far, and all who look on. The engine
// makes the frames here again from the lines of the replay.
class LiveGame {
 public:
    // `name_mask`: what everybody reads who isn't told all names.
    LiveGame(GameNews news, Delay delay, pseudonyms::NameMask name_mask)
        : news_(std::move(news)), delay_(delay), name_mask_(std::move(name_mask)) {}

    // What was played before. False: it can't be shown. Where that is told again, because nobody
    // watched for a moment, who looks on loads the page again: nobody knows what came between.
    bool begin(const PlayedSoFar& so_far, const engines::Registry& registry, Instant now);
    void more(std::string_view lines, Instant now);
    // It is over: what its showing has at its end, as JSON.
    void over(std::string end, Instant now);
    // Shows the frames, and the end, whose time has come.
    void look(Instant now);

    bool begun() const { return follower_ != nullptr; }
    bool failed() const { return failed_; }
    // Nothing will be shown any more.
    bool ended() const { return ended_since_.has_value(); }
    // Requires: it has ended.
    Instant ended_since() const { return *ended_since_; }
    bool watched() const;
    std::size_t frames() const { return frames_.size(); }
    const GameNews& news() const { return news_; }

    // What a showing has beside frames and positions, as an object. Requires: begun().
    std::string facts() const;
    // The latest position that is shown: {"game_id", "turn", "state"}, and "text" where the game
    // has no board. Requires: begun().
    std::string position() const;
    // It is shown no more: who looks on loads the page again, and is told there what there is.
    void fail();
    // The showing so far, as one reads it who has that mask. Requires: begun().
    Piece showing(const pseudonyms::NameMask& name_mask);
    // Frames behind the first `from`, and all that come, the end too; `all_names`: without a mask.
    // Requires: begun(), from <= frames().
    void join(const std::shared_ptr<Spectator>& spectator, std::size_t from, bool all_names);
    // To all who look on, so that nobody takes silence for a broken connection.
    void sign_of_life(const Piece& piece) { send(piece); }
    // Somebody who asks before it has begun.
    struct Waiting {
        Reply reply;
        pseudonyms::NameMask name_mask;
    };
    std::vector<Waiting>& waiting() { return waiting_; }

    // When nobody looked on any more; nothing while somebody does.
    std::optional<Instant> unwatched_since;

 private:
    struct Held {
        std::string line;
        Instant played;
    };
    void hold(std::string_view lines, Instant now);
    bool due(const Held& held, Instant now) const;
    void show(const std::string& line);
    void begin_anew();
    void send(const Piece& piece) { send(piece, piece); }
    void send(const Piece& with_names, const Piece& masked);

    GameNews news_;
    // A frame, the end or a whole showing. Where nothing is hidden both are one.
    struct Told {
        Piece with_names;
        Piece masked;

        const std::string& of(bool all_names) const { return all_names ? *with_names : *masked; }
    };
    Told told(std::string text) const;
    struct Watcher {
        std::shared_ptr<Spectator> spectator;
        bool all_names;
    };

    Delay delay_;
    pseudonyms::NameMask name_mask_;
    std::unique_ptr<showing::ReplayFollower> follower_;
    std::string opening_;
    std::vector<Told> frames_;
    Told showing_;  // with these frames; null: to be made
    std::size_t frames_bytes_ = 0;
    std::deque<Held> held_;
    std::optional<std::string> end_;
    Instant over_at_{};
    std::optional<Instant> ended_since_;
    bool failed_ = false;
    std::vector<Watcher> watchers_;
    std::vector<Waiting> waiting_;
};

}  // namespace referee::web
