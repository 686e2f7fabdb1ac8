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
    for (const auto& [key, errand] : held_) begin(errand);
}

std::size_t FarMachines::room() const {
    return held_.size() < places_ ? places_ - held_.size() : 0;
}

void FarMachines::play(MatchTask errand) {
    ++given;
    games_longest = std::max(games_longest, errand.games.size());
    const auto key = errand.key();
    begin(held_.emplace(key, std::move(errand)).first->second);
}

void FarMachines::begin(const MatchTask& errand) {
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
        at(first, [this, errand, wrong] { bring(errand, wrong); });
        if (lots_.chance(manners_.twice_percent))
            at(first + some_time(), [this, errand] { bring(errand, false); });
        return;
    }
    at(first, [this, key = errand.key()] {
        ++died;
        held_.erase(key);
        client_->lose(key, "the machine died");
    });
    if (lots_.chance(manners_.zombie_percent))
        at(first + some_time(), [this, errand] { bring(errand, false); });
}

void FarMachines::bring(const MatchTask& errand, bool wrong) {
    auto games = games_of(errand);
    if (wrong) games.back().result.seed += 1;
    const auto verdict = client_->bring(errand.key(), std::move(games));
    ++verdicts[verdict];
    if (verdict == Verdict::unexpected) held_.erase(errand.key());
}

void FarMachines::recorded(const GameKey& errand) {
    held_.erase(errand);
    client_->look();
}

void FarMachines::recall(const GameKey& errand) {
    held_.erase(errand);
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
std::vector<GameRecord> FarMachines::games_of(const MatchTask& errand) {
    std::vector<GameRecord> games;
    std::map<std::string, int> won;
    for (const auto& game : errand.games) {
        games.push_back(played(game));
        if (++won[game.bots[winner_of(game.plan.key)]] == 2) break;
    }
    return games;
}

}  // namespace tests::sim
