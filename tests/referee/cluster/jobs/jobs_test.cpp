#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "referee/cluster/jobs/job.h"
#include "referee/cluster/jobs/job_folder.h"
#include "tests/damage.h"
#include "tests/referee/cluster/jobs/sample_job.h"

namespace referee::jobs {
namespace {

using tests::sample_job;
using tests::sample_result;
using tests::version_of_sample;
using tests::won_by;

TEST(JobText, IsReadAsItWasWritten) {
    const auto job = sample_job();
    const auto again = read_job(job_text(job), "job.json", version_of_sample);
    ASSERT_TRUE(again) << again.error();
    EXPECT_EQ(job_text(*again), job_text(job));
    EXPECT_EQ(again->matches.size(), 2U);
    EXPECT_EQ(again->matches[0].games[0].key, (GameKey{"friday", 12, 1, 2}));
}

void expect_refused(std::string_view text, const std::string& words) {
    const auto read = read_job(text, "j", version_of_sample);
    ASSERT_FALSE(read) << words;
    const auto& message = read.error();
    EXPECT_TRUE(message.starts_with("j: ")) << message;
    EXPECT_NE(message.find(words), std::string::npos) << words << " isn't in: " << message;
    EXPECT_TRUE(message.ends_with("; let the coordinator write the job anew")) << message;
}

TEST(JobText, OfOtherRefereesIsRefused) {
    auto job = sample_job();
    job.version = "99.1";
    expect_refused(job_text(job),
                   "the coordinator is version 99.1, and this machine has version 1.2.3");
    job.written_by = "/usr/bin/referee of login1";
    expect_refused(job_text(job), "the coordinator, /usr/bin/referee of login1, is version 99.1");
}

TEST(JobText, DamageAnywhereIsNoticed) {
    const auto text = job_text(sample_job());
    for (std::size_t at = 0; at < text.size(); ++at) {
        expect_refused(text.substr(0, at), "isn't the digest");
        auto changed = text;
        changed[at] = changed[at] == 'x' ? 'y' : 'x';
        expect_refused(changed, "isn't the digest");
    }
}

TEST(JobText, WhoseConfigCantBeReadIsRefused) {
    auto job = sample_job();
    job.config_text.replace(job.config_text.find("walls"), 5, "chess");
    const auto read = read_config_of(job, "j");
    ASSERT_FALSE(read);
    EXPECT_TRUE(read.error().starts_with("j: config.tournaments[0].game: ")) << read.error();
}

// A letter is who wins; "-": a game that is annulled.
TEST(MatchProgress, EndsWithTheDecisionWithItsListOrWithAGameThatDoesNotCount) {
    const auto job = sample_job();
    const auto config = read_config_of(job, "job.json");
    ASSERT_TRUE(config) << config.error();
    for (const std::string games : {"aa", "abb", "-"}) {
        MatchProgress course(*config, job.matches[0]);
        for (const char winner : games) {
            EXPECT_FALSE(course.over()) << games;
            const auto* game = course.next();
            ASSERT_NE(game, nullptr) << games;
            course.begin();
            EXPECT_EQ(course.next(), nullptr) << "games of a match follow each other";
            EXPECT_FALSE(course.over());
            auto result = won_by(*game, winner == 'b' ? "bob" : "ann").game.result;
            if (winner == '-') result.status = GameStatus::annulled;
            course.end(result);
        }
        EXPECT_TRUE(course.over()) << games;
    }
}

TEST(ResultText, IsReadAsItWasWritten) {
    const auto job = sample_job();
    const auto result = sample_result(job);
    const auto text = result_text(job, result);
    const auto read = read_result(text, "result", job);
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(result_text(job, *read), text);
    ASSERT_EQ(read->games.size(), 3U);
    EXPECT_EQ(read->games[1].game.replay, result.games[1].game.replay);
    EXPECT_EQ(read->games[0].game.result.machine.name, "node7");
}

bool tells_damage(const std::string& error) {
    return error.ends_with("; it counts for nothing, and the job is to be played again");
}

TEST(ResultText, OfOthersIsRefusedAndToldWhy) {
    using Change = std::function<void(Job & writer, JobResult & result)>;
    const std::vector<std::pair<const char*, Change>> cases{
        {"expected the result of the job friday-4, found that of friday-5",
         [](auto& job, auto&) { job.id = "friday-5"; }},
        {"expected a result of the referee's version 1.2.3, found one of 9",
         [](auto& job, auto&) { job.version = "9"; }},
        {"game friday/12.1 was not asked for, or stands twice; it is kept, and doesn't count",
         [](auto&, auto& result) { result.games[0].game.result.key.attempt = 1; }},
        {"was not asked for",
         [](auto&, auto& result) { result.games[1].game.result.key.attempt = 2; }},
        {"was not asked for",
         [](auto&, auto& result) { result.games[2].game.result.key.match = 99; }},
        {"was not asked for",
         [](auto&, auto& result) { result.games[2].game.result.key.tournament = "monday"; }},
        {"stands twice", [](auto&, auto& result) { result.games.push_back(result.games[0]); }},
        {"bob was played by sha256:cc, and the job names sha256:bb",
         [](auto&, auto& result) { result.games[1].game.result.program[1] = "sha256:cc"; }},
    };
    for (const auto& [words, change] : cases) {
        const auto job = sample_job();
        auto writer = job;
        auto result = sample_result(job);
        change(writer, result);
        const auto read = read_result(result_text(writer, result), "result", job);
        ASSERT_FALSE(read) << words;
        EXPECT_NE(read.error().find(words), std::string::npos) << words << ": " << read.error();
        EXPECT_FALSE(tells_damage(read.error())) << read.error();
    }
}

TEST(MachineFacts, WhoStartsAJobMayNameTheMachine) {
    ::setenv("REFEREE_HOST", "node7", 1);
    EXPECT_EQ(machine_facts().name, "node7");
    ::setenv("REFEREE_HOST", (std::string(199, 'n') + "\n" + std::string(9, 'n')).c_str(), 1);
    EXPECT_EQ(machine_facts().name, std::string(199, 'n') + "\\");
    ::setenv("REFEREE_HOST", "", 1);
    EXPECT_NE(machine_facts().name, "");
    ::unsetenv("REFEREE_HOST");
}

TEST(ResultText, DamageAnywhereIsNoticed) {
    const auto job = sample_job();
    const auto text = result_text(job, sample_result(job));
    tests::Random lots(1);
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto cut = read_result(text.substr(0, at), "result", job);
        ASSERT_FALSE(cut) << at << " of " << text.size() << " bytes";
        EXPECT_TRUE(tells_damage(cut.error())) << at << ": " << cut.error();
        auto flipped = text;
        const auto bit = static_cast<unsigned>(lots.below(8));
        flipped[at] = static_cast<char>(static_cast<unsigned char>(flipped[at]) ^ (1U << bit));
        EXPECT_FALSE(read_result(flipped, "result", job)) << "bit " << bit << " of byte " << at;
    }
    for (int i = 0; i < 2000; ++i) {
        const auto damaged = tests::damaged_lines(text, lots);
        if (damaged == text) continue;
        EXPECT_FALSE(read_result(damaged, "result", job)) << damaged;
    }
}

}  // namespace
}  // namespace referee::jobs
