#include "referee/grading/grading_estimate.h"

#include <algorithm>

#include "protocol/base/text.h"
#include "referee/grading/verdict/words.h"

namespace referee::grading {
namespace {

using base::counted;
using verdict::length;

// As long as the longest of submissions that are played side by side in so many lanes.
Duration in_lanes(Duration sum, std::size_t lanes) {
    return sum / static_cast<Duration::rep>(std::max<std::size_t>(lanes, 1));
}

// Each is run with each input, in lanes.
std::string runs_in_words(const ToolPlan& tools, std::size_t submissions, std::size_t lanes) {
    if (tools.inputs() == 0) return {};
    const auto most = longest_of(tools) * static_cast<Duration::rep>(submissions);
    return counted(tools.inputs() * submissions, "run") + " of other programs, at worst " +
           length(in_lanes(most, lanes)) + '\n';
}

std::string games_in_words(std::uint64_t least, std::uint64_t most) {
    const auto at_most = counted(most, "game");
    return least == most ? at_most : std::to_string(least) + " to " + at_most;
}

}  // namespace

std::string estimate_of(const rubric::Rubric& rubric, const Plan& plan, const ToolPlan& tools,
                        std::size_t submissions, std::size_t lanes,
                        const std::vector<EstimatedTournament>& estimated) {
    const auto runs = runs_in_words(tools, submissions, lanes);
    if (!rubric.has_games())
        return rubric.title + ": " + counted(submissions, "submission") + "\n" + runs;
    EstimatedTournament all;
    all.likely = all.worst = Duration::zero();
    for (const auto& one : estimated) {
        all.games_least += one.games_least;
        all.games_most += one.games_most;
        all.likely = all.likely && one.likely ? std::optional(*all.likely + *one.likely)
                                              : std::optional<Duration>();
        all.worst = all.worst && one.worst ? std::optional(*all.worst + *one.worst)
                                           : std::optional<Duration>();
    }
    const auto bound = rubric.time_max * time_in_all_factor;
    const auto bound_of_all = bound * static_cast<Duration::rep>(submissions);
    const auto worst = std::min(all.worst.value_or(bound_of_all), bound_of_all);
    return rubric.title + ": " + counted(submissions, "submission") + ", " +
           std::to_string(plan.series.size()) + " series, " +
           games_in_words(all.games_least, all.games_most) + "\ntakes " +
           (all.likely ? "about " + length(in_lanes(*all.likely, lanes)) + " likely, " : "") +
           "at worst " + length(in_lanes(worst, lanes)) +
           (all.likely ? "" : " (a likely time isn't known before such games were played)") +
           "; the rubric allows a program " + length(rubric.time_max) +
           " of thinking, and its games run for " + length(bound) + " at most\n" + runs;
}

}  // namespace referee::grading
