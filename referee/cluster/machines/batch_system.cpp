#include "referee/cluster/machines/batch_system.h"

#include <algorithm>
#include <optional>
#include <span>
#include <sstream>
#include <utility>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/cluster/jobs/job_folder.h"
#include "referee/cluster/machines/coordinator_folder.h"
#include "referee/cluster/machines/job_size.h"
#include "referee/cluster/machines/slurm.h"
#include "referee/launch/command/command.h"

namespace referee::machines {

namespace {

// A command line has an end, and a command its time: more jobs are given to several calls.
constexpr std::size_t jobs_of_call_max = 100;
// A batch system that answers at all does so in seconds; a list of 10,000 jobs has half a MB.
constexpr std::chrono::seconds call_time_max{60};
constexpr std::size_t call_output_bytes_max = 16 * 1024 * 1024;
// What a shell says of a command that isn't there, or can't be run; and the usual word for "wrong
// usage".
constexpr int status_of_usage = 64;
constexpr int status_not_executable = 126;
constexpr int status_not_found = 127;
constexpr const char* example_of_list = "`000017 running node7`";

// A line of `list`: NUMBER, "waiting" and perhaps why, or "running" and perhaps where, and an id.
std::optional<SeenJob> job_in(const std::string& line) {
    std::istringstream words(line);
    std::string number;
    std::string state;
    SeenJob job;
    words >> number >> state;
    if (state == "waiting") {
        std::getline(words >> std::ws, job.because);
        job.because = last_line_of(job.because);
    } else {
        words >> job.machine >> job.id;
    }
    const auto read = base::whole_number(number);
    if (!read || (state != "waiting" && state != "running")) return std::nullopt;
    job.number = *read;
    job.begun = state == "running";
    return job;
}

// A batch system that three commands of the instructor's reach.
class BatchCommands final : public BatchSystem {
 public:
    BatchCommands(config::MachinesConfig config, std::string referee)
        : config_(std::move(config)), referee_(std::move(referee)) {}

    Answer<void> submit(const std::vector<std::uint64_t>& numbers,
                        const BatchNeeds& needs) override {
        return call_with("submit", config_.submit, numbers,
                         {"REFEREE_CORES=" + std::to_string(needs.cores),
                          "REFEREE_TIME_MAX_S=" + std::to_string(needs.time_max.count())});
    }

    Answer<std::vector<SeenJob>> list() override {
        const auto printed = output_of("list", config_.list);
        if (!printed) return base::failure(printed.error());
        std::vector<SeenJob> jobs;
        for (const auto line : base::split(*printed, '\n')) {
            if (line.find_first_not_of(" \t\r") == line.npos) continue;
            auto job = job_in(std::string(line));
            if (!job)
                return base::failure(BatchTrouble{
                    false, "\"list\" of \"machines\" (" + config_.list + ") printed \"" +
                               base::visible_line(line) +
                               "\"; expected a line for each job, with its number and whether it "
                               "is waiting or running, such as " +
                               example_of_list});
            jobs.push_back(*std::move(job));
        }
        return jobs;
    }

    Answer<void> cancel(const std::vector<std::uint64_t>& numbers) override {
        return call_with("cancel", config_.cancel, numbers);
    }

    // Only the list is run: whoever is given no job may do something else. Of the others it is
    // looked whether their programs are there, as a shell finds them.
    Answer<std::string> check(const BatchNeeds& /*needs*/) override {
        const auto listed = list();
        if (!listed && !listed.error().passes) return base::failure(listed.error());
        for (const auto& [name, words] :
             {std::pair("submit", config_.submit), std::pair("cancel", config_.cancel)}) {
            const auto parts = base::command_of(words);
            const auto program = parts.empty() ? std::string() : parts.front();
            if (program.find('=') != std::string::npos) continue;  // a variable, before the program
            const auto looks = fmt::format(
                "command -v {0} >/dev/null && case {0} in */*) test -x {0} ;; esac || exit {1} #",
                base::shell_word(program), status_not_found);
            const auto found = output_of(name, looks);
            if (found) continue;
            if (found.error().passes) break;  // no shell tells
            return base::failure(BatchTrouble{
                false,
                fmt::format("\"{}\" of \"machines\" ({}): no program {} is there that can be "
                            "executed; correct its path, which begins in {}, or chmod +x it",
                            name, words, program, config_.directory)});
        }
        if (!listed) return base::failure(listed.error());
        return std::string();
    }

