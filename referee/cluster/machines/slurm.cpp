#include "referee/cluster/machines/slurm.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <set>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"

namespace referee::machines {
namespace {

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
        if (arrays.empty() || number - arrays.back().front() >= slurm_array_jobs_max)
            arrays.emplace_back();
        arrays.back().push_back(number);
    }
    return arrays;
}

// What of a coordinator's id stands in names of jobs.
std::string name_part(const std::string& id) {
    std::string part;
    for (const char c : id)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 && part.size() < slurm_id_letters_max)
            part += c;
    return part;
}

// Slurm counts whole minutes.
std::chrono::minutes minutes_of(std::chrono::seconds time_max) {
    return std::chrono::ceil<std::chrono::minutes>(time_max) + slurm_end_minutes;
}

// What it printed; its trouble where it didn't end well.
BatchSystem::Answer<std::string> output_of(const std::string& name, const command::Command& call) {
    auto end = command::run(call);
    if (!end) return base::failure(slurm_trouble(call.words.front(), end.error()));
    if (end->status != 0) return base::failure(slurm_trouble(name, end->errors));
    return std::move(end->output);
}

}  // namespace

Slurm::Slurm(const config::MachinesConfig& config, const std::string& id, std::string referee)
    : config_(config.slurm),
      jobs_(config.folder + "/jobs"),
      prefix_("referee-" + name_part(id) + "-"),
      referee_(std::move(referee)),
      environment_(kept_environment()) {
    REFEREE_ASSERT(referee_.starts_with('/'));
}

command::Command Slurm::command_of(const std::string& name,
                                   const std::vector<std::string>& words) const {
    command::Command command;
    command.words = {config_.commands.empty() ? name : config_.commands + "/" + name};
    command.words.insert(command.words.end(), words.begin(), words.end());
    command.environment = environment_;
    command.bare = true;
    command.time_max = slurm_command_time_max;
    command.output_bytes_max = slurm_output_bytes_max;
    return command;
}

command::Command Slurm::sbatch_of(std::uint64_t first, const std::string& indices,
                                  const BatchNeeds& needs) const {
    auto command = command_of("sbatch", config_.arguments);
    command.time_max = slurm_submission_time_max;
    auto& words = command.words;
    if (!config_.partition.empty()) words.push_back("--partition=" + config_.partition);
    if (!config_.account.empty()) words.push_back("--account=" + config_.account);
    if (!config_.qos.empty()) words.push_back("--qos=" + config_.qos);
    words.insert(words.end(),
                 {"--job-name=" + prefix_ + std::to_string(first), "--array=" + indices,
                  "--nodes=1", "--ntasks=1", "--cpus-per-task=" + std::to_string(needs.cores),
                  "--time=" + std::to_string(minutes_of(needs.time_max).count()),
                  "--signal=B:TERM@" + std::to_string(slurm_end_notice.count()), "--no-requeue",
                  "--output=/dev/null"});
    return command;
}

BatchSystem::Answer<void> Slurm::submit(const std::vector<std::uint64_t>& numbers,
                                        const BatchNeeds& needs) {
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

BatchSystem::Answer<std::vector<SeenJob>> Slurm::list() {
    const auto text = output_of(
        "squeue",
        command_of("squeue", {"--noheader", "--array", "--user=" + std::to_string(geteuid()),
                              std::string("--format=") + slurm_queue_format}));
    if (!text) return base::failure(text.error());
    return read_queue(*text, prefix_);
}

// By their numbers: who asks may not have seen a job yet, or only one of two with its number.
BatchSystem::Answer<void> Slurm::cancel(const std::vector<std::uint64_t>& numbers) {
    if (numbers.empty()) return {};
    const std::set<std::uint64_t> asked(numbers.begin(), numbers.end());
    auto seen = list();
    if (!seen) return base::failure(seen.error());
    std::erase_if(*seen, [&](const auto& job) { return !asked.contains(job.number); });
    for (std::size_t begin = 0; begin < seen->size(); begin += slurm_cancelled_at_once_max) {
        std::vector<std::string> ids;
        const auto end = std::min(begin + slurm_cancelled_at_once_max, seen->size());
        for (auto i = begin; i < end; ++i) ids.push_back((*seen)[i].id);
        const auto done = output_of("scancel", command_of("scancel", ids));
        if (!done) return base::failure(done.error());
    }
    return {};
}

BatchSystem::Answer<std::string> Slurm::check(const BatchNeeds& needs) {
    auto command = sbatch_of(0, "0", needs);
    command.words.emplace_back("--test-only");
    command.input = "#!/bin/sh\n";
    if (const auto done = output_of("sbatch", command); !done) return base::failure(done.error());
    const bool whole_nodes = std::ranges::any_of(
        config_.arguments, [](const auto& word) { return word.starts_with("--exclusive"); });
    const auto settings = output_of("scontrol", command_of("scontrol", {"show", "config"}));
    return settings && !whole_nodes ? binding_lack(*settings) : std::string();
}

}  // namespace referee::machines
