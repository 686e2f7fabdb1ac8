#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/grading/games/grading_plan.h"
#include "referee/grading/submission_grade.h"
#include "referee/grading/tools/tool_plan.h"
#include "tests/folder_of_test.h"

// What is planned of a rubric's bots and tools: from where their paths go, and what they may take;
// and what a program is worth of which no launch has shown anything.

namespace referee::grading {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

rubric::Rubric rubric_with_bot(const std::string& reads) {
    const auto text = R"({"title": "t", "game": "walls", "build": {},
        "bots": [{"name": "own", "launch": ["referee_walls_greedy"], "reads": )" +
                      reads + R"(}],
        "series": [{"id": "s", "opponents": ["own"]}],
        "steps": [{"id": "x", "title": "t", "points": 1, "series": ["s"],
                   "rule": {"kind": "wins", "at_least": 1}}]})";
    auto read = rubric::read_rubric(text, "/srv/rubrics");
    EXPECT_TRUE(read) << read.error()[0].path << ": " << read.error()[0].message;
    return *std::move(read);
}

base::Result<Plan, std::vector<std::string>> plan_for(const rubric::Rubric& rubric,
                                                      std::vector<GradedSubmission> handed_in) {
    name_players(rubric, handed_in);
    return plan_of(rubric, handed_in, {"/srv/rubrics", "/srv/out", 1, {}});
}

TEST(BotsOfARubric, ReadFromTheRubricsFolder) {
    const auto rubric = rubric_with_bot(R"(["tables", "/opt/jdk-17"])");
    GradedSubmission ann;
    ann.name = "ann";
    ann.bot = R"({"launch": ["/bin/true"]})";
    const auto plan = plan_for(rubric, {ann});
    ASSERT_TRUE(plan) << plan.error().front();
    EXPECT_THAT(plan->config.bots.at(1).reads, ElementsAre("/srv/rubrics/tables", "/opt/jdk-17"));
    const auto graded = plan_for(rubric, reference_submissions(rubric, "/srv/rubrics"));
    ASSERT_TRUE(graded) << graded.error().front();
    EXPECT_THAT(graded->config.bots.at(0).reads, ElementsAre("/srv/rubrics/tables", "/opt/jdk-17"))
        << "as if it were handed in";
}

TEST(BotsOfARubric, ReadNothingBesideItsFolder) {
    for (const std::string wrong : {"\"../tables\"", "\"\"", "7"}) {
        const auto rubric = rubric_with_bot("[\"tables\", " + wrong + "]");
        GradedSubmission ann;
        ann.name = "ann";
        ann.bot = R"({"launch": ["/bin/true"]})";
        const auto plan = plan_for(rubric, {ann});
        ASSERT_FALSE(plan) << wrong;
        EXPECT_THAT(plan.error(), ElementsAre(HasSubstr("bots[0].reads[1]: expected a")));
    }
}

TEST(ProgramThatNeverStarted, IsWorthNothingForItsCommandAloneAndNobodysZeroForTheMachine) {
    const auto rubric = rubric_with_bot("[]");
    GradedSubmission ann;
    ann.name = ann.player = "ann";
    ann.bot = R"({"launch": ["/bin/true"]})";
    const auto plan = plan_for(rubric, {ann});
    ASSERT_TRUE(plan) << plan.error().front();
    const ToolRuns tools({}, {&ann, 1}, {});
    const PlayedRecords nothing_played;
    for (const bool by_its_command : {true, false}) {
        run::RunEnding run;
        run.never_started["ann"] = {"ann", "no luck", by_its_command, false};
        const auto grade =
            grade_of(ann, {rubric, *plan, nullptr, tools, nothing_played, run}).grade;
        EXPECT_EQ(grade.final(), by_its_command);
        EXPECT_EQ(grade.unplayable, by_its_command ? "it can't be launched: no luck" : "");
        if (by_its_command) continue;
        EXPECT_THAT(grade.troubles, ElementsAre(HasSubstr("it can't start: no luck")));
    }
}

TEST(ToolsOfARubric, MayTakeWhatABotMay) {
    const tests::FolderOfTest folder;
    folder.write("boards/1.txt", "");
    const auto mistakes_with = [&](const std::string& limits) {
        const auto rubric = rubric::read_rubric(
            R"({"title": "t", "game": "superball", "build": {}, "limits": )" + limits + R"(,
        "series": [{"id": "s", "runs": {"command": ["./a"], "reference": ["/bin/true"],
                                        "inputs": "boards"}}],
        "steps": [{"id": "x", "title": "t", "points": 1, "series": ["s"],
                   "rule": {"kind": "right"}}]})",
            folder.path);
        EXPECT_TRUE(rubric) << rubric.error()[0].message;
        const auto plan = tool_plan_of(*rubric, folder.path);
        return plan ? std::vector<std::string>() : plan.error();
    };
    EXPECT_THAT(mistakes_with(R"({"processes": 4194304})"), ElementsAre());
    EXPECT_THAT(mistakes_with(R"({"processes": 4194305})"),
                ElementsAre("limits.processes: expected an integer from 1 to 4194304, found "
                            "4194305"));
}

}  // namespace
}  // namespace referee::grading
