#pragma once

#include <algorithm>
#include <bitset>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/maps.h"
#include "engines/score.h"
#include "protocol/base/clock_kind.h"
#include "protocol/base/result.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"

namespace engines {

// The narrow interface between the referee and the rules of a game. Nothing behind it reads a
// clock, opens a file or draws a random number but from the seed it was given: the same setup and
// the same answers give the same game, byte for byte.
//
// Adding a game: README.md beside this file tells each step, and a test names each that is missing.

namespace json = protocol::json;

using Seat = std::size_t;  // from 0

inline constexpr std::size_t seats_max = 8;  // no game here seats more; sets of seats are bitsets

using Seats = std::bitset<seats_max>;

// What the engine tells about a turn: an illegal move, a termination, an end by pace.
// Codes are stable, lower_snake_case, and listed in the game's RULES.md.
struct Note {
    Seat seat = 0;
    // Whether the seat did something wrong (an illegal, malformed or missing move): the referee
    // makes a fault of it. The others are news.
    bool is_fault = false;
    std::string_view code;  // a literal
    std::string message;    // plain words for a student, with the numbers that matter
    // The message without what follows from the mistake, for a person who may try again; empty
    // where that is the whole message.
    std::string reason{};
    // A fault of the time that the seat has used, whatever its move: check() doesn't find it.
    bool over_time = false;
};

// What the message of a missing move says of it, with a small or a large first letter, whether the
// bot was silent or gave the turn away: a test holds each game to that, because grading finds it
// there.
inline constexpr std::string_view no_move_came = "no move was given";

// One seat's answer to a turn.
struct Answer {
    // The value of the `move` member; absent or null where no valid answer came in time.
    json::View move;
    // The time charged for this turn; not negative.
    std::int64_t used_us = 0;
};

struct Outcome {
    std::vector<Score> scores;  // a score for each seat
    std::vector<int> placing;   // 1 is best; equal seats share the better place: 1, 2, 2, 4
    std::string detail;         // an object, as JSON text, as the game's page says
};

// Moves that a seat could play now, each as JSON text; at least one, and no two the same.
struct LegalMoves {
    std::vector<std::string> moves;
    // Whether these are all: every other move that check() finds no fault with is another way to
    // write one of them.
    bool all = true;
};

// {"scores": [...], "placing": [...], "detail": {...}}
inline void write_outcome(json::Writer& writer, const Outcome& outcome) {
    writer.begin_object().key("scores").begin_array();
    for (const auto score : outcome.scores) score.write(writer);
    writer.end_array().key("placing").begin_array();
    for (const auto place : outcome.placing) writer.integer(place);
    writer.end_array().key("detail").raw(outcome.detail).end_object();
}

// Placing from scores: higher is better, equal scores share the better place.
inline std::vector<int> placing_by_score(std::span<const Score> scores) {
    std::vector<int> placing;
    for (const auto score : scores) {
        const auto better =
            std::ranges::count_if(scores, [score](Score other) { return other > score; });
        placing.push_back(static_cast<int>(better) + 1);
    }
    return placing;
}

using CheckResult = base::Result<void, Note>;

// How much room a terminal has for a picture.
struct Screen {
    std::size_t columns = 80;
    std::size_t lines = 24;
};

// A game being played. Not thread safe; never shared.
class State {
 public:
    virtual ~State() = default;

    virtual std::size_t seats() const = 0;
    // The seats whose answers the next apply() looks at; none once the game is over.
    virtual Seats to_move() const = 0;
    bool over() const { return to_move().none(); }

    // Plays one turn. `answers` has one entry for each seat; those of seats that are not to move
    // are ignored, except for `used_us` where the game's page says so. Appends to `notes`.
    // Requires: not over.
    virtual void apply(std::span<const Answer> answers, std::vector<Note>& notes) = 0;

    // The referee has decided that a seat lost the game (hung, crashed, flooding ...): the engine
    // does what fits the game (a team is terminated, a solo game ends with score 0, an opponent
    // wins). Requires: not over.
    virtual void forfeit(Seat seat) = 0;

