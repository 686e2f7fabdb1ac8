#pragma once

#include "referee/grading/rubric/rubric.h"
#include "referee/grading/verdict/grade.h"

namespace referee::verdict {

// The grade of what was played: points, verdicts and reasons; of `Grade` all but who made it and
// where. `late_by`: how long after the deadline it came in.
Grade judge(const rubric::Rubric& rubric, const Played& played,
            Duration late_by = Duration::zero());

}  // namespace referee::verdict
