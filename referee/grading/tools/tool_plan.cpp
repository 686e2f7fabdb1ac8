#include "referee/grading/tools/tool_plan.h"

#include <algorithm>
#include <filesystem>

#include "protocol/base/bytes.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/json/reader.h"
#include "referee/config/config_sections.h"
#include "referee/files/file.h"
#include "referee/grading/submission/submission.h"
#include "referee/grading/verdict/phrases.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/sandbox/bubblewrap.h"

namespace referee::grading {
namespace {

namespace fs = std::filesystem;
namespace json = protocol::json;

// A tool speaks to nobody: what it prints may be a pipe, which programs can open again.
config::BotConfig called(const std::string& name, const std::vector<std::string>& command) {
    config::BotConfig bot;
    bot.name = name;
    bot.launch = command;
    bot.standard_output = config::StandardOutput::pipe;
    return bot;
}

// A program of the instructor's, found as a bot of the rubric is.
config::BotConfig instructors(const std::string& name, const std::vector<std::string>& command,
                              const std::string& rubric_folder) {
    auto bot = called(name, command);
    bot.directory = rubric_folder;
    bot.has_own_directory = names_file_in(rubric_folder, command);
    return bot;
}

class Planning {
 public:
    Planning(const rubric::Rubric& rubric, const std::string& rubric_folder)
        : rubric_(rubric), folder_(rubric_folder) {}

    base::Result<ToolPlan, std::vector<std::string>> plan() {
        for (const auto& series : rubric_.series) {
            if (series.runs) add(series);
        }
        if (!plan_.series.empty()) read_limits();
        if (!mistakes_.empty()) return base::failure(mistakes_);
        return std::move(plan_);
    }

 private:
    void add(const rubric::Series& series) {
        ToolSeries tool{series.id, *series.runs, {}, {}, {}};
        tool.reference = instructors("reference", tool.runs.reference, folder_);
        tool.checker = instructors("checker", tool.runs.checker, folder_);
        refuse_ours(tool);
        find(tool, tool.reference, "reference");
        if (!tool.runs.checker.empty()) find(tool, tool.checker, "check");
        read_inputs(tool);
        for (const auto& step : rubric_.steps) check_rule(step, tool);
        plan_.series.push_back(std::move(tool));
    }

    void wrong(const ToolSeries& series, const std::string& what) {
        mistakes_.push_back("series " + series.id + ": " + what);
    }

    // A program without a slash is looked for beside ours, and one that leads out of the
    // submission's folder is nobody's own: either would be right for everybody.
    void refuse_ours(const ToolSeries& series) {
        const auto& word = series.runs.command.front();
        const auto expected = "; expected a program of the submission, such as \"./" +
                              fs::path(word).filename().string() + '"';
        const auto parts = fs::path(word);
        if (base::contains(parts, ".."))
            return wrong(series, "runs.command: " + word + " leads out of its folder" + expected);
        if (word.find('/') != std::string::npos) return;
        const auto search_path = process::program_search_path();
        const auto file = process::program_file(word, {}, search_path);
        const auto beside_us = search_path.substr(0, search_path.find(':'));
        const bool is_ours = !file.empty() && files::lies_in(file, beside_us);
        if (is_ours || (!file.empty() && word == series.runs.reference.front() &&
                        !sandbox::is_of_system(file)))
            wrong(series, "runs.command: " + word + " is " + file + expected);
    }

    void find(const ToolSeries& series, const config::BotConfig& bot, const std::string& member) {
        const auto& word = bot.launch.front();
        const auto file =
            process::program_file(word, bot.directory, process::program_search_path());
        std::error_code ignored;
        if (!file.empty() && fs::exists(fs::path(bot.directory) / file, ignored)) return;
        wrong(series, "runs." + member + ": there is no program " + word + " in " + folder_ +
                          " or among the installed ones; expected one such as \"./" +
                          fs::path(word).filename().string() + '"');
    }

