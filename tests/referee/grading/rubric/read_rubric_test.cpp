#include "referee/grading/rubric/rubric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/grading/feedback/grade_reports.h"

namespace referee::rubric {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view whole = R"({
  "$schema": "../rubric-schema.json",
  "title": "Light Cycles, phase 1", /* a comment */
  "game": "light_cycles", "seed": 7, "pass": 21,
  "late": {"grace": "2h", "points_per_day": 5},
  "limits": {"memory_mb": 512}, "time_max": "20m",
  "build": {"command": "gcc *.c -o `uname`", "in": "iap", "run": ["java", "-jar", "a.jar"], "kind": "snake-challenge",
            "within": "90s", "memory_mb": 512},
  "bots": [{"name": "dumb", "launch": ["cycles-dumb"]}, {"name": "dumb-2", "launch": ["cycles-dumb"]}],
  "series": [
    {"id": "pair", "opponents": ["dumb", "dumb-2"], "match": {"games": 3}, "params": {"teams": 3}, "maps": "maps"},
    {"id": "many", "opponents": ["dumb"], "hidden": true, "as_good_as": {"fair": 0.5, "worse": 0.3, "matches_max": 60}},
    {"id": "tool", "runs": {"command": ["./a", "8"], "reference": ["b"], "inputs": "boards", "check": ["c", "8"], "time": "2s"}}
  ],
  "steps": [
    {"id": "legal", "title": "legal", "points": 21, "series": ["pair"], "rule": {"kind": "faultless"}, "group": "g"},
    {"id": "dumb", "title": "as dumb", "points": 25, "series": ["many"], "rule": {"kind": "is_as_good"}, "group": "g", "needs": ["legal"]},
    {"id": "wins", "title": "wins", "points": 4.25, "series": ["pair"], "rule": {"kind": "wins", "at_least": 2}},
    {"id": "place", "title": "place", "rule": {"kind": "place", "points": [20, 10, 10]}, "extra": true},
    {"id": "tool", "title": "tool", "points": 1, "series": ["tool"], "rule": {"kind": "right", "at_least": 18}}
  ]
})";

constexpr std::string_view small = R"({"title": "t", "game": "superball", "build": {},
  "series": [{"id": "s", "runs": {"command": ["./a"], "reference": ["b"], "inputs": "boards"}}],
  "steps": [{"id": "x", "title": "t", "points": 1, "series": ["s"], "rule": {"kind": "right"}}]})";

