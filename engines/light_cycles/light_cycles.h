#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engines/game.h"
#include "engines/light_cycles/arena.h"

namespace engines::light_cycles {

// ---- state.cpp, and told_play.cpp what is told of its play --------------------------------------

// A game of Light Cycles as the referee sees it.
class CyclesState final : public State {
 public:
    explicit CyclesState(Setup setup);

    std::size_t seats() const override { return arena_.teams(); }
    Seats to_move() const override;
    void apply(std::span<const Answer> answers, std::vector<Note>& notes) override;
    void forfeit(Seat seat) override;
    void write_state(json::Writer& writer) const override;
    bool write_delta(json::Writer& writer) const override;
    CheckResult check(Seat seat, json::View move) const override;
    std::optional<LegalMoves> legal_moves(Seat seat) const override;
    std::optional<std::int64_t> turns_most() const override;
    // What terminated the team's last cycles, and when, but for its faults, which are told by
    // themselves.
    std::optional<std::string> tell_play(Seat team) const override;
    Outcome outcome() const override;
    std::string render() const override;
    std::string render_for(Seat seat, const Screen& screen) const override;
    std::unique_ptr<State> clone() const override;

 private:
    bool ended() const { return arena_.living_teams() <= 1; }
    void read_team(Seat team, json::View move, std::span<Choice> choices) const;
    CheckResult check_whole_move(Seat team, json::View move) const;
    // What is told of a cycle beside its verdict, as it was before the turn.
    struct Before {
        Cell at;
        // A cell that it may go to where its choice is no legal one, empty where it is shut in;
        // nothing where there is no need of one.
        std::optional<std::string> free;
        // Whose trail was on the cell that it chose, or who chose it, too, and was the fastest.
        std::size_t holder = 0;
        std::size_t entries = 0;   // of its team's move
        std::string shut_in_by{};  // " by its own trail", " (right by cycle 5, below by cycle 1)"
    };
    Before before(std::size_t cycle, const Choice& choice, std::size_t entries) const;
    Note note_of_cycle(std::size_t cycle, Verdict verdict, const Choice& choice,
                       const Before& before) const;
    void find_rivals(std::span<const Verdict> verdicts);
    std::string name_of(std::size_t cycle, Seat reader) const;
    Note note_of_mean(Seat team) const;
    void note_team(Seat team, const Answer& answer, std::span<const Verdict> verdicts,
                   std::vector<Note>& notes) const;
    void keep_ends(std::span<const Note> notes);
    std::vector<std::string> ways_of(std::size_t cycle) const;
    std::string neighbours_of(std::size_t cycle) const;
    void write_cycles(json::Writer& writer) const;
    void write_used(json::Writer& writer) const;

    Arena arena_;
    bool forfeited_last_ = false;  // the last change was a forfeit, not a turn
    std::vector<Choice> choices_;  // of the last turn
    std::vector<Before> before_;   // by cycle
    std::vector<std::int64_t> charges_;
    std::vector<std::vector<std::string>> ends_;  // by team: of its last cycles
};

// ---- light_cycles.cpp ---------------------------------------------------------------------------

// Pictures for a terminal, each ending with a line feed. Capital letters are cycles, small letters
// their trails, one letter a team.

// The whole grid; on a large one a character stands for a block of cells. No line is longer than a
// terminal of 80 columns.
std::string draw_arena(const Arena& arena);

// What a team's player needs to see. A grid that the screen has room for is drawn cell by cell.
// Of a larger one there is a part around each living cycle of the team, side by side, with the
// places that it shows; '#' is outside of the grid.
std::string draw_around_team(const Arena& arena, Seat team, const Screen& screen);

// Light Cycles: teams of cycles on a grid, all moving at once and leaving trails that nobody may
// enter; the last team with a living cycle wins. RULES.md has the rules for students. Takes no
// resources.
std::unique_ptr<Game> make_game(const Resources& resources);

}  // namespace engines::light_cycles
