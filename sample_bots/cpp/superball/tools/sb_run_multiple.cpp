#include <cstdio>

#include "engines/superball/position.h"
#include "sample_bots/cpp/superball/tools/arguments.h"
#include "sample_bots/cpp/superball/tools/player_command.h"

// Plays a player program on several seeds in a row, with the running average of its scores.

namespace {

using namespace bots::superball::tools;
using engines::superball::Position;

constexpr std::string_view tool = "sb-run-multiple";
constexpr std::string_view usage = "r c mss colors player nruns starting_seed";
constexpr std::size_t arguments_count = rules_arguments + 3;

// The final score; 0 where the player gives an illegal move or none.
std::int64_t play_game(const Rules& rules, const PlayerCommand& player, std::uint32_t seed) {
    Position game(rules, seed);
    while (!game.full()) {
        const auto line = player.move_for(game.board());
        if (!line) return 0;
        const auto move = read_move(game, *line);
        if (!move) return 0;
        game.play(*move);
    }
    return game.score();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 1 + static_cast<int>(arguments_count)) return refuse_usage(tool, usage);
    const auto rules = read_rules({argv + 1, rules_arguments});
    if (!rules) return refuse(tool, rules.error());
    const auto runs = read_integer(argv[6]);
    const auto seed = read_integer(argv[7]);
    if (!runs || *runs < 1) return refuse(tool, {"nruns is a number of at least 1"});
    if (!seed) return refuse(tool, {"starting_seed is a number, such as 1"});
    const PlayerCommand player(argv[5], *rules);
    std::int64_t total = 0;
    for (std::int64_t run = 0; run < *runs; ++run) {
        const auto score = play_game(*rules, player, static_cast<std::uint32_t>(*seed + run));
        total += score;
        std::printf("Run %3lld - Score: %5lld  - Average %8.3f\n", static_cast<long long>(run + 1),
                    static_cast<long long>(score),
                    static_cast<double>(total) / static_cast<double>(run + 1));
        std::fflush(stdout);
    }
    return exit_done;
}
