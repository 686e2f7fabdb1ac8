#include "protocol/json/in_log.h"
#include "protocol/json/printable.h"
#include "referee/grading/feedback/escaped.h"
#include "referee/grading/feedback/shown.h"
#include "referee/grading/verdict/words.h"

namespace referee::grading {
namespace {

std::string points_cell(const verdict::StepGrade& step) {
    const bool is_open = step.verdict == verdict::StepVerdict::trouble;
    return (is_open ? "?" : verdict::number(step.points)) + " / " + verdict::number(step.of) +
           (step.extra ? " (extra)" : "");
}

std::string details_of(const verdict::StepGrade& step) {
    if (step.advice.empty()) return {};
    std::string text = "\n**" + in_markdown(step.title) + "**\n\n";
    for (const auto& line : step.advice) text += "- " + in_markdown(line) + '\n';
    return text;
}

// A block of code by its margin: whatever stands in it is text, and no line of it can end it.
std::string in_code_block(std::string_view text) {
    constexpr std::string_view margin = "    ";
    return std::string(margin) +
           protocol::json::in_log(protocol::json::visible_lines(text, margin)) + '\n';
}

}  // namespace

std::string markdown_of(const verdict::Grade& grade) {
    const auto shown = shown_to(grade, For::student);
    std::string text = "# " + in_markdown(whose(shown) + ": " + headline_of(shown)) + "\n\n";
    for (const auto& remark : remarks_on(shown)) text += in_markdown(remark) + "\n\n";
    text += "| Step | Verdict | Points | Why |\n| --- | --- | ---: | --- |\n";
    for (const auto& step : shown.steps) {
        text += "| " + in_markdown(step.title) + " | " + std::string(in_words(step.verdict)) +
                " | " + points_cell(step) + " | " +
                (step.hidden ? "hidden" : in_markdown(step.reason)) + " |\n";
    }
    for (const auto& step : shown.steps) text += details_of(step);
    for (const auto& [heading, printed] : printed_by(shown))
        text += "\n**" + std::string(heading) + "**\n\n" + in_code_block(printed);
    text += '\n';
    for (const auto& line : origin_of(shown)) text += "- " + in_markdown(line) + '\n';
    return text;
}

}  // namespace referee::grading
