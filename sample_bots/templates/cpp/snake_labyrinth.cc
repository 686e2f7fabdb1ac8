// Plays Snake Labyrinth, and badly: it steps at random to where no wall is.
// Where to begin: state.board shows coins as $ and exits as _: find a way to them. A move may be many letters.
// engines/snake_labyrinth/RULES.md says what the state holds and what a move looks like.
#include <cctype>
#include <cstdlib>
#include <string>
#include <vector>

#include "referee_bot.hpp"

using referee_bot::Game;
using referee_bot::json;

const std::string letters = "NSOE";
const int down[] = {-1, 1, 0, 0}, right[] = {0, 0, -1, 1};  // a step by these letters

bool is_open(const json& board, int row, int column) {
    if (row < 0 || row >= static_cast<int>(board.size()) || column < 0) return false;
    const auto line = board[row].get<std::string>();
    return column < static_cast<int>(line.size()) && line[column] != '#';
}

json choose(Game& game) {
    const int row = game.state["head"][0], column = game.state["head"][1];
    std::string ways;
    for (int i = 0; i < 4; ++i) {
        if (is_open(game.state["board"], row + down[i], column + right[i])) ways += letters[i];
    }
    return ways.empty() ? "N" : std::string(1, ways[std::rand() % ways.size()]);
}

int main(int argc, char** argv) {
    return referee_bot::run(argc, argv, {{"snake_labyrinth", choose}}, "my-bot");
}
