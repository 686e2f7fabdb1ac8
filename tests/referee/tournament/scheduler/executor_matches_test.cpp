#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/referee/tournament/scheduler/far_machines.h"
#include "tests/referee/tournament/scheduler/points.h"
#include "tests/referee/tournament/scheduler/scheduler_fixture.h"

namespace tests::sim {
namespace {

using referee::records::Record;
using referee::scheduler::Executor;
using Verdict = Executor::Verdict;
using ::testing::IsEmpty;

const std::vector<std::string> class_of_seven{"ada", "bob", "cem", "dia", "eve", "fay", "gil"};
constexpr FarMachines::Manners reliable_manners{};
constexpr FarMachines::Manners wild_manners{30, 60, 30, 10};
constexpr std::size_t matches_of_all = 21;  // everybody against everybody

void send_to_executor(SchedulerFixture& hall, FarMachines& machines) {
    hall.executor = &machines;
    hall.launched = {class_of_seven.begin(), class_of_seven.end()};
    hall.config.match.games = 3;
    hall.config.match.best_of = true;
    machines.go_to(hall.room.world);
}

std::vector<Record> play_by_executor(FarMachines& machines) {
    SchedulerFixture hall;
    send_to_executor(hall, machines);
    hall.start(class_of_seven);
    for (int i = 0; i < 1000 && !hall.ending; ++i) hall.room.pass(1s);
    EXPECT_TRUE(hall.ending);
    EXPECT_THAT(hall.started, IsEmpty()) << "at no table";
    EXPECT_EQ(hall.matches, static_cast<int>(matches_of_all));
    return hall.journal.committed();
}

referee::config::TournamentConfig config_of_class() {
    FarMachines machines(Random(1), reliable_manners, 4);
    SchedulerFixture hall;
    send_to_executor(hall, machines);
    hall.enter(class_of_seven);
    return hall.config;
}

Points points_by_reliable_machines(const referee::config::TournamentConfig& config) {
    FarMachines machines(Random(1), reliable_manners, 4);
    return points_after(play_by_executor(machines), config);
}

TEST(ExecutorMatches, whole_matches_are_given_and_each_counts_once) {
    FarMachines machines(Random(1), reliable_manners, 4);
    const auto records = play_by_executor(machines);
    EXPECT_EQ(machines.given, matches_of_all);
    EXPECT_EQ(machines.games_longest, 3U);
    EXPECT_EQ(machines.verdicts,
              (std::map<Verdict, std::size_t>{{Verdict::taken, matches_of_all}}));
    expect_whole(records, matches_of_all);
}

TEST(ExecutorMatches, what_dies_comes_late_comes_twice_or_is_wrong_changes_nothing) {
    const auto config = config_of_class();
    const auto expected = points_by_reliable_machines(config);
    ASSERT_EQ(expected.size(), matches_of_all);
    std::map<Verdict, std::size_t> verdicts;
    std::size_t died = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        FarMachines machines(Random(seed), wild_manners, 1 + seed % 9);
        const auto records = play_by_executor(machines);
        expect_whole(records, matches_of_all);
        EXPECT_EQ(points_after(records, config), expected) << "seed " << seed;
        EXPECT_EQ(machines.verdicts[Verdict::taken], matches_of_all);
        for (const auto& [verdict, count] : machines.verdicts) verdicts[verdict] += count;
        died += machines.died;
    }
    EXPECT_GT(verdicts[Verdict::unexpected], 100U);
    EXPECT_GT(verdicts[Verdict::unfit], 20U);
    EXPECT_GT(died, 200U);
}

TEST(ExecutorMatches, bots_that_dial_in_play_here) {
    FarMachines machines(Random(1), reliable_manners, 4);
    SchedulerFixture hall;
    send_to_executor(hall, machines);
    hall.launched = {"bob", "cem"};
    hall.config.match.games = 1;
    auto& ada = hall.room.log_in("ada");
    hall.start({"ada", "bob", "cem"});
    auto& bob = hall.room.log_in("bob");
    auto& cem = hall.room.log_in("cem");
    hall.play_on(60s, {&ada, &bob, &cem});
    ASSERT_TRUE(hall.ending);
    EXPECT_EQ(hall.started.size(), 2U);
    EXPECT_EQ(hall.elsewhere.size(), 1U);
}

TEST(ExecutorMatches, who_plays_elsewhere_is_asked_at_the_looks_that_somebody_wants_alone) {
    FarMachines machines(Random(1), reliable_manners, 4);
    play_by_executor(machines);
    EXPECT_LE(machines.asked, 3 * class_of_seven.size())
        << "each match brings looks by its records";
}

TEST(ExecutorMatches, who_is_launched_no_more_plays_here_from_the_next_look_on) {
    FarMachines machines(Random(1), reliable_manners, 1);
    SchedulerFixture hall;
    send_to_executor(hall, machines);
    hall.start(class_of_seven);
    ASSERT_EQ(machines.given, 1U);
    hall.launched.clear();
    hall.scheduler->pump();
    hall.room.pass(60s);
    EXPECT_EQ(machines.given, 1U);
    EXPECT_THAT(hall.started, ::testing::Not(IsEmpty()));
}

TEST(ExecutorMatches, an_abort_takes_matches_back) {
    FarMachines machines(Random(1), reliable_manners, 4);
    SchedulerFixture hall;
    send_to_executor(hall, machines);
    hall.stays = true;
    hall.start(class_of_seven);
    ASSERT_EQ(machines.given, 4U);
    hall.scheduler->orders().abort("t", "rain", hall.answered());
    hall.room.pass(60s);
    EXPECT_EQ(hall.answers, (std::vector<std::string>{"done"}));
    EXPECT_EQ(machines.verdicts[Verdict::taken], 0U);
    EXPECT_EQ(machines.verdicts[Verdict::unexpected], 4U);
    for (const auto* game : hall.games_recorded())
        EXPECT_EQ(game->result.status, GameStatus::interrupted);
    EXPECT_EQ(hall.games_recorded().size(), 4U);
}

TEST(ExecutorMatches, a_drain_waits_for_what_machines_play_alone) {
    FarMachines machines(Random(1), reliable_manners, 4);
    SchedulerFixture hall;
    send_to_executor(hall, machines);
    hall.start(class_of_seven);
    ASSERT_EQ(machines.given, 4U);
    machines.last_out = 1;
    hall.scheduler->drain("the room closes");
    for (int i = 0; i < 100 && !hall.ending; ++i) hall.room.pass(1s);
    ASSERT_TRUE(hall.ending);
    EXPECT_EQ(machines.given, 4U);
    EXPECT_EQ(machines.verdicts[Verdict::taken], 1U);
    for (const auto* game : hall.games_recorded())
        EXPECT_EQ(game->result.status == GameStatus::interrupted, game->result.key.match > 1);
}

TEST(ExecutorMatches, an_arbiter_sets_the_result_of_a_match_that_is_out) {
    FarMachines machines(Random(1), reliable_manners, 1);
    SchedulerFixture hall;
    send_to_executor(hall, machines);
    hall.start(class_of_seven);
    ASSERT_EQ(machines.given, 1U);
    const auto bots = std::get<referee::records::StartRecord>(hall.journal.committed().back()).bots;
    hall.scheduler->orders().rule({"t", 1, {}, "they agreed", "the arbiter"},
                                  {{bots[1]}, {bots[0]}}, hall.answered());
    for (int i = 0; i < 100 && !hall.ending; ++i) hall.room.pass(1s);
    EXPECT_EQ(hall.answers, (std::vector<std::string>{"done"}));
    ASSERT_TRUE(hall.ending);
    const auto contest = hall.contest();
    EXPECT_EQ(contest.results.at(1).points[1], engines::Score::whole(1));
    EXPECT_EQ(machines.verdicts[Verdict::unexpected], 1U);
}

}  // namespace
}  // namespace tests::sim
