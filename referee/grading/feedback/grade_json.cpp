#include "protocol/json/writer.h"
#include "referee/grading/feedback/shown.h"

namespace referee::grading {
namespace {

using protocol::json::Writer;

void write_texts(Writer& writer, std::string_view name, const std::vector<std::string>& texts) {
    writer.key(name).begin_array();
    for (const auto& text : texts) writer.string(text);
    writer.end_array();
}

void write_step(Writer& writer, const verdict::StepGrade& step) {
    writer.begin_object()
        .member("id", step.step)
        .member("title", step.title)
        .member("group", step.group)
        .member("points", step.points)
        .member("of", step.of)
        .member("extra", step.extra)
        .member("hidden", step.hidden)
        .member("verdict", verdict::name_of(step.verdict))
        .member("reason", step.reason);
    write_texts(writer, "advice", step.advice);
    write_texts(writer, "games", step.games);
    if (step.average) {
        writer.key("average").begin_object().key("score").real(step.average->score);
        writer.member("games", step.average->games).member("seeds", step.average->seeds);
        writer.end_object();
    }
    writer.end_object();
}

}  // namespace

std::string json_of(const verdict::Grade& grade, For reader) {
    const auto shown = shown_to(grade, reader);
    std::string text;
    Writer writer(text);
    writer.begin_object().member("name", shown.name);
    write_texts(writer, "students", shown.students);
    writer.member("points", shown.points)
        .member("of", shown.of)
        .member("passed", shown.passed)
        .member("final", shown.final())
        .member("late_cost", shown.late_cost)
        .member("lateness", shown.lateness);
    writer.key("steps").begin_array();
    for (const auto& step : shown.steps) write_step(writer, step);
    writer.end_array();
    write_texts(writer, "troubles", shown.troubles);
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
        .member("standard_error", shown.standard_error)
        .end_object();
    return text + '\n';
}

}  // namespace referee::grading
