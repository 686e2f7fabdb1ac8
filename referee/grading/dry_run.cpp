#include "referee/grading/grading.h"

#include <algorithm>
#include <set>

#include "engines/registry.h"
#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "protocol/limits.h"
#include "referee/grading/verdict/words.h"
#include "referee/report/text_table.h"
#include "referee/tournament/config_limits.h"

namespace referee::grading {
namespace {

using base::counted;
using verdict::length;

// As long as the longest of submissions that are played side by side in so many lanes.
Duration in_lanes(Duration sum, std::size_t lanes) {
    return sum / static_cast<Duration::rep>(std::max<std::size_t>(lanes, 1));
}

// Each is run with each input, in lanes.
std::string runs_in_words(const ToolPlan& tools, std::size_t submissions, std::size_t lanes) {
    if (tools.inputs() == 0) return {};
    const auto most = longest_of(tools) * static_cast<Duration::rep>(submissions);
    return counted(tools.inputs() * submissions, "run") + " of other programs, at worst " +
           length(in_lanes(most, lanes)) + '\n';
}

std::string games_in_words(std::uint64_t least, std::uint64_t most) {
    const auto at_most = counted(most, "game");
    return least == most ? at_most : fmt::format("{} to {}", least, at_most);
}

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

std::string estimate_of(const rubric::Rubric& rubric, const Plan& plan, const ToolPlan& tools,
                        std::size_t submissions, std::size_t lanes,
                        const estimate::PlayedTimes& played) {
    const auto runs = runs_in_words(tools, submissions, lanes);
    if (!rubric.has_games())
        return rubric.title + ": " + counted(submissions, "submission") + "\n" + runs;
    estimate::DurationEstimate all;
    all.likely = all.worst = Duration::zero();
    for (const auto& tournament : plan.config.tournaments) {
        const auto one = estimate::estimate_of(plan.config, tournament, played,
                                               {1, tournament::thinking_cores(plan.config)});
        all.games += one.games;
        all.likely = all.likely && one.likely ? std::optional(*all.likely + *one.likely)
                                              : std::optional<Duration>();
        all.worst = all.worst && one.worst ? std::optional(*all.worst + *one.worst)
                                           : std::optional<Duration>();
    }
    const auto bound = rubric.time_max * time_in_all_factor;
    const auto bound_of_all = bound * static_cast<Duration::rep>(submissions);
    const auto worst = std::min(all.worst.value_or(bound_of_all), bound_of_all);
    return fmt::format(
        "{}: {}, {} series, {}\ntakes {}at worst {}{}; the rubric allows a program {} of thinking, "
        "and its games run for {} at most\n{}",
        rubric.title, counted(submissions, "submission"), plan.series.size(),
        games_in_words(all.games.least, all.games.most),
        all.likely ? "about " + length(in_lanes(*all.likely, lanes)) + " likely, " : "",
        length(in_lanes(worst, lanes)),
        all.likely ? "" : " (a likely time isn't known before such games were played)",
        length(rubric.time_max), length(bound), runs);
}

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
    return base::safe_for_ci_log(report::table_text(rows) +
                                 "\n(in brackets: another step of its group gives no less)\n");
}

}  // namespace referee::grading
