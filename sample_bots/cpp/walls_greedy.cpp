// Plays Walls: always the shortest way to the next brick of its own, whatever the other is up to.
#include <array>
#include <queue>
#include <set>
#include <string>
#include <tuple>

#include "referee_bot.hpp"

namespace {

const std::string clockwise = "NESW";
constexpr std::array<int, 4> down{-1, 0, 1, 0}, right{0, 1, 0, -1};  // a step in these directions

struct Place {
    int row, column, facing;
    char first;  // the move that this way begins with
};

Place after(Place place, char move) {
    if (place.first == 0) place.first = move;
    if (move == 'F') {
        place.row += down[static_cast<std::size_t>(place.facing)];
        place.column += right[static_cast<std::size_t>(place.facing)];
    } else {
        place.facing = (place.facing + (move == 'R' ? 1 : 3)) % 4;
    }
    return place;
}

std::string greedy_move(const referee_bot::Game& game) {
    const std::vector<std::string> board = game.state["board"];
    const auto& self = game.state["players"][game.seat];
    const auto& other = game.state["players"][1 - game.seat];
    const int size = static_cast<int>(board.size());
    const auto square = [&board](const Place& place) {
        return board[static_cast<std::size_t>(place.row)][static_cast<std::size_t>(place.column)];
    };
    const auto can_enter = [&](const Place& place) {
        if (place.row < 0 || place.row >= size || place.column < 0 || place.column >= size)
            return false;
        return square(place) != "AB"[1 - game.seat] &&
               (place.row != other["at"][0] || place.column != other["at"][1]);
    };
    std::queue<Place> places;
    std::set<std::tuple<int, int, int>> seen;
    const auto visit = [&](const Place& place) {
        if (seen.emplace(place.row, place.column, place.facing).second) places.push(place);
    };
    visit({self["at"][0], self["at"][1],
           static_cast<int>(clockwise.find(self["facing"].get<std::string>())), 0});
    for (; !places.empty(); places.pop()) {
        const auto place = places.front();
        if (square(place) == '.' && can_enter(after(place, 'F')))
            return std::string(1, place.first != 0 ? place.first : 'F');
        for (const char move : {'F', 'L', 'R'}) {
            if (can_enter(after(place, move)) || move != 'F') visit(after(place, move));
        }
    }
    return "L";  // no brick can be had any more
}

}  // namespace

int main(int argc, char** argv) {
    return referee_bot::run(argc, argv, {{"walls", greedy_move}}, "walls-greedy-cpp");
}