 private:
    // Calls one of the instructor's with the folders of these jobs, as many times as it takes.
    Answer<void> call_with(const std::string& name, const std::string& words,
                           const std::vector<std::uint64_t>& numbers,
                           const std::vector<std::string>& environment = {}) const {
        for (std::size_t from = 0; from < numbers.size(); from += jobs_of_call_max) {
            const auto part = std::span(numbers).subspan(from);
            const auto printed = output_of(
                name, words, part.first(std::min(part.size(), jobs_of_call_max)), environment);
            if (!printed) return base::failure(printed.error());
        }
        return {};
    }

    // What it printed. It is for a shell; the folders come behind its words.
    Answer<std::string> output_of(const std::string& name, const std::string& words,
                                  std::span<const std::uint64_t> numbers = {},
                                  const std::vector<std::string>& environment = {}) const {
        command::Command call;
        call.words = {"/bin/sh", "-c", words + " \"$@\"", "sh"};
        call.folder = config_.directory;
        for (const auto number : numbers)
            call.words.push_back(config_.folder + "/jobs/" + number_text(number));
        call.environment = environment;
        call.environment.insert(call.environment.end(),
                                {"REFEREE=" + referee_, "REFEREE_FOLDER=" + config_.folder});
        call.over = command::Command::Over::with_its_streams;
        call.time_max = call_time_max;
        call.output_bytes_max = call_output_bytes_max;
        auto answer = command::run(call);
        const auto what = "\"" + name + "\" of \"machines\" (" + words + ") ";
        if (!answer) {
            const auto said = last_line_of(answer.error().errors);
            return base::failure(BatchTrouble{
                true, what + answer.error().what + (said.empty() ? "" : "; it said: " + said)});
        }
        if (answer->status == 0) return std::move(answer->output);
        const bool lasts = answer->status == status_of_usage ||
                           answer->status == status_not_executable ||
                           answer->status == status_not_found;
        const auto said = last_line_of(answer->errors);
        return base::failure(BatchTrouble{
            !lasts, fmt::format("{}ended with status {}{}; try it in a terminal, in {}", what,
                                answer->status, said.empty() ? ", and said nothing" : ": " + said,
                                call.folder)});
    }

    config::MachinesConfig config_;
    std::string referee_;
};

}  // namespace

std::unique_ptr<BatchSystem> batch_of(const config::MachinesConfig& config, const std::string& id,
                                      const std::string& referee) {
    if (config.kind == config::MachinesKind::slurm) return slurm_of(config, id, referee);
    return std::make_unique<BatchCommands>(config, referee);
}

BatchSystem::Answer<std::string> try_machines(const config::Config& config) {
    const auto& machines = *config.machines;
    if (const auto folder = CoordinatorFolder::try_out(machines.folder); !folder)
        return base::failure(BatchTrouble{false, folder.error()});
    const BatchNeeds needs{machines.cores, job_time_of(config, matches_of_job_most)};
    return batch_of(machines, "check", jobs::this_program())->check(needs);
}

void BatchTroubles::note(const std::optional<BatchTrouble>& trouble, bool of_submission,
                         bool closing) {
    if (trouble) {
        of_submission_ = of_submission;
        return set(trouble->reason, trouble->passes ? retry_most : retry_most_of_lasting);
    }
    if (tries() || trouble_.empty()) return;
    if (!closing) telling_.warning("the machines can be reached again: matches go on");
    trouble_.clear();
    of_submission_ = false;
    retry_now();
    retry_after_ = Duration::zero();
}

void BatchTroubles::note_stuck(const std::string& job, const std::string& why) {
    stuck_ = why.empty() ? why : job + " will not begin by itself: " + why;
    if (why != std::exchange(stuck_why_, why) && !why.empty()) telling_.error(stuck_);
}

void BatchTroubles::judge_lost(const std::string& last) {
    if (last.empty() || !tries()) return;
    set(fmt::format("the last {} jobs ended without a result, and one after the other is tried now "
                    "and then: {}",
                    lost_in_a_row_, last),
        retry_most_of_lasting);
}

void BatchTroubles::set(const std::string& trouble, Duration most) {
    retry_after_ =
        retry_after_ == Duration::zero() ? retry_least : std::min(most, 2 * retry_after_);
    retry_at_ = timers_.now() + retry_after_;
    pauses_ = true;
    if (trouble != trouble_) {
        const auto& tell = most == retry_most_of_lasting ? telling_.error : telling_.warning;
        tell("no match is given to other machines for now: " + trouble);
    }
    trouble_ = trouble;
}

}  // namespace referee::machines
