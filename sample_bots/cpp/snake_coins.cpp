// Plays Snake Labyrinth: steps to the nearest coin while that leaves time, then to the nearest
// exit.
#include <queue>
#include <set>
#include <string>
#include <utility>

#include "referee_bot.hpp"

namespace {

constexpr int steps_kept = 100;  // for the way out

struct Step {
    char letter;
    int down, right;
};
constexpr Step steps[] = {{'N', -1, 0}, {'E', 0, 1}, {'S', 1, 0}, {'O', 0, -1}};

// The first step of a shortest way to the next `target`; empty where there is none.
std::string step_to(char target, const referee_bot::json& state) {
    const std::vector<std::string> board = state["board"];
    struct Place {
        int row, column;
        char first;
    };
    std::queue<Place> places;
    std::set<std::pair<int, int>> seen;
    const auto cell = [&board](int row, int column) {
        if (row < 0 || row >= static_cast<int>(board.size())) return '#';
        const auto& line = board[static_cast<std::size_t>(row)];
        return column < 0 || column >= static_cast<int>(line.size())
                   ? '#'
                   : line[static_cast<std::size_t>(column)];
    };
    places.push({state["head"][0], state["head"][1], 0});
    seen.emplace(places.front().row, places.front().column);
    for (; !places.empty(); places.pop()) {
        const auto place = places.front();
        if (place.first != 0 && cell(place.row, place.column) == target)
            return std::string(1, place.first);
        for (const auto& step : steps) {
            const Place next{place.row + step.down, place.column + step.right,
                             place.first != 0 ? place.first : step.letter};
            const char there = cell(next.row, next.column);
            if (there == '#' || (there == '_' && target != '_')) continue;
            if (seen.emplace(next.row, next.column).second) places.push(next);
        }
    }
    return "";
}

std::string choose(referee_bot::Game& game) {
    const bool in_time =
        game.state["steps"].get<int>() + steps_kept < game.params["max_steps"].get<int>();
    const auto coin = in_time ? step_to('$', game.state) : "";
    game.debug(coin.empty() ? "to the exit" : "to a coin");
    if (!coin.empty()) return coin;
    const auto exit = step_to('_', game.state);
    return exit.empty() ? "N" : exit;
}

}  // namespace

int main(int argc, char** argv) {
    return referee_bot::run(argc, argv, {{"snake_labyrinth", choose}}, "snake-coins-cpp");
}
