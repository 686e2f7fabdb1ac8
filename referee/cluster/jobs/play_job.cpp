#include "referee/cluster/jobs/job_result.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/program/program.h"
#include "referee/launch/supply/launch_spec_of.h"
#include "referee/launch/supply/program_launches.h"
#include "referee/net/loop/machine.h"
#include "referee/version.h"

namespace referee::jobs {
namespace {

base::Result<Job, Ending> job_in(const std::string& folder) {
    const auto file = folder + "/" + job_file;
    const auto text = files::read_named_file(file, job_bytes_max);
    if (!text)
        return base::failure(Ending{
            exit_bad_input, file + " " + text.error() +
                                "; expected a job's folder, as the coordinator makes one for each "
                                "job on a file system that all machines share"});
    // It says what is to be launched here, with this user's rights.
    if (const auto danger = files::others_who_may_write(file); !danger.empty())
        return base::failure(
            Ending{exit_trouble, "a job that others could have written isn't played: " + danger});
    return read_job(*text, file, version).map_error([](const std::string& mistake) {
        return Ending{exit_bad_input, mistake};
    });
}

// An error says which bot's program isn't the one that the job names on this machine, and what to
// do. Reads the programs' files, and may wait for interpreters to tell their versions.
base::Result<void, std::string> check_programs(const Job& job, const config::Config& config) {
    program::Programs programs;
    const auto search_path = process::program_search_path();
    for (const auto& [name, expected] : job.programs) {
        const auto bot = std::ranges::find(config.bots, name, &config::BotConfig::name);
        REFEREE_ASSERT(bot != config.bots.end());
        // A command that isn't there has a name too, so it is looked for first.
        const auto foreseen = supply::foresee_launch_of(*bot, search_path, sandbox::Tier::none);
        if (!foreseen)
            return base::failure("the program of " + name +
                                 " can't be launched on this machine: " + foreseen.error().message +
                                 "; expected the same files on every machine, as a shared folder "
                                 "has them");
        const auto launch = supply::program_launch_of(*bot);
        const auto found = programs.identify(launch);
        if (!found) return base::failure("the program of " + name + ": " + found.error());
        if (*found == expected) continue;
        return base::failure(
            "the program of " + name + " is not the one that the job was written for: expected " +
            expected + (job.written_by.empty() ? "" : ", as " + job.written_by + " saw it") +
            ", found " + *found + " (" +
            process::program_file(
                launch.interpreter.empty() ? launch.command.front() : launch.interpreter,
                launch.working_directory, search_path) +
            "). Its files have changed since, or this machine has another interpreter for it; let "
            "the coordinator write the job anew, or give all machines the same interpreter");
    }
    return {};
}

Ending play_in(const std::string& folder, tournament::Tokens& tokens) {
    if (has_result(folder))
        return {exit_done, result_path(folder) + " is there already: nothing is played"};
    if (std::filesystem::exists(folder + "/" + job_file)) note_machine(folder);
    const auto read = job_in(folder);
    if (!read) return read.error();
    const auto& job = *read;
    const auto config = read_config_of(job, folder + "/" + job_file);
    if (!config) return {exit_bad_input, config.error()};
    const auto opened = ResultPlace::open(folder);
    if (!opened) return opened.error();
    auto& place = **opened;
    if (const auto clocks = place.check_clocks(loop::wall_clock_ms(), job.written_ms); !clocks)
        return clocks.error();
    if (const auto programs = check_programs(job, config->config); !programs)
        return {exit_trouble, programs.error()};
    const auto result = play_matches(job, *config, place, tokens);
    if (!result) return result.error();
    const auto text = result_text(job, *result);
    // As the coordinator will read it: what it would refuse is not written.
    if (const auto fits = read_result(text, folder + "'s result", job); !fits)
        return {exit_trouble, fits.error()};
    if (text.size() > result_bytes_max)
        return {exit_trouble, fmt::format("{}'s result has more than {} bytes; let the coordinator "
                                          "put fewer matches into a job",
                                          folder, result_bytes_max)};
    if (const auto published = place.publish(text); !published) return published.error();
    return {exit_done, {}};
}

}  // namespace

Ending play_job(const std::string& folder, tournament::Tokens& tokens) {
    auto ending = play_in(std::filesystem::path(folder).lexically_normal().string(), tokens);
    // Where it is read, nobody knows where that was.
    if (ending.status != exit_done) ending.message = this_referee() + ": " + ending.message;
    return ending;
}

}  // namespace referee::jobs
