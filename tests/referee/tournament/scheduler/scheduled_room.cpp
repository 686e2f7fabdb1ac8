#include "tests/referee/tournament/scheduler/scheduled_room.h"

#include <gtest/gtest.h>

#include "tests/referee/tournament/contests/contest_player.h"

namespace tests::sim {

using referee::contests::Contest;

void ScheduledRoom::open(const std::vector<std::string>& names) {
    auto played = std::make_unique<Contest>(config, *games().find("walls"));
    std::vector<referee::formats::Entry> field;
    for (const auto& name : names) field.emplace_back().name = name;
    played->begin(std::move(field), "{}", "test");
    played->committed(played->changes());
    scheduled = std::make_unique<referee::scheduler::ScheduledContest>(
        std::move(played),
        referee::scheduler::SharedByContests{absences, tables, looks, settings, context});
}

void ScheduledRoom::draw() {
    constexpr std::size_t window = 100;
    contest().draw(window);
    contest().committed(contest().changes());
}

void ScheduledRoom::log_in(const std::vector<std::string>& names, const Json& extra) {
    for (const auto& name : names) players_[name] = &room.log_in(name, {}, extra);
}

void ScheduledRoom::log_out(const std::string& name) {
    players_.at(name)->link->close();
    pass(100ms);
}

std::optional<referee::formats::MatchResult> ScheduledRoom::end(const GamePlan& plan,
                                                                GameStatus status,
                                                                const std::string& fingerprint) {
    auto result = result_of(contest(), plan);
    result.status = status;
    result.fingerprint = fingerprint;
    result.reason = "so the test says";
    auto match = contest().finished(result);
    contest().withdraw_idle();
    contest().committed(contest().changes());
    return match;
}

referee::scheduler::Tables::Id ScheduledRoom::sit(const std::string& tournament) {
    auto plan = contest().take(0);
    referee::scheduler::Seating seating;
    for (const auto entrant : plan.entrants) seating.bots.push_back(&scheduled->field.bot(entrant));
    auto setup = scheduled->setup_of(plan, seating);
    const referee::table::MatchFacts facts{"t/1", plan.games_max, plan.try_alone > 0};
    plan.key.tournament = tournament;
    const auto id = tables.open(std::move(plan));
    auto& running = tables.at(id);
    running.scheduled = scheduled.get();
    running.table = std::make_unique<referee::table::Table>(
        std::move(setup), facts, std::move(seating.bots), context.timers, context.stalls,
        context.cores, [this, id](referee::table::Table&) {
            tables.await_record(id);
            on_finished();
        });
    running.table->start();
    pass(1ms);
    return id;
}

void ScheduledRoom::order(const referee::contests::Ordered& ordered) {
    ASSERT_TRUE(ordered) << ordered.error();
    contest().carry_out(*ordered);
    contest().committed(contest().changes());
}

}  // namespace tests::sim
