#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "referee/cluster/machines/batch_system.h"
#include "referee/config/config.h"
#include "referee/launch/command/command.h"

namespace referee::machines {

// One submission is a job array with so many jobs at most. Slurm's MaxArraySize is 1001, and
// administrators lower it rather than raise it.
inline constexpr std::uint64_t slurm_array_jobs_max = 100;
// As many jobs as one scancel names.
inline constexpr std::size_t slurm_cancelled_at_once_max = 100;
// A minute before its time is over a job is told to end: bots that Slurm kills together with their
// referee would look as if they had crashed. Slurm may say so up to a minute earlier.
inline constexpr std::chrono::seconds slurm_end_notice{60};
inline constexpr std::chrono::minutes slurm_end_minutes{2};
// Slurm's commands try again by themselves; without an answer of munged, it takes them 53 s to
// give up. Where the queue is full sbatch tries for two minutes; results would wait for it.
inline constexpr std::chrono::milliseconds slurm_command_time_max{90'000};
inline constexpr std::chrono::milliseconds slurm_submission_time_max{30'000};
// A line of squeue is a hundred bytes; so that 100,000 jobs of this user are too many.
inline constexpr std::size_t slurm_output_bytes_max = 10'000'000;

// An id is random; so many of its letters tell coordinators apart.
inline constexpr std::size_t slurm_id_letters_max = 20;

// The jobs of one coordinator in Slurm, by its commands. A job's name is "referee-ID-N", where N is
// the number of its array's first job: so a list tells all there is to know, also to the next
// coordinator, and an answer that is lost does no harm. Slurm is never let requeue a job: whether
// it is to be played again, the coordinator says.
class Slurm final : public BatchSystem {
 public:
    // `id`: the coordinator's; its letters and digits count. `referee`: the program that plays a
    // job, an absolute path that holds on all nodes.
    Slurm(const config::MachinesConfig& config, const std::string& id, std::string referee);

    Answer<void> submit(const std::vector<std::uint64_t>& numbers,
                        const BatchNeeds& needs) override;
    Answer<std::vector<SeenJob>> list() override;
    Answer<void> cancel(const std::vector<std::uint64_t>& numbers) override;
    Answer<std::string> check(const BatchNeeds& needs) override;

 private:
    command::Command command_of(const std::string& name,
                                const std::vector<std::string>& words) const;
    command::Command sbatch_of(std::uint64_t first, const std::string& indices,
                               const BatchNeeds& needs) const;

    config::SlurmConfig config_;
    std::string jobs_;    // the folder of their folders
    std::string prefix_;  // of all jobs' names
    std::string referee_;
    std::vector<std::string> environment_;
};

// What Slurm's commands are told and print, in slurm_text.cpp.

// The columns that read_queue() reads: id, state, name, node, why it waits.
inline constexpr const char* slurm_queue_format = "%i|%T|%j|%N|%r";

// What a job array runs: in each of its jobs, `referee job` in that one's folder, which lies in
// `jobs`. The job with the number N has the index N - first.
std::string array_script(const std::string& referee, const std::string& jobs, std::uint64_t first);

// The jobs with such a beginning of their names, out of what squeue printed in that format.
base::Result<std::vector<SeenJob>, BatchTrouble> read_queue(std::string_view text,
                                                            std::string_view prefix);

// What a command's failure means for whoever set it up.
BatchTrouble slurm_trouble(const std::string& command, std::string_view errors);
BatchTrouble slurm_trouble(const std::string& command, const command::CommandTrouble& trouble);

// Why jobs may get in each other's way, by what `scontrol show config` printed; empty: each is
// bound to cores of its own, or nobody can tell.
std::string binding_lack(std::string_view printed);

}  // namespace referee::machines
