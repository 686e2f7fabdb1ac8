// How strong the reference bots for E7 Planets are: score of each beside the attainable upper
// bound, its longest turn, and the sums by type of map.
//   e7_strength [PREFIX]      on the maps that ship, or those whose names begin so
//   e7_strength --fresh N     on N generated maps of each type

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "engines/e7_planets/e7_planets.h"
#include "engines/e7_planets/planets_maps.h"
#include "sample_bots/cpp/e7_planets/players.h"

namespace {

namespace e7 = engines::e7_planets;
namespace json = protocol::json;

struct Bot {
    const char* name;
    std::unique_ptr<kit::Player> (*make)(const kit::GameStart&);
};

constexpr Bot contenders[] = {
    {"random", bots::e7_planets::make_random},
    {"greedy", bots::e7_planets::make_greedy},
    {"planner", bots::e7_planets::make_planner},
};

struct Played {
    std::int64_t score = 0;
    std::int64_t turns = 0;
    bool win = false;
    bool caught = false;
    std::int64_t longest_us = 0;
};

std::string state_text(const engines::State& state) {
    std::string text;
    json::Writer writer(text);
    state.write_state(writer);
    return text;
}

Played play(const engines::Game& game, const std::string& params, const std::string& name,
            const Bot& bot) {
    using Clock = std::chrono::steady_clock;
    json::Document params_document;
    (void)params_document.parse(params);
    auto started = game.start(params_document.root(), 1);
    auto& state = *started.value();
    json::Document state_document;
    (void)state_document.parse(state_text(state));
    const auto player = bot.make(
        {name, "e7_planets", 0, {bot.name}, params_document.root(), state_document.root()});
    Played played;
    std::vector<engines::Note> notes;
    while (!state.over()) {
        (void)state_document.parse(state_text(state));
        const auto before = Clock::now();
        const auto move = player->move({played.turns + 1, 1'000'000, state_document.root()});
        const auto us =
            std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - before).count();
        played.longest_us = std::max<std::int64_t>(played.longest_us, us);
        ++played.turns;
        json::Document move_document;
        (void)move_document.parse(move);
        const engines::Answer answer{move_document.root(), 0};
        state.apply(std::span(&answer, 1), notes);
    }
    const auto outcome = state.outcome();
    json::Document detail;
    (void)detail.parse(outcome.detail);
    played.score = detail.root().find("score").integer().value_or(0);
    played.win = detail.root().find("win").boolean().value_or(false);
    played.caught = detail.root().find("caught").boolean().value_or(false);
    return played;
}

struct Sum {
    std::string kind;
    std::int64_t maps = 0;
    std::int64_t attainable = 0;
    std::vector<std::int64_t> scores = std::vector<std::int64_t>(std::size(contenders));
    std::vector<std::int64_t> full = std::vector<std::int64_t>(std::size(contenders));
};

void print_sums(const std::vector<Sum>& sums) {
    std::printf("\n%-10s %5s %10s", "maps", "", "attainable");
    for (const auto& bot : contenders) std::printf("  %19s", bot.name);
    std::printf("\n");
    for (const auto& sum : sums) {
        std::printf("%-10s %5lld %10lld", sum.kind.c_str(), static_cast<long long>(sum.maps),
                    static_cast<long long>(sum.attainable));
        for (std::size_t i = 0; i < std::size(contenders); ++i) {
            const auto share =
                100.0 * static_cast<double>(sum.scores[i]) / static_cast<double>(sum.attainable);
            std::printf("  %5lld %5.1f%% %3lld full", static_cast<long long>(sum.scores[i]), share,
                        static_cast<long long>(sum.full[i]));
        }
        std::printf("\n");
    }
}

struct Board {
    std::string name;
    std::string text;
};

std::vector<Board> shipped(const engines::MapCollection& maps, std::string_view prefix) {
    std::vector<Board> boards;
    for (const auto& name : maps.names()) {
        if (name.starts_with(prefix)) boards.push_back({name, *maps.text(name)});
    }
    return boards;
}

std::vector<Board> fresh(const engines::MapCollection& maps, std::uint32_t seeds) {
    std::vector<Board> boards;
    for (const std::string type : {"beta", "type-1", "type-2", "type-3"}) {
        // Seeds beyond those of the maps that ship.
        for (std::uint32_t seed = 1001; seed <= 1000 + seeds; ++seed) {
            const auto made = maps.generate({type, seed, {}, {}});
            boards.push_back({type + " seed " + std::to_string(seed), made.value()});
        }
    }
    return boards;
}

void print_head() {
    std::printf("%-26s %10s", "map", "attainable");
    for (const auto& bot : contenders) std::printf("  %26s", bot.name);
    std::printf("\n");
}

void play_board(const engines::Game& game, const Board& board, std::vector<Sum>& sums) {
    const auto map = e7::read_map_text(board.text).value();
    const auto attainable = e7::attainable(map).bound;
    const std::string kind(e7::type_name(e7::map_type(map)));
    auto sum =
        std::find_if(sums.begin(), sums.end(), [&](const Sum& each) { return each.kind == kind; });
    if (sum == sums.end()) sum = sums.insert(sums.end(), Sum{kind});
    ++sum->maps;
    sum->attainable += attainable;
    std::printf("%-26s %10lld", board.name.c_str(), static_cast<long long>(attainable));
    for (std::size_t i = 0; i < std::size(contenders); ++i) {
        const auto played = play(game, "{\"map\":" + board.text + "}", board.name, contenders[i]);
        sum->scores[i] += played.score;
        sum->full[i] += played.score == attainable ? 1 : 0;
        std::printf("  %4lld in %3lld %-6s %6.1f ms", static_cast<long long>(played.score),
                    static_cast<long long>(played.turns),
                    played.win      ? "won"
                    : played.caught ? "caught"
                                    : "",
                    static_cast<double>(played.longest_us) / 1000.0);
    }
    std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view first = argc > 1 ? argv[1] : "";
    const auto game = e7::make_game({});
    const bool is_fresh = first == "--fresh" && argc > 2;
    const auto boards = is_fresh
                            ? fresh(*game->maps(), static_cast<std::uint32_t>(std::stoul(argv[2])))
                            : shipped(*game->maps(), first);
    std::vector<Sum> sums;
    print_head();
    for (const auto& board : boards) play_board(*game, board, sums);
    print_sums(sums);
    return 0;
}