    // The whole state, as the game's page has it: the same for all seats and for spectators.
    virtual void write_state(json::Writer& writer) const = 0;
    // What the last apply() or forfeit() changed in that state, as an RFC 6902 patch of `add`,
    // `replace` and `remove` operations; its size must not grow with the number of turns played.
    // False, with nothing written, where the game leaves it to be computed from the two states
    // (delta.h): that is always right, and costs more. Requires: at least one apply() or
    // forfeit().
    virtual bool write_delta(json::Writer& /*writer*/) const { return false; }

    // Whether the seat could play this move now; an error is what apply() would note. For people
    // and kits; changes nothing. Requires: the seat is to move.
    virtual CheckResult check(Seat seat, json::View move) const = 0;

    // What the seat could play: check() finds no fault with any. Where the rules leave it no such
    // move, those that lose least. By default nothing, for a game that does not tell: then random
    // play and the tests know no move but the example. Requires: the seat is to move.
    virtual std::optional<LegalMoves> legal_moves(Seat /*seat*/) const { return std::nullopt; }

    // How many turns the game can still take, by its rules alone; nothing where they set no end. It
    // may be far more than any bots would play. For `referee check`, before the first turn.
    virtual std::optional<std::int64_t> turns_most() const { return std::nullopt; }

    // What the seat's pieces did so far, in a line without a full stop for whoever wants to play
    // better: "the ship moved in 3 of 49 turns; ...". Nothing for a game that doesn't tell.
    virtual std::optional<std::string> tell_play(Seat /*seat*/) const { return std::nullopt; }

    // Requires: over.
    virtual Outcome outcome() const = 0;

    // The position as text for a terminal, a few lines, ending with a line feed.
    virtual std::string render() const = 0;
    // The same for the person who plays the seat: no line is longer than the screen. Where a board
    // has more lines than the screen, what lies around the person's own pieces is shown, and where
    // that is; a game in which every cell matters alike shows all. By default the whole position.
    virtual std::string render_for(Seat /*seat*/, const Screen& /*screen*/) const {
        return render();
    }

    virtual std::unique_ptr<State> clone() const = 0;

    // As tell_play(), in words that fit any map, each thing by itself: "it was caught as a nebula
    // held it". Empty for a game that doesn't tell.
    virtual std::vector<std::string> tell_play_without_map(Seat /*seat*/) const { return {}; }
};

// Why a setup was refused. `member` names it ("params.size", "params.map.grid[2][3]").
struct SetupError {
    std::string member;
    std::string message;  // what was expected and what was found
};

using StartResult = base::Result<std::unique_ptr<State>, SetupError>;

using base::ClockKind;
using base::Measure;

// The clock that the game's page names as its default.
struct DefaultClock {
    ClockKind kind = ClockKind::turn;
    Measure measure = Measure::wall;
    std::int64_t budget_us = 0;      // a turn's, or the game's
    std::int64_t hard_limit_us = 0;  // a single turn's; 0 where the budget is the limit
    bool waits_for_late = false;     // the next turn begins only when the late answer has come
    std::int64_t hung_after_us = 0;  // with waits_for_late: summed lateness that loses the game
};

// The match that the game's page names as its default.
struct DefaultMatch {
    std::uint32_t games = 1;
    bool best_of = false;      // stops when somebody has won more than half of the games
    bool seats_rotate = true;  // by one place a game; else everybody keeps its seat
    bool least_time = false;   // level in wins and scores, a best-of match goes to the least time
    // Params that the games take in turn, each a JSON object laid over the tournament's own.
    std::span<const std::string_view> setups;
};

// What a bad, missing or late move costs by the game's rules.
enum class BadMove : std::uint8_t {
    skipped,       // the turn is played without the seat's move
    loses_pieces,  // the seat loses what the move would have been for, such as a cycle
};

// What a person at a terminal is told of the moves.
struct ByHand {
    std::string_view example;  // a move as it is typed: "F"
    std::string_view keys;     // all moves in a few words, for the prompt: "F, L or R"
    std::string_view legend;   // what each move does and what the picture shows, a line each
};

// A member of an outcome's detail that a number or a truth is read from, such as "moves".
struct DetailMember {
    enum class Is : std::uint8_t { number, truth };
    std::string_view name;
    Is is = Is::number;
};

// Facts of a game, as data.
struct GameInfo {
    std::string_view id;     // "walls"
    std::string_view title;  // "Walls"
    std::size_t seats_min = 1;
    std::size_t seats_max = 1;
    std::size_t seats_default = 1;
    bool simultaneous = false;  // more than one seat can be to move at once
    DefaultClock clock;
    DefaultMatch match{};
    BadMove bad_move = BadMove::skipped;
    std::string_view move_example;  // a valid move as JSON text, for messages and --help
    std::span<const std::string_view> reference_bots;  // programs of sample_bots
    ByHand by_hand{};
    // Codes of faults that befall whoever had no good move left: nobody is blamed for them, where
    // somebody is graded.
    std::span<const std::string_view> blameless{};
    // Code of the fault of a turn without a move, where a move may be a whole plan: behind the
    // first turn it is no fault where somebody is graded, for what counts is what was answered.
    std::string_view plan_over{};
    // All numbers and truths of an outcome's detail: what a rubric may ask for. Every outcome has
    // them.
    std::span<const DetailMember> detail{};
    // How places and turns are counted in what is told of its games, as a sentence without a full
    // stop; empty where nobody needs it.
    std::string_view counting{};
    // Setups of a class's first tournament, as a JSON list; empty: the default params.
    std::string_view first_setups{};
};

// A move as JSON text, or what is wrong with what was typed, in words that name what was expected.
using TypedMove = base::Result<std::string, std::string>;

// A kind of game: immutable, one object for the life of the program, made by the registry.
class Game {
 public:
    virtual ~Game() = default;

