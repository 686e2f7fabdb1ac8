#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "protocol/base/result.h"
#include "referee/exit_code.h"
#include "referee/files/file.h"
#include "referee/game/result/game_result.h"

// The folder of a job: who plays the job, and where its result comes to be.

namespace referee::jobs {

// In the folder of a job: the job, its result, which gets its name when it is whole, and what
// `referee job` prints there, where whoever starts it sends that.
inline constexpr const char* job_file = "job.json";
inline constexpr const char* result_file = "result.ndjson";
inline constexpr const char* log_file = "log";

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
