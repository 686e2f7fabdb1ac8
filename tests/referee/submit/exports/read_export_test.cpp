#include "referee/submit/exports/read_export.h"

#include <gtest/gtest.h>

namespace referee::exports {
namespace {

using Paths = std::vector<std::string>;

std::vector<ExportedFile> files_of(const Paths& paths) {
    std::vector<ExportedFile> files;
    for (const auto& path : paths) files.push_back({path, 1000});
    return files;
}

// "Ann Lee 1: bot.zip | Bob 1: a.c, 2: b.c"
std::string shown(const Export& read) {
    std::string text;
    for (const auto& submission : read.submissions) {
        text += text.empty() ? "" : " | ";
        for (const auto& submitter : submission.submitters)
            text += (submitter.name.empty() ? submitter.id : submitter.name) + " ";
        if (submission.submitters.empty()) text += submission.key + " ";
        for (const auto& version : submission.versions) {
            text += std::to_string(version.number) + (version.late ? " late:" : ":");
            for (const auto& file : version.files) text += " " + file.path;
            text += ";";
        }
    }
    return text;
}

TEST(ReadExport, EachShapeIsFoundAndRead) {
    struct Case {
        Shape shape;
        Paths paths;
        std::string submissions;
        Paths left_over;
    };
    const std::vector<Case> cases = {
        {Shape::moodle,
         {"Ann Lee_1234567_assignsubmission_file_/bot.zip",
          "Zo\xC3\xAB O'Neil-Ruiz_1234568_assignsubmission_file_/src/main.c",
          "Zo\xC3\xAB O'Neil-Ruiz_1234568_assignsubmission_file_/src/a.h",
          "Ann Lee_1234567_assignsubmission_onlinetext_/onlinetext.html"},
         "Ann Lee 1: bot.zip; | Zo\xC3\xAB O'Neil-Ruiz 1: src/main.c src/a.h;",
         {"Ann Lee_1234567_assignsubmission_onlinetext_/onlinetext.html"}},
        {Shape::moodle,
         {"Ann Lee_1234567_assignsubmission_file_bot.zip",
          "Group/Eve_3_assignsubmission_file_/Ann Lee_99_assignsubmission_file_main.py",
          "Red-Bob Ray_99_assignsubmission_file_my_bot.c"},
         "Ann Lee 1: bot.zip; | Eve 1: Ann Lee_99_assignsubmission_file_main.py; | "
         "Red-Bob Ray 1: my_bot.c;",
         {}},
        {Shape::canvas,
         {"leeann_12345_678901_bot.zip", "leeann_12345_678905_bot-1.zip",
          "raybob_LATE_12346_678902_my_bot-2.zip", "solo_777_1_level-1.c", "solo_777_2_level-2.c",
          "year_778_3_plan-2026.zip"},
         "leeann 1: bot.zip;2: bot.zip; | raybob 3 late: my_bot.zip; | solo 1: level-1.c "
         "level-2.c; | year 1: plan-2026.zip;",
         {}},
        {Shape::gradescope,
         {"assignment_1_export/submission_11/a.py", "assignment_1_export/submission_11/b.py",
          "assignment_1_export/submission_12/a.py", "assignment_1_export/submission_metadata.yml"},
         "submission_11 1: a.py b.py; | submission_12 1: a.py;",
         {}},
        {Shape::classroom,
         {"snake-ann-lee/main.c", "snake-ann-lee/README.md", "snake-bob/main.c"},
         "snake-ann-lee 1: main.c README.md; | snake-bob 1: main.c;",
         {}},
        {Shape::classroom,
         {"all/snake-ann/main.c", "all/snake-bob/main.c", "all/snake-bob/x/y.c"},
         "snake-ann 1: main.c; | snake-bob 1: main.c x/y.c;",
         {}},
        {Shape::plain,
         {"ann.zip", "bob/main.c", "bob/b.c"},
         "ann 1: ann.zip; | bob 1: main.c b.c;",
         {}},
    };
    for (const auto& [shape, paths, submissions, left_over] : cases) {
        auto within = paths;
        if (shape == Shape::classroom && paths[0].starts_with("all/")) {
            for (auto& path : within) path.erase(0, std::string("all/").size());
        }
        EXPECT_EQ(name_of(shape_in(within)), name_of(shape)) << paths[0];
        const auto read = read_export(shape, files_of(paths), {});
        EXPECT_EQ(shown(read), submissions);
        EXPECT_EQ(read.left_over, left_over) << paths[0];
    }
}

TEST(ReadExport, ManyFilesOfOneRepositoryDontHideTheShape) {
    EXPECT_EQ(shape_in(Paths{"notes.txt", "a/b.c"}), Shape::plain);
    EXPECT_EQ(shape_in(Paths{}), Shape::plain);
}

constexpr std::string_view metadata = R"(---
submission_11:
  :submitters:
  - :name: Ann Lee
    :sid: '0123'
    :email: ann@example.edu
  - :name: "Bob \"B\" Ray"
    :sid: 456
    :email: bob@example.edu
  :created_at: 2026-05-01 21:30:00.123456000 Z
  :score: 0.0
  :results:
    tests:
    - name: not a submitter
      email: nobody@example.edu
  :history:
  - :created_at: 2020-01-01 00:00:00 Z
submission_12:
  :submitters:
  - :name: 'Zoe O''Neil'
    :email: zoe@example.edu
  :created_at: 2026-05-02 00:30:00 +0200
)";

TEST(ReadExport, GradescopesMetadataTellWhoAndWhen) {
    const auto read = read_export(
        Shape::gradescope, files_of({"x/submission_11/a.py", "x/submission_12/a.py"}), metadata);
    ASSERT_EQ(read.submissions.size(), 2U);
    const auto& group = read.submissions[0];
    ASSERT_EQ(group.submitters.size(), 2U);
    EXPECT_EQ(group.submitters[0].id, "0123");
    EXPECT_EQ(group.submitters[1].name, "Bob \"B\" Ray");
    EXPECT_EQ(group.submitters[1].email, "bob@example.edu");
    EXPECT_EQ(group.versions[0].at_s, zoned_moment_in("2026-05-01T21:30Z"));
    EXPECT_EQ(read.submissions[1].submitters[0].name, "Zoe O'Neil");
    EXPECT_EQ(read.submissions[1].versions[0].at_s, zoned_moment_in("2026-05-01T22:30Z"));
    EXPECT_TRUE(read.remarks.empty());
    const auto none =
        read_export(Shape::gradescope, files_of({"submission_11/a.py"}), "{{nonsense");
    EXPECT_EQ(none.remarks.size(), 1U);
    EXPECT_EQ(none.submissions[0].versions[0].at_s, std::nullopt) << "the export's time isn't it";
}

TEST(ReadExport, TimesAreThoseOfTheLastFileWhereTheShapeTellsThem) {
    const std::vector<ExportedFile> files = {{"Ann_1_assignsubmission_file_/a.c", 50},
                                             {"Ann_1_assignsubmission_file_/b.c", 70}};
    EXPECT_EQ(read_export(Shape::moodle, files, {}).submissions[0].versions[0].at_s, 70);
    const std::vector<ExportedFile> repository = {{"s-ann/a.c", 50}, {"s-bob/b.c", 70}};
    EXPECT_EQ(read_export(Shape::classroom, repository, {}).submissions[0].versions[0].at_s,
              std::nullopt);
}

TEST(Deadlines, AMomentHasAZone) {
    for (const auto& [text, seconds] :
         std::vector<std::pair<std::string, std::optional<std::int64_t>>>{
             {"1970-01-01T00:00Z", 0},
             {"1970-01-01T02:00+02:00", 0},
             {"1970-01-01 00:00:05.75 -0100", 3605},
             {"2026-05-01T23:59+02:00", 1777672740},
             {"2026-05-01T23:59", std::nullopt},
             {"2026-02-30T23:59Z", std::nullopt},
             {"2026-05-01T24:00Z", std::nullopt},
             {"2026-05-01T23:59Z!", std::nullopt},
             {"tomorrow", std::nullopt},
             {"", std::nullopt}})
        EXPECT_EQ(zoned_moment_in(text), seconds) << text;
    EXPECT_EQ(utc_text(1777672740), "2026-05-01T21:59:00Z");
    EXPECT_EQ(utc_text(0), "1970-01-01T00:00:00Z");
}

TEST(Deadlines, LateIsBeyondTheGrace) {
    const auto deadline = deadline_in("c1=1970-01-01T00:01Z");
    ASSERT_TRUE(deadline);
    EXPECT_EQ(deadline->name, "c1");
    EXPECT_EQ(late_by(60, *deadline, 0), 0);
    EXPECT_EQ(late_by(61, *deadline, 0), 1);
    EXPECT_EQ(late_by(70, *deadline, 10), 0);
    EXPECT_EQ(late_by(71, *deadline, 10), 11);
    for (const std::string text : {"c1=", "=1970-01-01T00:01Z", "c1=noon", ""}) {
        const auto wrong = deadline_in(text);
        ASSERT_FALSE(wrong) << text;
        EXPECT_NE(wrong.error().find("such as 2026-05-01T23:59+02:00"), std::string::npos);
    }
}

TEST(ShapeNames, ArchivesByTheirEndings) {
    for (const std::string name : {"a.zip", "A.ZIP", "b.tar.gz", "c.7z", "d.rar", "e.tgz"})
        EXPECT_TRUE(is_archive_name(name)) << name;
    for (const std::string name : {"a.c", "zip", ".zip", "a.gz", "a.jar"})
        EXPECT_FALSE(is_archive_name(name)) << name;
}

}  // namespace
}  // namespace referee::exports
