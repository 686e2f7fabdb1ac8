#include <algorithm>

#include "protocol/base/milliseconds.h"
#include "referee/check_bot/corners.h"

namespace referee::check_bot {
namespace {

constexpr double near_budget = 0.8;  // who comes so near is late on a busy day
constexpr Duration ready_good = std::chrono::seconds(5);
// What a bot prints for people is kept at its end alone; so much of it slows the bot itself.
constexpr std::uint64_t error_bytes_good = std::uint64_t{1} << 20;

std::string ms(Duration duration) {
    return base::milliseconds(in_us(duration));
}

Duration mean_of(const std::vector<BotObservations::Answer>& answers) {
    Duration all{};
    for (const auto& answer : answers) all += answer.took;
    return all / static_cast<std::int64_t>(answers.size());
}

CornerFinding readiness(const BotObservations& observations) {
    const auto longest =
        std::max_element(observations.starts.begin(), observations.starts.end(),
                         [](const auto& a, const auto& b) { return a.took < b.took; });
    CornerFinding finding{
        "ready", "", Verdict::good, "at most " + ms(longest->took) + " after \"start\"", "", ""};
    if (longest->took > ready_good) {
        finding.verdict = Verdict::could_be_better;
        finding.expected = "\"ready\" well within 10 s of \"start\"";
        finding.advice = "load what is large once, before the login or after \"welcome\"";
    }
    return finding;
}

CornerFinding of_lines(const char* corner, const std::vector<BotObservations::Odd>& odd,
                       std::string good, const char* expected, const char* advice) {
    if (odd.empty()) return {corner, "", Verdict::good, std::move(good), "", ""};
    return {corner,
            "",
            Verdict::wrong,
            std::to_string(odd.size()) + (odd.size() == 1 ? " line" : " lines") +
                ", the first: " + odd.front().line + "\n" + odd.front().why,
            expected,
            advice};
}

CornerFinding standard_output(const BotObservations& observations) {
    return of_lines("standard output", observations.texts, "nothing but messages came",
                    "lines that are JSON objects, and nothing else: standard output belongs to the "
                    "protocol, and so does the connection of a bot that dials in",
                    "print for people on standard error: print(text, file=sys.stderr), "
                    "System.err.println(text), fprintf(stderr, ...), console.error(text)");
}

}  // namespace

CornerFinding judged_times(const engines::GameInfo& info,
                           std::vector<BotObservations::Answer> answers) {
    CornerFinding finding{"answers in time", std::string(info.id), Verdict::good, "", "", ""};
    std::sort(answers.begin(), answers.end(),
              [](const auto& a, const auto& b) { return a.took < b.took; });
    const auto& longest = answers.back();
    const auto late = std::count_if(answers.begin(), answers.end(),
                                    [](const auto& answer) { return answer.late; });
    finding.seen = "median " + ms(answers[answers.size() / 2].took) + ", longest " +
                   ms(longest.took) + " of " + std::to_string(answers.size()) + " turns";
    if (longest.budget > Duration::zero()) finding.seen += ", budget " + ms(longest.budget);
    const auto mean_max =
        info.clock.kind == clock::ClockKind::none ? from_us(info.clock.budget_us) : Duration{};
    const auto mean = mean_of(answers);
    const bool has_budget = longest.budget > Duration::zero();
    if (late > 0) {
        finding.verdict = Verdict::wrong;
        finding.seen = std::to_string(late) + " of " + std::to_string(answers.size()) +
                       " turns were late: " + finding.seen;
        finding.expected = "each answer within \"budget_us\" of its turn";
    } else if (mean_max > Duration::zero() && mean > mean_max) {
        finding.verdict = Verdict::wrong;
        finding.seen += ", mean " + ms(mean);
        finding.expected = "a mean of " + ms(mean_max) +
                           " a turn at most: the rules end a player's game above it; where the "
                           "referee launches the bot they count processor time alone";
        finding.advice = "think less than " + ms(mean_max) + " in most turns";
    } else if (has_budget &&
               longest.took > std::chrono::duration_cast<Duration>(longest.budget * near_budget)) {
        finding.verdict = Verdict::could_be_better;
        finding.expected = "answers well within the budget: on a busy machine these are late";
    }
    if (finding.verdict != Verdict::good && finding.advice.empty())
        finding.advice =
            "stop thinking at half of the turn's \"budget_us\", and send the best move so far";
    return finding;
}

void judge_observations(BotChecker& checker, BotReport& report) {
    const auto& observations = checker.observations();
    if (!observations.starts.empty()) report.findings.push_back(readiness(observations));
    for (const auto& game : report.games) {
        std::vector<BotObservations::Answer> answers;
        for (const auto& answer : observations.answers) {
            if (answer.game == game) answers.push_back(answer);
        }
        if (!answers.empty())
            report.findings.push_back(
                judged_times(checker.registry().find(game)->info(), std::move(answers)));
    }
    report.findings.push_back(standard_output(observations));
    report.findings.push_back(of_lines(
        "messages", observations.mistakes, "all were as the protocol has them",
        "messages as protocol/PROTOCOL.md has them",
        "let a JSON library write each line, and compare it with the example on that page"));
    report.findings.push_back(of_lines(
        "nothing unasked", observations.unasked, "each message was asked for",
        "one \"ready\" for each \"start\" and one \"move\" for each \"turn\", with its \"game_id\" "
        "and its number",
        "answer messages of type \"turn\" alone; give \"game_id\" and \"turn\" back as they came"));
    const auto remains = checker.entrance().remains();
    if (checker.entrance().comes() != Comes::by_hand) {
        const bool much = remains.error_bytes > error_bytes_good;
        report.findings.push_back(
            {"standard error", "", much ? Verdict::could_be_better : Verdict::good,
             std::to_string(remains.error_bytes) + " bytes in its last launch",
             much ? "a few lines a turn: a referee keeps the last 8 KiB" : "",
             much ? "print less, or send it as \"debug\" with the move" : ""});
    }
}

}  // namespace referee::check_bot
