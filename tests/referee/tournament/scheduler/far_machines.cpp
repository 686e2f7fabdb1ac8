#include "tests/referee/tournament/scheduler/far_machines.h"

#include <algorithm>
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

void FarMachines::serve(Client* client) {
    client_ = client;
    ++lives_;
    if (client_ == nullptr) return;
    for (const auto& [key, task] : held_) begin(task);
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
    const auto life = lives_;
    // What they do is not taken back where somebody stops asking for it: a zombie comes all the
    // same.
    const auto at = [this, life](Duration in, auto&& call) {
        world_->outside().schedule(world_->now() + in, [this, life, call] {
            if (client_ != nullptr && lives_ == life) call();
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

}  // namespace tests::sim
