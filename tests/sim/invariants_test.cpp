#include "tests/sim/invariants.h"

#include <gmock/gmock.h>

#include "tests/referee/tournament/scheduler/scheduler_fixture.h"

// A check that never complains checks nothing: here each looks at a run of which one thing was
// changed.

namespace tests::sim {
namespace {

using referee::records::StartRecord;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Two games, played to their end.
class CheckedRun : public SchedulerFixture {
 public:
    CheckedRun() {
        config.match.games = 2;
        const auto [ada, bob] = start_duel();
        play_on(60s, {&ada, &bob});
        records = journal.committed();
        begun = {started.begin(), started.end()};
    }
    std::vector<std::string> complaints() const {
        RunReport report;
        const Evidence evidence{plan,    config, records, contest(), *games().find("walls"),
                                *ending, begun,  seen,    in_mind,   {}};
        check_invariants(evidence, report);
        check_attendance(evidence, report);
        return report.complaints;
    }
    template <typename Kind>
    Kind& first() {
        return std::get<Kind>(*std::ranges::find_if(
            records, [](const auto& one) { return std::holds_alternative<Kind>(one); }));
    }
    referee::GameResult& result() { return first<GameRecord>().result; }
    // The first turn of the game, which was answered so late.
    void see(Duration late) {
        const Instant sent{1h};
        seen[{result().bots[0], "t/1.1", 1}] = {.sent = sent, .answered = sent + late};
    }

    RunPlan plan;
    std::vector<referee::records::Record> records;
    std::set<std::string> begun;
    std::map<std::tuple<std::string, std::string, std::int64_t>, SeenTurn> seen;
    std::map<std::pair<std::string, std::int64_t>, std::vector<Json>> in_mind;
};

TEST(Checks, ComplainOfOneThingThatIsWrong) {
    const std::vector<std::pair<const char*, std::function<void(CheckedRun&)>>> changes{
        {"set aside without a stall",
         [](auto& run) { run.ending->kind = SchedulerEnding::Kind::set_aside; }},
        {"recorded behind the end", [](auto& run) { run.records.push_back(run.records.front()); }},
        {"the journal does not make sense",
         [](auto& run) { run.template first<StartRecord>().key.number = 9; }},
        {"the journal makes other games",
         [](auto& run) { run.records.resize(run.records.size() - 2); }},
        {"was begun before that was recorded", [](auto& run) { run.begun.insert("t/9.1"); }},
        {"counts twice",
         [](auto& run) {
             auto again = run.template first<GameRecord>();
             again.result.key.attempt = 2;
             run.records.push_back(again);
         }},
        {"a started game has no result",
         [](auto& run) {
             run.records.push_back(StartRecord{{"t", 1, 2, 2}, 1, {}});
         }},
        {"comes to something else",
         [](auto& run) { run.result().outcome.scores[0] = engines::Score::whole(9); }},
        {"negative time", [](auto& run) { run.result().used_us[0] = -1; }},
        {"has no reason", [](auto& run) { run.result().reason.clear(); }},
        {"replay refused", [](auto& run) { run.template first<GameRecord>().replay = "{}\n"; }},
        {"replays differently",
         [](auto& run) {
             auto& replay = run.template first<GameRecord>().replay;
             replay.insert(replay.rfind("\"turns\":") + 8, "9");
         }},
        {"a bot has another state",
         [](auto& run) {
             run.in_mind[{"t/1.1", 0}] = {Json()};
         }},
        {"charged", [](auto& run) { run.see(5ms); }},
        {"late by arithmetic, and not blamed", [](auto& run) { run.see(1h); }},
        {"withdrawn for what it did not do",
         [](auto& run) {
             run.records.insert(run.records.end() - 1,
                                referee::records::WithdrawalRecord{"t", "ada", 1, "no"});
         }},
    };
    EXPECT_THAT(CheckedRun().complaints(), IsEmpty());
    for (const auto& [complaint, change] : changes) {
        CheckedRun run;
        change(run);
        EXPECT_THAT(run.complaints(), Contains(HasSubstr(complaint)));
    }
}

}  // namespace
}  // namespace tests::sim
