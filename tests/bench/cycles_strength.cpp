// How strong the `smarter` team of Light Cycles is: plays it against three `dumb` teams, from each
// seat in turn, in this process, and prints how many games it won and what it used.
//
//     cycles_strength [GAMES [SIDE]]
//
// 100 games on the usual grid of 170 x 170 unless told otherwise.

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "engines/light_cycles/arena.h"
#include "sample_bots/cpp/light_cycles/players.h"
#include "tests/engines/light_cycles/playing.h"

namespace {

constexpr int exit_bad_input = 2;
constexpr int teams = 4;
constexpr int games_default = 100;
constexpr int side_min = 10;  // below it the scaled starts meet

bool read_count(const char* text, int& count) {
    const char* end = text + std::strlen(text);
    const auto read = std::from_chars(text, end, count);
    return read.ec == std::errc() && read.ptr == end && count > 0;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace bots::light_cycles;
    int games = games_default;
    int side = engines::light_cycles::width_default;
    if (argc > 3 || (argc > 1 && !read_count(argv[1], games)) ||
        (argc > 2 && !read_count(argv[2], side)) || side < side_min) {
        std::fprintf(stderr, "usage: %s [GAMES [SIDE]]\n", argv[0]);
        return exit_bad_input;
    }
    const auto params = tests::square_params(side);
    int wins = 0;
    std::int64_t longest_us = 0;
    std::int64_t mean_us_sum = 0;
    std::int64_t turns = 0;
    for (int i = 0; i < games; ++i) {
        const auto seat = static_cast<engines::Seat>(i % teams);
        std::vector<tests::MakePlayer> players(teams, make_dumb);
        players[seat] = make_smarter;
        const auto game =
            tests::play_cycles(params, players, "strength " + std::to_string(i), seat);
        const bool won = game.outcome.placing[seat] == 1 &&
                         game.outcome.scores[seat] > engines::Score::whole(teams - 2);
        wins += won;
        longest_us = std::max(longest_us, game.longest_us);
        mean_us_sum += game.mean_us;
        turns += game.turns;
        if (!won)
            std::printf("game %d, seat %zu: not won: %s\n", i, seat, game.outcome.detail.c_str());
    }
    std::printf("smarter won %d of %d games against three dumb teams\n", wins, games);
    std::printf("turns a game: %lld; processor time a turn: mean %lld us, longest %lld us\n",
                static_cast<long long>(turns / games), static_cast<long long>(mean_us_sum / games),
                static_cast<long long>(longest_us));
    return 0;
}
