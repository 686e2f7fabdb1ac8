#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "referee/game/clock/time.h"
#include "referee/watch/web/live_game.h"
#include "referee/watch/web/spectator.h"
#include "referee/watch/web/web_sessions.h"

namespace referee::web {

class Site;

// The wall: some of the games that go on, each as its latest position, for a screen that shows
// many. All who look at it see the same games. A position is made some times a second at most,
// once for all, and only while somebody looks.
class Wall {
 public:
    // The site has the games.
    explicit Wall(Site& site) : site_(site) {}

    void join(std::shared_ptr<Spectator> spectator, const Visitor& visitor);
    // Now and then: games that began are hung, positions are told, games that are over are taken
    // away a while later.
    void look(Instant now);
    // That game is over and is followed no more: its last position is told.
    void last_look(const std::string& game_id, const LiveGame& game, Instant now);
    bool shows(const std::string& game_id) const { return places_.contains(game_id); }
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
    void fill();

    Site& site_;
    std::vector<Listener> listeners_;
    std::map<std::string, Place> places_;  // by the game's id
    Instant looked_{};
};

}  // namespace referee::web
