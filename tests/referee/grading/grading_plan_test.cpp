#include "referee/grading/grading_plan.h"

#include <gtest/gtest.h>

#include "referee/grading/rubric/read_rubric.h"

namespace referee::grading {
namespace {

TEST(Plan, ReferencesPlayOnlyBesideSomebody) {
    const auto rubric = rubric::read_rubric(R"({"title": "t", "game": "snake_labyrinth",
        "bots": [{"name": "best", "launch": ["/bin/true"]}],
        "series": [{"id": "s", "references": ["best"]}],
        "steps": [{"id": "x", "title": "t", "points": 1, "series": ["s"],
                   "rule": {"kind": "score_of", "reference": "best"}}]})",
                                            "/srv");
    ASSERT_TRUE(rubric);
    GradedSubmission ann;
    ann.name = ann.player = "ann";
    ann.bot = R"({"launch": ["/bin/true"]})";
    const auto planned = [&] {
        const auto plan = plan_of(*rubric, {&ann, 1}, {"/srv", "/srv/out", 1, {}});
        return plan ? plan->series.size() : 99;
    };
    EXPECT_EQ(planned(), 2U);
    ann.unplayable = "it was not built";
    EXPECT_EQ(planned(), 0U);
}

}  // namespace
}  // namespace referee::grading
