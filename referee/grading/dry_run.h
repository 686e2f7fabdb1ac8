#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "referee/config/config.h"
#include "referee/game/clock/time.h"
#include "referee/grading/games/grading_plan.h"
#include "referee/grading/rubric/rubric.h"
#include "referee/grading/submission/submission.h"
#include "referee/grading/tools/tool_plan.h"
#include "referee/grading/verdict/grade.h"

// What a grading comes to, told before anything is played.

namespace referee::grading {

// The games of a submission run for so many times the rubric's `time_max` at most, in one call.
// That time is of the program's own thinking; an opponent that thinks as long as it does takes as
// much again.
inline constexpr int time_in_all_factor = 2;

// Of one tournament, as `referee check` estimates it.
struct EstimatedTournament {
    std::uint64_t games_least = 0;
    std::uint64_t games_most = 0;
    std::optional<Duration> likely;  // where such games are known
    std::optional<Duration> worst;   // where the rules set an end
};
// Of each tournament of a config, in its order. `store`: a file whose games are known; may not be
// there.
using Foretell = std::function<std::vector<EstimatedTournament>(const config::Config& config,
                                                                const std::string& store)>;

// Two lines: how many submissions and games there are, how long they take, and the bound. Where
// there are runs, a line more; and no line of games where there are none.
std::string estimate_of(const rubric::Rubric& rubric, const Plan& plan, const ToolPlan& tools,
                        std::size_t submissions, std::size_t lanes,
                        const std::vector<EstimatedTournament>& estimated);

// Grading a rubric's own reference bots: what it gives to programs whose strength is known.

// The rubric's bots, each program once, or the reference bots of its game where it has none, as if
// each were handed in; one alone where the rubric has no games, whose tools are the references.
// `rubric_folder`: absolute.
std::vector<GradedSubmission> reference_submissions(const rubric::Rubric& rubric,
                                                    const std::string& rubric_folder);

// A line a bot: its points, the points of each step, how long its games took.
std::string dry_run_table(const std::vector<verdict::Grade>& grades,
                          const std::map<std::string, Duration>& spans);

}  // namespace referee::grading
