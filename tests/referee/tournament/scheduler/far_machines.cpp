#include "tests/referee/tournament/scheduler/far_machines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "referee/contest/formats/match.h"
#include "tests/referee/tournament/scheduler/won_game.h"

namespace tests::sim {

using referee::GameKey;
using referee::records::GameRecord;
using referee::scheduler::MatchTask;

namespace {

constexpr std::uint64_t ms_longest = 500;

}  // namespace

Duration FarMachines::some_time() {
    return std::chrono::milliseconds(lots_.between(1, ms_longest));
}

std::size_t FarMachines::room() const {
    return held_.size() < places_ ? places_ - held_.size() : 0;
}

void FarMachines::play(MatchTask task) {
    ++given;
    games_longest = std::max(games_longest, task.games.size());
    const auto key = task.key();
    begin(held_.emplace(key, std::move(task)).first->second);
}

void FarMachines::begin(const MatchTask& task) {
    // What they do is not taken back where somebody stops asking for it: a zombie comes all the
    // same.
    const auto at = [this](Duration in, auto&& call) {
        world_->outside().schedule(world_->now() + in, [this, call] {
            if (client_ != nullptr) call();
        });
    };
    const auto first = some_time();
    if (!lots_.chance(manners_.die_percent)) {
        const bool wrong = lots_.chance(manners_.wrong_percent);
        at(first, [this, task, wrong] { bring(task, wrong); });
        if (lots_.chance(manners_.twice_percent))
            at(first + some_time(), [this, task] { bring(task, false); });
        return;
    }
    at(first, [this, key = task.key()] {
        ++died;
        held_.erase(key);
        client_->lose(key, "the machine died");
    });
    if (lots_.chance(manners_.zombie_percent))
        at(first + some_time(), [this, task] { bring(task, false); });
}

void FarMachines::bring(const MatchTask& task, bool wrong) {
    auto games = games_of(task);
    if (wrong) games.back().result.seed += 1;
    const auto verdict = client_->bring(task.key(), std::move(games));
    ++verdicts[verdict];
    if (verdict == Verdict::unexpected) held_.erase(task.key());
}

void FarMachines::recorded(const GameKey& task) {
    held_.erase(task);
    client_->look();
}

void FarMachines::recall(const GameKey& task) {
    held_.erase(task);
}

engines::Seat FarMachines::winner_of(const GameKey& key) {
    return static_cast<engines::Seat>(Random(key.match * 1000 + key.number).below(2));
}

GameRecord FarMachines::played(const MatchTask::Game& game) {
    GameRecord record;
    auto& result = record.result;
    result.key = game.plan.key;
    result.params = "{}";
    result.seed = game.plan.seed;
    result.bots = game.bots;
    end_well(result, winner_of(result.key) == 0);
    return record;
}

// To the decision: two games won of three.
std::vector<GameRecord> FarMachines::games_of(const MatchTask& task) {
    std::vector<GameRecord> games;
    std::map<std::string, int> won;
    for (const auto& game : task.games) {
        games.push_back(played(game));
        if (++won[game.bots[winner_of(game.plan.key)]] == 2) break;
    }
    return games;
}

void expect_whole(const std::vector<referee::records::Record>& records, std::size_t matches) {
    std::set<GameKey> plays;
    std::set<std::pair<std::uint64_t, std::uint32_t>> counted;
    std::map<std::uint64_t, std::size_t> games;
    for (const auto& record : records) {
        const auto* game = std::get_if<GameRecord>(&record);
        if (game == nullptr) continue;
        const auto& key = game->result.key;
        EXPECT_TRUE(plays.insert(key).second) << referee::game_id(key) << " is recorded twice";
        if (!referee::counts(game->result.status)) continue;
        EXPECT_TRUE(counted.insert({key.match, key.number}).second) << referee::game_id(key);
        ++games[key.match];
        EXPECT_EQ(game->result.outcome.placing[FarMachines::winner_of(key)], 1);
    }
    EXPECT_EQ(games.size(), matches);
    for (const auto& [match, count] : games) EXPECT_TRUE(count == 2 || count == 3) << match;
}

}  // namespace tests::sim
