#include "sample_bots/cpp/snake_labyrinth/players.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "engines/snake_labyrinth/maze.h"

namespace bots::snake_labyrinth {
namespace {

namespace rules = engines::snake_labyrinth;
namespace cell = rules::cell;
namespace json = protocol::json;

struct Place {
    std::size_t row = 0, column = 0;
};

std::optional<Place> read_place(json::View view) {
    const auto row = view.at(0).unsigned_integer();
    const auto column = view.at(1).unsigned_integer();
    if (!row || !column || *row >= rules::side_max || *column >= rules::side_max)
        return std::nullopt;
    return Place{*row, *column};
}

// The board with the start where the head is now. A head on an exit makes no board.
std::optional<Board> read_board(json::View rows, Place head) {
    std::vector<std::string> texts;
    for (const auto row : rows.elements()) {
        const auto text = row.string();
        if (!text) return std::nullopt;
        texts.emplace_back(*text);
    }
    if (head.row >= texts.size() || head.column >= texts[head.row].size()) return std::nullopt;
    texts[head.row][head.column] = rules::cell::start;
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    auto board = Board::from_rows(views);
    if (!board) return std::nullopt;
    return *std::move(board);
}

// From the tail to the head, as Walk wants it.
std::optional<std::vector<Direction>> read_body(json::View body, const Board& board) {
    std::vector<Direction> directions;
    auto ahead = board.start();
    for (const auto segment : body.elements()) {
        const auto place = read_place(segment);
        if (!place || place->row >= board.rows() || place->column >= board.columns())
            return std::nullopt;
        const auto here = board.square(place->row, place->column);
        const auto before = directions.size();
        for (const auto direction : rules::all_directions) {
            if (board.neighbour(here, direction) == ahead) directions.push_back(direction);
        }
        if (directions.size() != before + 1) return std::nullopt;
        ahead = here;
    }
    std::reverse(directions.begin(), directions.end());
    return directions;
}

// Turning right again and again.
constexpr std::array clockwise{Direction::north, Direction::east, Direction::south,
                               Direction::west};

std::size_t quarter_of(Direction direction) {
    const auto at = std::find(clockwise.begin(), clockwise.end(), direction);
    return static_cast<std::size_t>(at - clockwise.begin());
}

Direction turned(Direction direction, std::size_t quarters) {
    return clockwise[(quarter_of(direction) + quarters) % clockwise.size()];
}

constexpr std::size_t to_the_right = 1, backwards = 2, to_the_left = 3;

bool is_open(const Walk& walk, Direction direction) {
    const auto ahead = walk.board().neighbour(walk.head(), direction);
    return ahead && walk.cells()[*ahead] != cell::wall;
}

// Away from the edge of the board where the start is on one, else east.
Direction first_heading(const Walk& walk) {
    for (const auto direction : rules::all_directions) {
        const auto behind = walk.board().neighbour(walk.head(), rules::opposite(direction));
        if (!behind && is_open(walk, direction)) return direction;
    }
    return Direction::east;
}

class WallFollower {
 public:
    explicit WallFollower(const Position& position)
        : walk_(position.walk), steps_max_(position.steps_max) {}

    std::string plan() {
        begin_ = walk_.path().size();
        heading_ = first_heading(walk_);
        go_to_a_wall();
        while (can_go_on() && seen_.emplace(walk_.head(), heading_).second && step()) continue;
        auto letters = std::string(walk_.path().substr(begin_));
        if (can_go_on()) letters += shortest_plan(walk_);
        return letters;
    }

 private:
    bool can_go_on() const { return !walk_.has_left() && walk_.steps() < steps_max_; }

    void go_to_a_wall() {
        if (!is_open(walk_, turned(heading_, to_the_right))) return;
        while (can_go_on() && is_open(walk_, heading_)) walk_.step(heading_);
        heading_ = turned(heading_, to_the_left);
    }

    bool step() {
        for (const auto quarters : {to_the_right, std::size_t{0}, to_the_left, backwards}) {
            const auto direction = turned(heading_, quarters);
            if (!is_open(walk_, direction)) continue;
            heading_ = direction;
            walk_.step(direction);
            return true;
        }
        return false;
    }

