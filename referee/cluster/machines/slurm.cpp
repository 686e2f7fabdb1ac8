#include "referee/cluster/machines/slurm.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <set>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
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
// What is shown of a command's words.
constexpr std::size_t said_bytes_max = 300;
// The columns that read_queue() reads: id, state, name, node, why it waits.
constexpr const char* queue_format = "%i|%T|%j|%N|%r";
constexpr std::size_t columns_of_queue = 5;

// States in which a job waits, and those in which it is over. In all others it is played.
constexpr std::array waiting_states{"PENDING",       "CONFIGURING",  "REQUEUED",
                                    "REQUEUE_FED",   "REQUEUE_HOLD", "SPECIAL_EXIT",
                                    "RESV_DEL_HOLD", "POWER_UP_NODE"};
constexpr std::array held_states{"SUSPENDED", "STOPPED"};
constexpr std::array over_states{"COMPLETED", "CANCELLED", "FAILED",   "TIMEOUT",       "NODE_FAIL",
                                 "PREEMPTED", "BOOT_FAIL", "DEADLINE", "OUT_OF_MEMORY", "REVOKED"};

struct Known {
    std::string_view said;  // by Slurm
    bool passes;
    std::string_view advice;
};

constexpr std::string_view full_queue =
    "the cluster's queue is full: jobs are submitted when others are over";

// The first of them that is found holds: of limits, how many jobs may wait stands in a line of its
// own before what all limits have in common.
constexpr std::array known_troubles{
    Known{"Invalid partition name", false,
          "expected one that `sinfo` lists, such as \"partition\": \"batch\""},
    Known{"Invalid account", false,
          "expected an account of yours in \"account\": `sacctmgr show associations user=$USER` "
          "lists them"},
    Known{"Invalid qos", false,
          "expected a QOS of your account in \"qos\": `sacctmgr show associations user=$USER "
          "format=qos` lists them"},
    Known{"MaxSubmitJob", true,
          "you may have no more jobs there: more are submitted when some are over; fewer "
          "\"jobs_at_once\" keep below the limit"},
    Known{"GrpSubmitJob", true,
          "your account or QOS may have no more jobs there: more are submitted when some are over"},
    Known{"accounting/QOS policy", false,
          "limits of your account or QOS refuse such a job: fewer \"cores\", a shorter "
          "\"time_max\", another \"qos\", or ask the administrators"},
    Known{"node configuration is not available", false,
          "no node of the partition is like that: fewer \"cores\", or other \"arguments\""},
    Known{"Requested time limit is invalid", false,
          "the partition's jobs may not last so long: expected its limit, which `sinfo` prints, in "
          "\"time_max\", such as \"30m\""},
    Known{"Invalid job array", false,
          "the cluster takes no array of so many jobs: ask for MaxArraySize of at least 101"},
    Known{"Invalid feature", false, "see \"arguments\""},
    Known{"Invalid generic resource", false, "see \"arguments\""},
    Known{"unrecognized option", false,
          "see \"arguments\": expected options of sbatch, such as \"--mem=4G\""},
    Known{"ermission denied", false, "expected a user who may submit jobs there"},
    Known{"not permitted to use this partition", false,
          "expected a partition that this user may use"},
    Known{"Invalid user id", false, "expected a user whom the whole cluster knows"},
    Known{
        "configuration source", false,
        "expected a machine of the cluster, with its slurm.conf: run the referee on a login node"},
    Known{"Unable to process configuration file", false,
          "expected the cluster's slurm.conf, as $SLURM_CONF or /etc/slurm/slurm.conf"},
    Known{"Munge", true, "munged must run on this machine"},
    Known{"authentication error", true, "munged must run on this machine, with the cluster's key"},
    Known{"Unable to contact slurm controller", true,
          "slurmctld doesn't answer: nothing is lost, it is asked again"},
    Known{"temporarily unable to accept", true, full_queue},
    Known{"Resource temporarily unavailable", true, full_queue},
};

