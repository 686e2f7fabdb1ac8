#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "protocol/base/result.h"
#include "referee/cluster/jobs/job.h"

namespace referee::jobs {

// What is wrong with a job's file, in a sentence that says what to do.
struct JobMistake {
    enum class Kind : std::uint8_t {
        broken,         // not what a job's file holds
        newer,          // of a later format
        other_version,  // written by another version of the referee
        contradictory,  // it asks for what its config doesn't have
    };
    Kind kind = Kind::broken;
    std::string message;
};

// The job as the text of its file, which ends with a line feed. Its `config` isn't looked at.
std::string job_text(const Job& job);

// `file` is for messages; `version` is that of the referee that reads. Opens what the config names
// (folders of maps).
base::Result<Job, JobMistake> read_job(std::string_view text, const std::string& file,
                                       std::string_view version);

}  // namespace referee::jobs
