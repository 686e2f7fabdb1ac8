#include "sample_bots/cpp/snake_labyrinth/players.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "sample_bots/cpp/snake_labyrinth/best.h"

namespace bots::snake_labyrinth {
namespace {

namespace rules = engines::snake_labyrinth;
namespace cell = rules::cell;

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

namespace json = protocol::json;

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
            return best_plan(position, {.is_late = late_after(thinking_us(budget_us))}).letters;
        });
}

}  // namespace bots::snake_labyrinth
