#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"
#include "protocol/base/result.h"
#include "referee/watch/showing/showing.h"

namespace referee::review {

// What a game came to for each seat. Several seats: the share of the others that it was placed
// before, half of those beside it; so 1 for a win, a half for a draw, 0 for a loss. A single one:
// its score.
using Worth = std::vector<double>;

Worth worth_of(const engines::Outcome& outcome);

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

// What a sample says of what can't be seen: intervals that cover the truth at least as often as
// they say, however few values there are and whatever their distribution is.
struct WorthInterval {
    double low = 0;
    double high = 0;

    bool has(double value) const { return low <= value && value <= high; }
};

// How often an interval covers the truth, at least.
inline constexpr double level = 0.95;

double mean_of(std::span<const double> values);
// Of an even number, the mean of the two in the middle.
double middle_of(std::span<const double> values);

// Of the mean of values from 0 to 1, by Chernoff's bound as Hoeffding has it for such values: draws
// and places between count as they are, and at the ends it is narrow. Requires: values.
WorthInterval mean_interval(std::span<const double> values, double covered = level);

// Of the mean of values from -1 to 1, such as differences of pairs: what is gained and what is lost
// each have an interval, so pairs that are alike make it narrow. Requires: values.
WorthInterval difference_interval(std::span<const double> values, double covered = level);

// Of the middle of a distribution, by the order of the values alone. Of too few values (at `level`,
// of fewer than playouts_min) it goes from the least to the greatest and covers less. Requires:
// values.
WorthInterval middle_interval(std::span<const double> values, double covered = level);

// How often each of so many intervals has to cover the truth, so that all do as often as `level`
// says.
double level_of_each(std::size_t intervals);

// Pairs of playouts by which a loss of so much, from 0 to 0.5, can be told from chance, where the
// position was even and the luck of a pair's two has nothing in common. Not more than playouts_max.
std::size_t playouts_to_see(double loss);

enum class Scale : std::uint8_t {
    share,  // of points, from 0 to 1: estimated by the mean
    score,  // of a single seat: estimated by the middle, since a mean of scores has no interval
            // that holds whatever their distribution is
};

// What a branch's playouts came to. Of a game that is over there, its end is the only one.
struct Sample {
    std::vector<Worth> worths;
    bool over = false;
    bool alike = false;    // all went alike, move for move
    std::string course{};  // of the first

    std::vector<double> of(engines::Seat seat) const;
};

// How the game stood for a seat.
struct Estimate {
    double value = 0;
    WorthInterval interval;  // of what playouts like these come to; a point where the game was over
    double mean = 0;
    double best = 0;  // that a playout came to: more may be possible
};

Estimate estimate_of(const Sample& sample, engines::Seat seat, Scale scale);

// How much more `a` is worth than `b` for the seat, by playouts of the same numbers.
struct Difference {
    double value = 0;
    WorthInterval interval;

    // Whether it can be told from chance.
    bool is_sure() const { return !interval.has(0); }
};

Difference difference_of(const Sample& a, const Sample& b, engines::Seat seat, Scale scale,
                         double covered = level);

// Where a game was lost: it is played on many times from positions of it, and what that comes to
// says how it stood there. All of it holds for those who play the playouts, and for nobody else.

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
    std::string played;  // JSON text; empty: no move came in time
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

// What is told of a review beside what it found.
struct About {
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
    // Which game it is of, as replay_mark() has it.
    std::string replay{};
    // What the record tells otherwise than the engine does now: the moves were played by other
    // rules, or the replay was changed since.
    std::vector<std::string> differences{};
    // Says moves in the game's own short words; without it, or a word of it, moves are JSON.
    const engines::Game* rules = nullptr;
};

// All that was assumed, and how sure it is, a sentence each.
std::vector<std::string> assumptions(const Review& review, const About& about);

// What a turn cost, in a sentence or two.
std::string told(const CostlyTurn& lost, const Review& review, const About& about);

// Which turn cost most, how much and how sure that is; or that no single turn did.
std::string verdict(const Review& review, const About& about);

// What is said of all turns, a sentence each: first the verdict, then what it takes to see more,
// and why numbers differ from the curve's.
std::vector<std::string> remarks(const Review& review, const About& about);

// How the last position came to the recorded end, where no move led there; else empty.
std::string told_end(const Review& review);

// For a terminal: the verdict and the curve; all of it where that is asked for.
std::string text_of(const Review& review, const About& about, bool verbose);

// As configs/schemas/review.json has it.
std::string json_of(const Review& review, const About& about);

// Of fewer values the middle one has no interval at 95 %: six lie on one side of it by chance in
// one of 32 cases, five in one of 16.
inline constexpr std::size_t playouts_min = 6;
// Of each position, where the time is bounded: the curve doesn't depend on the machine.
inline constexpr std::size_t playouts_of_curve = 16;
// Halves an interval of 1,000 playouts; each game still takes its time.
inline constexpr std::size_t playouts_max = 10'000;
// Where all of so many playouts were alike, move for move, bots that cost much play no more.
inline constexpr std::size_t alike_enough = 6;
// Positions looked at where nobody says which: what a page shows as a curve.
inline constexpr std::int64_t positions_wanted = 20;
// Bounds the search for the turns that cost most; a game of 1,000 turns takes about 20.
inline constexpr std::size_t splits_max = 40;
inline constexpr std::size_t turns_told = 3;
// Moves of a turn that are tried; of more, so many are drawn.
inline constexpr std::size_t moves_tried_max = 16;

// Where the time is bounded, the next step begins before so much of it is spent. A step that
// doubles the playouts may take as long as all before it.
inline constexpr double closer_until = 0.45;
inline constexpr double more_to_measure_until = 0.65;
inline constexpr double tries_until = 0.9;

// Of shares: with two digits, less would be told as 0.00. Scores are whole.
inline constexpr double cost_told_min = 0.005;
// For a loss of so much it is told how many playouts show it.
inline constexpr double loss_to_see = 0.1;

// A review that is kept as a file, and the replay that it is of. Where it lies, and what is in it,
// anybody may have written: it is shown only when it has the form of a review and names that
// replay.

// No review is larger: one of all turns of the longest game, with eight seats, takes less.
inline constexpr std::size_t kept_bytes_max = 4 * 1024 * 1024;

// Where the review of a game lies beside its replay: "games/friday_12.1.review.json" of
// "games/friday_12.1.ndjson".
std::string file_beside(const std::string& replay_file);

// Which game a review is of: a digest of the replay's lines but the last, as hex digits. The last
// line has what bots did wrong, of which not everybody is told everything; so whoever reviews what
// they may see names the same game. Empty where this is no replay.
std::string replay_mark(std::string_view replay);

// The review as JSON in one line, fit to be shown with that replay: without the folders of the
// programs that played. Else why it is not, for a
// person: "seat: expected ...".
base::Result<std::string, std::string> read_review(std::string_view text, std::string_view replay);

}  // namespace referee::review
