#include <algorithm>

#include "protocol/base/text.h"
#include "protocol/json/text.h"
#include "referee/grading/feedback/escaped.h"
#include "referee/grading/feedback/shown.h"
#include "referee/grading/verdict/words.h"

namespace referee::feedback {
namespace {

// For the instructor, from whom nothing is hidden.
std::vector<verdict::Grade> by_name(const std::vector<verdict::Grade>& grades) {
    std::vector<verdict::Grade> sorted;
    for (const auto& grade : grades) {
        sorted.push_back(shown_to(grade, For::instructor));
        for (auto& step : sorted.back().steps) step.hidden = false;
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.name < b.name; });
    return sorted;
}

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.append(width - text.size(), ' ');
    return text;
}

template <typename Holds>
std::size_t many(const std::vector<verdict::Grade>& grades, Holds holds) {
    return static_cast<std::size_t>(std::count_if(grades.begin(), grades.end(), holds));
}

std::string line_of(const verdict::Grade& grade) {
    auto text = headline_of(grade);
    if (grade.late) text += ", late";
    if (grade.late && grade.late_cost <= 0 && grade.points > 0) text += ", which costs nothing";
    if (grade.late_cost > 0) text += ", which costs " + verdict::number(grade.late_cost);
    if (!grade.final()) return text + ": " + grade.troubles.front();
    if (!grade.unplayable.empty()) text += ": " + grade.unplayable;
    return text;
}

// The ids of all steps, in the order in which they are met.
std::vector<std::string> steps_of(const std::vector<verdict::Grade>& grades) {
    std::vector<std::string> ids;
    for (const auto& grade : grades) {
        for (const auto& step : grade.steps) {
            if (std::find(ids.begin(), ids.end(), step.step) == ids.end()) ids.push_back(step.step);
        }
    }
    return ids;
}

std::string cell_of(const verdict::Grade& grade, const std::string& id) {
    for (const auto& step : grade.steps) {
        if (step.step != id) continue;
        const bool given = step.verdict == verdict::StepVerdict::passed || step.lacks_points();
        return given ? verdict::number(step.points) : std::string(in_words(step.verdict));
    }
    return {};
}

}  // namespace

std::string class_text_of(const std::vector<verdict::Grade>& grades) {
    const auto sorted = by_name(grades);
    std::size_t width = 0;
    for (const auto& grade : sorted) width = std::max(width, grade.name.size());
    std::string text;
    for (const auto& grade : sorted)
        text += padded(grade.name, width) + "  " + line_of(grade) + '\n';
    using verdict::Grade;
    text += '\n' + base::counted(sorted.size(), "grade") + ": ";
    if (many(sorted, [](const Grade& one) { return one.pass_mark > 0; }) > 0)
        text += std::to_string(
                    many(sorted, [](const Grade& one) { return one.final() && one.passed; })) +
                " passed, ";
    const auto came_late = [](const Grade& one) { return one.late; };
    text += std::to_string(many(sorted, came_late)) + " late, " +
            std::to_string(many(sorted, [](const Grade& one) { return !one.final(); })) +
            " not final, " +
            std::to_string(
                many(sorted, [](const Grade& one) { return one.final() && one.points <= 0; })) +
            " without points\n";
    return protocol::json::in_log(text);
}

std::string class_reasons_of(const std::vector<verdict::Grade>& grades) {
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
    return text.empty() ? text : protocol::json::in_log("\nWhy points are missing:\n\n" + text);
}

std::string class_csv_of(const std::vector<verdict::Grade>& grades) {
    const auto sorted = by_name(grades);
    const auto steps = steps_of(sorted);
    std::string text = "name,students,points,of,passed,final,late,late_cost";
    for (const auto& step : steps) text += ',' + in_csv(step);
    text += '\n';
    for (const auto& grade : sorted) {
        const auto students = base::joined(grade.students, ";");
        // Of a grade that isn't final nobody knows the points: a zero would be added up.
        const auto known = [&](std::string cell) { return grade.final() ? cell : std::string(); };
        text += in_csv(grade.name) + ',' + in_csv(students) + ',' +
                known(verdict::number(grade.points)) + ',' + verdict::number(grade.of) + ',' +
                known(grade.passed ? "yes" : "no") + ',' + (grade.final() ? "yes" : "no") + ',' +
                (grade.late ? "yes" : "no") + ',' + verdict::number(grade.late_cost);
        for (const auto& step : steps) text += ',' + in_csv(cell_of(grade, step));
        text += '\n';
    }
    return text;
}

}  // namespace referee::feedback
