#include "protocol/json/writer.h"
#include "referee/grading/feedback/shown.h"
#include "referee/grading/verdict/words.h"

// Gradescope's results.json, as its page on the output of an autograder has it.

namespace referee::grading {
namespace {

using protocol::json::Writer;
using verdict::StepVerdict;

std::string output_of(const verdict::StepGrade& step) {
    if (step.hidden) return "";
    auto text = step.reason;
    for (const auto& line : step.advice) text += "\n- " + line;
    return text;
}

// What isn't counted, or could not be judged, has no score: Gradescope would add up or show a zero.
// No step of a grade that isn't final has one: without the total Gradescope would take their sum.
void write_test(Writer& writer, const verdict::StepGrade& step, std::size_t number, bool final) {
    writer.begin_object().member("number", std::to_string(number));
    const bool scored =
        step.verdict != StepVerdict::not_counted && step.verdict != StepVerdict::trouble;
    const auto suffix = scored ? "" : " (" + std::string(in_words(step.verdict)) + ')';
    writer.member("name", step.title + suffix);
    if (scored && final) writer.member("score", step.points).member("max_score", step.of);
    if (scored)
        writer.member("status",
                      std::string(step.verdict == StepVerdict::passed ? "passed" : "failed"));
    const auto output = output_of(step);
    if (!output.empty()) writer.member("output", output).member("output_format", "text");
    writer.member("visibility", "visible").end_object();
}

void write_leaderboard(Writer& writer, double points) {
    writer.key("leaderboard")
        .begin_array()
        .begin_object()
        .member("name", "points")
        .member("value", points)
        .end_object()
        .end_array();
}

}  // namespace

std::string gradescope_of(const verdict::Grade& grade) {
    const auto shown = shown_to(grade, For::student);
    auto output = shown.rubric_title + ": " + headline_of(shown);
    for (const auto& remark : remarks_on(shown)) output += '\n' + remark;
    for (const auto& [heading, printed] : printed_by(shown))
        output += "\n\n" + std::string(heading) + ":\n" + printed;
    std::string text;
    Writer writer(text);
    writer.begin_object();
    // A result without any score is, to Gradescope, that of an autograder that could not grade.
    if (shown.final()) writer.member("score", shown.points);
    writer.member("output", output)
        .member("output_format", "text")
        .member("test_output_format", "text")
        .member("test_name_format", "text")
        .member("visibility", "visible")
        .member("stdout_visibility", "hidden");
    writer.key("tests").begin_array();
    std::size_t number = 0;
    for (const auto& step : shown.steps) write_test(writer, step, ++number, shown.final());
    writer.end_array();
    if (shown.final()) write_leaderboard(writer, shown.points);
    writer.key("extra_data")
        .begin_object()
        .member("name", shown.name)
        .member("passed", shown.final() && shown.passed)
        .member("final", shown.final())
        .member("rubric", shown.rubric_hash)
        .member("program", shown.program)
        .member("version", shown.version)
        .end_object()
        .end_object();
    return text + '\n';
}

}  // namespace referee::grading