    void read_inputs(ToolSeries& series) {
        const auto& folder = series.runs.inputs;
        std::error_code error;
        for (const auto& name : files::names_in(folder, error)) {
            const auto file = fs::path(folder) / name;
            std::error_code ignored;
            if (name.starts_with('.') || !fs::is_regular_file(fs::symlink_status(file, ignored)))
                continue;
            series.inputs.push_back({name, file.string(), {}});
        }
        if (error) {
            wrong(series, "runs.inputs: " + folder + " can't be read: " + error.message() +
                              "; expected a folder of files, such as \"boards\"");
            return;
        }
        if (series.inputs.empty() || series.inputs.size() > rubric::run_inputs_max) {
            wrong(series, fmt::format("runs.inputs: expected 1 to {} files in {}, found {}",
                                      rubric::run_inputs_max, folder, series.inputs.size()));
            return;
        }
        for (auto& input : series.inputs) {
            const auto text = files::read_named_file(input.file, run_input_bytes_max);
            if (!text) {
                wrong(series, "runs.inputs: " + input.file + ' ' + text.error());
                continue;
            }
            input.digest = base::hex_of(base::digest_of(*text));
        }
    }

    void check_rule(const rubric::Step& step, const ToolSeries& series) {
        const auto* const right = std::get_if<rubric::Right>(&step.rule);
        if (right == nullptr || step.series != std::vector{series.id}) return;
        if (right->at_least > series.inputs.size())
            mistakes_.push_back(
                fmt::format("step {}: rule.at_least: asks for {} of {} inputs; expected at most as "
                            "many as there are",
                            step.id, right->at_least, series.inputs.size()));
    }

    void read_limits() {
        json::Document document;
        if (!document.parse(rubric_.limits)) return;
        json::Mistakes mistakes;
        json::Reader reader(document.root(), mistakes, "limits");
        config::read_limits(reader, plan_.limits);
        if (mistakes) mistakes_.push_back(mistakes.first().text());
    }

    const rubric::Rubric& rubric_;
    const std::string& folder_;
    ToolPlan plan_;
    std::vector<std::string> mistakes_;
};

}  // namespace

std::size_t ToolPlan::inputs() const {
    std::size_t all = 0;
    for (const auto& one : series) all += one.inputs.size();
    return all;
}

base::Result<ToolPlan, std::vector<std::string>> tool_plan_of(const rubric::Rubric& rubric,
                                                              const std::string& rubric_folder) {
    return Planning(rubric, rubric_folder).plan();
}

config::BotConfig tool_of(const GradedSubmission& submission, const ToolSeries& series,
                          const ToolPlan& plan) {
    auto bot =
        submission.is_of_rubric ? series.reference : called(submission.name, series.runs.command);
    bot.memory_mb_max = plan.limits.memory_mb_max;
    bot.processes_max = plan.limits.processes_max;
    bot.disk_mb_max = plan.limits.disk_mb_max;
    if (submission.is_of_rubric) return bot;
    json::Document document;
    if (!document.parse(submission.bot)) return bot;
    const auto directory = document.root().find("directory").string();
    bot.has_own_directory = directory.has_value();
    bot.directory = directory ? std::string(*directory) : fs::current_path().string();
    bot.reads = document.root().find("reads").texts();
    return bot;
}

std::string ToolPlan::estimate(std::size_t submissions, std::size_t lanes) const {
    if (inputs() == 0) return {};
    Duration longest = Duration::zero();
    for (const auto& one : series)
        longest += one.runs.time * static_cast<Duration::rep>(one.inputs.size());
    const auto in_lanes = longest * static_cast<Duration::rep>(submissions) /
                          static_cast<Duration::rep>(std::max<std::size_t>(lanes, 1));
    return base::counted(inputs() * submissions, "run") + " of other programs, at worst " +
           verdict::length(in_lanes) + '\n';
}

}  // namespace referee::grading
