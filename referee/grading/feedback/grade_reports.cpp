#include "referee/grading/feedback/grade_reports.h"

#include <algorithm>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/grading/verdict/phrases.h"

namespace referee::feedback {

namespace {

using base::in_markdown;
using verdict::Grade;
using verdict::StepGrade;
using verdict::StepVerdict;

// For the text and the attributes of XML and HTML. Both may be printed into the log of a CI job,
// so they hold no order to it.
std::string in_markup(std::string_view text) {
    return base::in_markup(base::safe_for_ci_log(text));
}

constexpr std::string_view heading_of_commands = "How to see it";

std::string hidden_in_words(const StepGrade& step) {
    if (step.verdict == StepVerdict::passed) return "hidden: no points are missing";
    if (!step.reason.empty()) return "hidden: " + step.reason;
    return step.lacks_points() ? "hidden: why is known to the instructor alone" : "hidden";
}

std::string step_in_text(const StepGrade& step, For reader) {
    const auto extra = step.extra ? ", extra credit" : "";
    std::string text = "[" + std::string(in_words(step.verdict)) + "] " + step.title + ": " +
                       points_in_words(step) + extra + '\n';
    if (step.hidden && reader == For::student) return text + "    " + hidden_in_words(step) + '\n';
    text += "    " + step.criterion + '\n';
    if (!step.reason.empty()) text += "    " + step.reason + '\n';
    for (const auto& line : step.advice) text += "    - " + line + '\n';
    return text;
}

std::string points_cell(const StepGrade& step) {
    const bool is_open = step.verdict == StepVerdict::trouble;
    return (is_open ? "?" : verdict::number(step.points)) + " / " + verdict::number(step.of) +
           (step.extra ? " (extra)" : "");
}

std::string details_of(const StepGrade& step) {
    if (step.advice.empty()) return {};
    std::string text =
        "\n**" + in_markdown(step.title) + "**: " + in_markdown(step.criterion) + "\n\n";
    for (const auto& line : step.advice) text += "- " + in_markdown(line) + '\n';
    return text;
}

// A block of code by its margin: whatever stands in it is text, and no line of it can end it.
std::string in_code_block(std::string_view text) {
    constexpr std::string_view margin = "    ";
    return std::string(margin) + base::safe_for_ci_log(base::visible_lines(text, margin)) + '\n';
}

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

std::string section_of(const StepGrade& step) {
    std::string text = "<section class=\"" + std::string(verdict::name_of(step.verdict)) +
                       "\">\n<h2>" + in_markup(step.title) + "</h2>\n";
    text += paragraph(std::string(in_words(step.verdict)) + ": " + points_in_words(step) +
                      (step.extra ? ", extra credit" : ""));
    if (step.hidden) return text + paragraph(hidden_in_words(step)) + "</section>\n";
    text += "<p class=\"criterion\">" + in_markup(step.criterion) + "</p>\n";
    if (!step.reason.empty()) text += paragraph(step.reason);
    return text + list_of(step.advice) + "</section>\n";
}

// For the instructor, from whom nothing is hidden.
std::vector<Grade> by_name(const std::vector<Grade>& grades) {
    std::vector<Grade> sorted;
    for (const auto& grade : grades) {
        sorted.push_back(view_for(grade, For::instructor));
        for (auto& step : sorted.back().steps) step.hidden = false;
    }
    std::ranges::stable_sort(sorted, {}, &Grade::name);
    return sorted;
}

std::string line_of(const Grade& grade) {
    auto text = headline_of(grade);
    if (grade.late) text += ", late";
    if (grade.late && grade.late_cost <= 0 && grade.points > 0) text += ", which costs nothing";
    if (grade.late_cost > 0) text += ", which costs " + verdict::number(grade.late_cost);
    if (!grade.final()) return text + ": " + grade.troubles.front();
    if (!grade.unplayable.empty()) text += ": " + grade.unplayable;
    return text;
}

// The ids of all steps, in the order in which they are met.
std::vector<std::string> steps_of(const std::vector<Grade>& grades) {
    std::vector<std::string> ids;
    for (const auto& grade : grades) {
        for (const auto& step : grade.steps) {
            if (!base::contains(ids, step.step)) ids.push_back(step.step);
        }
    }
    return ids;
}

std::string cell_of(const Grade& grade, const std::string& id) {
    const auto found = std::ranges::find(grade.steps, id, &StepGrade::step);
    if (found == grade.steps.end()) return {};
    return found->counts() ? verdict::number(found->points) : std::string(in_words(found->verdict));
}

std::string attribute(std::string_view name, std::string_view value) {
    return ' ' + std::string(name) + "=\"" + in_markup(value) + '"';
}

std::string count_of(const std::vector<StepGrade>& steps, StepVerdict verdict) {
    return std::to_string(std::ranges::count(steps, verdict, &StepGrade::verdict));
}

std::string counts_of(const std::vector<StepGrade>& steps) {
    const auto failures = std::ranges::count_if(steps, &StepGrade::lacks_points);
    return attribute("tests", std::to_string(steps.size())) +
           attribute("failures", std::to_string(failures)) +
           attribute("errors", count_of(steps, StepVerdict::trouble));
}

std::string case_of(const Grade& grade, const StepGrade& step) {
    const auto message =
        points_in_words(step) + (step.reason.empty() ? std::string() : ": " + step.reason);
    std::string text = "    <testcase" + attribute("name", step.title) +
                       attribute("classname", grade.rubric_title + '.' + step.step) + ">\n";
    std::string advice;
    for (const auto& line : step.advice) advice += in_markup(line) + '\n';
    // Viewers of CI jobs show what stands in a failure, and seldom a suite's system-err.
    if (!grade.unplayable.empty()) advice += in_markup(grade.build_output);
    if (step.lacks_points() || step.verdict == StepVerdict::trouble) {
        const std::string element = step.lacks_points() ? "failure" : "error";
        text += "      <" + element + attribute("type", verdict::name_of(step.verdict)) +
                attribute("message", message) + '>' + advice + "</" + element + ">\n";
    }
    if (step.verdict == StepVerdict::not_counted)
        text += "      <skipped" + attribute("message", message) + "/>\n";
    if (step.verdict == StepVerdict::passed)
        text += "      <system-out>" + in_markup(message) + "</system-out>\n";
    return text + "    </testcase>\n";
}

std::string suite_of(const Grade& grade) {
    auto text = "  <testsuite" + attribute("name", grade.name) + counts_of(grade.steps) +
                attribute("skipped", count_of(grade.steps, StepVerdict::not_counted)) + ">\n";
    for (const auto& step : grade.steps) text += case_of(grade, step);
    auto remarks = headline_of(grade) + '\n';
    for (const auto& remark : remarks_on(grade)) remarks += remark + '\n';
    text += "    <system-out>" + in_markup(remarks) + "</system-out>\n";
    std::string printed;
    for (const auto& [heading, lines] : printed_by(grade))
        printed += std::string(heading) + ":\n" + lines + '\n';
    if (!printed.empty()) text += "    <system-err>" + in_markup(printed) + "</system-err>\n";
    return text + "  </testsuite>\n";
}

}  // namespace

std::string text_of(const Grade& grade, For reader) {
    auto shown = view_for(grade, reader);
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
    const std::string margin(base::further_line);
    for (const auto& [heading, printed] : printed_by(shown))
        text += '\n' + std::string(heading) + ":\n" + margin +
                base::visible_lines(printed, margin) + '\n';
    return base::safe_for_ci_log(text);
}

std::string markdown_of(const Grade& grade) {
    const auto shown = view_for(grade, For::student);
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

std::string html_of(const Grade& grade) {
    const auto shown = view_for(grade, For::student);
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

std::string class_text_of(const std::vector<Grade>& grades) {
    const auto sorted = by_name(grades);
    std::size_t width = 0;
    for (const auto& grade : sorted) width = std::max(width, grade.name.size());
    std::string text;
    for (const auto& grade : sorted)
        text +=
            grade.name + std::string(width - grade.name.size() + 2, ' ') + line_of(grade) + '\n';
    text += '\n' + base::counted(sorted.size(), "grade") + ": ";
    const auto many = [&sorted](auto holds) { return std::ranges::count_if(sorted, holds); };
    if (many([](const Grade& one) { return one.pass_mark > 0; }) > 0)
        text += fmt::format("{} passed, ",
                            many([](const Grade& one) { return one.final() && one.passed; }));
    text += fmt::format("{} late, {} not final, {} without points\n", many(&Grade::late),
                        many([](const Grade& one) { return !one.final(); }),
                        many([](const Grade& one) { return one.final() && one.points <= 0; }));
    return base::safe_for_ci_log(text);
}

std::string class_reasons_of(const std::vector<Grade>& grades) {
    std::string text;
    for (const auto& grade : by_name(grades)) {
        std::string reasons;
        if (!grade.unplayable.empty())
            reasons += "    it did not play: " + why_unplayable(grade) + '\n';
        if (grade.late_cost > 0) reasons += "    it " + lateness_in_words(grade) + '\n';
        for (const auto& step : grade.steps) {
            const auto why = why_not_all(grade, step);
            if (!why.empty())
                reasons += "    " + step.title + ": " + points_in_words(step) + why + '\n';
        }
        if (!reasons.empty()) text += grade.name + '\n' + reasons;
    }
    return text.empty() ? text : base::safe_for_ci_log("\nWhy points are missing:\n\n" + text);
}

std::string class_csv_of(const std::vector<Grade>& grades) {
    const auto sorted = by_name(grades);
    const auto steps = steps_of(sorted);
    std::vector<std::string> heading{"name",   "students", "points", "of",
                                     "passed", "final",    "late",   "late_cost"};
    heading.insert(heading.end(), steps.begin(), steps.end());
    auto text = base::csv_line(heading);
    const auto yes_or_no = [](bool yes) { return yes ? "yes" : "no"; };
    for (const auto& grade : sorted) {
        // Of a grade that isn't final nobody knows the points: a zero would be added up.
        const auto known = [&](std::string cell) { return grade.final() ? cell : std::string(); };
        std::vector<std::string> cells{grade.name,
                                       base::joined(grade.students, ";"),
                                       known(verdict::number(grade.points)),
                                       verdict::number(grade.of),
                                       known(yes_or_no(grade.passed)),
                                       yes_or_no(grade.final()),
                                       yes_or_no(grade.late),
                                       verdict::number(grade.late_cost)};
        for (const auto& step : steps) cells.push_back(cell_of(grade, step));
        text += base::csv_line(cells);
    }
    return text;
}

// The format that Jenkins, GitLab and others read: testsuites, testsuite and testcase, with
// failure, error and skipped, each with a message. Valid by the schema that Jenkins publishes
// (junit-10.xsd), in which testsuites has no count of what was skipped.

std::string junit_of(const std::vector<Grade>& grades) {
    std::vector<StepGrade> all;
    std::string suites;
    for (const auto& grade : grades) {
        const auto shown = view_for(grade, For::student);
        all.insert(all.end(), shown.steps.begin(), shown.steps.end());
        suites += suite_of(shown);
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + counts_of(all) + ">\n" +
           suites + "</testsuites>\n";
}

}  // namespace referee::feedback
