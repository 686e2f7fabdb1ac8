#pragma once

#include <gtest/gtest.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "referee/game/result/game_result.h"
#include "referee/tournament/scheduler/executor.h"
#include "tests/engines/conformance/driver.h"
#include "tests/sim/simulated_journal.h"

namespace tests {

// As a game of two ends that nobody plays: it was played to its end, and one of them won.
inline void end_well(referee::GameResult& result, bool first_wins) {
    using engines::Score;
    result.game = "walls";
    result.reason = "ended by the game's rules";
    result.outcome.scores = {Score::whole(first_wins ? 2 : 0), Score::whole(first_wins ? 0 : 2)};
    result.outcome.placing = {first_wins ? 1 : 2, first_wins ? 2 : 1};
    result.outcome.detail = "{}";
    result.turns = 9;
    result.clock_kind = "turn";
    result.measure = "wall";
    result.used_us = {5, 7};
}

}  // namespace tests

namespace tests::sim {

// A game that nobody plays ends the same, whoever brings it: the seat that wins.
inline engines::Seat winner_of(const referee::GameKey& key) {
    return static_cast<engines::Seat>(Random(key.match * 1000 + key.number).below(2));
}

inline referee::records::GameRecord won_game(const referee::GameKey& key, std::uint32_t seed,
                                             const std::vector<std::string>& bots) {
    referee::records::GameRecord record;
    record.result.key = key;
    record.result.params = "{}";
    record.result.seed = seed;
    record.result.bots = bots;
    end_well(record.result, winner_of(key) == 0);
    return record;
}

// Holds matches of two games won of three until a test says what becomes of them.
class HandExecutor final : public referee::scheduler::Executor {
 public:
    using MatchTask = referee::scheduler::MatchTask;
    using Games = std::vector<referee::records::GameRecord>;

    explicit HandExecutor(std::size_t places) : places_(places) {}

    void serve(Client* of) override { client = of; }
    bool takes(const std::string& /*tournament*/, const std::string& /*bot*/) const override {
        ++asked;
        return true;
    }
    std::size_t room() const override { return places_ - std::min(places_, held.size()); }
    void play(MatchTask task) override {
        ++given;
        const auto key = task.key();
        held.emplace(key, std::move(task));
    }
    bool holds(const referee::GameKey& task) const override { return held.contains(task); }
    bool is_out(const referee::GameKey& task) const override { return task.match <= last_out; }
    void forget(const referee::GameKey& task) override { held.erase(task); }

    // The games of the match, to its decision.
    static Games games_of(const MatchTask& task) {
        Games games;
        std::map<std::string, int> won;
        for (const auto& game : task.games) {
            games.push_back(won_game(game.key, game.seed, game.bots));
            if (++won[game.bots[winner_of(game.key)]] == 2) break;
        }
        return games;
    }
    Verdict bring(const MatchTask& task) { return client->bring(task.key(), games_of(task)); }

    Client* client = nullptr;
    std::map<referee::GameKey, MatchTask> held;
    std::size_t given = 0;
    std::uint64_t last_out = UINT64_MAX;  // matches behind it wait for a machine
    mutable std::size_t asked = 0;        // whether it takes a bot

 private:
    std::size_t places_;
};

// Each game counts once, each play that began ended once, and so many matches of two games won of
// three ended as their keys have it.
inline void expect_whole(const std::vector<referee::records::Record>& records,
                         std::size_t matches) {
    std::set<referee::GameKey> plays;
    std::set<std::pair<std::uint64_t, std::uint32_t>> counted;
    std::map<std::uint64_t, std::size_t> games;
    for (const auto* game : sim::of_kind<referee::records::GameRecord>(records)) {
        const auto& key = game->result.key;
        EXPECT_TRUE(plays.insert(key).second) << referee::game_id(key) << " is recorded twice";
        if (!referee::counts(game->result.status)) continue;
        EXPECT_TRUE(counted.insert({key.match, key.number}).second) << referee::game_id(key);
        ++games[key.match];
        EXPECT_EQ(game->result.outcome.placing[winner_of(key)], 1);
    }
    EXPECT_EQ(games.size(), matches);
    for (const auto& [match, count] : games) EXPECT_TRUE(count == 2 || count == 3) << match;
}

}  // namespace tests::sim
