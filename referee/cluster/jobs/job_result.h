#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/cluster/jobs/job.h"
#include "referee/exit_code.h"
#include "referee/files/file.h"
#include "referee/game/result/game_result.h"
#include "referee/store/records/records.h"

// What becomes of a job: its result, where that comes to be, and which machine plays it.

namespace referee::jobs {

// What a coordinator holds in memory while it takes a result in.
inline constexpr std::size_t result_bytes_max = 256 * 1024 * 1024;

struct JobGameResult {
    std::int64_t ended_ms = 0;  // since 1970, by the clock of the machine that played it
    records::GameRecord game;
};

// What became of a job: its games in the order of their keys, without those that were not needed
// because their match was decided. Each names its machine.
struct JobResult {
    std::chrono::milliseconds took{0};  // to play them all
    std::vector<JobGameResult> games;
};

// The result as the text of its file: an archive of the records, as `export` writes one, whose
// origin tells the job and how long it took.
std::string result_text(const Job& job, const JobResult& result);

// `name` is the file's, for messages. What is read is nothing but what the job asked for. An error
// says why it isn't taken, and what to do.
base::Result<JobResult, std::string> read_result(const std::string& text, const std::string& name,
                                                 const Job& job);

// ---- The machine that plays it --------------------------------------------------------------

// This machine's name, as whoever starts jobs knows it ($REFEREE_HOST), else as it calls itself;
// and which referee this process is: "/usr/bin/referee of node7".
std::string machine_name();
std::string this_program();
inline std::string this_referee() {
    return this_program() + " of " + machine_name();
}
// Of this machine; takes some hundredths of a second of one core. The sandbox is left empty.
MachineFacts machine_facts();

// ---- Where the result comes to be -----------------------------------------------------------

// How often a run shows that it goes on.
inline constexpr std::chrono::seconds show_life_every{30};

// Where the result of a job comes to be: a file of its own name, which gets the result's name when
// it is whole. Of several runs that play the same job, the first one's result stands. The file is
// removed with this object, whatever became of it.
class ResultPlace {
 public:
    static base::Result<std::unique_ptr<ResultPlace>, Ending> open(const std::string& folder);
    ~ResultPlace();
    ResultPlace(const ResultPlace&) = delete;
    ResultPlace& operator=(const ResultPlace&) = delete;

    // A failure where this machine's clock and that of the shared file system are far apart, or a
    // job would have been written in the future. Both times are milliseconds since 1970.
    base::Result<void, Ending> check_clocks(std::int64_t now_ms, std::int64_t written_ms) const;

    // Tells whoever looks at the folder that this run goes on. May wait for the file system.
    void show_life() const;

    // Once. What is written survives a power cut before it gets its name. Another run may have been
    // first: that is no trouble.
    base::Result<void, Ending> publish(const std::string& text);

 private:
    ResultPlace(std::string folder, std::string part, files::Descriptor file)
        : folder_(std::move(folder)), part_(std::move(part)), file_(std::move(file)) {}

    std::string folder_;
    std::string part_;  // empty: it has its name
    files::Descriptor file_;
};

// By which machine the job in this folder is played, or was last; empty where nobody says. Whoever
// gives the job to a machine may say it; else the run does.
std::string machine_of(const std::string& folder);
void note_machine(const std::string& folder);
// Whether the job in this folder has its result.
bool has_result(const std::string& folder);
std::string result_path(const std::string& folder);
// When a run of the job in this folder last showed that it goes on, in nanoseconds of the file
// system's own clock: good to compare with another one of this folder only. Nothing: no run has
// begun, or it has ended.
std::optional<std::int64_t> last_life(const std::string& folder);

// ---- job_run.cpp ----------------------------------------------------------------------------

// Plays the job in this folder on the cores that this process has, and writes its result there,
// once. Where the result is there, nothing is played, and the status is that of success. A signal
// ends it soon, without a result: the job is then to be played again.
Ending play_job(const std::string& folder);

}  // namespace referee::jobs
