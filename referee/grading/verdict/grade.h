#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"
#include "protocol/base/enum_names.h"
#include "referee/contest/rating/sprt.h"
#include "referee/game/result/game_result.h"
#include "referee/grading/rubric/rubric.h"

// What was played for a grade, as values. Nothing here knows how it was played.

namespace referee::verdict {

// One game that counts, from the view of the program that is graded (or of a reference).
struct PlayedGame {
    std::string id;          // "ann.dumb-1a2b3c4d/1.3"
    std::uint32_t seed = 0;  // 0: not known
    bool by_seed = false;    // its start is the seed's: the game has no maps
    std::string map;         // the name of the map or maze that it was played on; empty: none
    std::size_t setup = 0;   // which game of the series' match it was, from 0
    engines::Seat seat = 0;  // its own
    bool forfeited = false;  // ended before its time by its own doing
    double score = 0;
    std::vector<int> placing;   // by seat
    std::string detail;         // the outcome's, as JSON text
    std::vector<Fault> faults;  // its own, those that are kept
    std::int64_t turns = 0;
    bool moved = true;  // it gave a valid move
    // In how many turns it was asked for a move, and in how many it did something wrong.
    std::size_t asked = 0;
    std::size_t wrong = 0;
    bool costs_turns = false;   // what it did wrong cost it these turns and nothing else
    bool costs_pieces = false;  // it cost it pieces, each time
    std::string params;         // that it began from, as JSON text; empty: not known
    std::string reason;         // why the game ended
    std::string story;          // of its end, in words for a student; empty: not told
    // What shows nothing of a map, of its end and of its play; empty: nothing is told.
    std::string end_in_kind;
    std::vector<std::string> play_in_kind;

    bool won() const;  // alone in the first place; a solo game is won where its detail says so
};

// One run of a series that has runs.
struct PlayedRun {
    std::string input;  // the file's name
    bool right = false;
    std::string
        reason{};  // why it is wrong: "line 3: expected ..., found ..."; empty where it is right
    std::string printed{};  // the end of what it wrote to its standard error
    std::string given{};    // the input, of the first that is wrong, where a page has room for it
};

struct PlayedSeries {
    std::vector<PlayedGame> games;  // in order
    std::vector<PlayedRun> runs;    // by input; of a series with runs, which has no games
    std::map<std::string, std::vector<PlayedGame>>
        references;  // by the reference's name, same setups
    // Of a series with a sequential test (chances.h): "stronger" is as good as its opponents.
    std::optional<rating::SprtVerdict> test;
    std::size_t test_matches = 0;
    double test_share = 0;  // of the matches' points that it got
    // Why games could not be played or don't show what they should, which is never the program's
    // doing: "the opponent dumb failed in game ...". Empty: nothing is the matter.
    std::string trouble;
    // Why not all of its games were played, by the program's own doing: it thought longer than the
    // rubric allows, or gave no valid move. Empty: all were, or there is trouble.
    std::string cut_short;
};

// Whoever has a place in a tournament, and of what the places go by first; empty: not known.
struct Placed {
    std::size_t place = 0;  // from 1
    std::string name;
    std::string figure{};
};

// Whatever a grade is made of.
struct Played {
    std::map<std::string, PlayedSeries> series;  // by id
    std::optional<std::size_t> place;  // in the tournament that gives extra credit, from 1
    std::size_t place_shared_by = 1;   // how many have that place
    std::size_t placed = 0;            // how many have any; 0: not known
    std::vector<Placed> above;         // those with a better place, the best first
    std::string place_by;              // what the places go by first: "points"; empty: not known
    std::string place_figure;          // how many of these it has
    bool place_known = false;          // such a tournament was given
    // Why no game could be played at all, by the program's own doing: its build failed, no such
    // file. Says nothing of runs, which are of other programs.
    std::string unplayable;
};

// What the program wrote to its standard error before its first fault, or with the first input that
// was wrong, where that was kept.
std::string last_words(const Played& played);

// An average score, with what it was measured by.
struct Average {
    double score = 0;
    std::size_t games = 0;
    std::string seeds;  // of the games, as in "1-100, 107"; empty: not all are known
};

// Requires: there are games.
Average average_of(const std::vector<const PlayedGame*>& games);

// An outcome's detail with a member "attainable": what no play scores more than on these params, as
// far as the game can tell; unchanged where it can't, or where the detail has it. Requires: params
// that the game accepts, and an object.
std::string with_attainable(const engines::Game& game, std::string_view params,
                            std::string_view detail);

enum class StepVerdict : std::uint8_t {
    passed,       // all its points
    partly,       // some of them
    failed,       // none
    not_counted,  // another step of its group gives more
    trouble,      // could not be judged: nobody's zero
};
// As files have it, and as people read it.
struct VerdictNames {
    StepVerdict value;
    std::string_view name;
    std::string_view words;
};
inline constexpr std::array<VerdictNames, 5> verdict_names{{
    {StepVerdict::passed, "passed", "passed"},
    {StepVerdict::partly, "partly", "in part"},
    {StepVerdict::failed, "failed", "failed"},
    {StepVerdict::not_counted, "not_counted", "not counted"},
    {StepVerdict::trouble, "trouble", "not judged"},
}};
static_assert(base::in_order(verdict_names));
constexpr std::string_view name_of(StepVerdict verdict) {
    return base::row_of(verdict_names, verdict).name;
}
constexpr std::string_view in_words(StepVerdict verdict) {
    return base::row_of(verdict_names, verdict).words;
}

struct StepGrade {
    std::string step;
    std::string title;
    std::string criterion;  // what it asks for, in a sentence
    std::string group;
    double points = 0;  // given; of a step that isn't counted what it would have given
    double of = 0;
    bool extra = false;
    bool hidden = false;
    StepVerdict verdict = StepVerdict::failed;
    std::string reason;  // plain words, with figures: what was seen, what is needed
    // The first faults and the first ends of games, each with where to look.
    std::vector<std::string> advice;
    std::vector<std::string> games;  // ids of the games that it judged, those that decided first
    // Of a step that judges runs: the inputs that were wrong, "analyze/07.txt".
    std::vector<std::string> wrong_runs{};
    std::optional<Average> average{};  // where the step asks for one
    // Of a hidden step: what stands for its reason, in words that tell nothing of its games.
    std::string in_kind{};

