#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/cluster/machines/slurm.h"

namespace referee::machines {
namespace {

// What is shown of a command's words.
constexpr std::size_t said_bytes_max = 300;
// As queue_format has them.
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
    std::string_view advice;
    bool passes = false;
};

constexpr std::string_view full_queue =
    "the cluster's queue is full: jobs are submitted when others are over";

// The first of them that is found holds: of limits, how many jobs may wait stands in a line of its
// own before what all limits have in common.
constexpr auto known_troubles = std::to_array<Known>({
    {"Invalid partition name", "expected one that `sinfo` lists, such as \"partition\": \"batch\""},
    {"Invalid account",
     "expected an account of yours in \"account\": `sacctmgr show associations user=$USER` "
     "lists them"},
    {"Invalid qos",
     "expected a QOS of your account in \"qos\": `sacctmgr show associations user=$USER "
     "format=qos` lists them"},
    {"MaxSubmitJob",
     "you may have no more jobs there: more are submitted when some are over; fewer "
     "\"jobs_at_once\" keep below the limit",
     true},
    {"GrpSubmitJob",
     "your account or QOS may have no more jobs there: more are submitted when some are over",
     true},
    {"accounting/QOS policy",
     "limits of your account or QOS refuse such a job: fewer \"cores\", a shorter "
     "\"time_max\", another \"qos\", or ask the administrators"},
    {"node configuration is not available",
     "no node of the partition is like that: fewer \"cores\", or other \"arguments\""},
    {"Requested time limit is invalid",
     "the partition's jobs may not last so long: expected its limit, which `sinfo` prints, in "
     "\"time_max\", such as \"30m\""},
    {"Invalid job array",
     "the cluster takes no array of so many jobs: ask for MaxArraySize of at least 101"},
    {"Invalid feature", "see \"arguments\""},
    {"Invalid generic resource", "see \"arguments\""},
    {"unrecognized option", "see \"arguments\": expected options of sbatch, such as \"--mem=4G\""},
    {"ermission denied", "expected a user who may submit jobs there"},
    {"not permitted to use this partition", "expected a partition that this user may use"},
    {"Invalid user id", "expected a user whom the whole cluster knows"},
    {"configuration source",
     "expected a machine of the cluster, with its slurm.conf: run the referee on a login node"},
    {"Unable to process configuration file",
     "expected the cluster's slurm.conf, as $SLURM_CONF or /etc/slurm/slurm.conf"},
    {"Munge", "munged must run on this machine", true},
    {"authentication error", "munged must run on this machine, with the cluster's key", true},
    {"Unable to contact slurm controller",
     "slurmctld doesn't answer: nothing is lost, it is asked again", true},
    {"temporarily unable to accept", full_queue, true},
    {"Resource temporarily unavailable", full_queue, true},
});

// Why a job may wait for what doesn't come by itself.
constexpr auto stuck_jobs = std::to_array<Known>({
    {"PartitionTimeLimit",
     "the partition's jobs may not last as long as its games might: expected its limit, "
     "which `sinfo` prints, in \"time_max\", such as \"30m\""},
    {"PartitionConfig",
     "no node of the partition can take such a job; expected another partition, fewer "
     "\"cores\", or other \"arguments\""},
    {"PartitionNodeLimit", "expected another partition, or fewer \"cores\""},
    {"PartitionDown", "expected another partition, or ask the administrators"},
    {"PartitionInactive", "expected another partition, or ask the administrators"},
    {"BadConstraints", "no node is like that; see \"arguments\""},
    {"JobHeldUser", "let it go on by `scontrol release`, or `scancel` it"},
    {"JobHeldAdmin", "ask the administrators, or `scancel` it"},
    {"launch failed requeued held", "ask the administrators, or `scancel` it"},
    {"InvalidAccount", "expected an account of yours in \"account\""},
    {"InvalidQOS", "expected a QOS of your account in \"qos\""},
    {"MaxWallDurationPerJobLimit",
     "your account or QOS allows no job that lasts as long as its games might"},
    {"MaxCpuPerJobLimit", "your account or QOS allows no job of so many \"cores\""},
});

bool holds(std::string_view text, std::string_view part) {
    return text.find(part) != text.npos;
}

// What stands behind the words in a text, up to a letter.
std::string_view behind(std::string_view text, std::string_view words, char end) {
    const auto at = text.find(words);
    if (at == text.npos) return {};
    text.remove_prefix(at + words.size());
    return text.substr(0, text.find(end));
}

// The first of them that the text has; null: none.
const Known* known_in(std::span<const Known> all, std::string_view text) {
    const auto found =
        std::ranges::find_if(all, [text](const auto& known) { return holds(text, known.said); });
    return found == all.end() ? nullptr : &*found;
}

std::string as_one_line(std::string_view text) {
    auto parts = base::split(text, '\n');
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
    const auto position = base::whole_number(base::split(id, '_').back());
    if (!first || !position || !holds(id, "_")) return std::nullopt;
    return *first + *position;
}

}  // namespace

base::Result<std::vector<SeenJob>, BatchTrouble> read_queue(std::string_view text,
                                                            std::string_view prefix) {
    std::vector<SeenJob> seen;
    for (const auto line : base::split(text, '\n')) {
        if (line.empty()) continue;
        const auto row = base::split(line, '|');
        if (row.size() < columns_of_queue) return base::failure(unreadable(line));
        const auto id = row[0], state = row[1], name = row[2], node = row[3];
        // It may have anything in it.
        const auto why = line.substr(static_cast<std::size_t>(row[4].data() - line.data()));
        if (!name.starts_with(prefix) || base::contains(over_states, state)) continue;
        const auto number = number_in(name.substr(prefix.size()), id);
        if (!number) return base::failure(unreadable(line));
        const bool begun = !base::contains(waiting_states, state);
        SeenJob job{*number, std::string(id), begun, std::string(begun ? node : "")};
        job.held = base::contains(held_states, state);
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
    const auto plugin = behind(behind(printed, "\nTaskPlugin ", '\n'), "= ", '\n');
    const auto cores = behind(behind(printed, "\nConstrainCores ", '\n'), "= ", '\n');
    const bool is_bound = holds(plugin, "affinity") || (holds(plugin, "cgroup") && cores == "yes");
    if (plugin.empty() || is_bound) return {};
    return "Slurm binds no job to cores of its own here (TaskPlugin is " + std::string(plugin) +
           "), so wall clocks may charge for others' jobs; expected whole nodes: \"arguments\": "
           "[\"--exclusive\"] and \"cores\" of a node, or an administrator who sets task/affinity";
}

std::string partition_lack(std::string_view printed, std::string_view wanted) {
    std::string lack;
    for (const auto line : base::split(printed, '\n')) {
        const auto name = behind(line, "PartitionName=", ' ');
        const auto state = behind(line, " State=", ' ');
        const bool is_wanted = wanted.empty() ? behind(line, " Default=", ' ') == "YES"
                                              : base::contains(base::split(wanted, ','), name);
        if (!is_wanted || state.empty()) continue;
        if (state == "UP") return {};
        lack = fmt::format(
            "the partition {} is {}, so no job begins there; expected one that `sinfo` tells as up "
            "in \"partition\", or an administrator who sets it up again",
            name, state);
    }
    return lack;
}

}  // namespace referee::machines
