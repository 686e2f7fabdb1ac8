#include "referee/grading/tools/tool_runs.h"

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "protocol/base/bytes.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "protocol/limits.h"
#include "referee/files/file.h"
#include "referee/grading/verdict/phrases.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/command_files.h"
#include "referee/launch/supply/program_launches.h"
#include "referee/launch/supply/sandbox_terms.h"

namespace referee::grading {

namespace {

constexpr const char* records_name = "/runs.ndjson";
constexpr const char* checking_name = "/checking";  // what checkers read, while they do
// Another way to judge runs gets another number: what was judged before is run again.
constexpr std::string_view judged_by = "runs 1";

std::string words_in(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += word + '\0';
    return text;
}

// The program's name; of one that nobody can name, its words tell it apart.
std::string identity_of(program::Programs& programs, const config::BotConfig& bot,
                        bool with_folder) {
    auto launch = supply::program_launch_of(bot);
    if (!with_folder) launch.folder.clear();
    return programs.identify(launch).value_or("");
}

namespace json = protocol::json;

// A thousand inputs in many versions of a rubric, each with the end of a standard error.
constexpr std::size_t file_bytes_max = std::size_t{256} * 1024 * 1024;

std::string string_in(json::View value) {
    return std::string(value.text());
}

}  // namespace

// So many groups of runs at once, until all are done or a signal comes.
class ToolRuns::Lanes {
 public:
    Lanes(ToolRuns& runs, std::deque<Group> groups)
        : runs_(runs), groups_(std::move(groups)), signals_(loop_, SIGINT, SIGTERM) {}

    Ending run() {
        auto opened = supply::open_launcher(
            loop_.get_executor(), supply::SandboxTerms{.unsandboxed = runs_.terms_.unsandboxed});
        if (!opened) return {exit_trouble, opened.error()};
        launcher_ = *std::move(opened);
        signals_.async_wait([this](boost::system::error_code error, int signal) {
            if (!error) signal_ = signal;
        });
        lanes_.resize(std::max<std::size_t>(runs_.terms_.at_once, 1));
        for (std::size_t lane = 0; lane < lanes_.size(); ++lane) begin_next(lane);
        const auto work = boost::asio::make_work_guard(loop_);
        while (busy_ > 0 && signal_ == 0 && runs_.unkept_.empty()) loop_.run_one();
        lanes_.clear();
        std::error_code ignored;
        std::filesystem::remove(runs_.terms_.out + checking_name, ignored);
        if (signal_ != 0) return {exit_of_signal(signal_), "stopped before all programs were run"};
        if (!runs_.unkept_.empty()) return {exit_trouble, runs_.unkept_};
        return {};
    }

 private:
    void begin_next(std::size_t lane) {
        while (!groups_.empty()) {
            auto group = std::move(groups_.front());
            groups_.pop_front();
            std::erase_if(group.submissions, [&](std::size_t submission) {
                return runs_.troubles_.contains({submission, group.series});
            });
            if (!group.submissions.empty()) return begin(lane, std::move(group));
        }
    }

    void begin(std::size_t lane, Group group) {
        const auto& series = runs_.plan_.series[group.series];
        ToolTask task{series,
                      series.inputs[group.input],
                      {},
                      fmt::format("{}{}/{}", runs_.terms_.out, checking_name, lane)};
        for (const auto submission : group.submissions)
            task.tools.push_back(tool_of(runs_.submissions_[submission], series, runs_.plan_));
        ++busy_;
        auto& place = lanes_[lane];
        place = std::make_unique<ToolGroup>(loop_.get_executor(), *launcher_, std::move(task));
        place->begin(
            [this, group](std::size_t tool, ToolOutcome outcome) {
                runs_.take({group.submissions[tool], group.series}, group.input,
                           std::move(outcome));
            },
            [this, lane] {
                --busy_;
                begin_next(lane);
            });
    }

