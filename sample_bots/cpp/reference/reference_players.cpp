#include "sample_bots/cpp/reference/reference_players.h"

#include <algorithm>
#include <array>

#include "sample_bots/cpp/e7_planets/players.h"
#include "sample_bots/cpp/light_cycles/players.h"
#include "sample_bots/cpp/snake_labyrinth/players.h"
#include "sample_bots/cpp/superball/players.h"
#include "sample_bots/cpp/walls/players.h"

namespace bots {
namespace {

constexpr std::array players = {
    ReferencePlayer{"e7-random", "e7_planets", e7_planets::make_random},
    ReferencePlayer{"e7-greedy", "e7_planets", e7_planets::make_greedy, false, true,
                    e7_planets::make_greedy_inside},
    ReferencePlayer{"e7-planner", "e7_planets", e7_planets::make_planner},
    ReferencePlayer{"cycles-dumb", "light_cycles", light_cycles::make_dumb, false, true},
    ReferencePlayer{"cycles-smarter", "light_cycles", light_cycles::make_smarter},
    ReferencePlayer{"snake-random", "snake_labyrinth", snake_labyrinth::make_random},
    ReferencePlayer{"snake-right-hand", "snake_labyrinth", snake_labyrinth::make_right_hand, false,
                    true},
    ReferencePlayer{"snake-best", "snake_labyrinth", snake_labyrinth::make_best, true},
    ReferencePlayer{"superball-random", "superball", superball::make_random},
    ReferencePlayer{"superball-level2", "superball", superball::make_level2},
    ReferencePlayer{"superball-level3", "superball", superball::make_level3, false, true},
    ReferencePlayer{"superball-champion", "superball", superball::make_champion},
    ReferencePlayer{"walls-random", "walls", walls::make_random},
    ReferencePlayer{"walls-greedy", "walls", walls::make_greedy, false, true},
    ReferencePlayer{"walls-minimax", "walls", walls::make_minimax, true},
};

template <typename Is>
const ReferencePlayer* first_that(const Is& is) {
    const auto* found = std::find_if(players.begin(), players.end(), is);
    return found == players.end() ? nullptr : found;
}

}  // namespace

std::span<const ReferencePlayer> reference_players() {
    return players;
}

const ReferencePlayer* reference_player(std::string_view program) {
    return first_that([&](const auto& player) { return player.program == program; });
}

const ReferencePlayer* quick_player(std::string_view game) {
    return first_that([&](const auto& player) { return player.quick && player.game == game; });
}

}  // namespace bots
