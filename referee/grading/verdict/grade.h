#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/enum_names.h"
#include "referee/grading/rubric/rubric.h"
#include "referee/grading/verdict/advice.h"
#include "referee/grading/verdict/played.h"

namespace referee::verdict {

// An average score, with what it was measured by.
struct Average {
    double score = 0;
    std::size_t games = 0;
    std::string seeds;  // of the games, as in "1-100, 107"; empty: not all are known
};

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
    std::vector<AdvicePlace> told{};  // the first game or input of each such line
    std::vector<std::string> games;   // ids of the games that it judged, those that decided first
    // Of a step that judges runs: the inputs that were wrong, "analyze/07.txt".
    std::vector<std::string> wrong_runs{};
    std::optional<Average> average{};  // where the step asks for one
    // Of a hidden step: what stands for its reason, in words that tell nothing of its games.
    std::string in_kind{};

    // Points that could be had, and are not.
    bool lacks_points() const {
        return verdict == StepVerdict::failed || verdict == StepVerdict::partly;
    }
    // Whether its points are a part of the grade's.
    bool counts() const { return verdict == StepVerdict::passed || lacks_points(); }
};

// Why nothing is final before the course has looked at a program that ended before its first move.
enum class Doubt : std::uint8_t {
    none,
    wrong_kind,  // it ended well: perhaps it is another kind of program than it was started as
    no_program,  // as a script ends that can't start a program: perhaps the machine lacks that
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
    Doubt doubt = Doubt::none;
    std::string started_by{};  // the command; of a kind its adapter's
    // Sentences that show what cost points, most of them with a command; nothing that is hidden.
    std::vector<std::string> to_see{};
    std::vector<std::string> to_explain{};        // likewise, for the instructor
    std::map<std::string, std::string> inputs{};  // by heading, those that `to_see` speaks of
    // Why no game could be played, by the program's own doing: "it was not built: ...".
    std::string unplayable{};

    bool final() const { return troubles.empty() && doubt == Doubt::none; }
};

// The grade of what was played: points, verdicts and reasons; of `Grade` all but who made it and
// where. `late_by`: how long after the deadline it came in.
Grade judge(const rubric::Rubric& rubric, const Played& played,
            Duration late_by = Duration::zero());

}  // namespace referee::verdict
