#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "engines/engine_text.h"
#include "engines/game.h"
#include "engines/walls/walls.h"

namespace engines::walls {

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
