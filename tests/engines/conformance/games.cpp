#include "tests/engines/conformance/games.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "tests/engines/conformance/hostile_json.h"

namespace tests {

using Json = nlohmann::json;

namespace {

std::string one_of(Random& random, std::string_view letters) {
    return Json(std::string(1, letters[random.below(letters.size())])).dump();
}

std::string walls_move(Random& random, const Json&, const Json&, engines::Seat) {
    return one_of(random, "FFFLR");
}

std::string e7_move(Random& random, const Json&, const Json&, engines::Seat) {
    return one_of(random, "UDLR.");
}

std::string snake_move(Random& random, const Json&, const Json&, engines::Seat) {
    constexpr std::string_view letters = "NSOE";
    constexpr std::size_t plan_max = 8;
    std::string plan(1, letters[random.below(letters.size())]);
    if (random.chance(10)) {
        const auto size = random.below(plan_max);
        for (std::size_t i = 0; i < size; ++i) plan += letters[random.below(letters.size())];
    }
    return Json(plan).dump();
}

// For some turns the cycles drive around squares, then they go anywhere.
std::string cycles_move(Random& random, const Json& params, const Json& state, engines::Seat seat) {
    constexpr std::array<std::pair<int, int>, 4> steps = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
    constexpr std::size_t side = 12;
    const auto own = params.at("cycles_per_team").get<std::size_t>();
    Json cells = Json::array();
    for (std::size_t i = seat * own; i < (seat + 1) * own; ++i) {
        const auto at = state.at("cycles").at(i).get<std::array<int, 2>>();
        auto direction = (i + state.at("turn").get<std::size_t>() / side) % steps.size();
        if (random.chance(2)) direction = random.below(steps.size());
        cells.push_back({at[0] + steps[direction].first, at[1] + steps[direction].second});
    }
    if (random.chance(1)) cells[random.below(own)] = Json::parse(random_json(random));
    return cells.dump();
}

using Cell = std::pair<std::size_t, std::size_t>;

char lower(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

std::vector<Cell> pieces(const std::vector<std::string>& board) {
    std::vector<Cell> cells;
    for (std::size_t r = 0; r < board.size(); ++r) {
        for (std::size_t c = 0; c < board[r].size(); ++c) {
            if (board[r][c] != '.' && board[r][c] != '*') cells.emplace_back(r, c);
        }
    }
    return cells;
}

std::size_t group_size(std::vector<std::string>& board, Cell at, char color) {
    constexpr char seen = '.';
    if (at.first >= board.size() || at.second >= board[0].size()) return 0;
    char& cell = board[at.first][at.second];
    if (lower(cell) != color) return 0;
    cell = seen;
    return 1 + group_size(board, {at.first + 1, at.second}, color) +
           group_size(board, {at.first - 1, at.second}, color) +
           group_size(board, {at.first, at.second + 1}, color) +
           group_size(board, {at.first, at.second - 1}, color);
}

// Scores where that is possible, else swaps two pieces.
std::string superball_move(Random& random, const Json& params, const Json& state, engines::Seat) {
    const auto board = state.at("board").get<std::vector<std::string>>();
    const auto cells = pieces(board);
    for (const auto& [r, c] : cells) {
        if (board[r][c] == lower(board[r][c])) continue;
        auto copy = board;
        if (group_size(copy, {r, c}, lower(board[r][c])) <
            params.at("min_score_size").get<std::size_t>()) {
            continue;
        }
        return Json("SCORE " + std::to_string(r) + " " + std::to_string(c)).dump();
    }
    if (cells.size() < 2) return "null";
    const auto a = random.below(cells.size());
    const auto b = (a + 1 + random.below(cells.size() - 1)) % cells.size();
    return Json("SWAP " + std::to_string(cells[a].first) + " " + std::to_string(cells[a].second) +
                " " + std::to_string(cells[b].first) + " " + std::to_string(cells[b].second))
        .dump();
}

std::vector<GameCase> table() {
    return {
        {"e7_planets",
         {R"({"map": {"grid": [[0, 0, -1, 3, 0], [0, 2, 0, 0, 0], [0, 0, 0, -1, 0]],
                      "player": {"location": [[null, null], [1, 1]], "score": 0},
                      "scraps": [{"location": [1, 4], "value": 5}, {"location": [3, 3], "value": 1}],
                      "ghosts": [{"location": [[1, 5], [2, 5]], "type": "backandforth", "transparency": 0},
                                 {"location": [[null, null], [3, 5]], "type": "towardplayer",
                                  "transparency": 2}],
                      "remaining_turns": 30}})"},
         10,
         e7_move},
        {"light_cycles",
         {"{}", R"({"width": 12, "height": 9, "teams": 2, "cycles_per_team": 2, "grace_turns": 5,
                    "starts": [[0,0],[11,8],[0,8],[11,0]]})",
          R"({"width": 40, "height": 40, "teams": 5, "cycles_per_team": 1, "mean_budget_us": 1,
              "starts": [[0,0],[10,20],[20,20],[30,5],[30,30]]})"},
         2,
         cycles_move},
        {"snake_labyrinth",
         {R"({"board": ["#####","o $ _","#####"]})",
          R"({"board": ["########","o$$ !$ #","# T#$  _","#$   $ #","########"],
              "max_steps": 60})",
          R"({"board": ["#######","o$$$$ #","# $   _","#######"], "max_steps": 100,
              "level": "challenge1"})",
          R"({"board": ["#####","o $ _","#####"], "on_illegal": "void"})"},
         2,
         snake_move},
        {"walls",
         {"{}", R"({"size": 3})", R"({"size": 3, "first": 1})", R"({"size": 7, "first": 1})",
          R"({"size": 99})"},
         10,
         walls_move},
        {"superball",
         {"{}", R"({"pace_us": 2000})", R"({"rows": 5, "cols": 1, "min_score_size": 1})",
          R"({"rows": 12, "cols": 9, "min_score_size": 3, "colors": "ab", "pace_us": 0})"},
         1,
         superball_move},
    };
}

GameCase unknown_game(const engines::Game& game) {
    constexpr std::size_t percent = 10;
    return {std::string(game.info().id), {}, percent, {}};
}

}  // namespace

std::string shown_move(const GameCase& game, Random& random, const nlohmann::json& params,
                       const nlohmann::json& shown, engines::Seat seat) {
    if (game.make_move) return game.make_move(random, params, shown, seat);
    return std::string(registry().find(game.id)->info().move_example);
}

std::string some_move(const GameCase& game, Random& random, const nlohmann::json& params,
                      const nlohmann::json& shown, const engines::State& state,
                      engines::Seat seat) {
    constexpr std::size_t listed_percent = 25;
    if (game.make_move && !random.chance(listed_percent)) {
        return game.make_move(random, params, shown, seat);
    }
    if (const auto legal = state.legal_moves(seat)) {
        return legal->moves[random.below(legal->moves.size())];
    }
    return shown_move(game, random, params, shown, seat);
}

const engines::Registry& registry() {
    static const engines::Registry registry;
    return registry;
}

std::vector<GameCase> game_cases() {
    const auto known = table();
    std::vector<GameCase> cases;
    for (const auto& game : registry().games()) {
        const auto entry = std::find_if(known.begin(), known.end(), [&](const GameCase& one) {
            return one.id == game->info().id;
        });
        cases.push_back(entry == known.end() ? unknown_game(*game) : *entry);
        const auto& info = game->info();
        for (auto seats = info.seats_min; seats <= info.seats_max; ++seats) {
            if (auto params = game->params_for(seats)) cases.back().setups.push_back(*params);
        }
    }
    return cases;
}

}  // namespace tests
