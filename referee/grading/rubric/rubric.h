#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "protocol/base/result.h"
#include "protocol/json/reader.h"
#include "referee/game/clock/time.h"

// What an instructor grades programs by, as it was read: games to be played, and steps that give
// points for them. Plain data; read_rubric() has checked it.

namespace referee::rubric {

// A rubric of more steps, or more series of games, than that is read by no student.
inline constexpr std::size_t rubric_steps_max = 100;
inline constexpr std::size_t rubric_series_max = 100;
// Far beyond what so many steps and series take: another file that was named by mistake is not read
// whole.
inline constexpr std::size_t rubric_bytes_max = 4 * 1024 * 1024;
// Inputs of a series of runs: a class's hundreds of submissions are run with each of them.
inline constexpr std::size_t run_inputs_max = 1000;

// "As good as the opponents": matches are played until a sequential test decides.
struct AsGoodAs {
    // A program that gets `fair` of the points of its matches is as good; one that gets only
    // `worse` is clearly worse. Between them either verdict is right.
    double fair = 0.5;
    double worse = 0.35;
    double fails_fair = 0.01;    // the chance to fail a program that is just as good
    double passes_worse = 0.05;  // the chance to pass one that is clearly worse
    std::uint32_t matches_max = 300;
};

// Runs of another program of the submission, one for each input, in place of games: what it prints
// is compared with what a reference prints.
struct Runs {
    enum class Check : std::uint8_t {
        same_lines,  // blanks at the ends of lines and empty lines at the end don't count
        any_order,   // the same lines, each as often, in any order
        program,     // a checker says
    };
    static constexpr Duration time_default = std::chrono::seconds(10);

