#pragma once

#include <gtest/gtest.h>

#include "referee/config/config.h"
#include "referee/tournament/scheduler/scheduler.h"
#include "tests/referee/tournament/scheduler/scheduled_room.h"

namespace tests::sim {

using referee::records::GameRecord;
using referee::records::TournamentState;
using referee::scheduler::SchedulerEnding;

// A tournament of walls between bots that are played by hand.
class SchedulerFixture : public TournamentRoom, public referee::scheduler::Observer {
 public:
    using TournamentRoom::TournamentRoom;
    ~SchedulerFixture() override {
        scheduler.reset();
        room.world.pass(1s);
    }

    // They take part.
    void enter(const std::vector<std::string>& names) {
        for (const auto& name : names) {
            config.bots.push_back(bots.size());
            bots.emplace_back().name = name;
        }
    }
    void start(const std::vector<std::string>& names) {
        enter(names);
        scheduler = std::make_unique<referee::scheduler::Scheduler>(
            referee::scheduler::Scheduler::Settings{games_at_once, launched_games_at_once,
                                                    join_within, stays},
            referee::scheduler::SchedulerContext{
                room.world.referee(), *room.lobby, journal, *this, room.world, cores,
                beside != nullptr ? *beside : background, executor},
            [this](const SchedulerEnding& how) { ending = how; });
        scheduler->observe(*this);
        add_contest();
        scheduler->start();
        room.pass(10ms);
    }
    // They log in, and nobody else takes part.
    std::vector<ScriptedBot*> start_all(const std::vector<std::string>& names) {
        auto players = come(names);
        start(names);
        return players;
    }
    struct Two {
        ScriptedBot& ada;
        ScriptedBot& bob;
    };
    Two start_duel() {
        const auto two = start_all({"ada", "bob"});
        return {*two[0], *two[1]};
    }
    // Adds a new contest, or one made from the records of `past`.
    void add_contest() {
        auto contest = std::make_unique<referee::contests::Contest>(config, *games().find("walls"));
        std::vector<referee::records::Record> opening;
        if (past.empty() && begins)
            opening = contest->begin(referee::config::entries_of(config, bots), "{}", "test");
        for (const auto& record : past) {
            const auto fits = contest->apply(record);
            ASSERT_TRUE(fits) << fits.error();
        }
        scheduler->add(std::move(contest), std::move(opening));
    }
    // Lets the seconds go by: a player whose turn it is turns left, and a player that is told of a
    // game gets ready.
    void play_on(Duration time, const std::vector<ScriptedBot*>& players) {
        const auto end = room.world.now() + time;
        while (room.world.now() < end && !ending) {
            for (auto* player : players) player->play();
            room.pass(10ms);
            if (scheduler != nullptr) scheduler->pump();  // as a lobby's events would
        }
    }
    template <typename Kind>
    std::vector<const Kind*> recorded_as() const {
        return of_kind<Kind>(journal.committed());
    }
    // How it has ended, if it has.
    std::optional<SchedulerEnding::Kind> ended() const {
        return ending ? std::optional(ending->kind) : std::nullopt;
    }
    std::vector<const GameRecord*> games_recorded() const { return recorded_as<GameRecord>(); }

    // What waits, as people are told.
    std::vector<std::string> waits() { return told(scheduler->waits(), room.world.now()); }
    referee::contests::ContestSnapshot contest() const {
        return scheduler->contest("t").snapshot();
    }
    // A contest made from the records, as a restart would make it.
    std::unique_ptr<referee::contests::Contest> recorded() const {
        auto again = std::make_unique<referee::contests::Contest>(config, *games().find("walls"));
        for (const auto& record : journal.committed()) {
            const auto fits = again->apply(record);
            EXPECT_TRUE(fits) << fits.error();
        }
        return again;
    }
    referee::scheduler::TournamentOrders::OnOrdered answered() {
        return [this](const auto& done) { answers.push_back(done ? "done" : done.error()); };
    }

    void on_waits(const std::vector<referee::scheduler::Wait>& waiting) override {
        waits_told.push_back(waiting);
    }
    void on_game_started(const std::string& /*tournament*/,
                         const referee::table::Table& table) override {
        started.push_back(table.game_id());
    }
    void on_game(const std::shared_ptr<const GameRecord>& game,
                 const referee::table::Table* table) override {
        if (table == nullptr) elsewhere.push_back(referee::game_id(game->result.key));
    }
    void on_match(const std::string& /*tournament*/,
                  const referee::formats::MatchResult& /*match*/) override {
        ++matches;
    }
    void on_state(const std::string& /*tournament*/, TournamentState state,
                  const std::string& /*reason*/) override {
        states.push_back(state);
        if (state == TournamentState::finished) ++contests_over;
    }
    void on_withdrawn(const std::string& /*tournament*/, const std::string& bot,
                      const std::string& /*reason*/) override {
        attendance.push_back(bot + " is out");
    }
    void on_admitted(const std::string& /*tournament*/, const std::string& bot) override {
        attendance.push_back(bot + " is in");
    }
    void on_set_aside(const std::string& /*tournament*/) override { ++set_aside; }
    void on_store_trouble(const std::string& trouble) override { troubles.push_back(trouble); }

    referee::loop::Background* beside = nullptr;       // instead of `background`
    referee::scheduler::Executor* executor = nullptr;  // plays matches elsewhere
    std::vector<std::string> troubles;
    bool stays = false;
    std::vector<referee::records::Record> past;
    bool begins = true;  // at once, without an order
    std::vector<referee::config::BotConfig> bots;
    std::size_t games_at_once = 10;
    std::size_t launched_games_at_once = 10;
    Duration join_within = 2s;
    std::unique_ptr<referee::scheduler::Scheduler> scheduler;
    std::optional<SchedulerEnding> ending;
    std::vector<std::vector<referee::scheduler::Wait>> waits_told;
    std::vector<std::string> started;
    std::vector<std::string> elsewhere;  // games that were played there
    std::vector<std::string> answers;    // to orders
    std::vector<std::string> attendance;
    int matches = 0;
    int set_aside = 0;  // as it was told
    std::vector<TournamentState> states;
    int contests_over = 0;
};

// One of them for each test.
class SchedulerTest : public ::testing::Test, public SchedulerFixture {};

}  // namespace tests::sim
