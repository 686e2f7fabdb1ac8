#include "engines/snake_labyrinth/snake_labyrinth.h"

#include <array>
#include <limits>
#include <utility>

#include "engines/snake_labyrinth/maze.h"
#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "protocol/base/utf8.h"

namespace engines::snake_labyrinth {
namespace {

constexpr std::array<std::string_view, 5> known_members{"board", "maze", "level", "max_steps",
                                                        "on_illegal"};
constexpr std::string_view stay_name = "stay";
constexpr std::string_view void_name = "void";

std::optional<Board> named_board(const json::Placed& name, const MapCollection& mazes) {
    const auto text = name.view().string();
    if (!text) {
        name.expected("the name of a maze, as in \"handout\"");
        return std::nullopt;
    }
    const auto maze_text = mazes.text(*text);
    if (!maze_text) {
        name.wrong("there is no maze of that name; there are " + base::joined(mazes.names()));
        return std::nullopt;
    }
    auto maze = read_maze(*maze_text);
    if (maze) return std::move(maze->board);
    const auto& error = maze.error();
    name.wrong(fmt::format("the maze of that name is malformed: {}{}: {}",
                           error.line == 0 ? "" : fmt::format("line {}: ", error.line),
                           error.member, error.message));
    return std::nullopt;
}

// From one of the two, which must be the only one.
std::optional<Board> read_either(const json::Placed& params, const json::Placed& rows,
                                 const json::Placed& maze, const MapCollection& mazes) {
    if (static_cast<bool>(rows) == static_cast<bool>(maze)) {
        params.wrong(std::string("expected exactly one of \"board\" and \"maze\", and here ") +
                     (rows ? "are both" : "is neither"));
        return std::nullopt;
    }
    return rows ? read_board(rows) : named_board(maze, mazes);
}

void read_rest(json::Reader& params, Setup& setup) {
    if (const auto name = params.optional("level"))
        setup.level = read_level(name).value_or(setup.level);
    params.integer("max_steps", setup.max_steps, 1, std::numeric_limits<std::int64_t>::max(),
                   "1000");
    if (const auto choice = params.optional_word("on_illegal", {stay_name, void_name}))
        setup.on_illegal = *choice == 0 ? OnIllegal::stay : OnIllegal::void_game;
}

constexpr char segment_mark = 'b';  // in cells only; shown as the ring
constexpr std::string_view segment_ring = "\u00B0";
constexpr char way_mark = '.';
constexpr char end_mark = 'x';

std::string draw_rows(const std::string& cells, const Board& board, const Window& window) {
    std::string text;
    for (int row = window.rows.first; row < window.rows.end(); ++row) {
        const auto begin = static_cast<std::size_t>(row) * board.columns();
        for (int column = window.columns.first; column < window.columns.end(); ++column) {
            const char cell = cells[begin + static_cast<std::size_t>(column)];
            if (cell == segment_mark) {
                text += segment_ring;
            } else {
                text += cell;
            }
        }
        text += '\n';
    }
    return text +
           place_of(window, static_cast<int>(board.rows()), static_cast<int>(board.columns()), 0);
}

std::string figures_text(const Walk& walk) {
    return fmt::format("steps {}, coins {}, drill uses {}, score {}\n", walk.steps(), walk.coins(),
                       walk.drill_uses(), walk.score());
}

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
    .counting =
        "Rows and columns count from 0, the corner at the top left. \"Letter 1\" is the first of "
        "the answer. A maze that isn't left scores 0",
    .first_setups = R"([{"maze": "handout"}])",
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
        return setup_text(*setup);
    }

    std::optional<std::string> params_for(std::size_t seats) const override {
        if (seats != 1) return std::nullopt;
        auto maze = read_maze(shipped_mazes().front().text);
        REFEREE_ASSERT(maze.has_value());
        return setup_text({.board = std::move(maze->board)});
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
            base::counted(steps, "step") +
            (illegal == 0 ? "" : " (" + base::counted(illegal, "illegal move") + " among them)");
        if (detail.find("finished").boolean().value_or(false))
            return "left the maze after " + made + ", with " +
                   base::counted(number(detail, "coins"), "coin");
        if (illegal > 0 && full_params.find("on_illegal").string() == "void")
            return "was still inside the maze after " + base::counted(steps, "step") +
                   ", which scores 0";
        if (steps >= number(full_params, "max_steps"))
            return "was still inside the maze when all " + made + " were used up, which scores 0";
        return "was still inside the maze after " + made + ", which scores 0";
    }

