#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "referee/tournament/scheduler/executor.h"
#include "tests/sim/world.h"

namespace tests::sim {

// Machines that play matches by lot: each game of the same match and number ends the same, whoever
// plays it. They may die, come late, come twice, and bring what nobody asked for.
class FarMachines final : public referee::scheduler::Executor {
 public:
    struct Manners {
        unsigned die_percent = 0;     // of match_tasks: nothing comes
        unsigned zombie_percent = 0;  // of those that died: it comes nevertheless, late
        unsigned twice_percent = 0;   // of what is brought
        unsigned wrong_percent = 0;   // other games than those that were given
    };
    FarMachines(Random lots, Manners manners, std::size_t places)
        : lots_(lots), manners_(manners), places_(places) {}

    // In this world they play from now on. Before a coordinator is there.
    void go_to(World& world) { world_ = &world; }

    void serve(Client* client) override { client_ = client; }
    bool takes(const std::string& /*tournament*/, const std::string& /*bot*/) const override {
        ++asked;
        return true;
    }
    std::size_t room() const override;
    void play(referee::scheduler::MatchTask task) override;
    bool holds(const referee::GameKey& task) const override { return held_.contains(task); }
    bool is_out(const referee::GameKey& task) const override { return task.match <= last_out; }
    void recorded(const referee::GameKey& task) override;
    void recall(const referee::GameKey& task) override;

    // How the game ends: the seat that wins.
    static engines::Seat winner_of(const referee::GameKey& key);
    static referee::records::GameRecord played(const referee::scheduler::MatchTask::Game& game);

    // What they were told of what they brought.
    std::map<Verdict, std::size_t> verdicts;
    mutable std::size_t asked = 0;  // whether they take a bot
    std::size_t given = 0;
    std::uint64_t last_out = UINT64_MAX;  // matches behind it wait for a machine
    std::size_t died = 0;
    std::size_t games_longest = 0;  // of an task

 private:
    std::vector<referee::records::GameRecord> games_of(const referee::scheduler::MatchTask& task);
    void begin(const referee::scheduler::MatchTask& task);
    void bring(const referee::scheduler::MatchTask& task, bool wrong);
    Duration some_time();

    Random lots_;
    Manners manners_;
    std::size_t places_;
    World* world_ = nullptr;
    Client* client_ = nullptr;
    std::map<referee::GameKey, referee::scheduler::MatchTask> held_;
};

// Each game that counts once, each play that began ended once, and so many matches of two games won
// of three ended as their lots have it.
void expect_whole(const std::vector<referee::records::Record>& records, std::size_t matches);

}  // namespace tests::sim