    ToolRuns& runs_;
    std::deque<Group> groups_;
    boost::asio::io_context loop_;
    boost::asio::signal_set signals_;
    std::unique_ptr<process::Launcher> launcher_;
    std::vector<std::unique_ptr<ToolGroup>> lanes_;  // end before the launcher
    std::size_t busy_ = 0;
    int signal_ = 0;
};

ToolRuns::ToolRuns(ToolPlan plan, std::span<const GradedSubmission> submissions, ToolTerms terms)
    : plan_(std::move(plan)), submissions_(submissions), terms_(std::move(terms)) {}

std::string ToolRuns::folder_of(const GradedSubmission& submission) const {
    return terms_.single ? terms_.out : terms_.out + '/' + files::folder_name_of(submission.name);
}

std::string ToolRuns::prepare() {
    if (plan_.series.empty()) return {};
    program::Programs programs;
    std::vector<std::string> of_series;
    for (const auto& series : plan_.series) {
        const auto& runs = series.runs;
        of_series.push_back(
            std::string(judged_by) + '\0' + std::to_string(static_cast<int>(runs.check)) + '\0' +
            std::to_string(runs.time.count()) + '\0' + words_in(runs.reference) + '\0' +
            words_in(runs.checker) + '\0' + identity_of(programs, series.reference, false) + '\0' +
            (runs.checker.empty() ? std::string() : identity_of(programs, series.checker, false)));
    }
    for (std::size_t i = 0; i < submissions_.size(); ++i) {
        auto& records = records_.emplace_back(folder_of(submissions_[i]) + records_name);
        if (auto wrong = records.read(); !wrong.empty()) return wrong;
        if (!submissions_[i].unbuilt.empty()) continue;
        for (std::size_t s = 0; s < plan_.series.size(); ++s) {
            const auto tool = tool_of(submissions_[i], plan_.series[s], plan_);
            auto trouble = submissions_[i].change;
            if (trouble.empty())
                trouble = supply::lack_of_machine({tool, process::program_search_path()});
            if (!trouble.empty()) troubles_[{i, s}] = trouble;
            programs_[{i, s}] = identity_of(programs, tool, true);
            decided_by_[{i, s}] =
                of_series[s] + '\0' + programs_[{i, s}] + '\0' + words_in(tool.launch) + '\0' +
                fmt::format("{} {} {}", tool.memory_mb_max, tool.processes_max, tool.disk_mb_max);
        }
    }
    return {};
}

std::string ToolRuns::key_of(const Pair& pair, std::size_t input) const {
    const auto& of_input = plan_.series[pair.second].inputs[input].digest;
    return base::hex_of(base::digest_of(decided_by_.at(pair), of_input));
}

std::deque<ToolRuns::Group> ToolRuns::missing() const {
    std::deque<Group> groups;
    for (std::size_t s = 0; s < plan_.series.size(); ++s) {
        for (std::size_t input = 0; input < plan_.series[s].inputs.size(); ++input) {
            Group group{s, input, {}};
            for (std::size_t i = 0; i < submissions_.size(); ++i) {
                if (!decided_by_.contains({i, s}) || troubles_.contains({i, s})) continue;
                if (records_[i].find(key_of({i, s}, input)) == nullptr)
                    group.submissions.push_back(i);
            }
            if (!group.submissions.empty()) groups.push_back(std::move(group));
        }
    }
    return groups;
}

Ending ToolRuns::run() {
    auto groups = missing();
    return groups.empty() ? Ending{} : Lanes(*this, std::move(groups)).run();
}

void ToolRuns::take(const Pair& pair, std::size_t input, ToolOutcome outcome) {
    if (!outcome.trouble.empty()) {
        troubles_[pair] = outcome.trouble;
        return;
    }
    auto wrong = records_[pair.first].add(key_of(pair, input), std::move(outcome));
    if (!wrong.empty()) unkept_ = std::move(wrong);
}

verdict::PlayedSeries ToolRuns::played(const GradedSubmission& submission,
                                       const std::string& series) const {
    verdict::PlayedSeries played;
    const auto i = place_of(submission.name);
    if (i == submissions_.size()) return played;
    played.cut_short = submissions_[i].unbuilt;
    const auto asked = std::ranges::find(plan_.series, series, &ToolSeries::id);
    const Pair pair{i, static_cast<std::size_t>(asked - plan_.series.begin())};
    if (!decided_by_.contains(pair)) return played;
    bool all_right = true;
    for (std::size_t input = 0; input < asked->inputs.size(); ++input) {
        const auto* const known = records_[i].find(key_of(pair, input));
        if (known == nullptr) {
            const auto* const told = base::find_in(troubles_, pair);
            if (played.trouble.empty())
                played.trouble = told == nullptr ? "not all inputs were run" : *told;
            continue;
        }
        auto& run = played.runs.emplace_back(known->run);
        run.input = asked->inputs[input].name;  // inputs with the same bytes have one record
        if (run.right || !std::exchange(all_right, false)) continue;
        const auto given =
            files::read_named_file(asked->inputs[input].file, verdict::feedback_output_bytes_max);
        if (given) run.given = *given;
    }
    return played;
}

std::size_t ToolRuns::place_of(const std::string& submission) const {
    const auto found = std::ranges::find(submissions_, submission, &GradedSubmission::name);
    return static_cast<std::size_t>(found - submissions_.begin());
}

LaunchedProgram ToolRuns::program_of(const std::string& submission) const {
    LaunchedProgram program;
    const auto i = place_of(submission);
    for (std::size_t s = 0; s < plan_.series.size(); ++s) {
        if (!decided_by_.contains({i, s})) continue;
        const auto* const known = records_[i].find(key_of({i, s}, 0));
        if (known != nullptr) program = {programs_.at({i, s}), known->sandbox};
    }
    return program;
}

std::string ToolRecords::read() {
    std::error_code ignored;
    if (!std::filesystem::exists(file_, ignored)) return {};
    const auto text = files::read_named_file(file_, file_bytes_max);
    if (!text) return file_ + " " + text.error();
    std::string_view rest = *text;
    while (!rest.empty()) {
        const auto end = rest.find('\n');
        cut_off_ = end == std::string_view::npos;
        if (cut_off_) break;
        json::Document line;
        if (line.parse(rest.substr(0, end), {.depth_max = protocol::limits::depth_max}) &&
            line.root().is_object()) {
            const auto root = line.root();
            known_[string_in(root.find("key"))] = {
                {string_in(root.find("input")), root.find("right").boolean().value_or(false),
                 string_in(root.find("reason")), string_in(root.find("standard_error"))},
                {},
                string_in(root.find("sandbox"))};
        }
        rest.remove_prefix(end + 1);
    }
    return {};
}

std::string ToolRecords::add(const std::string& key, ToolOutcome record) {
    std::string line = cut_off_ ? "\n" : "";
    json::Writer writer(line);
    writer.begin_object()
        .member("key", key)
        .member("input", record.run.input)
        .member("right", record.run.right)
        .member("reason", record.run.reason)
        .member("standard_error", record.run.printed)
        .member("sandbox", record.sandbox)
        .end_object();
    line += '\n';
    auto made = files::make_folder(std::filesystem::path(file_).parent_path());
    if (!made) return std::move(made.error());
    std::ofstream file(file_, std::ios::app | std::ios::binary);
    file << line << std::flush;
    if (!file) return file_ + " can't be written";
    cut_off_ = false;
    known_[key] = std::move(record);
    return {};
}

}  // namespace referee::grading
