#include "referee/grading/dry_run.h"

#include <algorithm>
#include <set>

#include "engines/registry.h"
#include "protocol/base/assertion.h"
#include "protocol/json/document.h"
#include "protocol/json/text.h"
#include "protocol/json/writer.h"
#include "protocol/limits.h"
#include "referee/grading/games/grading_plan.h"
#include "referee/grading/verdict/words.h"
#include "referee/report/text_table.h"

namespace referee::grading {
namespace {

namespace json = protocol::json;
using verdict::StepVerdict;

// A bot plays against others of the rubric, and may be one of them, so as a submission it has
// another name.
constexpr std::string_view prefix = "graded ";

GradedSubmission handed_in(const std::string& name, std::string bot) {
    GradedSubmission submission;
    submission.name = std::string(prefix) + name;
    submission.name.resize(
        std::min<std::size_t>(submission.name.size(), protocol::limits::name_bytes_max));
    submission.bot = std::move(bot);
    submission.is_of_rubric = true;
    return submission;
}

GradedSubmission reference_bot(std::string_view program) {
    std::string bot;
    json::Writer writer(bot);
    writer.begin_object().key("launch").begin_array().string(program).end_array().end_object();
    return handed_in(std::string(program), std::move(bot));
}

// Members of a rubric's bot that are of the bot itself.
std::string without_name(json::View bot, const std::string& rubric_folder) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object();
    for (const auto [member, value] : bot.members()) {
        if (member == "name" || member == "directory" || member == "lifetime") continue;
        writer.key(member);
        value.write(writer);
    }
    if (const auto folder = directory_of(bot, rubric_folder); !folder.empty())
        writer.member("directory", folder);
    writer.end_object();
    return text;
}

std::string cell_of(const verdict::StepGrade& step) {
    const auto points = verdict::number(step.points);
    if (step.verdict == StepVerdict::not_counted) return "(" + points + ")";
    return step.verdict == StepVerdict::trouble ? "not judged" : points;
}

}  // namespace

std::vector<GradedSubmission> reference_submissions(const rubric::Rubric& rubric,
                                                    const std::string& rubric_folder) {
    json::Document own;
    const auto parsed = own.parse(rubric.bots);
    REFEREE_ASSERT(parsed);
    std::vector<GradedSubmission> found;
    std::set<std::string> known;
    for (const auto bot : own.root().elements()) {
        auto text = without_name(bot, rubric_folder);
        if (known.insert(text).second)
            found.push_back(
                handed_in(std::string(bot.find("name").string().value_or("")), std::move(text)));
    }
    if (!found.empty()) return found;
    if (!rubric.has_games()) return {handed_in("reference", "{}")};
    const engines::Registry registry;
    const auto* game = registry.find(rubric.game);
    if (game == nullptr) return found;
    for (const auto program : game->info().reference_bots) found.push_back(reference_bot(program));
    return found;
}

std::string dry_run_table(const std::vector<verdict::Grade>& grades,
                          const std::map<std::string, Duration>& spans) {
    std::vector<report::Cells> rows{{"bot", "points"}};
    if (!grades.empty()) {
        for (const auto& step : grades.front().steps) rows.front().push_back(step.step);
    }
    rows.front().emplace_back("time");
    for (const auto& grade : grades) {
        const bool named = grade.name.starts_with(prefix);
        report::Cells row{named ? grade.name.substr(prefix.size()) : grade.name,
                          verdict::number(grade.points) + " of " + verdict::number(grade.of)};
        for (const auto& step : grade.steps) row.push_back(cell_of(step));
        const auto span = spans.find(grade.name);
        row.push_back(span == spans.end() ? "none played" : verdict::length(span->second));
        rows.push_back(std::move(row));
    }
    return protocol::json::in_log(report::table_text(rows) +
                                  "\n(in brackets: another step of its group gives no less)\n");
}

}  // namespace referee::grading
