#include "referee/cluster/machines/slurm.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <span>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "referee/cluster/jobs/job_folder.h"
#include "referee/cluster/machines/coordinator_folder.h"

namespace referee::machines {
namespace {

// One submission is a job array with so many jobs at most. Slurm's MaxArraySize is 1001, and
// administrators lower it rather than raise it.
constexpr std::uint64_t array_jobs_max = 100;
// As many jobs as one scancel names.
constexpr std::size_t cancelled_at_once_max = 100;
// A minute before its time is over a job is told to end: bots that Slurm kills together with their
// referee would look as if they had crashed. Slurm may say so up to a minute earlier.
constexpr std::chrono::seconds end_notice{60};
// Slurm's commands try again by themselves; without an answer of munged, it takes them 53 s to
// give up. Where the queue is full sbatch tries for two minutes; results would wait for it.
constexpr std::chrono::milliseconds command_time_max{90'000};
constexpr std::chrono::milliseconds submission_time_max{30'000};
// A line of squeue is a hundred bytes; so that 100,000 jobs of this user are too many.
constexpr std::size_t output_bytes_max = 10'000'000;
// An id is random; so many of its letters tell coordinators apart.
constexpr std::size_t id_letters_max = 20;

// All that Slurm's commands get of our environment, and so all that jobs get: sbatch passes on what
// it has. Their own variables would change what they do (SQUEUE_STATES, SBATCH_WAIT ...).
constexpr std::array kept_variables{"PATH", "HOME",       "USER",       "LOGNAME",        "LANG",
                                    "TZ",   "SLURM_CONF", "KRB5CCNAME", "LD_LIBRARY_PATH"};

std::vector<std::string> kept_environment() {
    std::vector<std::string> kept;
    for (const char* name : kept_variables) {
        const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
        if (value != nullptr) kept.push_back(std::string(name) + "=" + value);
    }
    return kept;
}

// Numbers that fit into one array each, in their order.
std::vector<std::vector<std::uint64_t>> arrays_of(std::vector<std::uint64_t> numbers) {
    std::ranges::sort(numbers);
    std::vector<std::vector<std::uint64_t>> arrays;
    for (const auto number : numbers) {
        if (arrays.empty() || number - arrays.back().front() >= array_jobs_max)
            arrays.emplace_back();
        arrays.back().push_back(number);
    }
    return arrays;
}

// What of a coordinator's id stands in names of jobs.
std::string name_part(const std::string& id) {
    auto part = id;
    std::erase_if(part, [](char c) { return !base::is_letter(c) && !base::is_digit(c); });
    return part.substr(0, id_letters_max);
}

// What a job array runs: in each of its jobs, `referee job` in that one's folder, which lies in
// `jobs`. The job with the number N has the index N - first.
std::string array_script(const std::string& referee, const std::string& jobs, std::uint64_t first) {
    return fmt::format(
        "#!/bin/sh\n# Matches of a tournament. The referee takes the shell's place, and so its "
        "signals.\nfolder={}/$(printf %0{}d $(({} + SLURM_ARRAY_TASK_ID)))\nexport "
        "REFEREE_HOST=\"$SLURMD_NODENAME\"\nexec {} job \"$folder\" >>\"$folder/{}\" 2>&1\n",
        base::shell_word(jobs), digits_of_number, first, base::shell_word(referee), jobs::log_file);
}

class Slurm final : public BatchSystem {
 public:
    Slurm(const config::MachinesConfig& config, const std::string& id, std::string referee)
        : config_(config.slurm),
          jobs_(config.folder + "/jobs"),
          prefix_("referee-" + name_part(id) + "-"),
          referee_(std::move(referee)) {
        REFEREE_ASSERT(referee_.starts_with('/'));
    }

    Answer<void> submit(const std::vector<std::uint64_t>& numbers,
                        const BatchNeeds& needs) override {
        for (const auto& array : arrays_of(numbers)) {
            const auto first = array.front();
            const auto index = [first](auto number) { return std::to_string(number - first); };
            auto command = sbatch_of(first, base::joined(array, ",", index), needs);
            command.input = array_script(referee_, jobs_, first);
            const auto done = output_of("sbatch", command);
            if (!done) return base::failure(done.error());
        }
        return {};
    }

    Answer<std::vector<SeenJob>> list() override {
        const auto text =
            output_of("squeue", {"--noheader", "--array", "--user=" + std::to_string(geteuid()),
                                 std::string("--format=") + queue_format});
        if (!text) return base::failure(text.error());
        return read_queue(*text, prefix_);
    }

    // By their numbers: who asks may not have seen a job yet, or only one of two with its number.
    Answer<void> cancel(const std::vector<std::uint64_t>& numbers) override {
        if (numbers.empty()) return {};
        const std::set<std::uint64_t> asked(numbers.begin(), numbers.end());
        const auto seen = list();
        if (!seen) return base::failure(seen.error());
        std::vector<std::string> ids;
        for (const auto& job : *seen)
            if (asked.contains(job.number)) ids.push_back(job.id);
        for (std::span<const std::string> rest = ids; !rest.empty();) {
            const auto now = rest.first(std::min(rest.size(), cancelled_at_once_max));
            rest = rest.subspan(now.size());
            const auto done = output_of("scancel", {now.begin(), now.end()});
            if (!done) return base::failure(done.error());
        }
        return {};
    }

    Answer<std::string> check(const BatchNeeds& needs) override {
        auto command = sbatch_of(0, "0", needs);
        command.words.emplace_back("--test-only");
        command.input = "#!/bin/sh\n";
        if (const auto done = output_of("sbatch", command); !done)
            return base::failure(done.error());
        const auto partitions = output_of("scontrol", {"show", "partition", "--oneliner"});
        if (auto lack = partition_lack(partitions.value_or(""), config_.partition); !lack.empty())
            return base::failure(BatchTrouble{true, std::move(lack)});
        const bool whole_nodes = std::ranges::any_of(
            config_.arguments, [](const auto& word) { return word.starts_with("--exclusive"); });
        const auto settings = output_of("scontrol", {"show", "config"});
        return settings && !whole_nodes ? binding_lack(*settings) : std::string();
    }

 private:
    // What it printed; its trouble where it didn't end well.
    static Answer<std::string> output_of(const std::string& name, const command::Command& call) {
        auto end = command::run(call);
        if (!end) return base::failure(slurm_trouble(call.words.front(), end.error()));
        if (end->status != 0) return base::failure(slurm_trouble(name, end->errors));
        return std::move(end->output);
    }
    Answer<std::string> output_of(const std::string& name,
                                  const std::vector<std::string>& words) const {
        return output_of(name, command_of(name, words));
    }

    command::Command command_of(const std::string& name,
                                const std::vector<std::string>& words) const {
        command::Command command;
        command.words = {config_.commands.empty() ? name : config_.commands + "/" + name};
        command.words.insert(command.words.end(), words.begin(), words.end());
        command.environment = environment_;
        command.bare = true;
        command.time_max = command_time_max;
        command.output_bytes_max = output_bytes_max;
        return command;
    }

    command::Command sbatch_of(std::uint64_t first, const std::string& indices,
                               const BatchNeeds& needs) const {
        // Slurm counts whole minutes.
        const auto time_max =
            std::chrono::ceil<std::chrono::minutes>(needs.time_max) + slurm_end_minutes;
        auto command = command_of("sbatch", config_.arguments);
        command.time_max = submission_time_max;
        auto& words = command.words;
        if (!config_.partition.empty()) words.push_back("--partition=" + config_.partition);
        if (!config_.account.empty()) words.push_back("--account=" + config_.account);
        if (!config_.qos.empty()) words.push_back("--qos=" + config_.qos);
        words.insert(words.end(),
                     {fmt::format("--job-name={}{}", prefix_, first), "--array=" + indices,
                      "--nodes=1", "--ntasks=1", "--cpus-per-task=" + std::to_string(needs.cores),
                      "--time=" + std::to_string(time_max.count()),
                      "--signal=B:TERM@" + std::to_string(end_notice.count()), "--no-requeue",
                      "--output=/dev/null"});
        return command;
    }

    config::SlurmConfig config_;
    std::string jobs_;    // the folder of their folders
    std::string prefix_;  // of all jobs' names
    std::string referee_;
    std::vector<std::string> environment_ = kept_environment();
};

}  // namespace

std::unique_ptr<BatchSystem> slurm_of(const config::MachinesConfig& config, const std::string& id,
                                      const std::string& referee) {
    return std::make_unique<Slurm>(config, id, referee);
}

}  // namespace referee::machines
