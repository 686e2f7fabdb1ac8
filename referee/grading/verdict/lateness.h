#pragma once

#include <string>

#include "referee/grading/rubric/rubric.h"

namespace referee::verdict {

struct LateCost {
    double points = 0;     // at most all that there were
    std::string in_words;  // empty: it came in time
    bool counts = false;   // the rubric takes something off, as far as there is something
};

// What a submission that came so long after the deadline loses of its points.
LateCost late_cost(const rubric::Rubric& rubric, Duration late_by, double points);

}  // namespace referee::verdict
