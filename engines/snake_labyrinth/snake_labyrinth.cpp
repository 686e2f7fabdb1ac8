#include "engines/snake_labyrinth/snake_labyrinth.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "engines/snake_labyrinth/mazes.h"
#include "engines/snake_labyrinth/setup.h"
#include "engines/snake_labyrinth/state.h"
#include "engines/words.h"
#include "protocol/base/assertion.h"
#include "protocol/json/text.h"

namespace engines::snake_labyrinth {
namespace {

constexpr std::int64_t game_budget_us = 60'000'000;
constexpr std::array<std::string_view, 3> bot_names{"snake-random", "snake-right-hand",
                                                    "snake-best"};

constexpr std::string_view expected = "one or more of the letters N, S, O (west) and E";
constexpr ByHand by_hand{
    .example = "EESS",
    .keys = "N, S, O and E, one or more",
    .legend =
        "N  one step up   S  one step down   O  one to the left (west)   E  to the right\n"
        "Several letters are a plan: EESS goes two right, then two down. A step costs a\n"
        "point, a coin is worth ten; your score counts only once you are at an exit.\n"
        "o is your head, \u00B0 your body, # a wall, $ a coin, _ an exit, T a drill (for three\n"
        "walls), ! a mishap that halves your coins.\n"};

constexpr std::array<DetailMember, 5> detail_members{{{"finished", DetailMember::Is::truth},
                                                      {"coins", DetailMember::Is::number},
                                                      {"steps", DetailMember::Is::number},
                                                      {"drilled", DetailMember::Is::number},
                                                      {"illegal_moves", DetailMember::Is::number}}};

constexpr GameInfo facts{
    .id = "snake_labyrinth",
    .title = "Snake Labyrinth",
    .clock = {.kind = ClockKind::game, .measure = Measure::wall, .budget_us = game_budget_us},
    .move_example = "\"EESS\"",
    .reference_bots = bot_names,
    .by_hand = by_hand,
    .plan_over = "no_move",
    .detail = detail_members,
};

// What counts when two outcomes are compared, in this order.
struct Rank {
    bool finished = false;
    Score score;
    std::int64_t steps_saved = 0;
    auto operator<=>(const Rank&) const = default;
};

Rank rank_of(const Outcome& outcome) {
    json::Document detail;
    const auto parsed = detail.parse(outcome.detail);
    REFEREE_ASSERT(parsed);
    const auto finished = detail.root().find("finished").boolean();
    const auto steps = detail.root().find("steps").integer();
    REFEREE_ASSERT(finished && steps);
    return {*finished, outcome.scores.front(), -*steps};
}

constexpr std::size_t plan_letters_told = 24;

class SnakeLabyrinth final : public Game {
 public:
    explicit SnakeLabyrinth(const Resources& resources) : mazes_(resources) {}

    const GameInfo& info() const override { return facts; }

    StartResult start(json::View params,
                      std::uint32_t /*nothing is left to chance*/) const override {
        auto setup = read_setup(params, mazes_);
        if (!setup) return base::failure(std::move(setup.error()));
        return std::make_unique<SnakeState>(*setup);
    }

    std::string full_params(json::View params) const override {
        const auto setup = read_setup(params, mazes_);
        REFEREE_ASSERT(setup.has_value());
        return write_setup(*setup);
    }

    std::optional<std::string> params_for(std::size_t seats) const override {
        if (seats != 1) return std::nullopt;
        auto maze = read_maze(shipped_mazes().front().text);
        REFEREE_ASSERT(maze.has_value());
        return write_setup({.board = std::move(maze->board)});
    }

    const MapCollection* maps() const override { return &mazes_; }

    std::weak_ordering compare(const Outcome& a, const Outcome& b) const override {
        return rank_of(a) <=> rank_of(b);
    }

    std::string tell_end(json::View full_params, json::View detail,
                         Seat /*the only one*/) const override {
        const auto number = [](json::View object, const char* name) {
            return object.find(name).integer().value_or(0);
        };
        const auto steps = number(detail, "steps");
        const auto illegal = number(detail, "illegal_moves");
        const auto made =
            counted(steps, "step") +
            (illegal == 0 ? "" : " (" + counted(illegal, "illegal move") + " among them)");
        if (detail.find("finished").boolean().value_or(false))
            return "left the maze after " + made + ", with " +
                   counted(number(detail, "coins"), "coin");
        if (illegal > 0 && full_params.find("on_illegal").string() == "void")
            return "a move that can't be carried out, or none, ended the game inside the maze, "
                   "after " +
                   counted(steps, "step");
        if (steps >= number(full_params, "max_steps"))
            return "was still inside the maze when all " + made + " were used up";
        return "was still inside the maze after " + made;
    }

    // Small letters are as good as capitals, and blanks are passed over.
    TypedMove move_from_text(std::string_view line) const override {
        std::string plan;
        for (const char c : trimmed(line)) {
            if (c == ' ' || c == '\t') continue;
            const char letter = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
            if (!direction_of(letter)) return base::failure(typed_instead(expected, line));
            plan += letter;
        }
        if (plan.empty()) return base::failure(typed_instead(expected, line));
        return '"' + plan + '"';
    }

    // A long plan by its beginning.
    std::string move_in_words(json::View move) const override {
        const auto plan = move.string().value_or("");
        if (plan.size() <= plan_letters_told) return std::string(plan);
        return std::string(json::utf8_prefix(plan, plan_letters_told)) + "\u2026 (" +
               std::to_string(plan.size()) + " steps)";
    }

 private:
    MazeCollection mazes_;
};

}  // namespace

std::unique_ptr<Game> make_game(const Resources& resources) {
    return std::make_unique<SnakeLabyrinth>(resources);
}

}  // namespace engines::snake_labyrinth