    virtual const GameInfo& info() const = 0;

    // Checks `params` (absent: all defaults) and sets a game up. A member that the game's page
    // does not name is refused.
    virtual StartResult start(json::View params, std::uint32_t seed) const = 0;

    // All params with the defaults filled in, as JSON text: what `start` tells the bots and what a
    // replay keeps. Requires params that start() accepts.
    virtual std::string full_params(json::View params) const = 0;

    // Params for a game of so many seats, as JSON text; nothing where the game can't seat them.
    virtual std::optional<std::string> params_for(std::size_t seats) const = 0;

    // The same params for fewer seats: the last seats go, the first keep what they have (their
    // starts). Nothing where the game can't do that. Requires params that start() accepts.
    virtual std::optional<std::string> params_with_seats(json::View /*params*/,
                                                         std::size_t /*seats*/) const {
        return std::nullopt;
    }

    // Solo games: no play on these params scores more, as far as the game can tell; for fair shares
    // of points. Nothing where it can't. Requires params that start() accepts.
    virtual std::optional<std::int64_t> attainable(json::View /*params*/) const {
        return std::nullopt;
    }

    // The game's maps or mazes; null where it has none.
    virtual const MapCollection* maps() const { return nullptr; }

    // Solo games: how two outcomes on the same setup and seed compare; greater is better.
    // By default by the first seat's score.
    virtual std::weak_ordering compare(const Outcome& a, const Outcome& b) const {
        return a.scores.front() <=> b.scores.front();
    }

    // How a game that was played to its end went for the seat, and why it ended, in a line without
    // a full stop for whoever wants to play better, behind the bot's name: "laid 4 bricks, the
    // other 13; ...". By default nothing, but each game of the registry tells it. Requires: full
    // params, and the detail of an outcome of theirs.
    virtual std::string tell_end(json::View /*full_params*/, json::View /*detail*/,
                                 Seat /*seat*/) const {
        return {};
    }

    // A move for a person's line of text at the terminal; whether it is possible is not looked at.
    // By default the line itself as a string.
    virtual TypedMove move_from_text(std::string_view line) const {
        std::string text;
        json::Writer(text).string(line);
        return text;
    }

    // A move in short words for whoever reads about a game: "turn left". Any JSON may come, and
    // what a bot wrote may stand in it as it is. Empty where there are no words for it: then it is
    // told as JSON. By default always.
    virtual std::string move_in_words(json::View /*move*/) const { return {}; }

    // As tell_end(), for whoever may not know what a game began from: "a ghost caught the ship in
    // turn 9". Games are told together whose ends differ in a number at their end alone. Empty for
    // a game that doesn't tell. Requires: the detail of an outcome of its.
    virtual std::string tell_end_without_map(json::View /*detail*/) const { return {}; }
};

}  // namespace engines
