#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "engines/registry.h"
#include "referee/game/clock/time.h"
#include "referee/watch/web/live_game.h"
#include "referee/watch/web/request.h"
#include "referee/watch/web/web_news.h"
#include "referee/watch/web/web_sessions.h"

namespace referee::web {

// A game that nobody watches any more is followed for so long: somebody loads the page again.
inline constexpr std::chrono::seconds unwatched_followed{10};

// The games that go on, and those of them that somebody watches. On the web server's thread.
class LiveGames {
 public:
    using News = std::map<std::string, GameNews, std::less<>>;  // by the game's id

    // All outlive it. `names`: by which everybody knows the bots.
    LiveGames(LoopQuestions& loop, BotNames& names, const engines::Registry& registry, Delay delay)
        : loop_(loop), names_(names), registry_(registry), delay_(delay) {}

    void began(GameNews news);
    // `replay`: null where nothing was kept.
    void ended(const std::string& id, const std::string* replay, Instant now);
    void so_far(const std::string& id, const PlayedSoFar& so_far, Instant now);
    void more(const std::string& id, std::string_view lines, Instant now);

    const News& going_on() const { return games_; }
    // Of one that goes on, or is watched to its end. Null: there is no such game.
    const GameNews* news_of(const std::string& id) const;
    // Whether it is played, or not yet shown to its end.
    bool goes_on(const std::string& id) const;
    // Whether it is over, and may not be shown yet.
    bool is_held(const std::string& id) const;
    bool is_over_and_shown(const std::string& id) const { return !goes_on(id) && !is_held(id); }

    // From now on it is followed; it may be already. Null: it does not go on, or no more may be
    // watched.
    LiveGame* watch(const std::string& id, Instant now);
    // Null: it is not followed.
    LiveGame* followed(const std::string& id);
    // Watches it, and answers with its showing as soon as there is one. False: no more may be
    // watched, or may wait.
    bool show(const std::string& id, LiveGame::Waiting asked, Instant now);

    // Now and then: what was held back is shown, games that nobody watches are given up. Asks of
    // each game whether somebody else wants it followed.
    void look(Instant now, const std::function<bool(const LiveGame& game)>& is_wanted);
    void sign_of_life(const Piece& piece);
    void set_delay(Delay delay) { delay_ = delay; }
    // What is told of bots has changed: who looks on loads the page again.
    void begin_anew(Instant now);
    std::size_t watched() const { return live_.size(); }

 private:
    void tell_waiting(LiveGame& game, Instant now);
    void give_up(const std::string& id, Instant now);

    LoopQuestions& loop_;
    BotNames& names_;
    const engines::Registry& registry_;
    Delay delay_;
    News games_;
    std::map<std::string, LiveGame, std::less<>> live_;  // that somebody watches
    // Games that are over, and may not be shown before these instants.
    std::deque<std::pair<Instant, std::string>> held_ends_;
    std::uint64_t games_begun_ = 0;
    std::size_t waiting_ = 0;  // replies for a game's first frames
};

}  // namespace referee::web
