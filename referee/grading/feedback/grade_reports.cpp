#include "referee/grading/feedback/grade_reports.h"

#include "protocol/json/text.h"
#include "referee/grading/feedback/escaped.h"
#include "referee/grading/feedback/shown.h"
#include "referee/grading/verdict/words.h"

namespace referee::feedback {

namespace {

constexpr std::string_view heading_of_commands = "How to see it";

std::string hidden_in_words(const verdict::StepGrade& step) {
    using verdict::StepVerdict;
    if (step.verdict == StepVerdict::passed) return "hidden: no points are missing";
    if (!step.reason.empty()) return "hidden: " + step.reason;
    return step.lacks_points() ? "hidden: why is known to the instructor alone" : "hidden";
}

std::string step_in_text(const verdict::StepGrade& step, For reader) {
    const auto extra = step.extra ? ", extra credit" : "";
    std::string text = "[" + std::string(in_words(step.verdict)) + "] " + step.title + ": " +
                       points_in_words(step) + extra + '\n';
    if (step.hidden && reader == For::student) return text + "    " + hidden_in_words(step) + '\n';
    text += "    " + step.criterion + '\n';
    if (!step.reason.empty()) text += "    " + step.reason + '\n';
    for (const auto& line : step.advice) text += "    - " + line + '\n';
    return text;
}

}  // namespace

std::string text_of(const verdict::Grade& grade, For reader) {
    auto shown = shown_to(grade, reader);
    auto text = whose(shown) + ": " + headline_of(shown) + '\n';
    for (const auto& remark : remarks_on(shown)) text += remark + '\n';
    text += '\n';
    for (const auto& step : shown.steps) text += step_in_text(step, reader);
    if (reader == For::instructor)
        shown.to_see.insert(shown.to_see.begin(), shown.to_explain.begin(), shown.to_explain.end());
    if (!shown.to_see.empty()) text += '\n' + std::string(heading_of_commands) + ":\n";
    for (const auto& line : shown.to_see) text += "    " + line + '\n';
    text += '\n';
    for (const auto& line : origin_of(shown)) text += line + '\n';
    const std::string margin(protocol::json::further_line);
    for (const auto& [heading, printed] : printed_by(shown))
        text += '\n' + std::string(heading) + ":\n" + margin +
                protocol::json::visible_lines(printed, margin) + '\n';
    return protocol::json::in_log(text);
}

namespace {

std::string points_cell(const verdict::StepGrade& step) {
    const bool is_open = step.verdict == verdict::StepVerdict::trouble;
    return (is_open ? "?" : verdict::number(step.points)) + " / " + verdict::number(step.of) +
           (step.extra ? " (extra)" : "");
}

std::string details_of(const verdict::StepGrade& step) {
    if (step.advice.empty()) return {};
    std::string text =
        "\n**" + in_markdown(step.title) + "**: " + in_markdown(step.criterion) + "\n\n";
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
    text += "| Part | Verdict | Points | Why |\n| --- | --- | ---: | --- |\n";
    for (const auto& step : shown.steps) {
        text += "| " + in_markdown(step.title) + " | " + std::string(in_words(step.verdict)) +
                " | " + points_cell(step) + " | " +
                in_markdown(step.hidden ? hidden_in_words(step) : step.reason) + " |\n";
    }
    for (const auto& step : shown.steps) text += details_of(step);
    for (const auto& [heading, printed] : printed_by(shown))
        text += "\n**" + std::string(heading) + "**\n\n" + in_code_block(printed);
    if (!shown.to_see.empty()) text += "\n**" + std::string(heading_of_commands) + "**\n\n";
    for (const auto& line : shown.to_see) text += "- " + in_markdown(line) + '\n';
    text += '\n';
    for (const auto& line : origin_of(shown)) text += "- " + in_markdown(line) + '\n';
    return text;
}

namespace {

constexpr std::string_view head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
)";

constexpr std::string_view style = R"(<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 1rem auto; padding: 0 1rem;
       background: Canvas; color: CanvasText; overflow-wrap: anywhere; }
section { border: 1px solid; border-left-width: .5rem; border-radius: .3rem; padding: .1rem 1rem; margin: .8rem 0; }
section.passed { border-color: #2a8a3e; } section.partly { border-color: #b07d00; }
section.failed { border-color: #c23b3b; } section.not_counted { border-color: #808080; }
section.trouble { border-color: #7a52c7; }
h2 { font-size: 1.1rem; margin: .4rem 0; } p, ul { margin: .4rem 0; }
pre, li { white-space: pre-wrap; }
pre { border: 1px solid; padding: .5rem; }
.criterion { opacity: .8; } footer { font-size: .85rem; opacity: .8; }
</style>
)";

std::string paragraph(std::string_view text) {
    return "<p>" + in_markup(text) + "</p>\n";
}

std::string list_of(const std::vector<std::string>& lines) {
    if (lines.empty()) return {};
    std::string text = "<ul>\n";
    for (const auto& line : lines) text += "<li>" + in_markup(line) + "</li>\n";
    return text + "</ul>\n";
}

std::string section_of(const verdict::StepGrade& step) {
    std::string text = "<section class=\"" + std::string(verdict::name_of(step.verdict)) +
                       "\">\n<h2>" + in_markup(step.title) + "</h2>\n";
    text += paragraph(std::string(in_words(step.verdict)) + ": " + points_in_words(step) +
                      (step.extra ? ", extra credit" : ""));
    if (step.hidden) return text + paragraph(hidden_in_words(step)) + "</section>\n";
    text += "<p class=\"criterion\">" + in_markup(step.criterion) + "</p>\n";
    if (!step.reason.empty()) text += paragraph(step.reason);
    return text + list_of(step.advice) + "</section>\n";
}

}  // namespace

std::string html_of(const verdict::Grade& grade) {
    const auto shown = shown_to(grade, For::student);
    const auto title = in_markup(whose(shown) + ": " + headline_of(shown));
    std::string text(head);
    text += "<title>" + title + "</title>\n" + std::string(style) + "</head>\n<body>\n<h1>" +
            title + "</h1>\n";
    text += paragraph(shown.rubric_title);
    for (const auto& remark : remarks_on(shown)) text += paragraph(remark);
    for (const auto& step : shown.steps) text += section_of(step);
    if (!shown.to_see.empty())
        text += "<h2>" + std::string(heading_of_commands) + "</h2>\n" + list_of(shown.to_see);
    for (const auto& [heading, printed] : printed_by(shown))
        text += "<h2>" + std::string(heading) + "</h2>\n<pre>" + in_markup(printed) + "</pre>\n";
    text += "<footer>\n";
    for (const auto& line : origin_of(shown)) text += paragraph(line);
    return text + "</footer>\n</body>\n</html>\n";
}

}  // namespace referee::feedback
