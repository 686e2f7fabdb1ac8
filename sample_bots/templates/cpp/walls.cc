// Plays Walls, and badly: it turns and walks at random.
// Where to begin: state.board shows the bricks and state.players where both stand: walk to a square that has no brick yet.
// engines/walls/RULES.md says what the state holds and what a move looks like.
#include <cctype>
#include <cstdlib>
#include <string>
#include <vector>

#include "referee_bot.hpp"

using referee_bot::Game;
using referee_bot::json;

json choose(Game&) { return std::string(1, "FLR"[std::rand() % 3]); }

int main(int argc, char** argv) {
    return referee_bot::run(argc, argv, {{"walls", choose}}, "my-bot");
}
