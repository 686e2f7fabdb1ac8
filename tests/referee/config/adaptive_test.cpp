// An adaptive format: what is read of it, and what is wrong with it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "tests/referee/config/mistake.h"
#include "tests/referee/config/reading.h"

namespace referee::config {
namespace {

using formats::AdaptiveOptions;
using formats::Question;

AdaptiveOptions adaptive_of(const std::string& members) {
    const auto config = good(
        R"({"bots": [{"name": "a"}, {"name": "b"}, {"name": "c"}], "tournaments": [{"id": "t",
        "game": "walls", "format": {"kind": "adaptive")" +
        members + "}}]}");
    const auto* read = config.tournaments.empty()
                           ? nullptr
                           : config.tournaments.front().format.as<AdaptiveOptions>();
    return read == nullptr ? AdaptiveOptions{} : *read;
}

TEST(AdaptiveFormatTest, Questions) {
    EXPECT_EQ(adaptive_of("").question, Question::top);
    EXPECT_EQ(adaptive_of("").top, 1U);
    EXPECT_EQ(adaptive_of(R"(, "question": "order")").question, Question::order);
    EXPECT_EQ(adaptive_of(R"(, "question": "top", "top": 2)").top, 2U);
    const auto border = adaptive_of(R"(, "question": "better_than", "better_than": "c")");
    EXPECT_EQ(border.question, Question::better_than);
    EXPECT_EQ(border.better_than, 2U);
}

TEST(AdaptiveFormatTest, Options) {
    const auto read =
        adaptive_of(R"(, "confidence": 0.9, "margin": 0.05, "matches": 77, "opening": 3)");
    EXPECT_EQ(read.confidence, 0.9);
    EXPECT_EQ(read.margin, 0.05);
    EXPECT_EQ(read.matches, 77U);
    EXPECT_EQ(read.opening, 3U);
    EXPECT_EQ(read.time, std::chrono::seconds(0)) << "as long as it takes";
    EXPECT_EQ(adaptive_of(R"(, "time": "90m")").time, std::chrono::minutes(90));
}

TEST(AdaptiveFormatTest, Mistakes) {
    check(R"({"bots": [{"name": "a"}, {"name": "b"}, {"name": "c"}],)"
          R"("tournaments": [{"id": "t", "game": "walls",)",
          {
              {R"("format": {"kind": "adaptive", "question": "best"})",
               "tournaments[0].format.question", "\"better_than\""},
              {R"("format": {"kind": "adaptive", "question": "top"})",
               "tournaments[0].format.question", "expected \"top\" beside it"},
              {R"("format": {"kind": "adaptive", "top": 2})", "tournaments[0].format.top",
               "only \"question\": \"top\" has it"},
              {R"("format": {"kind": "adaptive", "question": "better_than", "better_than": "zoe"})",
               "tournaments[0].format.better_than", "\"zoe\" is not one of the tournament's bots"},
              {R"("format": {"kind": "adaptive", "confidence": 0.3})",
               "tournaments[0].format.confidence", "at least 0.5 and below 1"},
              {R"("format": {"kind": "adaptive", "margin": 20})", "tournaments[0].format.margin",
               "expected a number from 0 to 1"},
              {R"("format": {"kind": "adaptive", "time": "soon"})", "tournaments[0].format.time",
               "expected"},
              {R"("format": {"kind": "swiss", "time": "1h"})", "tournaments[0].format.time",
               "only a format of kind \"adaptive\" has it"},
              {R"("format": {"kind": "stages", "stages": [{"kind": "adaptive", "time": "1h"}]})",
               "tournaments[0].format.stages[0].time", "only a tournament of its own ends"},
              {R"("format": {"kind": "adaptive"}, "match": {"best_of": 3})",
               "tournaments[0].format.kind", "needs matches of so many games"},
              {R"("format": {"kind": "swiss", "confidence": 0.9})",
               "tournaments[0].format.confidence", "only a format of kind \"adaptive\" has it"},
          },
          "}]}");
}

}  // namespace
}  // namespace referee::config