    std::string tell_end_without_map(json::View detail) const override {
        return detail.find("finished").boolean().value_or(false)
                   ? "the snake left the maze"
                   : "the snake was still inside the maze, which scores 0";
    }

    // Small letters are as good as capitals, and blanks are passed over.
    TypedMove move_from_text(std::string_view line) const override {
        std::string plan;
        for (const char c : typed_word(line)) {
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
        const auto plan = move.text();
        if (plan.size() <= plan_letters_told) return std::string(plan);
        return fmt::format("{}\u2026 ({} letters in all)",
                           base::utf8_prefix(plan, plan_letters_told), plan.size());
    }

 private:
    MazeCollection mazes_;
};

}  // namespace

base::Result<Setup, SetupError> read_setup(json::View params, const MapCollection& mazes) {
    json::Mistakes mistakes;
    const json::Placed given(params, mistakes, "params");
    if (!params.is_object()) {
        given.expected(
            R"(an object with a board or a maze, as in {"board": ["#####", "o $ _", "#####"]})");
    }
    json::Reader reader(given);
    reader.only(known_members);
    const auto rows = reader.optional("board");
    const auto maze = reader.optional("maze");
    auto board = read_either(given, rows, maze, mazes);
    if (mistakes) return base::failure(refusal(mistakes));
    Setup setup{.board = *std::move(board)};
    read_rest(reader, setup);
    if (mistakes) return base::failure(refusal(mistakes));
    if (const auto kept = check_promise(setup.board, setup.level); !kept) {
        const auto& broken = kept.error();
        rows ? rows.element(*broken.row).wrong(broken.message) : maze.wrong(broken.message);
        return base::failure(refusal(mistakes));
    }
    return setup;
}

std::string setup_text(const Setup& setup) {
    return json::object_text([&](json::Writer& writer) {
        writer.key("board");
        write_board(writer, setup.board);
        writer.member("level", name_of(setup.level));
        writer.member("max_steps", setup.max_steps);
        writer.member("on_illegal", setup.on_illegal == OnIllegal::stay ? stay_name : void_name);
    });
}

std::string draw_board(const Board& board) {
    std::string text;
    for (std::size_t row = 0; row < board.rows(); ++row) text += board.row_text(row) + "\n";
    return text;
}

std::string draw_position(const Walk& walk, const Window& window) {
    auto cells = walk.cells();
    for (const auto square : walk.body()) cells[square] = segment_mark;
    cells[walk.head()] = cell::start;
    return draw_rows(cells, walk.board(), window) + figures_text(walk);
}

std::string draw_path(const Walk& walk, const Window& window, std::size_t line_max) {
    const auto& board = walk.board();
    auto cells = board.cells();
    auto square = board.start();
    for (const char letter : walk.path()) {
        square = *board.neighbour(square, *direction_of(letter));
        if (cells[square] != cell::exit) cells[square] = way_mark;
    }
    cells[board.start()] = cell::start;
    if (!walk.has_left()) cells[walk.head()] = end_mark;
    const std::string_view ending = walk.has_left() ? "left the labyrinth: " : "still inside: ";
    auto text = draw_rows(cells, board, window) + std::string(ending) + figures_text(walk);
    auto moves = "moves: " + (walk.path().empty() ? "(none)" : std::string(walk.path()));
    for (; moves.size() > line_max; moves.erase(0, line_max)) {
        text += moves.substr(0, line_max) + "\n";
    }
    return text + moves + "\n";
}

std::unique_ptr<Game> make_game(const Resources& resources) {
    return std::make_unique<SnakeLabyrinth>(resources);
}

}  // namespace engines::snake_labyrinth
