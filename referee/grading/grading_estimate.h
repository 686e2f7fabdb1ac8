#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "referee/config/config.h"
#include "referee/grading/games/grading_plan.h"
#include "referee/grading/rubric/rubric.h"
#include "referee/grading/tools/tool_plan.h"

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

}  // namespace referee::grading
