#include "referee/check_bot/report.h"

#include <gtest/gtest.h>

#include "protocol/json/document.h"

namespace referee::check_bot {
namespace {

BotReport some_report() {
    BotReport report;
    report.bot = "ada";
    report.program = "python3 ada.py";
    report.games = {"walls"};
    report.findings = {{"login", "", Verdict::good, "as ada", "", ""},
                       {"moves", "walls", Verdict::wrong, "it sent <\"X\">\nand \x1b[2J & more",
                        "F, L or R", "look"},
                       {"ping", "", Verdict::could_be_better, "none", "a pong", "answer"},
                       {"delta", "", Verdict::not_tried, "not asked for", "", ""}};
    return report;
}

TEST(ExamReport, TheLastLineCountsTheCornersThatWereTried) {
    auto report = some_report();
    EXPECT_FALSE(report.passed());
    EXPECT_EQ(last_line(report), "wrong in 1 of 3 corners; 1 could be better; 1 was not tried\n");
    report.findings.erase(report.findings.begin() + 1);
    EXPECT_TRUE(report.passed());
    EXPECT_EQ(last_line(report),
              "nothing is wrong in 2 corners; 1 could be better; 1 was not tried\n");
}

TEST(ExamReport, WhatABotWroteCanNotSteerATerminal) {
    const auto text = as_text(some_report().findings[1]);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_NE(text.find("WRONG            moves (walls): it sent"), std::string::npos);
    EXPECT_NE(text.find("expected: F, L or R\n"), std::string::npos);
    EXPECT_NE(text.find("what to do: look\n"), std::string::npos);
}

TEST(ExamReport, JunitHoldsEachCornerWithoutABareSign) {
    const auto text = as_junit(some_report());
    EXPECT_NE(text.find("tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"1\""),
              std::string::npos);
    EXPECT_NE(text.find("it sent &lt;&quot;X&quot;&gt;&#10;"), std::string::npos);
    EXPECT_NE(text.find("&amp; more"), std::string::npos);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_NE(text.find("<skipped message=\"not asked for\"/>"), std::string::npos);
}

TEST(ExamReport, JsonHasAllThatIsKnown) {
    const auto text = as_json(some_report());
    protocol::json::Document document;
    ASSERT_TRUE(document.parse(text));
    EXPECT_NE(
        text.find(R"("bot":"ada","program":"python3 ada.py","passed":false,"games":["walls"])"),
        std::string::npos);
    EXPECT_NE(text.find(R"({"corner":"ping","verdict":"could_be_better","seen":"none",)"),
              std::string::npos);
}

}  // namespace
}  // namespace referee::check_bot
