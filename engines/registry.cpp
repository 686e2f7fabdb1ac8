#include "engines/registry.h"

#include "engines/e7_planets/e7_planets.h"
#include "engines/light_cycles/light_cycles.h"
#include "engines/snake_labyrinth/snake_labyrinth.h"
#include "engines/superball/superball.h"
#include "engines/walls/walls.h"

namespace engines {
namespace {

struct Line {
    std::string_view id;
    std::unique_ptr<Game> (*make)(const Resources&);
};

// One line a game, in the order in which they are listed.
constexpr Line lines[] = {
    {"e7_planets", e7_planets::make_game},
    {"light_cycles", light_cycles::make_game},
    {"snake_labyrinth", snake_labyrinth::make_game},
    {"walls", walls::make_game},
    {"superball", superball::make_game},
};

}  // namespace

Registry::Registry(std::span<const GameResources> resources) {
    const Resources none;
    for (const auto& line : lines) {
        const Resources* own = &none;
        for (const auto& given : resources) {
            if (given.game == line.id) own = &given.resources;
        }
        games_.push_back(line.make(*own));
    }
}

const Game* Registry::find(std::string_view id) const {
    for (const auto& game : games_) {
        if (game->info().id == id) return game.get();
    }
    return nullptr;
}

}  // namespace engines
