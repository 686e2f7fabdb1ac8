#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/cluster/jobs/job.h"
#include "referee/game/result/game_result.h"
#include "referee/store/records/journal.h"

namespace referee::jobs {

struct JobGameResult {
    std::int64_t ended_ms = 0;  // since 1970, by the clock of the machine that played it
    records::GameRecord game;
};

// What became of a job: its games in the order of the job's list, without those that were not
// needed because their match was decided.
struct JobResult {
    HostFacts host;
    std::chrono::milliseconds took{0};  // to play them all
    std::vector<JobGameResult> games;
};

// The result as the text of its file. A first line tells job and host; behind it stands an archive
// of the records, as `export` writes one. Its origin has the digest of the first line, so the chain
// of the records proves that line too.
std::string result_text(const Job& job, const JobResult& result);

// `name` is the file's, for messages. What is read is what the job asked for, to the last game. An
// error says why it isn't taken, and what to do.
base::Result<JobResult, std::string> read_result(const std::string& text, const std::string& name,
                                                 const Job& job);

// Of this machine; takes some hundredths of a second of one core. The sandbox is left empty.
HostFacts host_facts();

}  // namespace referee::jobs
