#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "referee/watch/web/live_games.h"

namespace referee::web {

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
