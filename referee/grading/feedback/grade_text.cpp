#include "protocol/json/in_log.h"
#include "protocol/json/printable.h"
#include "referee/grading/feedback/shown.h"
#include "referee/grading/verdict/words.h"

namespace referee::grading {
namespace {

std::string step_in_text(const verdict::StepGrade& step, For reader) {
    const auto extra = step.extra ? ", extra credit" : "";
    std::string text = "[" + std::string(in_words(step.verdict)) + "] " + step.title + ": " +
                       points_in_words(step) + extra + '\n';
    if (step.hidden && reader == For::student)
        return text + "    hidden: why is known to the instructor alone\n";
    if (!step.reason.empty()) text += "    " + step.reason + '\n';
    for (const auto& line : step.advice) text += "    - " + line + '\n';
    return text;
}

}  // namespace

std::string text_of(const verdict::Grade& grade, For reader) {
    const auto shown = shown_to(grade, reader);
    auto text = whose(shown) + ": " + headline_of(shown) + '\n';
    for (const auto& remark : remarks_on(shown)) text += remark + '\n';
    text += '\n';
    for (const auto& step : shown.steps) text += step_in_text(step, reader);
    text += '\n';
    for (const auto& line : origin_of(shown)) text += line + '\n';
    const std::string margin(protocol::json::further_line);
    for (const auto& [heading, printed] : printed_by(shown))
        text += '\n' + std::string(heading) + ":\n" + margin +
                protocol::json::visible_lines(printed, margin) + '\n';
    return protocol::json::in_log(text);
}

}  // namespace referee::grading
