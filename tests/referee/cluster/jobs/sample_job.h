#pragma once

#include <string>

#include "referee/cluster/jobs/job.h"
#include "tests/referee/tournament/scheduler/hand_executor.h"

namespace tests {

using referee::jobs::Job;
using referee::jobs::JobGameResult;
using referee::jobs::JobResult;
using referee::scheduler::MatchTask;

inline constexpr const char* version_of_sample = "1.2.3";
inline constexpr const char* config_of_sample =
    R"({"bots":[{"name":"ann","launch":["ann"]},{"name":"bob","launch":["bob"]}],)"
    R"("tournaments":[{"id":"friday","game":"walls","params":{"size":3},"match":{"best_of":3}}]})";
inline constexpr std::int64_t some_time_ms = 1'700'000'000'000;

inline MatchTask::Game game_of(std::uint64_t match, std::uint32_t number, std::uint32_t attempt) {
    MatchTask::Game game;
    game.key = {"friday", match, number, attempt};
    game.setup = (number - 1) % 2;
    game.seed = 77 + number;
    game.bots = {"ann", "bob"};
    return game;
}

// Two matches of Walls between ann and bob, the first of best of three games, and one that is the
// second game of a match alone.
inline Job sample_job() {
    Job job;
    job.id = "friday-4";
    job.version = version_of_sample;
    job.written_ms = some_time_ms;
    job.directory = "/home/course";
    job.config_text = config_of_sample;
    job.programs = {{"ann", "sha256:aa"}, {"bob", "sha256:bb"}};
    job.matches.resize(2);
    job.matches[0].games = {game_of(12, 1, 2), game_of(12, 2, 1), game_of(12, 3, 1)};
    job.matches[1].games = {game_of(13, 2, 1)};
    for (auto& match : job.matches) match.games_max = 3;
    return job;
}

// A play of the game that ann (or else bob) has won.
inline JobGameResult won_by(const MatchTask::Game& game, const std::string& winner) {
    JobGameResult played;
    played.ended_ms = some_time_ms + game.key.number;
    auto& result = played.game.result;
    result.key = game.key;
    result.params = R"({"size":3})";
    result.seed = game.seed;
    result.bots = game.bots;
    end_well(result, game.bots[0] == winner);
    result.program = {"sha256:aa", "sha256:bb"};
    result.sandbox = {"A", "A"};
    result.machine = {"node7", "a processor", "Linux 6.1", 4, "A", 1234};
    played.game.replay = "{\"replay\":1}\n{\"moves\":[\"F\",null]}\n";
    return played;
}

// What becomes of the sample: ann wins all.
inline JobResult sample_result(const Job& job) {
    JobResult result;
    result.took = std::chrono::milliseconds(5000);
    result.games = {won_by(job.matches[0].games[0], "ann"), won_by(job.matches[0].games[1], "ann"),
                    won_by(job.matches[1].games[0], "ann")};
    return result;
}

}  // namespace tests
