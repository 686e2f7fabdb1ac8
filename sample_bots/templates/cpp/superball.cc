// Plays Superball, and badly: it swaps two pieces at random, and never scores.
// Where to begin: look for a group that touches a goal cell, and answer SCORE row column.
// engines/superball/RULES.md says what the state holds and what a move looks like.
#include <cctype>
#include <cstdlib>
#include <string>
#include <vector>

#include "referee_bot.hpp"

using referee_bot::Game;
using referee_bot::json;

json choose(Game& game) {
    std::vector<std::string> pieces;
    const auto board = game.state["board"].get<std::vector<std::string>>();
    for (std::size_t row = 0; row < board.size(); ++row) {
        for (std::size_t column = 0; column < board[row].size(); ++column) {
            if (std::isalpha(static_cast<unsigned char>(board[row][column])))
                pieces.push_back(std::to_string(row) + " " + std::to_string(column));
        }
    }
    const auto one = std::rand() % pieces.size();
    const auto other = (one + 1 + std::rand() % (pieces.size() - 1)) % pieces.size();
    return "SWAP " + pieces[one] + " " + pieces[other];
}

int main(int argc, char** argv) {
    return referee_bot::run(argc, argv, {{"superball", choose}}, "my-bot");
}
