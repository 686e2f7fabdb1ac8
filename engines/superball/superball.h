#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"
#include "engines/superball/position.h"
#include "protocol/base/result.h"

namespace engines::superball {

enum class Ending : std::uint8_t { full, illegal, missing, pace };

std::string_view to_text(Ending ending);

// ---- state.cpp ----------------------------------------------------------------------------------

// A game of Superball being played: the position, and what belongs to a referee's game beside it
// (time used, faults, the JSON text).
class SuperballState final : public State {
 public:
    SuperballState(const Rules& rules, std::uint32_t seed);

    std::size_t seats() const override { return 1; }
    Seats to_move() const override { return ending_ ? Seats() : Seats(1); }
    void apply(std::span<const Answer> answers, std::vector<Note>& notes) override;
    void forfeit(Seat seat) override;
    void write_state(json::Writer& writer) const override;
    bool write_delta(json::Writer& writer) const override;
    CheckResult check(Seat seat, json::View move) const override;
    std::optional<LegalMoves> legal_moves(Seat seat) const override;
    Outcome outcome() const override;
    std::string render() const override;
    std::string render_for(Seat seat, const Screen& screen) const override;
    std::unique_ptr<State> clone() const override;

 private:
    // Why a move isn't played: how the game ends by it, and what the player is told.
    struct Refusal {
        Ending ending;
        Note note;
    };
    base::Result<Move, Refusal> judge(json::View move) const;
    std::uint64_t paces() const;  // started thousands of points
    bool out_of_pace() const;
    Note note_of_pace() const;
    std::int64_t score() const { return lost_ ? 0 : position_.score(); }
    void finish(Ending ending);
    std::string draw(int part_cols) const;
    std::string_view row_text(int row) const;
    void remember();
    void refresh_text();

    std::uint64_t pace_us_;
    std::uint64_t used_us_ = 0;
    Position position_;
    std::int64_t moves_ = 0;
    std::optional<Ending> ending_;
    bool lost_ = false;  // ended so that the score is 0

    std::string board_text_;  // the state's `board`, as JSON text, kept up to date
    // What the last turn changed.
    std::vector<int> changed_rows_;
    int empty_before_ = 0;
    std::int64_t score_before_ = 0;
    bool over_before_ = false;
};

// ---- superball.cpp ------------------------------------------------------------------------------

// The rules that params stand for, defaults filled in, or which member is wrong and why.
base::Result<Rules, SetupError> read_setup(json::View params);

// All members, in the page's order.
std::string setup_text(const Rules& rules);

// Superball: one seat swaps coloured pieces into groups and collects those that touch a goal
// cell, while new pieces fill the board. RULES.md has the rules. Takes no resources.
std::unique_ptr<Game> make_game(const Resources& resources);

}  // namespace engines::superball