    Walk walk_;
    std::int64_t steps_max_;
    std::size_t begin_ = 0;
    Direction heading_ = Direction::east;
    std::set<std::pair<Square, Direction>> seen_;
};

// The letters of a plan from a position, within a budget in microseconds.
using Planner = std::function<std::string(const Position&, std::int64_t)>;

// The params are kept, each turn's state is read.
class BoardPlayer final : public Player {
 public:
    BoardPlayer(const GameStart& start, Planner planner) : planner_(std::move(planner)) {
        json::Writer writer(params_text_);
        start.params.write(writer);
    }

    std::string move(const Turn& turn) override {
        json::Document params;
        if (!params.parse(params_text_)) return null_move;
        const auto position = read_position(params.root(), turn.state);
        if (!position) return null_move;
        const auto letters = planner_(*position, turn.budget_us);
        return letters.empty() ? "\"N\"" : '"' + letters + '"';
    }

 private:
    static constexpr const char* null_move = "null";

    Planner planner_;
    std::string params_text_;
};

}  // namespace

std::optional<Position> read_position(json::View params, json::View state) {
    const auto name = params.find("level").string();
    const auto level = name ? rules::level_named(*name) : std::nullopt;
    const auto steps_max = params.find("max_steps").integer();
    const auto head = read_place(state.find("head"));
    const auto coins = state.find("coins").integer();
    const auto drill = state.find("drill").integer();
    const auto steps = state.find("steps").integer();
    if (!level || !steps_max || !head || !coins || !drill || !steps) return std::nullopt;
    const auto board = read_board(state.find("board"), *head);
    if (!board) return std::nullopt;
    const bool has_body = rules::plays_with_body(*level);
    auto body = read_body(state.find("body"), *board);
    if (!body || (!has_body && !body->empty())) return std::nullopt;
    return Position{Walk(*board, has_body, {std::move(*body), *coins, *drill, *steps}), *steps_max};
}

char random_letter(const Walk& walk, base::SplitMix& random) {
    std::vector<Direction> legal;
    for (const auto direction : rules::all_directions) {
        const auto ahead = walk.board().neighbour(walk.head(), direction);
        if (ahead && (walk.cells()[*ahead] != cell::wall || walk.drill_uses() > 0))
            legal.push_back(direction);
    }
    if (legal.empty()) return rules::letter_of(Direction::north);
    return rules::letter_of(legal[random.below(legal.size())]);
}

std::string right_hand_plan(const Position& position) {
    return WallFollower(position).plan();
}

std::string shortest_plan(const Walk& walk) {
    constexpr char unseen = 0;
    const auto& board = walk.board();
    std::string came_by(board.size(), unseen);  // the letter that first led to a square
    std::vector<Square> queue{walk.head()};
    came_by[walk.head()] = cell::start;
    for (std::size_t next = 0; next < queue.size(); ++next) {
        auto here = queue[next];
        if (walk.cells()[here] == cell::exit) {
            std::string letters;
            while (here != walk.head()) {
                letters += came_by[here];
                here = *board.neighbour(here, rules::opposite(*rules::direction_of(came_by[here])));
            }
            std::reverse(letters.begin(), letters.end());
            return letters;
        }
        for (const auto direction : rules::all_directions) {
            const auto there = board.neighbour(here, direction);
            if (!there || came_by[*there] != unseen || walk.cells()[*there] == cell::wall) continue;
            came_by[*there] = rules::letter_of(direction);
            queue.push_back(*there);
        }
    }
    return {};
}

std::unique_ptr<Player> make_random(const GameStart& start) {
    return std::make_unique<BoardPlayer>(
        start, [random = base::SplitMix(seed_of(start.game_id))](const Position& position,
                                                                 std::int64_t) mutable {
            return std::string(1, random_letter(position.walk, random));
        });
}

std::unique_ptr<Player> make_right_hand(const GameStart& start) {
    return std::make_unique<BoardPlayer>(
        start, [](const Position& position, std::int64_t) { return right_hand_plan(position); });
}

std::unique_ptr<Player> make_best(const GameStart& start) {
    return std::make_unique<BoardPlayer>(
        start, [](const Position& position, std::int64_t budget_us) {
            return best_plan(position, {.is_late = late_after(thinking_us(budget_us))});
        });
}

}  // namespace bots::snake_labyrinth
