#include "referee/grading/verdict/lateness.h"

#include <algorithm>

#include "referee/grading/verdict/words.h"

namespace referee::verdict {

LateCost late_cost(const rubric::Rubric& rubric, Duration late_by, double points) {
    if (late_by <= Duration::zero()) return {};
    const auto came = "came " + length(late_by) + " after the deadline";
    if (!rubric.late) return {0, came + ", which costs nothing"};
    const auto& late = *rubric.late;
    if (late_by <= late.grace)
        return {0, came + ", within the " + length(late.grace) + " that cost nothing"};
    if (late.zero) return {points, came + ": no points are given", true};
    constexpr auto day = Duration(std::chrono::hours(24));
    const auto over = late_by - late.grace;
    const auto days = static_cast<std::size_t>((over + day - Duration(1)) / day);
    const auto cost = late.points * static_cast<double>(days);
    return {std::min(rubric::hundredths(cost), points),
            came + ": " + count(days, "day") + " begun" +
                (late.grace > Duration::zero()
                     ? " after the " + length(late.grace) + " that cost nothing"
                     : std::string()) +
                ", " + number(late.points) + " points each",
            true};
}

}  // namespace referee::verdict
