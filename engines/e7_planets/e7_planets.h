#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/e7_planets/map.h"
#include "engines/engine_text.h"
#include "engines/game.h"

// The rules as a function from one position to the next, without texts and histories. The engine
// plays by it; bots that plan ahead may too.

namespace engines::e7_planets {

// Somebody who moves: the ship or a ghost.
struct Mover {
    Cell cell;
    // Drops by one at the start of each turn; holds a slowed mover while it is >= 0 after that.
    std::int64_t wait = 0;
    // From the last different cell that it was on to this one; only of ghosts back and forth.
    Direction heading = Direction::stay;
    bool operator==(const Mover&) const = default;
};

// Everything that changes, but the histories.
struct Position {
    Mover ship;
    std::vector<Mover> ghosts;
    std::vector<std::size_t> scraps_left;  // indices into Map::scraps, in order
    std::int64_t score = 0;
    std::int64_t turns_left = 0;
    bool caught = false;
    bool operator==(const Position&) const = default;
};

// What a turn brought.
struct TurnEvents {
    std::optional<std::size_t> picked_up;  // index into Map::scraps
    std::vector<std::size_t> same_spot;    // ghosts, from 0
    std::vector<std::size_t> switched;
};

// Whether the ship carries a move out, and if not, why.
enum class Verdict : std::uint8_t { carried_out, waiting, bumped };

Position initial_position(const Map& map);

// What would become of the ship's move. Staying is always carried out.
Verdict judge(const Map& map, const Position& position, Direction move);

// Where a ghost wants to go: `stay` where it is blocked. Whether it is slowed is not looked at.
Direction ghost_choice(const Map& map, const GhostStart& ghost, const Mover& mover, Cell ship);

// Plays one turn; `events` is cleared first. Requires: not over.
void play_turn(const Map& map, Position& position, Direction move, TurnEvents& events);

// All scraps have been picked up and no ghost has caught the ship.
bool won(const Position& position);
bool over(const Position& position);

// E7 Planets: a ship collects scraps on a grid and stays clear of ghosts. RULES.md has the rules;
// `resources` may bring maps of an instructor's own.
std::unique_ptr<Game> make_game(const Resources& resources);

// The position for a terminal: a line of figures, then the grid with its rows and columns
// numbered. '@' is the ship, '$5' a scrap of value 5, '#' an asteroid field, '3' a nebula, '.'
// empty space; a ghost is 'b' (back and forth) or 't' (toward the player) with its transparency.
// What doesn't fit its cell is cut and ends in '+'. Scraps and ghosts that lie outside of the
// window are listed below it, as far as a line holds them.
std::string render_position(const Map& map, const Position& position, const Window& window);

// What a screen has room for, with the ship in the middle where the grid allows it.
Window window_around_ship(const Map& map, const Position& position, const Screen& screen);

// What never changes in a game, shared by all copies of its state.
struct Setting {
    Map map;
    std::string grid_text;  // as JSON
};

// The letters that a move is written with; nothing for anything else.
std::optional<Direction> read_move(json::View move);

// Turns in which the ship stayed, whatever was in its way.
struct Stays {
    std::string_view code;  // of the note that tells it; "stay": by its own move
    std::string_view words;
    std::int64_t turns = 0;
    std::int64_t first = 0;
};

// ---- state.cpp, and told_play.cpp what is told of its play --------------------------------------

// A game being played: the rules' position with the histories beside it, kept as JSON text that
// each turn adds a row to.
class PlanetsState final : public State {
 public:
    explicit PlanetsState(Map map);

    std::size_t seats() const override { return 1; }
    Seats to_move() const override;
    void apply(std::span<const Answer> answers, std::vector<Note>& notes) override;
    // The game ends where it stands; its outcome has score 0.
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

    const Map& map() const { return setting_->map; }
    const Position& position() const { return position_; }

 private:
    void write_scraps();
    void write_rows_of_turn();
    void note_end(std::vector<Note>& notes) const;
    std::string detail() const;
    std::string hindrance() const;
    std::string_view way_it_was_caught(std::string_view code) const;

    std::shared_ptr<const Setting> setting_;
    Position position_;
    TurnEvents events_;                   // of the last turn
    std::string_view caught_;             // in which way, in words; empty: it isn't
    std::size_t removed_at_ = 0;          // where the picked up scrap stood among those left
    std::vector<std::size_t> picked_up_;  // in order
    bool forfeited_ = false;
    std::array<std::int64_t, four_directions.size()> moves_{};  // how often each was the move
    std::array<Stays, 3> stays_{{{"bumped", "an asteroid field blocked it"},
                                 {"waiting", "a nebula held it"},
                                 {"stay", "its move was to stay"}}};
    // JSON text: the elements of the lists of locations, without brackets.
    std::string ship_rows_;
    std::vector<std::string> ghost_rows_;
    std::string scraps_text_;
};

}  // namespace engines::e7_planets
