#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

// ---- The wall -------------------------------------------------------------------------------

// Games on the wall at once: as many as can be told apart from the back of a room; each counts
// among those that are watched.
inline constexpr std::size_t wall_games_max = 9;
// A position is told so often at most, and the last one stands for so long.
inline constexpr std::chrono::milliseconds wall_every{400};
inline constexpr std::chrono::seconds wall_stands{4};

// The wall: some of the games that go on, each as its latest position, for a screen that shows
// many. All who look at it see the same games. A position is made some times a second at most,
// once for all, and only while somebody looks.
class Wall {
 public:
    // `may_be_shown`: to everybody.
    Wall(LiveGames& games, BotNames& names, std::function<bool(const GameNews& game)> may_be_shown)
        : games_(games), names_(names), may_be_shown_(std::move(may_be_shown)) {}

    void join(std::shared_ptr<Spectator> spectator, const Visitor& visitor);
    // Now and then: games that began are hung, positions are told, games that are over are taken
    // away a while later.
    void look(Instant now);
    // Whether it shows that game, whose last position it tells where it is over.
    bool shows(const LiveGame& game, Instant now);
    void sign_of_life(const Piece& piece) { tell(piece); }
    // What is told of bots has changed: who looks on begins anew.
    void begin_anew();

 private:
    struct Listener {
        std::shared_ptr<Spectator> spectator;
        Visitor visitor;
    };
    struct Place {
        std::string tournament;
        std::string facts;  // empty: it is not told of yet
        std::size_t frames = 0;
        Piece position;
        std::optional<Instant> over_at;
    };
    void tell(const Piece& piece);
    void tell_facts(const Listener& listener, const Place& place) const;
    void update(Place& place, const LiveGame& game);
    void fill(Instant now);

    LiveGames& games_;
    BotNames& names_;
    std::function<bool(const GameNews& game)> may_be_shown_;
    std::vector<Listener> listeners_;
    std::map<std::string, Place> places_;  // by the game's id
    Instant looked_{};
};

}  // namespace referee::web