    std::vector<std::string> command;    // in the submission's folder
    std::vector<std::string> reference;  // the instructor's; found as a bot's "launch" is
    std::string inputs;                  // a folder, absolute
    Check check = Check::same_lines;
    // Is called with the files of the input, of what was expected and of what was printed behind
    // these words: 0 is right, 1 is wrong, and all else is trouble.
    std::vector<std::string> checker;
    Duration time = time_default;  // of one run
};

// Games of the program that is graded, all of one kind; or runs.
struct Series {
    std::string id;                      // "against-dumb": letters, digits, - and _
    std::vector<std::string> opponents;  // names of the rubric's bots, one a seat; empty: alone
    std::vector<std::string>
        references;  // bots that play the same setups, for comparison; solo games only
    std::optional<AsGoodAs> as_good_as;  // else each setup is played as often as `tournament` says
    // What a tournament of a config has beside its id, game, bots and format: "params", "setups",
    // "maps", "match", "clock", "seed", "ready", "faults"; an object as JSON text, with absolute
    // folders.
    std::string tournament = "{}";
    std::optional<Runs> runs;  // then there are no games, and nothing of the above
    // Its setups are shown to nobody but the instructor; so the steps that judge it are hidden too.
    bool hidden = false;
};

// How many games a match of the series has, where the rubric says so; else 0.
std::uint32_t games_of(const Series& series);

// How a step judges the games of its series; all numbers are of counted games. A rule has its name
// as a rubric's "kind" says it.

// No fault in any game: every move came, in time, legal; it didn't crash.
struct Faultless {
    static constexpr std::string_view name = "faultless";
};
// It won at least so many games (alone first; a shared first place is none).
struct Wins {
    static constexpr std::string_view name = "wins";
    std::uint32_t at_least = 1;
    // Of all games only so many can be won at all, by how the game is; 0: each can. Judges nothing;
    // how sure the step is depends on it.
    std::uint32_t winnable = 0;
};
// A share of the step's points for each game that it won: all games won give all points.
struct EachWin {
    static constexpr std::string_view name = "each_win";
};
// Its average score is at least that.
struct AverageScore {
    static constexpr std::string_view name = "average_score";
    double at_least = 0;
};
// In each setup (or in their sum) it scores at least `share` of what the reference scores there. A
// negative or zero score of the reference counts as reached by any score that isn't below it.
struct ScoreOf {
    static constexpr std::string_view name = "score_of";
    std::string reference;
    double share = 1;
    bool in_sum = false;  // else in each setup
};
// A share of the points: the sum of what it reached by the sum of what could be reached, by a
// number of the outcome's detail for each ("score", "attainable").
struct ShareOf {
    static constexpr std::string_view name = "share_of";
    std::string reached = "score";  // the game's score; else a member of the detail
    std::string attainable;         // a member of the detail
};
// A member of the outcome's detail is true in every game ("finished").
struct Always {
    static constexpr std::string_view name = "always";
    std::string member;
};
// The series' sequential test says that it is as good as its opponents.
struct IsAsGood {
    static constexpr std::string_view name = "is_as_good";
};
// The place in a tournament that was played elsewhere: points for first, second, ...; extra credit.
struct Place {
    static constexpr std::string_view name = "place";
    std::vector<double> points;
};
// Of the inputs of its series, which have runs, at least so many are right.
struct Right {
    static constexpr std::string_view name = "right";
    std::uint32_t at_least = 0;  // 0: all
};
// A share of the step's points for each input that is right.
struct EachRight {
    static constexpr std::string_view name = "each_right";
};
// Whether a rule judges runs; every other one judges games, or no series at all.
template <typename Kind>
inline constexpr bool judges_runs = std::is_same_v<Kind, Right> || std::is_same_v<Kind, EachRight>;

using Rule = std::variant<Faultless, Wins, EachWin, AverageScore, ScoreOf, ShareOf, Always,
                          IsAsGood, Place, Right, EachRight>;
std::string_view name_of(const Rule& rule);
std::span<const std::string_view> rule_names();  // all of them, in the order of `Rule`
bool is_of_runs(const Rule& rule);

// Points to two decimals: what is shown, summed up and compared. A half goes up.
double hundredths(double points);

// Points for one thing.
struct Step {
    std::string id;
    std::string title;  // one line, as students read it
    double points = 0;  // at most; of a Place: the best place's
    Rule rule;
    std::vector<std::string> series;  // whose games it judges; none for a Place
    // Of several steps of one group only the one with the most points counts ("21, 25 or 30").
    std::string group;
    std::vector<std::string> needs;  // steps that must be passed, else this one gives nothing
    bool extra = false;              // beyond what all points come to
    bool hidden = false;  // students are shown its title and points, but no reason and no games
};

// What becomes of a submission that comes late.
struct LateRule {
    Duration grace = Duration::zero();  // after the deadline, at no cost
    double points = 0;                  // taken off for each day that has begun after it
    bool zero = true;                   // else nothing is given at all
};

// How what was handed in becomes a program, where the grader is given what was handed in. Empty
// members are found in each submission.
struct RubricBuild {
    std::string command;           // of a shell: the handout's
    std::string within;            // the handout's folder, in which it works
    std::vector<std::string> run;  // what runs the program there
    std::string kind;              // of programs that speak no protocol
    // Nothing: as for any build.
    std::optional<Duration> time;
    std::optional<std::uint64_t> memory_mb;
};

struct Rubric {
    std::string title;
    std::string game;
    std::uint32_t seed = 1;   // the same seed gives the same games
    double pass = 0;          // points from which the grade counts as passed
    std::string bots = "[]";  // opponents and references, as a config's "bots"; JSON text
    // Limits of the program that is graded: "memory_mb", "processes", ... as of a config's bot; an
    // object as JSON text.
    std::string limits = "{}";
    Duration time_max = std::chrono::minutes(30);  // of all games of one submission
    std::optional<LateRule> late;                  // none: late costs nothing
    RubricBuild build;
    std::vector<Series> series;
    std::vector<Step> steps;
    std::string hash;  // of the text without white space and comments: names this rubric in grades

    const Series* series_named(std::string_view id) const;
    // The series of a step; of a rubric that is still read, those that are there.
    std::vector<const Series*> judged_by(const Step& step) const;
    bool has_games() const;  // whether a series has games, and not only runs
    // The most points, without extra credit; of a group its best step.
    double points() const;
};

// Reads and checks a rubric; all mistakes at once, each with its line, its member and what was
// expected. Relative folders ("maps") are meant from `directory`. What only a config can check
// (params, opponents' commands) is checked when the games are planned.
base::Result<Rubric, std::vector<protocol::json::Mistake>> read_rubric(
    std::string_view text, const std::string& directory);

}  // namespace referee::rubric