// Why a job may wait for what doesn't come by itself.
constexpr std::array stuck_jobs{
    Known{"PartitionTimeLimit", false,
          "the partition's jobs may not last as long as its games might: expected its limit, "
          "which `sinfo` prints, in \"time_max\", such as \"30m\""},
    Known{"PartitionConfig", false,
          "no node of the partition can take such a job; expected another partition, fewer "
          "\"cores\", or other \"arguments\""},
    Known{"PartitionNodeLimit", false, "expected another partition, or fewer \"cores\""},
    Known{"PartitionDown", false, "expected another partition, or ask the administrators"},
    Known{"PartitionInactive", false, "expected another partition, or ask the administrators"},
    Known{"BadConstraints", false, "no node is like that; see \"arguments\""},
    Known{"JobHeldUser", false, "let it go on by `scontrol release`, or `scancel` it"},
    Known{"JobHeldAdmin", false, "ask the administrators, or `scancel` it"},
    Known{"launch failed requeued held", false, "ask the administrators, or `scancel` it"},
    Known{"InvalidAccount", false, "expected an account of yours in \"account\""},
    Known{"InvalidQOS", false, "expected a QOS of your account in \"qos\""},
    Known{"MaxWallDurationPerJobLimit", false,
          "your account or QOS allows no job that lasts as long as its games might"},
    Known{"MaxCpuPerJobLimit", false, "your account or QOS allows no job of so many \"cores\""},
};

bool holds(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

// The first of them that the text has; null: none.
template <std::size_t Count>
const Known* known_in(const std::array<Known, Count>& all, std::string_view text) {
    const auto has = [text](const auto& known) { return holds(text, known.said); };
    const auto* found = std::find_if(all.begin(), all.end(), has);
    return found == all.end() ? nullptr : found;
}

template <std::size_t Count>
bool is_one_of(const std::array<const char*, Count>& all, std::string_view word) {
    return std::find(all.begin(), all.end(), word) != all.end();
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const auto end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::string as_one_line(std::string_view text) {
    auto parts = parts_of(text, '\n');
    std::erase(parts, "");
    auto line = base::joined(parts, "; ");
    if (line.size() > said_bytes_max) line.resize(said_bytes_max);
    return line;
}

BatchTrouble unreadable(std::string_view line) {
    return {true, "`squeue` says \"" + as_one_line(line) +
                      "\"; expected a line such as \"71_0|RUNNING|referee-1-1|node7|None\""};
}

// The number of a job of ours: that of its array's first job, and its own in the array.
std::optional<std::uint64_t> number_in(std::string_view first_number, std::string_view id) {
    const auto first = base::whole_number(first_number);
    const auto position = base::whole_number(parts_of(id, '_').back());
    if (!first || !position || !holds(id, "_")) return std::nullopt;
    return *first + *position;
}

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
    std::string part;
    for (const char c : id)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 && part.size() < id_letters_max)
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

// What a job array runs: in each of its jobs, `referee job` in that one's folder, which lies in
// `jobs`. The job with the number N has the index N - first.
std::string array_script(const std::string& referee, const std::string& jobs, std::uint64_t first) {
    return fmt::format(
        "#!/bin/sh\n# Matches of a tournament. The referee takes the shell's place, and so its "
        "signals.\nfolder={}/$(printf %0{}d $(({} + SLURM_ARRAY_TASK_ID)))\nexport "
        "REFEREE_HOST=\"$SLURMD_NODENAME\"\nexec {} job \"$folder\" >>\"$folder/{}\" 2>&1\n",
        base::shell_word(jobs), digits_of_number, first, base::shell_word(referee), log_file);
}

}  // namespace

