// Plays Light Cycles, and badly: it goes anywhere that nobody has been.
// Where to begin: count the free cells that each step leaves you, and take the step with the most.
// engines/light_cycles/RULES.md says what the state holds and what a move looks like.
#include <cctype>
#include <cstdlib>
#include <string>
#include <vector>

#include "referee_bot.hpp"

using referee_bot::Game;
using referee_bot::json;

const int right[] = {0, 1, 0, -1}, down[] = {-1, 0, 1, 0};

json step(Game& game, int cycle) {
    json& used = game.memory["used"];
    const int x = game.state["cycles"][cycle][0], y = game.state["cycles"][cycle][1];
    for (int i = 0; i < 4; ++i) {
        const json to = {x + right[i], y + down[i]};
        const bool inside = to[0] >= 0 && to[0] < game.params["width"] && to[1] >= 0 && to[1] < game.params["height"];
        if (!inside || used.contains(to.dump())) continue;
        used[to.dump()] = cycle;  // for the other cycles of the team
        return to;
    }
    return {x, y};  // there is no way out
}

json choose(Game& game) {
    json& used = game.memory["used"];  // cell: whose trail. The state doesn't show the trails
    for (int cycle = 0; cycle < static_cast<int>(game.state["cycles"].size()); ++cycle) {
        const json at = game.state["cycles"][cycle];
        used[at.dump()] = cycle;
        for (auto cell = used.begin(); at[0] == -1 && cell != used.end();)  // terminated: its trail is free again
            cell = *cell == cycle ? used.erase(cell) : std::next(cell);
    }
    const int count = game.params["cycles_per_team"];
    json move = json::array();
    for (int i = game.seat * count; i < (game.seat + 1) * count; ++i)
        move.push_back(step(game, i));
    return move;
}

int main(int argc, char** argv) {
    return referee_bot::run(argc, argv, {{"light_cycles", choose}}, "my-bot");
}
