#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/registry.h"
#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/files/descriptor.h"
#include "referee/game/result/game_result.h"
#include "referee/launch/sandbox/tier.h"
#include "referee/store/records/journal.h"
#include "referee/tournament/scheduler/executor.h"

namespace referee::tournament {
class Tokens;
}

// Matches of tournaments that another process plays, perhaps on another machine: what it has to
// know, what becomes of it, and the limits of both.

namespace referee::jobs {

// The files of a job's folder. The result gets its name when it is whole.
inline constexpr const char* job_file = "job.json";
inline constexpr const char* result_file = "result.ndjson";

// A config of thousands of bots, and its matches: a file that is larger was named by mistake.
inline constexpr std::size_t job_bytes_max = 64 * 1024 * 1024;
// What a coordinator holds in memory while it takes a result in.
inline constexpr std::size_t result_bytes_max = 256 * 1024 * 1024;

using scheduler::MatchTask;

struct Job {
    std::string id;  // of no other job of its store
    // Of the referee that wrote the job: another one might play or write otherwise.
    std::string version;
    std::string written_by;       // as this_referee() has it; for messages, empty: nobody says
    std::int64_t written_ms = 0;  // when, since 1970, by the clock of its writer
    bool unsandboxed = false;
    // What the command that wrote the job asks of the sandbox where the config says nothing.
    sandbox::Tier tier_min = sandbox::Tier::none;
    std::string directory;    // absolute: paths of the config are relative to it
    std::string config_text;  // as in a config file
    // Of each bot that plays: its program as referee/launch/program names it.
    std::map<std::string, std::string> programs;
    std::vector<MatchTask> matches;
};

// The job as the text of its file. Its last line is the digest of all before it: what is read is
// what a coordinator wrote.
std::string job_text(const Job& job);

// `file` is for messages; `version` is that of the referee that reads. An error says what is wrong
// and what to do.
base::Result<Job, std::string> read_job(std::string_view text, const std::string& file,
                                        std::string_view version);

// A job's config, for who plays the job, with the games of its tournaments.
struct JobConfig {
    config::Config config;
    std::map<std::string, std::unique_ptr<engines::Registry>> games;  // by tournament
};

// Opens what the config names (folders of maps), too.
base::Result<JobConfig, std::string> read_config_of(const Job& job, const std::string& file);

struct JobGameResult {
    std::int64_t ended_ms = 0;  // since 1970, by the clock of the machine that played it
    records::GameRecord game;
};

// What became of a job: its games in the order of their keys, without those that were not needed
// because their match was decided. Each names its host.
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

// Of this machine; takes some hundredths of a second of one core. The sandbox is left empty.
HostFacts host_facts();

// Which games of a job's match are to be played, as their results come in: the same for who plays
// them and for who looks at what was played.
class MatchProgress {
 public:
    // Both outlive it. Requires: a coordinator wrote the job with that config and match.
    MatchProgress(const JobConfig& config, const MatchTask& match);

    const MatchTask& match() const { return match_; }
    const config::TournamentConfig& tournament() const { return tournament_; }
    const engines::Game& rules() const { return rules_; }
    // The next game where it can begin now; null where there is none.
    const MatchTask::Game* next() const;
    // It begins. Requires: next() gives one.
    void begin() { ++begun_; }
    // A game that has begun has ended.
    void end(const GameResult& result);
    // No game of it is played, and none will be.
    bool over() const { return ended_ == begun_ && next() == nullptr; }

 private:
    bool is_decided() const;

    const MatchTask& match_;
    const config::TournamentConfig& tournament_;
    const engines::Game& rules_;
    std::size_t begun_ = 0;
    std::size_t ended_ = 0;
    bool stopped_ = false;  // a game of it doesn't count, or it is decided
    std::vector<GameResult> results_;
};

// How a job ended: an exit status with a sentence, which says what to do where it is a trouble.
struct JobEnding {
    int status = 0;
    std::string message;
};

// This machine's name, as whoever starts jobs knows it ($REFEREE_HOST), else as it calls itself;
// and which referee this process is: "/usr/bin/referee of node7".
std::string host_name();
std::string this_program();
inline std::string this_referee() {
    return this_program() + " of " + host_name();
}

// Gives the file that name, and never takes the place of one that is there: 0, EEXIST, or another
// error. Not every file system knows links, nor each such renaming.
int give_name(const std::string& part, const std::string& name);

// How often a run shows that it goes on.
inline constexpr std::chrono::seconds show_life_every{30};

// Where the result of a job comes to be: a file of its own name, which gets the result's name when
// it is whole. Of several runs that play the same job, the first one's result stands. The file is
// removed with this object, whatever became of it.
class ResultPlace {
 public:
    static base::Result<ResultPlace, JobEnding> open(const std::string& folder);
    ~ResultPlace();
    ResultPlace(ResultPlace&& other) noexcept;
    ResultPlace& operator=(ResultPlace&&) = delete;
    ResultPlace(const ResultPlace&) = delete;
    ResultPlace& operator=(const ResultPlace&) = delete;

    // A failure where this machine's clock and that of the shared file system are far apart, or a
    // job would have been written in the future. Both times are milliseconds since 1970.
    base::Result<void, JobEnding> check_clocks(std::int64_t now_ms, std::int64_t written_ms) const;

    // Tells whoever looks at the folder that this run goes on. May wait for the file system.
    void show_life() const;

    // Once. What is written survives a power cut before it gets its name. Another run may have been
    // first: that is no trouble.
    base::Result<void, JobEnding> publish(const std::string& text);

 private:
    ResultPlace(std::string folder, std::string part, files::Descriptor file)
        : folder_(std::move(folder)), part_(std::move(part)), file_(std::move(file)) {}

    std::string folder_;
    std::string part_;  // empty: moved from
    files::Descriptor file_;
};

// By which machine the job in this folder is played, or was last; empty where nobody says. Whoever
// gives the job to a machine may say it; else the run does.
std::string host_in(const std::string& folder);
void note_host(const std::string& folder);
// Whether the job in this folder has its result.
bool has_result(const std::string& folder);
std::string result_path(const std::string& folder);
// When a run of the job in this folder last showed that it goes on, in nanoseconds of the file
// system's own clock: good to compare with another one of this folder only. Nothing: no run has
// begun, or it has ended.
std::optional<std::int64_t> last_life(const std::string& folder);

// Plays a job's matches on the cores that this process has; the place is shown life meanwhile.
base::Result<JobResult, JobEnding> play_matches(const Job& job, const JobConfig& config,
                                                const ResultPlace& place,
                                                tournament::Tokens& tokens);

// Plays the job in this folder on the cores that this process has, and writes its result there,
// once. Where the result is there, nothing is played, and the status is that of success. A signal
// ends it soon, without a result: the job is then to be played again. The tokens are those of its
// bots.
JobEnding play_job(const std::string& folder, tournament::Tokens& tokens);

}  // namespace referee::jobs
