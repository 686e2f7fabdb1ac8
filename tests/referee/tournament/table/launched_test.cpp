#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "tests/referee/tournament/table/launched_room.h"

// Bots that the referee launched: their processor time counts, they think only when there is a core
// for them, and they are frozen.

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto two_teams_of_one =
    R"({"width":9,"height":9,"teams":2,"cycles_per_team":1,"mean_budget_us":1000000,"starts":[[1,1],[7,7]]})";
constexpr auto four_teams_of_one =
    R"({"width":9,"height":9,"teams":4,"cycles_per_team":1,"mean_budget_us":1000000,"starts":[[1,1],[7,7],[1,7],[7,1]]})";

class LaunchedTest : public ::testing::Test, public LaunchedRoom {};

TEST_F(LaunchedTest, start_up_is_not_charged_and_all_that_follows_is) {
    setup.clock =
        referee::clock::completed({.measure = referee::clock::Measure::cpu, .budget = 50ms});
    launch({"ada", "bob"});
    start(names);
    processes[0].used = 700ms;  // between start and ready
    for (auto* bot : bots) bot->ready(id());
    room.pass(300ms);
    processes[0].used += 49ms;
    move(0, 1, "R");
    EXPECT_THAT(game().faults(), IsEmpty());
    move(1, 2, "R");
    EXPECT_EQ(bots[0]->last("turn")["last"]["charged_us"], 49'000);
    processes[0].used += 51ms;
    move(0, 3, "R");
    ASSERT_EQ(game().faults().size(), 1U);
    EXPECT_EQ(game().faults()[0].evidence.charged_us, 51'000);
    EXPECT_EQ(game().faults()[0].evidence.method, "simulated cpu");
}

TEST(Launched, four_teams_on_two_cores_think_in_turns_and_see_the_same) {
    LaunchedRoom at("light_cycles", four_teams_of_one, 2);
    at.begin({"a", "b", "c", "d"});
    EXPECT_THAT(at.turns(), ElementsAre(1, 1, 0, 0));
    at.room.pass(900ms);
    at.move(1, 1, Json::parse("[[7,6]]"));
    EXPECT_THAT(at.turns(), ElementsAre(1, 1, 1, 0));
    at.bots[0]->move(at.id(), 1, Json::parse("[[1,2]]"));
    at.room.pass(900ms);  // each bot has a second of its own
    EXPECT_THAT(at.turns(), ElementsAre(1, 1, 1, 1));
    at.bots[2]->move(at.id(), 1, Json::parse("[[2,7]]"));
    at.move(3, 1, Json::parse("[[6,1]]"));
    EXPECT_THAT(at.game().faults(), IsEmpty());
    EXPECT_EQ(at.game().turn(), 2);
    for (const auto* bot : at.bots)
        EXPECT_EQ(bot->heard("turn")[0]["state"], at.bots[0]->heard("turn")[0]["state"]);
    at.table.reset();
    EXPECT_EQ(at.cores.free(), 2U);
    EXPECT_EQ(at.cores.waiting(), 0U);
}

TEST(Launched, gives_the_core_back_however_its_turn_ends) {
    struct Case {
        const char* what;
        std::function<void(LaunchedRoom&)> ends;
    };
    const std::vector<Case> cases{
        {"an answer",
         [](LaunchedRoom& at) { at.bots[0]->move(at.id(), 1, Json::parse("[[1,2]]")); }},
        {"no answer", [](LaunchedRoom& at) { at.room.pass(1s); }},
        {"a crash",
         [](LaunchedRoom& at) {
             at.processes[0].exit = referee::lobby::Process::Exit{std::nullopt, 11, "oh\n"};
             at.bots[0]->link->break_off();
         }},
        {"a stop",
         [](LaunchedRoom& at) { at.table->stop(referee::GameStatus::interrupted, "stopped"); }},
        {"the table's end", [](LaunchedRoom& at) { at.table.reset(); }},
    };
    for (const auto& [what, ends] : cases) {
        LaunchedRoom at("light_cycles", two_teams_of_one);
        at.begin({"a", "b"});
        EXPECT_EQ(at.cores.free(), 0U) << what;
        EXPECT_EQ(at.cores.waiting(), 1U) << what;
        ends(at);
        at.room.pass(1ms);
        EXPECT_EQ(at.cores.waiting(), 0U) << what;
        const bool over = at.table == nullptr || at.game().finished();
        EXPECT_EQ(at.cores.free(), over ? 1U : 0U) << what;
        EXPECT_EQ(at.turns()[1], over ? 0U : 1U) << what;
        at.table.reset();
        EXPECT_EQ(at.cores.free(), 1U) << what;
    }
}

TEST(Launched, is_frozen_between_its_turns_where_it_is_asked_for) {
    LaunchedRoom at("walls", R"({"size":3})", 2);
    at.launch({"ada", "bob"});
    for (auto& process : at.processes) process.freezes = true;
    const auto frozen = [&at] {
        return std::vector<bool>{at.processes[0].frozen, at.processes[1].frozen};
    };
    at.start(at.names);
    EXPECT_THAT(frozen(), ElementsAre(false, false)) << "getting ready";
    at.ready(1);
    EXPECT_THAT(frozen(), ElementsAre(false, true));
    at.ready(0);
    EXPECT_THAT(frozen(), ElementsAre(false, true)) << "the first to move";
    at.move(0, 1, "R");
    EXPECT_THAT(frozen(), ElementsAre(true, false));
    at.table->stop(referee::GameStatus::interrupted, "stopped");
    EXPECT_THAT(frozen(), ElementsAre(false, true))
        << "one reads how it ended, the other was thinking";
}

// What becomes of a bot that burns between its turns, which it may do where it isn't frozen.
TEST(Launched, pays_for_what_it_burns_between_its_turns_where_processor_time_is_measured) {
    struct Case {
        const char* what;
        referee::clock::Measure measure;
        std::optional<bool> freezes;
        bool refused;
        bool frozen;
        bool escapes;  // works all the same between its turns
        std::int64_t charged_us;
    };
    using referee::clock::Measure;
    for (const auto& [what, measure, freezes, refused, frozen, escapes, charged_us] :
         std::vector<Case>{
             {"by default", Measure::cpu, std::nullopt, false, true, false, 5'000},
             {"frozen, and it wakes itself", Measure::cpu, std::nullopt, false, true, true, 35'000},
             {"wanted so", Measure::cpu, true, false, true, false, 5'000},
             {"refused", Measure::cpu, std::nullopt, true, false, true, 35'000},
             {"wanted, and refused", Measure::cpu, true, true, false, true, 35'000},
             {"wanted otherwise", Measure::cpu, false, false, false, true, 5'000},
             {"wall time", Measure::wall, std::nullopt, false, false, true, 7'000},
             {"wall time, wanted", Measure::wall, true, false, true, true, 7'000},
             {"wall time, refused", Measure::wall, true, true, false, true, 7'000},
         }) {
        LaunchedRoom at("walls", R"({"size":3})", 2);
        at.setup.clock = referee::clock::completed({.measure = measure, .budget = 1s});
        at.launch({"ada", "bob"});
        for (auto& process : at.processes) {
            process.freezes = freezes;
            process.refuses_to_freeze = refused;
        }
        at.begin();
        at.processes[0].used += 2ms;
        at.move(0, 1, "R");
        EXPECT_EQ(at.processes[0].frozen, frozen) << what;
        if (escapes) at.processes[0].used += 30ms;
        at.move(1, 2, "R");
        EXPECT_FALSE(at.processes[0].frozen) << what;
        at.processes[0].used += 5ms;
        at.room.pass(6ms);
        at.move(0, 3, "R");
        at.move(1, 4, "R");
        EXPECT_EQ(at.bots[0]->last("turn")["last"]["charged_us"], charged_us) << what;
    }
}

TEST(Launched, is_stopped_at_its_budget_of_processor_time) {
    LaunchedRoom at("walls", R"({"size":3})", 2);
    at.setup.clock = referee::clock::completed(
        {.measure = referee::clock::Measure::cpu, .budget = 100ms, .hard_limit = 60s});
    at.begin({"ada", "bob"});
    for (int ms = 0; ms < 53; ++ms) {
        ASSERT_TRUE(ms >= 50 || at.game().faults().empty()) << "on two cores for " << ms;
        at.processes[0].used += 2ms;
        at.processes[0].waited += 1ms;
        at.room.pass(1ms);
    }
    ASSERT_EQ(at.game().faults().size(), 1U);
    EXPECT_LE(at.game().faults()[0].evidence.charged_us, 104'000);
}

TEST_F(LaunchedTest, is_sent_its_start_when_there_is_a_core) {
    setup.ready_budget = 2s;
    launch({"ada", "bob"});
    start(names);
    const auto starts = [this] {
        return std::vector<std::size_t>{bots[0]->heard("start").size(),
                                        bots[1]->heard("start").size()};
    };
    EXPECT_THAT(starts(), ElementsAre(1, 0));
    bots[1]->ready(id());
    room.pass(1900ms);
    EXPECT_FALSE(game().begun()) << "who was not asked is not ready";
    bots[0]->ready(id());
    room.pass(1900ms);
    EXPECT_THAT(starts(), ElementsAre(1, 1));
    ready(1);
    EXPECT_TRUE(game().begun());
    EXPECT_THAT(game().faults(), IsEmpty()) << "each had its own two seconds";
}

TEST_F(LaunchedTest, whoever_is_not_ready_in_time_gives_its_core_to_the_next) {
    setup.ready_budget = 2s;
    launch({"ada", "bob"});
    processes[0].waited = 1h;  // in its turns of another game
    start(names);
    processes[0].may_wait = 1500ms;  // for a core, which is no time of its own
    room.pass(3499ms);
    EXPECT_THAT(game().faults(), IsEmpty());
    room.pass(2ms);
    EXPECT_TRUE(processes[0].frozen) << "until its first turn";
    EXPECT_FALSE(processes[1].frozen);
    EXPECT_EQ(bots[1]->heard("start").size(), 1U);
    ready(1);
    EXPECT_FALSE(processes[0].frozen);
    EXPECT_THAT(turns(), ElementsAre(1, 0));
    EXPECT_EQ(game().faults().at(0).rule, "start.ready");
}

TEST(Launched, whoever_was_thinking_when_its_last_game_ended_waits_for_a_core) {
    for (const bool stopped : {false, true}) {
        LaunchedRoom at;
        at.launch({"ada", "bob"});
        at.processes[1].frozen = true;
        at.start(at.names);
        if (stopped) {
            at.table->stop(referee::GameStatus::interrupted, "stopped");
        } else {
            at.room.pass(100ms);
        }
        EXPECT_EQ(at.processes[0].frozen, stopped);
        EXPECT_TRUE(at.processes[1].frozen);
        at.table.reset();
        EXPECT_TRUE(at.processes[1].frozen);
        EXPECT_EQ(at.cores.free(), 1U);
        EXPECT_EQ(at.cores.waiting(), 0U);
    }
}

TEST_F(LaunchedTest, whoever_lets_its_turn_pass_is_frozen_until_its_next) {
    begin({"ada", "bob"});
    room.pass(1001ms);
    EXPECT_TRUE(processes[0].frozen);
    EXPECT_FALSE(processes[1].frozen);
    move(1, 2, "R");
    EXPECT_FALSE(processes[0].frozen);
    EXPECT_FALSE(processes[1].frozen);
    room.pass(1001ms);
    table->stop(referee::GameStatus::interrupted, "stopped");
    EXPECT_TRUE(processes[0].frozen) << "also over the end, until its next game";
}

TEST_F(LaunchedTest, crashed_is_told_from_stalled_where_something_keeps_the_connection) {
    begin({"ada", "bob"});
    processes[0].exit = referee::lobby::Process::Exit{3, std::nullopt, "Traceback\n"};
    room.pass(1001ms);
    ASSERT_TRUE(game().finished());
    const auto& fault = game().faults().at(0);
    EXPECT_EQ(fault.code, referee::FaultCode::crashed);
    EXPECT_EQ(fault.evidence.exit_status, 3);
    EXPECT_EQ(fault.evidence.stderr_tail, "Traceback\n");
    EXPECT_THAT(fault.message, HasSubstr("exit status 3"));
}

// What a launched bot waits for a core: it is not charged.

// As where a compiler or an interpreter's start waited: whoever has ended is counted no more.
TEST(Launched, what_waited_for_a_core_and_has_ended_is_remembered_until_the_time_is_over) {
    LaunchedRoom at("walls", R"({"size":3})", 2);
    at.setup.ready_budget = 3s;
    at.setup.clock = referee::clock::completed({.budget = 3s});
    at.launch({"ada", "bob"});
    at.start(at.names);
    at.bots[1]->ready(at.id());
    at.processes[0].may_wait = 2s;
    at.room.pass(2900ms);
    at.processes[0].may_wait = 0s;
    at.room.pass(1500ms);
    at.ready(0);
    EXPECT_THAT(at.game().faults(), IsEmpty()) << "while it got ready";
    ASSERT_EQ(at.turns()[0], 1U);
    at.processes[0].may_wait = 2s;
    at.room.pass(2900ms);
    at.processes[0].may_wait = 0s;
    at.room.pass(1500ms);
    EXPECT_THAT(at.game().faults(), IsEmpty()) << "in its turn";
    at.room.pass(700ms);
    EXPECT_EQ(at.game().faults().size(), 1U) << "it has had its time";
    at.bots[1]->move(at.id(), 2, "R");
    at.room.pass(2900ms);
    EXPECT_EQ(at.game().faults().size(), 1U);
    at.room.pass(200ms);
    EXPECT_EQ(at.game().faults().size(), 2U) << "a wait is one turn's";
}

}  // namespace
}  // namespace tests::sim
