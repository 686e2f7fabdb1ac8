#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engines/registry.h"
#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/game/result/game_result.h"
#include "referee/launch/sandbox/tier.h"
#include "referee/store/records/records.h"
#include "referee/tournament/scheduler/executor.h"

// Matches of tournaments that another process plays, perhaps on another machine: what it has to
// know, and its result, as texts.

namespace referee::jobs {

// A config of thousands of bots, and its matches: a file that is larger was named by mistake.
inline constexpr std::size_t job_bytes_max = 64 * 1024 * 1024;

using scheduler::MatchTask;

struct Job {
    std::string id;  // of no other job of its store
    // Of the referee that wrote the job: another one might play or write otherwise.
    std::string version;
    std::string written_by;        // as this_referee() has it; for messages, empty: nobody says
    std::int64_t written_ms = 0;   // when, since 1970, by the clock of its writer
    sandbox::SandboxWish sandbox;  // of the command that wrote the job
    std::string directory;         // absolute: paths of the config are relative to it
    std::string config_text;       // as in a config file
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

// ---- What becomes of it ---------------------------------------------------------------------

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

}  // namespace referee::jobs
