#include <set>

#include "protocol/json/writer.h"
#include "referee/grading/feedback/grade_reports.h"
#include "referee/grading/verdict/phrases.h"

// Gradescope's results.json, as its page on the output of an autograder has it.

namespace referee::feedback {

namespace {

using protocol::json::Writer;
using verdict::StepVerdict;

// Nobody's zero: what is not known is null.
void write_points(Writer& writer, bool known, double points) {
    known ? writer.real(points) : writer.null();
}

// A line for a gradebook, which students read: "10 of 15 points, late. legal: 10 of 10; wins: 0 of
// 5 (won 1 of 3 games, and 2 are needed. The first: game ann.dumb/1.1: ...)".
std::string feedback_of(const verdict::Grade& grade) {
    auto text = headline_of(grade) + (grade.late ? ", late." : ".");
    if (!grade.lateness.empty()) text += " It " + lateness_in_words(grade) + '.';
    if (!grade.unplayable.empty()) text += " It did not play: " + why_unplayable(grade) + '.';
    std::string_view before = " ";
    for (const auto& step : grade.steps) {
        text += std::string(before) + step.title + ": ";
        text += step.verdict == StepVerdict::trouble
                    ? std::string(in_words(step.verdict))
                    : verdict::number(step.points) + " of " + verdict::number(step.of);
        if (step.verdict == StepVerdict::not_counted) text += " (not counted)";
        text += why_not_all(grade, step);
        before = "; ";
    }
    return text;
}

void write_step(Writer& writer, const verdict::StepGrade& step) {
    writer.begin_object()
        .member("id", step.step)
        .member("title", step.title)
        .member("criterion", step.criterion)
        .member("group", step.group)
        .key("points");
    write_points(writer, step.verdict != StepVerdict::trouble, step.points);
    writer.member("of", step.of)
        .member("extra", step.extra)
        .member("hidden", step.hidden)
        .member("verdict", verdict::name_of(step.verdict))
        .member("reason", step.reason);
    writer.key("advice").texts(step.advice);
    writer.key("games").texts(step.games);
    if (!step.wrong_runs.empty()) writer.key("wrong_inputs").texts(step.wrong_runs);
    if (step.average) {
        writer.key("average").begin_object().key("score").real(step.average->score);
        writer.member("games", step.average->games).member("seeds", step.average->seeds);
        writer.end_object();
    }
    writer.end_object();
}

std::string output_of(const verdict::StepGrade& step) {
    if (step.hidden) return step.reason;
    auto text = step.criterion + '\n' + step.reason;
    for (const auto& line : step.advice) text += "\n- " + line;
    return text;
}

// What isn't counted, or could not be judged, has no score: Gradescope would add up or show a zero.
// No step of a grade that isn't final has one: without the total Gradescope would take their sum.
void write_test(Writer& writer, const verdict::StepGrade& step, std::size_t number, bool final) {
    const bool scored = step.counts();
    const auto suffix = scored ? "" : " (" + std::string(in_words(step.verdict)) + ')';
    writer.begin_object()
        .member("number", std::to_string(number))
        .member("name", step.title + suffix);
    if (scored && final) writer.member("score", step.points).member("max_score", step.of);
    if (scored) writer.member("status", step.lacks_points() ? "failed" : "passed");
    const auto output = output_of(step);
    if (!output.empty()) writer.member("output", output).member("output_format", "text");
    writer.member("visibility", "visible").end_object();
}

}  // namespace

std::string json_of(const verdict::Grade& grade, For reader) {
    const auto shown = view_for(grade, reader);
    std::string text;
    Writer writer(text);
    writer.begin_object().member("name", shown.name);
    writer.key("students").texts(shown.students);
    writer.key("points");
    write_points(writer, shown.final(), shown.points);
    writer.member("points_so_far", shown.points)
        .member("of", shown.of)
        .member("passed", shown.final() && shown.passed)
        .member("final", shown.final())
        .member("late", shown.late)
        .member("late_cost", shown.late_cost)
        .member("lateness", shown.lateness)
        .member("feedback", feedback_of(view_for(grade, For::student)));
    writer.key("steps").begin_array();
    for (const auto& step : shown.steps) write_step(writer, step);
    writer.end_array();
    writer.key("troubles").texts(shown.troubles);
    writer.key("rubric")
        .begin_object()
        .member("game", shown.game)
        .member("title", shown.rubric_title)
        .member("hash", shown.rubric_hash)
        .end_object()
        .member("program", shown.program)
        .member("version", shown.version)
        .member("machine", shown.machine)
        .member("sandbox", shown.sandbox)
        .member("build_output", shown.build_output)
        .member("standard_error", shown.standard_error)
        .end_object();
    return text + '\n';
}

std::string class_json_of(const std::vector<verdict::Grade>& grades) {
    std::multiset<std::string> names;
    for (const auto& grade : grades) names.insert(grade.name);
    return protocol::json::object_text([&](Writer& writer) { writer.key("graded").texts(names); }) +
           '\n';
}

std::string gradescope_of(const verdict::Grade& grade) {
    const auto shown = view_for(grade, For::student);
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
    if (shown.final())
        writer.key("leaderboard")
            .begin_array()
            .begin_object()
            .member("name", "points")
            .member("value", shown.points)
            .end_object()
            .end_array();
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

}  // namespace referee::feedback
