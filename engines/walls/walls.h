#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engines/engine_text.h"
#include "engines/game.h"

// Walls: two players on a small board leave a brick on each square that they are the first to move
// off; the player that has laid more bricks in the end wins. RULES.md has the rules for students.

namespace engines::walls {

// The rules of Walls alone, without JSON: a position that can be played forward and taken back,
// for the engine and for bots that search.
inline constexpr int players = 2;
inline constexpr int size_min = 3;
inline constexpr int size_max = 99;
inline constexpr int size_default = 5;
inline constexpr int idle_max = 9;  // so many moves in a row without a new brick: stalled
inline constexpr int nobody = -1;

inline constexpr char unmarked = '.';
inline constexpr std::string_view brick_letters = "AB";

// Clockwise, so that a right turn is one further.
enum class Facing : std::uint8_t { north, east, south, west };
inline constexpr std::string_view facing_letters = "NESW";

// `none` stands for a move that never came or that is no move at all.
enum class Move : std::uint8_t { forward, left, right, none };
inline constexpr std::array<Move, 3> all_moves = {Move::forward, Move::left, Move::right};

struct Square {
    int row = 0;
    int column = 0;
    bool operator==(const Square&) const = default;
};

Square ahead_of(Square from, Facing facing);
Facing turned(Facing facing, Move turn);  // requires: left or right

struct Pawn {
    Square at;
    Facing facing = Facing::north;
    int idle = 0;
    bool stalled = false;
    int bricks = 0;
    bool operator==(const Pawn&) const = default;
};

// What a move changed, so that it can be taken back.
struct Played {
    int player = nobody;
    Pawn before;             // the player as it was
    bool new_brick = false;  // on the square `before.at`
};

class Position {
 public:
    // The start. Requires: size odd, size_min to size_max; first 0 or 1.
    Position(int size, int first);
    // Any position: `squares` row by row, size * size of '.', 'A' and 'B'; the bricks of the pawns
    // are counted anew. Requires: pawns on the board.
    Position(int size, std::string squares, const std::array<Pawn, players>& pawns, int to_move);

    int size() const { return size_; }
    int to_move() const { return to_move_; }  // nobody: the game is over
    bool over() const { return to_move_ == nobody; }
    const Pawn& pawn(int player) const { return pawns_[static_cast<std::size_t>(player)]; }
    char square(Square at) const { return squares_[index(at)]; }
    const std::string& board() const { return squares_; }  // by index()
    int bricks() const { return pawns_[0].bricks + pawns_[1].bricks; }
    int squares() const { return size_ * size_; }
    std::size_t index(Square at) const {
        return static_cast<std::size_t>(at.row) * static_cast<std::size_t>(size_) +
               static_cast<std::size_t>(at.column);
    }

    bool on_board(Square at) const;
    // Whether the player could stand there, wherever it is now.
    bool can_enter(int player, Square at) const;

    // The player to move moves. Requires: not over.
    Played play(Move move);
    // Takes the last move back. Requires: moves are taken back in the reverse order.
    void undo(const Played& played);
    // The game is over at once.
    void stop() { to_move_ = nobody; }

 private:
    int next_after(int player) const;

    int size_;
    std::string squares_;
    std::array<Pawn, players> pawns_;
    int to_move_;
};

// Takes no resources.
std::unique_ptr<Game> make_game(const Resources& resources);

// ---- state.cpp ----------------------------------------------------------------------------------

// A game of Walls as the referee sees it. Its JSON text is kept in parts, of which a turn changes
// one square and one player.
class WallsState final : public State {
 public:
    WallsState(int size, int first);

    std::size_t seats() const override { return players; }
    Seats to_move() const override;
    void apply(std::span<const Answer> answers, std::vector<Note>& notes) override;
    void forfeit(Seat seat) override;
    void write_state(json::Writer& writer) const override;
    bool write_delta(json::Writer& writer) const override;
    CheckResult check(Seat seat, json::View move) const override;
    std::optional<LegalMoves> legal_moves(Seat seat) const override;
    std::optional<std::int64_t> turns_most() const override;
    Outcome outcome() const override;
    std::string render() const override;
    std::string render_for(Seat seat, const Screen& screen) const override;
    std::unique_ptr<State> clone() const override;

 private:
    // Where a square is in board_text_.
    std::size_t offset(Square at) const;
    std::string picture_in(const Window& window) const;
    std::string_view row_text(int row) const;
    void write_pawn_of(int player);

    Position position_;
    std::string board_text_;  // the state's text up to where the players begin
    std::array<std::string, players> pawn_texts_;
    std::size_t moves_ = 0;
    std::optional<Seat> forfeited_;
    std::optional<Played> last_;  // nothing after a forfeit
};

}  // namespace engines::walls