TEST(ReadRubric, EachMemberIsRead) {
    const auto read = read_rubric(whole, "/srv/rubrics");
    ASSERT_TRUE(read) << read.error()[0].path << ": " << read.error()[0].message;
    EXPECT_EQ(read->title, "Light Cycles, phase 1");
    EXPECT_EQ(read->game, "light_cycles");
    EXPECT_EQ(read->seed, 7U);
    EXPECT_EQ(read->pass, 21);
    ASSERT_TRUE(read->late);
    EXPECT_EQ(read->late->grace, std::chrono::hours(2));
    EXPECT_EQ(read->late->points, 5);
    EXPECT_FALSE(read->late->zero);
    EXPECT_EQ(read->limits, R"({"memory_mb":512})");
    EXPECT_EQ(read->time_max, std::chrono::minutes(20));
    EXPECT_THAT(read->bots, HasSubstr(R"({"name":"dumb-2","launch":["cycles-dumb"]})"));
    EXPECT_EQ(read->build.command, "gcc *.c -o `uname`");
    EXPECT_EQ(read->build.within, "iap");
    EXPECT_THAT(read->build.run, ElementsAre("java", "-jar", "a.jar"));
    EXPECT_EQ(read->build.kind, "snake-challenge");
    EXPECT_EQ(read->build.time, std::chrono::seconds(90));
    EXPECT_EQ(read->build.memory_mb, 512U);
    ASSERT_EQ(read->series.size(), 3U);
    EXPECT_EQ(read->series[0].tournament,
              R"({"params":{"teams":3},"maps":"/srv/rubrics/maps","match":{"games":3}})");
    EXPECT_THAT(read->series[0].opponents, ElementsAre("dumb", "dumb-2"));
    ASSERT_TRUE(read->series[1].as_good_as);
    EXPECT_EQ(read->series[1].as_good_as->worse, 0.3);
    EXPECT_EQ(read->series[1].as_good_as->matches_max, 60U);
    ASSERT_TRUE(read->series[2].runs);
    EXPECT_THAT(read->series[2].runs->command, ElementsAre("./a", "8"));
    EXPECT_THAT(read->series[2].runs->reference, ElementsAre("b"));
    EXPECT_EQ(read->series[2].runs->inputs, "/srv/rubrics/boards");
    EXPECT_EQ(read->series[2].runs->check, Runs::Check::program);
    EXPECT_THAT(read->series[2].runs->checker, ElementsAre("c", "8"));
    EXPECT_EQ(read->series[2].runs->time, std::chrono::seconds(2));
    ASSERT_EQ(read->steps.size(), 5U);
    EXPECT_EQ(name_of(read->steps[0].rule), "faultless");
    EXPECT_FALSE(read->steps[0].hidden);
    EXPECT_EQ(name_of(read->steps[1].rule), "is_as_good");
    EXPECT_THAT(read->steps[1].needs, ElementsAre("legal"));
    EXPECT_TRUE(read->steps[1].hidden) << "its series is hidden";
    EXPECT_EQ(std::get<Wins>(read->steps[2].rule).at_least, 2U);
    EXPECT_EQ(read->steps[3].points, 20);
    EXPECT_EQ(std::get<Right>(read->steps[4].rule).at_least, 18U);
    EXPECT_EQ(read->points(), 30.25) << "of a group the best, without extra credit";
}

TEST(ReadRubric, HowItIsBuiltIsShown) {
    const auto page = [](std::string_view text) {
        return feedback::page_of(read_rubric(text, "/srv").value(), feedback::For::student);
    };
    EXPECT_THAT(
        page(whole),
        HasSubstr("It is built by `` gcc *.c -o `uname` `` in its folder `iap`, within 1 min 30 s "
                  "and with 512 MB, and runs as `java -jar a.jar`. It is a program of the kind "
                  "`snake-challenge`, which speaks no protocol."));
    EXPECT_THAT(page(small), Not(HasSubstr("built"))) << "each submission tells it";
}

TEST(ReadRubric, RunsHaveDefaults) {
    const auto read = read_rubric(small, "/srv").value();
    EXPECT_EQ(read.series[0].runs->check, Runs::Check::same_lines);
    EXPECT_EQ(read.series[0].runs->time, std::chrono::seconds(10));
    EXPECT_EQ(std::get<Right>(read.steps[0].rule).at_least, 0U) << "all";
    EXPECT_FALSE(read.has_games());
    std::string sorted(small);
    sorted.insert(sorted.find("\"inputs\""), R"("check": "any_order", )");
    EXPECT_EQ(read_rubric(sorted, "/srv")->series[0].runs->check, Runs::Check::any_order);
}

TEST(ReadRubric, TheHashIsOfWhatItSaysNotOfItsLayout) {
    const auto hash = [](std::string_view text) { return read_rubric(text, "/srv").value().hash; };
    std::string spaced(whole);
    for (std::size_t at = 0; (at = spaced.find(", ", at)) != std::string::npos; at += 3)
        if (spaced.compare(at - 1, 1, "\"") == 0) spaced.replace(at, 2, ",\n ");
    spaced += "// the end";
    EXPECT_THAT(hash(whole), testing::MatchesRegex("sha256:[0-9a-f]{64}"));
    EXPECT_EQ(hash(whole), hash(spaced));
    std::string other(whole);
    other.replace(other.find("\"seed\": 7"), 9, "\"seed\": 8");
    EXPECT_NE(hash(whole), hash(other));
}

}  // namespace
}  // namespace referee::rubric
