#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "engines/engine_text.h"
#include "engines/game.h"
#include "engines/walls/walls.h"

namespace engines::walls {

// A game of Walls as the referee sees it. The unchanging part of its JSON text is kept, and the
// board in it is patched in place, so that a turn writes no more than it must.
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

    Position position_;
    std::string board_text_;  // the state's text up to where the players begin
    std::size_t moves_ = 0;
    std::optional<Seat> forfeited_;
    std::optional<Played> last_;  // nothing after a forfeit
};

}  // namespace engines::walls
