// A program of the kind that the course asks for: `snake-challenge --challenge` reads the columns,
// the rows and the rows themselves from standard input, and prints one line of letters.

#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "engines/snake_labyrinth/maze.h"
#include "sample_bots/cpp/snake_labyrinth/players.h"

namespace {

namespace rules = engines::snake_labyrinth;

constexpr int exit_done = 0;
constexpr int exit_bad_input = 2;
// The interface tells no limit of steps and no budget; these are a game's.
constexpr std::int64_t steps_max = 1000;
constexpr std::int64_t budget_us = 60'000'000;

int plan_for(std::string_view text) {
    const auto maze = rules::read_maze(text);
    if (!maze) {
        const auto& error = maze.error();
        std::cerr << "snake-challenge: line " << error.line << ": " << error.member << ": "
                  << error.message << '\n';
        return exit_bad_input;
    }
    const auto& board = maze->board;
    // Nor does it tell the level; a board without body rules is only known by its narrow promise.
    const bool has_body = rules::narrowest_level(board) != rules::Level::challenge1;
    const bots::snake_labyrinth::Position position{rules::Walk(board, has_body), steps_max};
    const auto late =
        bots::snake_labyrinth::late_after(bots::snake_labyrinth::thinking_us(budget_us));
    std::cout << bots::snake_labyrinth::best_plan(position, {.is_late = late}) << '\n';
    return exit_done;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2 || std::string_view(argv[1]) != "--challenge") {
        std::cerr << "usage: snake-challenge --challenge < MAZE\n";
        return exit_bad_input;
    }
    std::ios::sync_with_stdio(false);
    const std::string text(std::istreambuf_iterator<char>(std::cin), {});
    return plan_for(text);
}
