#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "referee/cluster/jobs/job.h"
#include "referee/cluster/jobs/job_folder.h"
#include "referee/cluster/machines/batch_system.h"
#include "referee/cluster/machines/coordinator_folder.h"
#include "referee/config/config.h"
#include "referee/launch/program/program.h"
#include "referee/launch/sandbox/tier.h"
#include "referee/tournament/scheduler/executor.h"

// What a coordinator wants done beside the loop, and what came of it.

namespace referee::machines {

// What all jobs have in common.
struct JobTerms {
    std::string store;    // of no other store: jobs' ids begin with it
    std::string version;  // of this referee
    sandbox::SandboxWish sandbox;
    config::Config config;  // which has machines
};

struct NewJob {
    std::uint64_t number = 0;
    std::chrono::seconds time_max{0};
    std::vector<scheduler::MatchTask> match_tasks;
};

// What is to be done beside the loop in one go.
struct JobWork {
    std::shared_ptr<const JobTerms> terms;
    std::vector<std::uint64_t> cancel;
    struct Ended {
        std::uint64_t number = 0;
        bool keeps_result = false;   // it doesn't count, and somebody may want to see it
        bool awaits_result = false;  // it ends when that is here
    };
    std::vector<Ended> ended;  // their folders go
    std::vector<NewJob> write;
    std::vector<NewJob> submit;  // beside those that are written, and without their tasks
    bool list = false;
    std::vector<std::uint64_t> look;  // for results
    bool lives = false;               // and for lives of those that are in the list
    bool leave = false;               // nothing is left in the folder

    bool empty() const {
        return cancel.empty() && ended.empty() && write.empty() && submit.empty() && !list &&
               look.empty() && !leave;
    }
};

// A result as it was found.
struct FoundResult {
    std::uint64_t number = 0;
    std::string refusal;  // why it isn't taken; empty: it is
    std::chrono::milliseconds took{0};
    struct Match {
        GameKey task;
        std::vector<records::GameRecord> games;
    };
    std::vector<Match> matches;
};

// What came of that.
struct JobReport {
    bool cancelled = false;
    std::vector<std::uint64_t> ended;
    std::vector<std::uint64_t> late;  // of these, those whose result was awaited
    std::set<std::uint64_t> written;
    std::set<std::uint64_t> submitted;
    bool submission_failed = false;            // some may be submitted all the same
    std::optional<std::vector<SeenJob>> seen;  // nothing: no list was made
    std::vector<FoundResult> brought;
    // What files tell of one without a result, where the list lacks it or lives are looked for.
    struct Without {
        std::optional<std::string> last_words;  // nothing: nobody has begun to play it
        std::optional<std::int64_t> last_life;  // nothing: nobody plays it
        std::string machine;
    };
    std::map<std::uint64_t, Without> without;
    // The first of them; what could be done in spite of it was done.
    std::optional<BatchTrouble> trouble;
};

// Does what a coordinator wants of files and of the batch system, and may wait for both. On the
// background's thread.
class JobWorker {
 public:
    // The batch system outlives it.
    JobWorker(CoordinatorFolder folder, BatchSystem& batch)
        : folder_(std::move(folder)), batch_(batch) {}

    JobReport carry_out(const JobWork& work);
    const CoordinatorFolder& folder() const { return folder_; }

 private:
    void cancel(const JobWork& work, JobReport& report);
    void end(const JobWork& work, JobReport& report);
    void write(const JobWork& work, JobReport& report);
    CoordinatorFolder::Result<std::string> text_of(const NewJob& job, const JobTerms& terms);
    void submit(const JobWork& work, JobReport& report);
    bool has_result(std::uint64_t number) const {
        return jobs::has_result(folder_.folder_of(number));
    }
    void look(const JobWork& work, JobReport& report);
    FoundResult read(std::uint64_t number, const std::string& version) const;

    CoordinatorFolder folder_;
    BatchSystem& batch_;
    program::Programs programs_;
};

}  // namespace referee::machines
