#include "sample_bots/cpp/snake_labyrinth/route.h"

namespace bots::snake_labyrinth {

Route walk_route(const Position& from, std::string_view letters) {
    Walk walk = from.walk;
    Route route;
    for (const char letter : letters) {
        if (walk.has_left() || walk.steps() >= from.steps_max) break;
        const auto direction = engines::snake_labyrinth::direction_of(letter);
        if (!direction) break;
        const auto step = walk.step(*direction);
        if (step == Walk::Step::wall || step == Walk::Step::edge) break;
        route.letters += letter;
    }
    route.is_out = walk.has_left();
    route.score = walk.score();
    route.steps = walk.steps();
    return route;
}

}  // namespace bots::snake_labyrinth
