#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"
#include "protocol/base/result.h"
#include "referee/watch/review/playout_estimate.h"
#include "referee/watch/showing/showing.h"

// Where a game was lost: it is played on many times from positions of it, and what that comes to
// says how it stood there. All of it holds for those who play the playouts, and for nobody else.

namespace referee::review {

// Where playouts begin: in the position in which `turn` was to be played, from 1.
struct Branch {
    std::int64_t turn = 1;
    // What that turn is played with, by seat, as JSON text (empty: no move); without any, those who
    // play the playouts choose.
    std::vector<std::string> moves{};
};

struct PlayedOut {
    Worth worth;
    std::string course;  // the same for two playouts that went alike, move for move
};

// Plays games on to their end.
class Playouts {
 public:
    virtual ~Playouts() = default;

    // The playouts `first` to `first + count - 1` of that branch. Those of the same number on two
    // branches have the same luck, as far as there is a way to give it to them. `from` is the
    // branch's position, behind its moves; it is not over. An error says why none could be played.
    virtual base::Result<std::vector<PlayedOut>, std::string> play(const Branch& branch,
                                                                   const engines::State& from,
                                                                   std::uint64_t first,
                                                                   std::size_t count) = 0;
    // Programs are started for each: where chance has no part, few are enough.
    virtual bool cost_much() const = 0;
};

struct ReviewOptions {
    engines::Seat seat = 0;    // whose turns are looked at
    std::int64_t every = 0;    // turns between two positions; 0: as the game's length suggests
    std::size_t playouts = 0;  // of each branch, from playouts_min to playouts_max
    std::uint64_t seed = 1;    // of what is drawn: which moves are tried where there are too many
    // How much of the time is spent that all of it may take; 1: all. Where it is given, turns are
    // measured by more and more playouts until one can be told from chance, or the time is over.
    std::function<double()> spent{};
};

// The position in which a turn was to be played; behind the last one, how the game ended.
struct Point {
    std::int64_t turn = 1;
    Sample sample;
};

struct TriedMove {
    std::string move;  // JSON text
    Estimate estimate;
    Difference gain;  // on the move that was played
};

// A turn of the seat before which the game stood better than after it. What is told of it was
// measured by other playouts than those by which it was found.
struct CostlyTurn {
    std::int64_t turn = 1;
    std::string played;  // JSON text; empty: it gave no move
    Estimate before;     // where the playouts choose the move
    Estimate as_played;
    Difference cost;
    std::size_t moves_tried = 0;  // beside the one that was played; none where the game lists none
    bool all_tried = false;       // of those that the game lists
    bool had_time = true;         // to try moves
    std::optional<TriedMove> liked;  // the best of them, where it was liked better

    // Whether it can be told from chance that it cost anything.
    bool is_sure() const {
        return (cost.value > 0 && cost.is_sure()) || (liked && liked->gain.is_sure());
    }
};

struct Review {
    Scale scale = Scale::share;
    std::int64_t every = 1;
    std::int64_t turns = 0;      // that the game had
    bool ended_by_moves = true;  // else it was broken off, or ended by a forfeit
    std::size_t playouts = 0;    // of each position
    std::size_t measured = 0;    // of each turn that seems to have cost something
    std::vector<Point> points;   // in the order of their turns, the first and the last included
    // The turns that cost most, most first: those of which it is sure. Where it is of none, the one
    // that seems to have cost most, if any does.
    std::vector<CostlyTurn> lost;
    bool time_over = false;  // before all was looked at
    bool alike = false;      // in no branch did chance have a part: each is one piece of evidence
};

using Progress = std::function<void(const std::string& what)>;

// Requires: the seat is one of the replay's, and the playouts are within their bounds.
base::Result<Review, std::string> review(showing::ReplayFrames& replay_frames, Playouts& playouts,
                                         const ReviewOptions& options, const Progress& progress);

// Of each position, where the time is bounded: the curve doesn't depend on the machine.
inline constexpr std::size_t playouts_of_curve = 16;
// Where all of so many playouts were alike, move for move, bots that cost much play no more.
inline constexpr std::size_t alike_enough = 6;
// Positions looked at where nobody says which: what a page shows as a curve.
inline constexpr std::int64_t positions_wanted = 20;
// Bounds the search for the turns that cost most; a game of 1,000 turns takes about 20.
inline constexpr std::size_t splits_max = 40;
// Moves of a turn that are tried; of more, so many are drawn.
inline constexpr std::size_t moves_tried_max = 16;

// Where the time is bounded, the next step begins before so much of it is spent. A step that
// doubles the playouts may take as long as all before it.
inline constexpr double closer_until = 0.45;
inline constexpr double more_to_measure_until = 0.65;
inline constexpr double tries_until = 0.9;

// Of shares: with two digits, less would be told as 0.00. Scores are whole.
inline constexpr double cost_told_min = 0.005;

// What it comes to, in words and as JSON: review_text.cpp.

// What is told of a review beside what it found.
struct ReviewFacts {
    std::string game_id;
    std::string game;               // "walls"
    std::vector<std::string> bots;  // by seat
    engines::Seat seat = 0;
    std::uint64_t seed = 1;
    std::vector<std::string> played_by;  // by seat: the commands
    // By which messages those were told what came before; empty: they see positions alone.
    std::vector<std::string> past_told_by;
    // What holds of these playouts beside what holds of all, a sentence each.
    std::vector<std::string> assumed;
    std::string ending{};  // what ended the game where no move did, as ending_of() has it
    // Which game it is of, as replay_mark() has it.
    std::string replay{};
    // What the record tells otherwise than the engine does now: the moves were played by other
    // rules, or the replay was changed since.
    std::vector<std::string> differences{};
    // Says moves in the game's own short words; without it, or a word of it, moves are JSON.
    const engines::Game* rules = nullptr;
};

// All that was assumed, and how sure it is, a sentence each.
std::vector<std::string> assumptions(const Review& review, const ReviewFacts& about);

// What a turn cost, in a sentence or two.
std::string told(const CostlyTurn& lost, const Review& review, const ReviewFacts& about);

// Which turn cost most, how much and how sure that is; or that no single turn did.
std::string verdict(const Review& review, const ReviewFacts& about);

// What is said of the whole game, a sentence each: what ended it where no move did, the verdict,
// and why numbers differ from the curve's.
std::vector<std::string> remarks(const Review& review, const ReviewFacts& about);

// What ended the game where no move did, or took the seat out of it, in a sentence for everybody
// who may see the game; else empty.
std::string ending_of(const Review& review, const showing::ReplayFrames& replay_frames,
                      engines::Seat seat);

// For a terminal: the verdict and the curve; all of it where that is asked for.
std::string text_of(const Review& review, const ReviewFacts& about, bool verbose);

// As configs/schemas/review.json has it.
std::string json_of(const Review& review, const ReviewFacts& about);

}  // namespace referee::review
