#include "referee/grading/feedback/escaped.h"
#include "referee/grading/feedback/shown.h"
#include "referee/grading/verdict/words.h"

// The format that Jenkins, GitLab and others read: testsuites, testsuite and testcase, with
// failure, error and skipped, each with a message. Valid by the schema that Jenkins publishes
// (junit-10.xsd), in which testsuites has no count of what was skipped.

namespace referee::feedback {
namespace {

using verdict::StepGrade;
using verdict::StepVerdict;

std::string attribute(std::string_view name, std::string_view value) {
    return ' ' + std::string(name) + "=\"" + in_markup(value) + '"';
}

struct Counts {
    std::size_t tests = 0;
    std::size_t failures = 0;
    std::size_t errors = 0;
    std::size_t skipped = 0;
};

std::string attributes(const Counts& counts) {
    return attribute("tests", std::to_string(counts.tests)) +
           attribute("failures", std::to_string(counts.failures)) +
           attribute("errors", std::to_string(counts.errors));
}

void add(Counts& counts, const verdict::Grade& grade) {
    for (const auto& step : grade.steps) {
        ++counts.tests;
        if (step.lacks_points()) ++counts.failures;
        if (step.verdict == StepVerdict::trouble) ++counts.errors;
        if (step.verdict == StepVerdict::not_counted) ++counts.skipped;
    }
}

std::string case_of(const verdict::Grade& grade, const StepGrade& step) {
    const auto message =
        points_in_words(step) + (step.reason.empty() ? std::string() : ": " + step.reason);
    std::string text = "    <testcase" + attribute("name", step.title) +
                       attribute("classname", grade.rubric_title + '.' + step.step) + ">\n";
    std::string advice;
    for (const auto& line : step.advice) advice += in_markup(line) + '\n';
    // Viewers of CI jobs show what stands in a failure, and seldom a suite's system-err.
    if (!grade.unplayable.empty()) advice += in_markup(grade.build_output);
    if (step.lacks_points())
        text += "      <failure" + attribute("type", verdict::name_of(step.verdict)) +
                attribute("message", message) + '>' + advice + "</failure>\n";
    if (step.verdict == StepVerdict::trouble)
        text += "      <error" + attribute("type", "trouble") + attribute("message", message) +
                '>' + advice + "</error>\n";
    if (step.verdict == StepVerdict::not_counted)
        text += "      <skipped" + attribute("message", message) + "/>\n";
    if (step.verdict == StepVerdict::passed)
        text += "      <system-out>" + in_markup(message) + "</system-out>\n";
    return text + "    </testcase>\n";
}

std::string suite_of(const verdict::Grade& grade) {
    Counts counts;
    add(counts, grade);
    auto text = "  <testsuite" + attribute("name", grade.name) + attributes(counts) +
                attribute("skipped", std::to_string(counts.skipped)) + ">\n";
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

std::string junit_of(const std::vector<verdict::Grade>& grades) {
    Counts all;
    std::string suites;
    for (const auto& grade : grades) {
        const auto shown = shown_to(grade, For::student);
        add(all, shown);
        suites += suite_of(shown);
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + attributes(all) + ">\n" +
           suites + "</testsuites>\n";
}

}  // namespace referee::feedback
