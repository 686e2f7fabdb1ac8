// How strong a Superball bot is: plays it on a range of seeds in this process, charges it its real
// processor time under the game's pace rule, and prints the average of its scores.
//
//     superball_strength BOT [FIRST_SEED [LAST_SEED [POINTS_MAX]]]
//
// BOT is random, level2, level3 or champion; the seeds are 1 to 100 unless told otherwise. A game
// that reaches POINTS_MAX points is broken off and counts as that many: good bots play for hours,
// and the average of what was counted is then a bound from below.

#include <time.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "engines/superball/superball.h"
#include "protocol/json/document.h"
#include "sample_bots/cpp/superball/players.h"

namespace {

namespace json = protocol::json;

constexpr int exit_bad_input = 2;
constexpr std::int64_t us_per_s = 1'000'000;
constexpr std::int64_t ns_per_us = 1000;

std::int64_t processor_time_us() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * us_per_s + time.tv_nsec / ns_per_us;
}

struct Played {
    std::int64_t score = 0;
    std::int64_t used_us = 0;
    std::int64_t turns = 0;
    std::string detail;
};

Played play(const engines::Game& game, const kit::MakePlayer& make_player, std::uint32_t seed,
            std::int64_t points_max) {
    auto started = game.start({}, seed);
    auto& state = *started.value();
    json::Document params;
    json::Document shown;
    json::Document move;
    std::string text;
    if (!params.parse(game.full_params({}))) return {};
    kit::GameStart start;
    start.game = game.info().id;
    start.params = params.root();
    const auto player = make_player(start);
    Played played;
    std::vector<engines::Note> notes;
    while (!state.over()) {
        text.clear();
        json::Writer writer(text);
        state.write_state(writer);
        const auto before = processor_time_us();
        if (!shown.parse(text)) return {};
        if (shown.root().find("score").integer().value_or(0) >= points_max) {
            played.score = points_max;
            played.detail = "broken off at " + std::to_string(points_max) + " points";
            return played;
        }
        const auto answer = player->move({played.turns, 0, shown.root()});
        const auto used = processor_time_us() - before;
        played.used_us += used;
        played.turns += 1;
        engines::Answer given{{}, used};
        if (move.parse(answer)) given.move = move.root();
        state.apply({&given, 1}, notes);
    }
    const auto outcome = state.outcome();
    played.score = outcome.scores.front().in_halves() / 2;
    played.detail = outcome.detail;
    return played;
}

std::optional<kit::MakePlayer> find_player(std::string_view name) {
    using namespace bots::superball;
    if (name == "random") return make_random;
    if (name == "level2") return make_level2;
    if (name == "level3") return make_level3;
    if (name == "champion") return make_champion;
    return std::nullopt;
}

template <typename Number>
std::optional<Number> read_number(const char* text) {
    Number number = 0;
    const auto read = std::from_chars(text, text + std::strlen(text), number);
    if (read.ec != std::errc() || *read.ptr != '\0') return std::nullopt;
    return number;
}

}  // namespace

int main(int argc, char** argv) {
    constexpr std::uint32_t seeds_default = 100;
    constexpr int arguments_max = 5;
    const auto player = argc > 1 ? find_player(argv[1]) : std::nullopt;
    const auto first = argc > 2 ? read_number<std::uint32_t>(argv[2]) : 1;
    const auto last = argc > 3 ? read_number<std::uint32_t>(argv[3]) : seeds_default;
    const auto points_max =
        argc > 4 ? read_number<std::int64_t>(argv[4]) : std::numeric_limits<std::int64_t>::max();
    if (!player || !first || !last || !points_max || argc > arguments_max) {
        std::fprintf(stderr,
                     "usage: superball_strength random|level2|level3|champion [FIRST_SEED "
                     "[LAST_SEED [POINTS_MAX]]]\n");
        return exit_bad_input;
    }
    const auto game = engines::superball::make_game({});
    Played total;
    double games = 0;
    for (std::uint64_t seed = *first; seed <= *last; ++seed) {
        const auto played = play(*game, *player, static_cast<std::uint32_t>(seed), *points_max);
        total.score += played.score;
        total.used_us += played.used_us;
        total.turns += played.turns;
        games += 1;
        std::printf("seed %llu: %s, %.2f s of processor time; average %.2f\n",
                    static_cast<unsigned long long>(seed), played.detail.c_str(),
                    static_cast<double>(played.used_us) / us_per_s,
                    static_cast<double>(total.score) / games);
        std::fflush(stdout);
    }
    std::printf(
        "%s, seeds %u to %u: average %.2f; %.0f us a turn, %.3f s for 1000 points\n", argv[1],
        *first, *last, static_cast<double>(total.score) / games,
        static_cast<double>(total.used_us) / static_cast<double>(total.turns),
        static_cast<double>(total.used_us) / us_per_s / (static_cast<double>(total.score) / 1000));
    return 0;
}
