#pragma once

#include <string>
#include <vector>

#include "referee/grading/rubric/rubric.h"
#include "referee/grading/verdict/grade.h"

// Games and rubrics for tests of what is made of them.

namespace referee::verdict {

PlayedGame game_won(std::size_t setup = 0);
PlayedGame game_lost(std::size_t setup = 0);
PlayedGame game_scored(double score, std::size_t setup = 0, std::string detail = "{}");
PlayedGame with_faults(PlayedGame game, std::size_t faults);
PlayedGame forfeited(PlayedGame game);
// So many won, then so many lost.
std::vector<PlayedGame> games(std::size_t won, std::size_t lost);

rubric::Step step_with(rubric::Rule rule, double points = 10, std::string id = "x");
// Its one series is "s".
rubric::Rubric rubric_with(std::vector<rubric::Step> steps);
Played played_with(std::vector<PlayedGame> games);
// How a rubric's only step is judged, which is worth 10 points by that rule.
StepGrade judged(rubric::Rule rule, const Played& played);

}  // namespace referee::verdict
