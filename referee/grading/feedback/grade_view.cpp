#include "referee/grading/feedback/grade_reports.h"

#include <algorithm>
#include <array>
#include <map>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/grading/verdict/phrases.h"

namespace referee::feedback {
namespace {

void make_visible(std::string& text) {
    text = base::visible_line(text);
}

void make_visible(std::vector<std::string>& texts) {
    for (auto& text : texts) make_visible(text);
}

void make_visible(verdict::StepGrade& step) {
    for (auto* text : {&step.step, &step.title, &step.criterion, &step.group, &step.reason})
        make_visible(*text);
    make_visible(step.advice);
    make_visible(step.games);
    make_visible(step.wrong_runs);
}

// The titles of the steps of each group, in quotes.
std::map<std::string, std::vector<std::string>> groups_of(const verdict::Grade& grade) {
    std::map<std::string, std::vector<std::string>> groups;
    for (const auto& step : grade.steps) {
        if (!step.group.empty()) groups[step.group].push_back('"' + step.title + '"');
    }
    return groups;
}

// What is told of each doubt: in a line, and to the student, behind how the program was started.
struct DoubtWords {
    verdict::Doubt value;
    std::string_view line;
    std::string_view to_student;
};
constexpr std::array<DoubtWords, 3> doubt_words{{
    {verdict::Doubt::none, "", ""},
    {verdict::Doubt::wrong_kind,
     "the program ended by itself, without an error, before its first move: perhaps it was started "
     "as the wrong kind of program",
     ", as one that logs in at the referee itself, and ended before its first move, without an "
     "error and without a line on its standard error. If it is to read each question and print its "
     "answer, as a handout says, it was started as the wrong kind of program, which the course can "
     "mend. If it is to log in, it ends too soon: it must go on until the game is over."},
    {verdict::Doubt::no_program,
     "the program ended before its first move with exit status 126 or 127, as a script does that "
     "can't start another program: perhaps this machine lacks that program",
     ", and ended before its first move with exit status 126 or 127, as a script does that can't "
     "start another program. If the course's machine lacks that program, the course can install "
     "it, and grade again. If the script names it wrongly, the script is to be mended."},
}};
static_assert(base::in_order(doubt_words));

// The first line of a build's output that tells an error, else its last one.
std::string first_error_in(std::string_view output) {
    constexpr std::array<std::string_view, 3> signs{"error:", "undefined reference", "Error"};
    // What a linker says of itself, behind what was wrong.
    constexpr std::string_view of_itself = "ld returned";
    std::string_view last;
    while (!output.empty()) {
        const auto line = base::next_line(output);
        const auto has = [line](auto sign) { return line.find(sign) != std::string_view::npos; };
        if (std::ranges::any_of(signs, has) && !has(of_itself)) return std::string(line);
        if (line.find_first_not_of(" \t\r") != std::string_view::npos) last = line;
    }
    return std::string(last);
}

}  // namespace

verdict::Grade view_for(const verdict::Grade& grade, For reader) {
    auto shown = grade;
    const auto is_hidden = [](const verdict::StepGrade& step) { return step.hidden; };
    if (reader == For::student) {
        // What the machine lacks is the instructor's matter.
        for (auto& trouble : shown.troubles) {
            const auto reason = trouble.find(verdict::not_judged);
            if (reason != std::string::npos) trouble.resize(reason + verdict::not_judged.size());
        }
        for (auto& step : shown.steps) {
            if (step.verdict == verdict::StepVerdict::trouble) {
                step.reason.clear();
                step.advice.clear();
            }
            if (!step.hidden) continue;
            step.criterion.clear();
            step.reason = !step.lacks_points()       ? std::string()
                          : grade.unplayable.empty() ? step.in_kind
                                                     : grade.unplayable;
            step.advice.clear();
            step.games.clear();
            step.wrong_runs.clear();
            step.average.reset();
        }
        if (!grade.never_played && std::ranges::any_of(grade.steps, is_hidden))
            shown.standard_error.clear();
    }
    if (grade.doubt != verdict::Doubt::none) {
        shown.troubles.emplace_back(base::row_of(doubt_words, grade.doubt).line);
        for (auto& step : shown.steps) {
            if (step.verdict == verdict::StepVerdict::failed)
                step.verdict = verdict::StepVerdict::trouble;
        }
    }
    make_visible(shown.to_see);
    make_visible(shown.to_explain);
    for (auto* text : {&shown.name, &shown.lateness, &shown.unplayable, &shown.started_by,
                       &shown.program, &shown.game, &shown.rubric_title, &shown.rubric_hash,
                       &shown.version, &shown.machine, &shown.sandbox})
        make_visible(*text);
    for (auto* text : {&shown.standard_error, &shown.build_output})
        *text = base::visible_lines(verdict::tail_of(*text), "");
    make_visible(shown.students);
    make_visible(shown.troubles);
    for (auto& step : shown.steps) make_visible(step);
    return shown;
}

std::string points_in_words(double points, double of) {
    return verdict::number(points) + " of " + verdict::number(of) + " points";
}

std::string points_in_words(const verdict::StepGrade& step) {
    if (step.verdict != verdict::StepVerdict::trouble) return points_in_words(step.points, step.of);
    return "its " + verdict::number(step.of) + (step.of == 1 ? " point is" : " points are") +
           " open";
}

std::string headline_of(const verdict::Grade& grade) {
    const auto points = points_in_words(grade.points, grade.of);
    const auto told = grade.final() ? points : "not final, " + points + " so far";
    if (grade.pass_mark <= 0) return told;
    return told +
           (!grade.final() ? " ("
            : grade.passed ? ", passed ("
                           : ", not passed (") +
           verdict::number(grade.pass_mark) + (grade.pass_mark == 1 ? " is" : " are") + " enough)";
}

std::string lateness_in_words(const verdict::Grade& grade) {
    using verdict::number;
    if (grade.late_cost <= 0) return grade.lateness;
    return grade.lateness + ". So " + number(grade.late_cost) + " of the " +
           number(grade.points + grade.late_cost) +
           " points that the parts give are taken off: " + number(grade.points) + " are left";
}

std::string why_not_all(const verdict::Grade& grade, const verdict::StepGrade& step) {
    if (!step.lacks_points()) return {};
    const bool is_told = step.reason.empty() || step.reason == grade.unplayable;
    if (step.hidden) return is_told ? " (hidden)" : " (hidden; " + step.reason + ')';
    if (is_told) return {};
    if (step.advice.empty()) return " (" + step.reason + ')';
    const auto& first = step.advice.front();
    const bool is_one_of_all = first.starts_with("game ") || first.starts_with("input ");
    return " (" + step.reason + (is_one_of_all ? ". The first: " : "; ") + first + ')';
}

std::string why_unplayable(const verdict::Grade& grade) {
    const auto error = first_error_in(grade.build_output);
    return grade.unplayable + (error.empty() ? std::string() : " (" + error + ')');
}

std::vector<Printed> printed_by(const verdict::Grade& grade) {
    std::vector<Printed> all;
    if (!grade.build_output.empty())
        all.push_back({"What the build printed last", grade.build_output});
    if (!grade.standard_error.empty())
        all.push_back({"What the program wrote last", grade.standard_error});
    for (const auto& [name, given] : grade.inputs)
        all.push_back({base::visible_line(name), base::visible_lines(given, "")});
    return all;
}

std::vector<std::string> remarks_on(const verdict::Grade& grade) {
    std::vector<std::string> remarks;
    if (!grade.lateness.empty())
        remarks.push_back((grade.late ? "Late: it " : "In time: it ") + lateness_in_words(grade));
    for (const auto& [group, titles] : groups_of(grade)) {
        if (titles.size() > 1)
            remarks.push_back("Of the parts " + base::listed(titles) + " (\"" + group +
                              "\") the one with the most points counts alone: the points of the "
                              "others are not added.");
    }
    const bool in_doubt = grade.doubt != verdict::Doubt::none;
    if (grade.troubles.size() > (in_doubt ? 1U : 0U))  // the doubt is the last of them
        remarks.push_back(
            "This grade is not final: the course's machine or an opponent had trouble, or its "
            "tournament is not over, so something could not be judged. That is not the program's "
            "doing and costs it nothing; "
            "what is missing is played when it is graded again.");
    remarks.insert(remarks.end(), grade.troubles.begin(), grade.troubles.end());
    if (in_doubt && !grade.troubles.empty())
        remarks.back() =
            "This grade is not final before the course has looked at it: show this page to your "
            "course. The program was started by \"" +
            grade.started_by + '"' + std::string(base::row_of(doubt_words, grade.doubt).to_student);
    return remarks;
}

std::string whose(const verdict::Grade& grade) {
    auto names = base::joined(grade.students);
    return names.empty() ? grade.name : names;
}

std::vector<std::string> origin_of(const verdict::Grade& grade) {
    std::vector<std::string> lines{"rubric: " + grade.rubric_title + ", " + grade.rubric_hash};
    const auto add = [&](std::string_view what, const std::string& is) {
        if (!is.empty()) lines.push_back(std::string(what) + ": " + is);
    };
    add("program", grade.program);
    add("referee", grade.version);
    add("machine", grade.machine);
    add("sandbox", grade.sandbox);
    return lines;
}

}  // namespace referee::feedback
