#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/engine_text.h"
#include "engines/game.h"
#include "engines/snake_labyrinth/board.h"
#include "engines/snake_labyrinth/maze.h"
#include "protocol/base/result.h"

namespace engines::snake_labyrinth {

// What becomes of a letter that can't be carried out.
enum class OnIllegal : std::uint8_t {
    stay,       // the snake stays, a step is charged, the plan goes on
    void_game,  // the game ends unfinished
};

inline constexpr std::int64_t default_max_steps = 1000;

// The params of a game with everything filled in.
struct Setup {
    Board board;
    Level level = Level::final;
    std::int64_t max_steps = default_max_steps;
    OnIllegal on_illegal = OnIllegal::stay;
};

// `mazes` is where a named maze is looked up. What a maze's file says of its level counts for
// nothing here: the level is the params' own.
base::Result<Setup, SetupError> read_setup(json::View params, const MapCollection& mazes);

// As params, with the board itself where a maze was named: a replay needs no collection of mazes.
std::string setup_text(const Setup& setup);

// Pictures for a terminal, of the part of the board in a window where one is given; each ends with
// a line feed.

// A labyrinth before anyone walked in it.
std::string draw_board(const Board& board);

// Where the snake is and what it has: the head as 'o', segments of the body as a small ring.
std::string draw_position(const Walk& walk, const Window& window);

// The way that was walked, as points on the labyrinth as it was at first, with the start 'o' and,
// where the snake is still inside, 'x' where it ended; then the figures and all moves as one word,
// which goes on in a new line where a line would be longer than `line_max`.
std::string draw_path(const Walk& walk, const Window& window, std::size_t line_max);

// Snake Labyrinth: one seat, a labyrinth of which everything is known, and the best way out of it.
// RULES.md says how it is played. Mazes that `resources` brings can be named in a setup.
std::unique_ptr<Game> make_game(const Resources& resources);

// ---- state.cpp ----------------------------------------------------------------------------------

// A game being played: a walk, its limits, and turns that hold one letter or a whole plan.
class SnakeState final : public State {
 public:
    explicit SnakeState(const Setup& setup);

    std::size_t seats() const override { return 1; }
    Seats to_move() const override { return is_over_ ? Seats() : Seats(1); }
    void apply(std::span<const Answer> answers, std::vector<Note>& notes) override;
    void forfeit(Seat seat) override;
    void write_state(json::Writer& writer) const override;
    bool write_delta(json::Writer& writer) const override;
    CheckResult check(Seat seat, json::View move) const override;
    std::optional<LegalMoves> legal_moves(Seat seat) const override;
    std::optional<std::int64_t> turns_most() const override;
    std::optional<std::string> tell_play(Seat seat) const override;
    std::vector<std::string> tell_play_without_map(Seat seat) const override;
    Outcome outcome() const override;
    std::string render() const override;
    std::string render_for(Seat seat, const Screen& screen) const override;
    std::unique_ptr<State> clone() const override;

 private:
    // The plain members of a state, to see what a turn changed.
    struct Figures {
        Square head = 0;
        std::int64_t coins = 0, drill = 0, steps = 0, score = 0;
        bool finished = false;
    };
    // What is wrong with a letter, or with a move as a whole.
    struct Slip {
        std::string_view code;
        std::string reason;
    };

    Figures figures() const;
    void begin_turn();
    void play_plan(std::string_view plan, std::vector<Note>& notes);
    base::Result<void, Slip> play_letter(std::string_view letter);
    void suffer_slip();
    Note fault_note(const Slip& slip) const;
    void show_change(Square square);
    std::size_t row_offset(std::size_t row) const;
    std::string_view row_text(std::size_t row) const;
    void write_body_delta(json::Writer& writer) const;
    void write_square(json::Writer& writer, Square square) const;
    void write_squares(json::Writer& writer, const std::vector<Square>& squares) const;

    Walk walk_;
    std::int64_t max_steps_;
    OnIllegal on_illegal_;
    std::int64_t illegal_moves_ = 0;
    bool lacked_move_ = false;  // in the last turn no move came
    bool is_over_ = false;
    // The `board` member as it is written: made once, then changed a cell at a time.
    std::string board_text_;

    // What the last turn changed.
    Figures before_;
    std::size_t body_before_ = 0;
    std::size_t moves_made_ = 0;
    std::vector<std::size_t> changed_rows_;
};

}  // namespace engines::snake_labyrinth
