// How what was handed in is built, as a rubric says it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/grading/feedback/grade_reports.h"
#include "referee/grading/rubric/read_rubric.h"

namespace referee::rubric {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

base::Result<Rubric, std::vector<RubricMistake>> with_build(const std::string& build) {
    return read_rubric(R"({"title": "t", "game": "walls", "build": )" + build +
                           R"(, "series": [{"id": "s", "opponents": ["r"]}],
                             "bots": [{"name": "r", "launch": ["walls-random"]}],
                             "steps": [{"id": "x", "title": "t", "points": 1, "series": ["s"],
                                        "rule": {"kind": "faultless"}}]})",
                       "/srv");
}

TEST(ReadBuild, EachMemberIsReadAndShown) {
    const auto read = with_build(
        R"({"command": "gcc *.c -o `uname`", "in": "iap", "run": ["java", "-jar", "a.jar"],
            "kind": "snake-challenge", "within": "90s", "memory_mb": 512})");
    ASSERT_TRUE(read) << read.error()[0].path << ": " << read.error()[0].message;
    EXPECT_EQ(read->build.command, "gcc *.c -o `uname`");
    EXPECT_EQ(read->build.within, "iap");
    EXPECT_THAT(read->build.run, ElementsAre("java", "-jar", "a.jar"));
    EXPECT_EQ(read->build.kind, "snake-challenge");
    EXPECT_EQ(read->build.time, std::chrono::seconds(90));
    EXPECT_EQ(read->build.memory_mb, 512U);
    EXPECT_THAT(
        feedback::page_of(*read, feedback::For::student),
        HasSubstr("It is built by `` gcc *.c -o `uname` `` in its folder `iap`, within 1 min 30 s "
                  "and with 512 MB, and runs as `java -jar a.jar`. It is a program of the kind "
                  "`snake-challenge`, which speaks no protocol."));
}

TEST(ReadBuild, WhatIsLeftOutIsFoundInEachSubmission) {
    const auto read = with_build("{}");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->build.command + read->build.within + read->build.kind, "");
    EXPECT_FALSE(read->build.time || read->build.memory_mb);
    EXPECT_THAT(feedback::page_of(*read, feedback::For::student), Not(HasSubstr("built")));
}

TEST(ReadBuild, WhatIsWrongIsTold) {
    struct Wrong {
        const char* build;
        const char* path;
        const char* told;
    };
    for (const auto& wrong : {
             Wrong{R"({"command": "make\nrm"})", "build.command", "expected one line of text"},
             Wrong{R"({"command": ""})", "build.command", "expected one line of text"},
             Wrong{R"({"in": 3})", "build.in", "expected a text"},
             Wrong{R"({"run": []})", "build.run", "expected 1 to 100 words"},
             Wrong{R"({"run": [""]})", "build.run[0]", "expected a word of a command"},
             Wrong{R"({"within": "10ms"})", "build.within", "expected 1s to 1h"},
             Wrong{R"({"within": "2h"})", "build.within", "expected 1s to 1h"},
             Wrong{R"({"memory_mb": 3})", "build.memory_mb", "64"},
             Wrong{R"({"comand": "make"})", "build.comand", "no such member here"},
             Wrong{R"("make")", "build", "expected an object"},
         }) {
        const auto read = with_build(wrong.build);
        ASSERT_FALSE(read) << wrong.build;
        EXPECT_EQ(read.error()[0].path, wrong.path) << wrong.build;
        EXPECT_THAT(read.error()[0].message, HasSubstr(wrong.told)) << wrong.build;
    }
}

}  // namespace
}  // namespace referee::rubric
