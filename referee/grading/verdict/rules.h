#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "referee/grading/rubric/rubric.h"
#include "referee/grading/verdict/advice.h"
#include "referee/grading/verdict/grade.h"

// What a rule finds in the games of a step. grade.h makes points of it, by needs and groups.

namespace referee::verdict {

struct Finding {
    // `got` of `of` parts of the points; as numbers that were counted, so that nothing is rounded
    // before points are made of it.
    double got = 0;
    double of = 1;
    bool trouble = false;      // could not be judged, for `reason`
    bool not_counted = false;  // there was nothing to judge, and nobody's trouble
    std::string reason{};
    std::string in_kind{};  // what of it may be told of a hidden step
    std::string needed{};   // the title of the step without which it gives nothing
    std::map<Advice, std::vector<AdviceLine>> advice{};
    std::string figures{};  // of all games that were added up; empty: none are missing, or one
    std::vector<std::string> games{};
    std::vector<std::string> wrong_runs{};  // ids
    std::optional<Average> average{};       // where the rule asks for one

    bool passed() const { return !trouble && !not_counted && got >= of; }
};
inline Finding passed(std::string reason) {
    return {.got = 1, .reason = std::move(reason)};
}
inline Finding failed(std::string reason) {
    return {.reason = std::move(reason)};
}
inline Finding in_trouble(std::string reason) {
    return {.trouble = true, .reason = std::move(reason)};
}

// ---- rules.cpp ----------------------------------------------------------------------------------

// The one place where points are rounded: to two decimals, a half up.
double points_of(const Finding& finding, double points);

// The games, or the runs, of all series of a step.
struct JudgedRun {
    std::string id;  // "analyze/07.txt"
    const PlayedRun* run = nullptr;
};
struct Judged {
    std::vector<const PlayedGame*> games;
    std::vector<JudgedRun> runs;
    std::vector<const PlayedSeries*> series;
};

// What a step's rule finds. Requires: none of the series is in trouble, and there are games; for
// the rules of runs, runs.
Finding find(const rubric::Faultless& rule, const Judged& judged);
Finding find(const rubric::Wins& rule, const Judged& judged);
Finding find(const rubric::EachWin& rule, const Judged& judged);
Finding find(const rubric::Always& rule, const Judged& judged);
Finding find(const rubric::Right& rule, const Judged& judged);
Finding find(const rubric::EachRight& rule, const Judged& judged);
Finding find_place(const rubric::Place& rule, bool is_extra, const Played& played);
// `judged`: one series, with a sequential test.
Finding find_test(const rubric::Series& series, const Judged& judged);

// Tells how a game ended that brought too little, and what the program did wrong in it: first what
// cost more. Where the program did nothing else, the end tells nothing more.
void advise(Finding& finding, const PlayedGame& game, const std::string& end);
// "; mending it brings at most 2 turns a game", where what went wrong in each of these games cost
// it few turns and nothing else; else nothing.
std::string worth_of_mending(const std::vector<const PlayedGame*>& games);
// Tells what went wrong first, or ended it, in each of the games.
void advise_faults(Finding& finding, const std::vector<PlayedGame>& games);
// Those that decided come first.
std::vector<std::string> ids_of(const std::vector<const PlayedGame*>& first,
                                const std::vector<const PlayedGame*>& all);

// ---- score_rules.cpp ----------------------------------------------------------------------------

Finding find(const rubric::AverageScore& rule, const Judged& judged);
Finding find(const rubric::ScoreOf& rule, const Judged& judged);
Finding find(const rubric::ShareOf& rule, const Judged& judged);

// Whether the game surely costs no points of the step.
bool is_complete(const rubric::Step& step, const PlayedGame& game);

// ---- hidden_steps.cpp ---------------------------------------------------------------------------

// What a student may know of the games of a hidden step: "wrong in 3 of 120 turns of 3 games:
// error: 'x' undefined; how the games ended: in 2 of 3 games a ghost caught the ship; in 1 the
// turns ran out", or why the program gave no valid move in any game. Empty: it has no games.
std::string told_of_hidden(const rubric::Step& step, const rubric::Rubric& rubric,
                           const Played& played);

}  // namespace referee::verdict
