#include <gmock/gmock.h>

#include <gtest/gtest.h>
#include <algorithm>

#include "engines/registry.h"
#include "protocol/json/document.h"
#include "referee/check_bot/bot_checker.h"
#include "referee/check_bot/trial_game.h"
#include "referee/game/play/play.h"

namespace referee::check_bot {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

BotReport some_report() {
    BotReport report;
    report.bot = "ada";
    report.program = "python3 ada.py";
    report.games = {"walls"};
    report.findings = {{"login", "", Verdict::good, "as ada"},
                       {"moves", "walls", Verdict::wrong, "it sent <\"X\">\nand \x1b[2J & more",
                        "F, L or R", "look"},
                       {"ping", "", Verdict::could_be_better, "none", "a pong", "answer"},
                       {"delta", "", Verdict::not_tried, "not asked for"}};
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

TEST(ExamAdvice, FitsHowTheGameEnded) {
    const auto advice = [](TrialEnding ending, bool program_ended = false) {
        PlayedTrial played;
        played.ending = ending;
        played.program_ended = program_ended;
        return judged("a plain game", "walls", played, "", "", "answer each line").advice;
    };
    EXPECT_EQ(advice(TrialEnding::not_ready), "answer each line");
    EXPECT_EQ(advice(TrialEnding::silent),
              "it thinks too long, loops for ever, or doesn't flush its answer; else answer each "
              "line");
    EXPECT_EQ(advice(TrialEnding::gone), "answer each line");
    EXPECT_EQ(advice(TrialEnding::gone, true),
              "see why its program ended: look at what it printed to standard error");
}

constexpr Duration budget = std::chrono::seconds(1);

std::unique_ptr<engines::State> start_of(const engines::Game& game, const TrialCase& trial) {
    protocol::json::Document params;
    if (!params.parse(params_of(trial, budget))) return nullptr;
    auto started = game.start(params.root(), trial.seed);
    return started ? *std::move(started) : nullptr;
}

TEST(TrialCases, EachGameHasAPlainOneAndOddOnes) {
    const engines::Registry registry;
    for (const auto& game : registry.games()) {
        const auto count =
            std::count_if(trial_cases().begin(), trial_cases().end(),
                          [&](const TrialCase& trial) { return trial.game == game->info().id; });
        EXPECT_GE(count, 3) << game->info().id << " needs cases in trial_game.cpp";
    }
}

TEST(TrialCases, EachIsAGameInWhichTheBotHasASeat) {
    const engines::Registry registry;
    for (const auto& trial : trial_cases()) {
        const auto* game = registry.find(trial.game);
        ASSERT_NE(game, nullptr) << trial.game;
        const auto state = start_of(*game, trial);
        ASSERT_NE(state, nullptr) << trial.game << ": " << trial.what;
        EXPECT_LT(trial.seat, state->seats()) << trial.what;
    }
}

// What a light cycle's rule of time allows grows with the time that a bot is given.
TEST(TrialCases, WhoIsGivenMoreTimeHasALargerMean) {
    for (const auto& trial : trial_cases()) {
        const auto params = params_of(trial, budget);
        EXPECT_EQ(params.find("\"mean_budget_us\":1000000") != std::string::npos,
                  trial.game == "light_cycles");
    }
}

// So many answers that took so long, without a budget of their own.
std::vector<BotObservations::Answer> answers(std::size_t count, Duration took) {
    return std::vector<BotObservations::Answer>(count, {"light_cycles", took, {}, false});
}

CornerFinding judged(std::vector<BotObservations::Answer> answers, std::size_t unanswered = 0) {
    const engines::Registry registry;
    return judged_times(registry.find("light_cycles")->info(), std::move(answers), unanswered);
}

TEST(ExamTimes, AMeanOverTheLimitOfTheRulesIsWrong) {
    EXPECT_EQ(judged(answers(10, milliseconds(50))).verdict, Verdict::good);
    auto over = answers(9, milliseconds(50));
    over.push_back(answers(1, milliseconds(51)).front());
    const auto finding = judged(over);
    EXPECT_EQ(finding.verdict, Verdict::wrong);
    EXPECT_THAT(finding.seen, HasSubstr("mean 50.100 ms"));
    EXPECT_THAT(finding.expected, HasSubstr("a mean of 50 ms a turn at most"));
    EXPECT_THAT(finding.advice, HasSubstr("less than 50 ms"));
}

TEST(ExamTimes, OneLongTurnIsNoneWhereTheMeanIsLow) {
    auto all = answers(99, milliseconds(1));
    all.push_back(answers(1, milliseconds(900)).front());
    EXPECT_EQ(judged(all).verdict, Verdict::good);
}

TEST(ExamTimes, ATurnWithoutAnAnswerIsWrong) {
    const auto finding = judged(answers(2, milliseconds(1)), 2);
    EXPECT_EQ(finding.verdict, Verdict::wrong);
    EXPECT_THAT(finding.seen, HasSubstr("2 turns had no answer; of the others: median 1.000 ms"));
}

TEST(ExamTimes, ALateAnswerIsWrong) {
    auto all = answers(3, milliseconds(1));
    all.front().late = true;
    EXPECT_EQ(judged(all).verdict, Verdict::wrong);
    EXPECT_THAT(judged(all).seen, HasSubstr("1 of 3 turns was late"));
    all[1] = {"light_cycles", milliseconds(63), milliseconds(50), true};
    EXPECT_THAT(
        judged(all).seen,
        HasSubstr("2 of 3 turns were late, the latest answered 63.000 ms after it was sent, "
                  "13.000 ms too late; median "));
}

}  // namespace
}  // namespace referee::check_bot
