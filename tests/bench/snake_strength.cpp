// How strong the reference bots for Snake Labyrinth are, on all mazes that ship with the game:
//     snake_strength [MAZE ...]

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "engines/snake_labyrinth/maze.h"
#include "engines/snake_labyrinth/mazes.h"
#include "engines/snake_labyrinth/snake_labyrinth.h"
#include "protocol/base/split_mix.h"
#include "sample_bots/cpp/snake_labyrinth/best.h"
#include "sample_bots/cpp/snake_labyrinth/players.h"
#include "sample_bots/cpp/snake_labyrinth/reading.h"

namespace {

namespace rules = engines::snake_labyrinth;
using bots::snake_labyrinth::Position;

constexpr int random_games = 100;

struct RandomResult {
    int out = 0;
    double mean_score = 0;  // unfinished games count 0
};

RandomResult play_random(const Position& position) {
    RandomResult result;
    for (int game = 0; game < random_games; ++game) {
        base::SplitMix random(static_cast<std::uint64_t>(game));
        auto walk = position.walk;
        while (!walk.has_left() && walk.steps() < position.steps_max) {
            walk.step(*rules::direction_of(bots::snake_labyrinth::random_letter(walk, random)));
        }
        if (!walk.has_left()) continue;
        ++result.out;
        result.mean_score += static_cast<double>(walk.score()) / random_games;
    }
    return result;
}

std::string score_text(const bots::snake_labyrinth::Route& route) {
    return route.is_out ? std::to_string(route.score) : "-";
}

void print_maze(const rules::ShippedMaze& shipped) {
    const auto maze = rules::read_maze(shipped.text).value();
    const auto level = maze.play_level();
    const Position position{rules::Walk(maze.board, rules::plays_with_body(level)),
                            rules::default_max_steps};
    const auto random = play_random(position);
    const auto right_hand = walk_route(position, bots::snake_labyrinth::right_hand_plan(position));
    const auto begin = std::chrono::steady_clock::now();
    const auto plan = bots::snake_labyrinth::best_plan(position);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    const auto best = walk_route(position, plan.letters);
    std::printf(
        "%-24.*s %-11.*s %4d %7.1f %11s %6s%s %6zu %7.2f\n", static_cast<int>(shipped.name.size()),
        shipped.name.data(), static_cast<int>(rules::name_of(level).size()),
        rules::name_of(level).data(), random.out, random.mean_score, score_text(right_hand).c_str(),
        score_text(best).c_str(), plan.is_proven ? "*" : " ", plan.letters.size(), took.count());
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> wanted(argv + 1, argv + argc);
    std::printf("%-24s %-11s %4s %7s %11s %7s %6s %7s\n", "maze", "level", "out", "random",
                "right-hand", "best", "steps", "seconds");
    for (const auto& maze : rules::shipped_mazes()) {
        if (wanted.empty() || std::find(wanted.begin(), wanted.end(), maze.name) != wanted.end())
            print_maze(maze);
    }
    std::printf(
        "\nrandom: mean of %d games, `out` of them finished; *: proven, no plan is better\n",
        random_games);
}