    // Points that could be had, and are not.
    bool lacks_points() const {
        return verdict == StepVerdict::failed || verdict == StepVerdict::partly;
    }
};

// Between a step's title and the reason, in `Grade::troubles`; without a reason at their end.
inline constexpr std::string_view not_judged = ": could not be judged";

// A submission's grade, with all that it takes to answer a complaint.
struct Grade {
    std::string name;                   // of the submission
    std::vector<std::string> students;  // keys of the roster; empty: not known
    double points = 0;                  // what the steps give, less what lateness costs, at least 0
    double of = 0;
    double late_cost = 0;
    std::string lateness;  // in words; empty: it came before the deadline
    bool late = false;     // it came after the deadline and its grace, whatever that costs
    bool passed = false;
    double pass_mark = 0;  // points that pass; 0: there is nothing to pass, and nobody is told so
    std::vector<StepGrade> steps;
    std::vector<std::string> troubles;  // of the referee's side; some: the grade isn't final
    std::string program;                // the program's name in records
    std::string game;                   // as in the rubric
    std::string rubric_title;
    std::string rubric_hash;
    std::string version;         // of the referee
    std::string machine;         // "host name, 8 cores, Linux 6.1"
    std::string sandbox;         // tier
    std::string standard_error;  // what the program wrote there before its first fault
    std::string build_output;    // what a build that failed printed; empty: it was built
    bool never_played = false;   // in no game did the program see a turn
    // It ended well and before its first move: perhaps it is another kind of program than it was
    // started as, so nothing is final before the course has looked.
    bool in_doubt = false;
    std::string started_by{};  // the command; of a kind its adapter's
    // Sentences that show what cost points, most of them with a command; nothing that is hidden.
    std::vector<std::string> to_see{};
    std::vector<std::string> to_explain{};        // likewise, for the instructor
    std::map<std::string, std::string> inputs{};  // by heading, those that `to_see` speaks of
    // Why no game could be played, by the program's own doing: "it was not built: ...".
    std::string unplayable{};

    bool final() const { return troubles.empty() && !in_doubt; }
};

// The grade of what was played: points, verdicts and reasons; of `Grade` all but who made it and
// where. `late_by`: how long after the deadline it came in.
Grade judge(const rubric::Rubric& rubric, const Played& played,
            Duration late_by = Duration::zero());

}  // namespace referee::verdict
