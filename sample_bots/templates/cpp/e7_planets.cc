// Plays E7 Planets, and badly: it flies at random.
// Where to begin: state.player.location ends with where your ship is, state.scraps says where the scraps lie: go there.
// engines/e7_planets/RULES.md says what the state holds and what a move looks like.
#include <cctype>
#include <cstdlib>
#include <string>
#include <vector>

#include "referee_bot.hpp"

using referee_bot::Game;
using referee_bot::json;

json choose(Game&) { return std::string(1, "UDLR"[std::rand() % 4]); }

int main(int argc, char** argv) {
    return referee_bot::run(argc, argv, {{"e7_planets", choose}}, "my-bot");
}