base::Result<std::vector<SeenJob>, BatchTrouble> read_queue(std::string_view text,
                                                            std::string_view prefix) {
    std::vector<SeenJob> seen;
    for (const auto line : parts_of(text, '\n')) {
        if (line.empty()) continue;
        const auto row = parts_of(line, '|');
        if (row.size() < columns_of_queue) return base::failure(unreadable(line));
        const auto id = row[0], state = row[1], name = row[2], node = row[3];
        // It may have anything in it.
        const auto why = line.substr(static_cast<std::size_t>(row[4].data() - line.data()));
        if (!name.starts_with(prefix) || is_one_of(over_states, state)) continue;
        const auto number = number_in(name.substr(prefix.size()), id);
        if (!number) return base::failure(unreadable(line));
        SeenJob job;
        job.number = *number;
        job.id = id;
        job.begun = !is_one_of(waiting_states, state);
        if (job.begun) job.machine = node;
        job.held = is_one_of(held_states, state);
        if (why != "None") job.because = why;
        if (const auto* by = job.begun ? nullptr : known_in(stuck_jobs, job.because)) {
            job.stuck = true;
            job.because += ": " + std::string(by->advice);
        }
        seen.push_back(std::move(job));
    }
    return seen;
}

BatchTrouble slurm_trouble(const std::string& command, std::string_view errors) {
    const std::string said = "`" + command + "` says: " + as_one_line(errors);
    if (const auto* known = known_in(known_troubles, errors))
        return {known->passes, said + "; " + std::string(known->advice)};
    return {true, said};
}

BatchTrouble slurm_trouble(const std::string& command, const command::CommandTrouble& trouble) {
    const std::string said = "`" + command + "` " + trouble.what;
    if (trouble.kind == command::CommandTrouble::Kind::not_started)
        return {false,
                said +
                    "; expected Slurm's commands on this machine: run the referee on a login "
                    "node, or name their folder in \"commands\""};
    if (trouble.errors.empty()) return {true, said};
    const auto told = slurm_trouble(command, trouble.errors);
    return {told.passes, said + "; " + told.reason};
}

std::string binding_lack(std::string_view printed) {
    const auto value_of = [&](std::string_view name) {
        for (const auto line : parts_of(printed, '\n')) {
            const auto value = line.find("= ");
            if (line.starts_with(name) && value != std::string_view::npos)
                return line.substr(value + 2);
        }
        return std::string_view();
    };
    const auto plugin = value_of("TaskPlugin ");
    const bool is_bound = holds(plugin, "affinity") ||
                          (holds(plugin, "cgroup") && value_of("ConstrainCores ") == "yes");
    if (plugin.empty() || is_bound) return {};
    return "Slurm binds no job to cores of its own here (TaskPlugin is " + std::string(plugin) +
           "), so wall clocks may charge for others' jobs; expected whole nodes: \"arguments\": "
           "[\"--exclusive\"] and \"cores\" of a node, or an administrator who sets task/affinity";
}

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
    command.time_max = command_time_max;
    command.output_bytes_max = output_bytes_max;
    return command;
}

command::Command Slurm::sbatch_of(std::uint64_t first, const std::string& indices,
                                  const BatchNeeds& needs) const {
    auto command = command_of("sbatch", config_.arguments);
    command.time_max = submission_time_max;
    auto& words = command.words;
    if (!config_.partition.empty()) words.push_back("--partition=" + config_.partition);
    if (!config_.account.empty()) words.push_back("--account=" + config_.account);
    if (!config_.qos.empty()) words.push_back("--qos=" + config_.qos);
    words.insert(words.end(),
                 {fmt::format("--job-name={}{}", prefix_, first), "--array=" + indices, "--nodes=1",
                  "--ntasks=1", "--cpus-per-task=" + std::to_string(needs.cores),
                  "--time=" + std::to_string(minutes_of(needs.time_max).count()),
                  "--signal=B:TERM@" + std::to_string(end_notice.count()), "--no-requeue",
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
                              std::string("--format=") + queue_format}));
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
    for (std::size_t begin = 0; begin < seen->size(); begin += cancelled_at_once_max) {
        std::vector<std::string> ids;
        const auto end = std::min(begin + cancelled_at_once_max, seen->size());
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
