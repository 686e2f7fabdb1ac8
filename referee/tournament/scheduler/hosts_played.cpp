#include "referee/tournament/scheduler/hosts_played.h"

#include <algorithm>

namespace referee::scheduler {
namespace {

// One of the lists that a result may lack.
template <typename Value>
Value seat_of(const std::vector<Value>& list, std::size_t seat, Value otherwise) {
    return seat < list.size() ? list[seat] : otherwise;
}

}  // namespace

void HostsPlayed::note(const GameResult& result) {
    auto play = std::make_shared<HostPlay>();
    play->match = result.key.match;
    play->counts = counts(result.status);
    play->host = *facts_.insert(std::make_shared<const HostFacts>(result.host)).first;
    for (std::size_t seat = 0; seat < result.bots.size(); ++seat) {
        HostPlay::Seat its;
        const std::pair name(result.bots[seat], seat_of<std::string>(result.program, seat, {}));
        its.player = players_.try_emplace(name, players_.size()).first->second;
        its.used_us = seat_of<std::int64_t>(result.used_us, seat, 0);
        its.turns = seat_of(result.valid_moves, seat, result.turns);
        for (const auto& fault : result.faults) {
            if (fault.seat != seat) continue;
            (fault.code == FaultCode::late ? its.late : its.faulty) = true;
        }
        play->seats.push_back(its);
    }
    played_[result.key.match][{result.key.number, result.key.attempt}] = {std::move(play), false};
}

HostsPlayed::Kept* HostsPlayed::find(const GameKey& key) {
    const auto match = played_.find(key.match);
    if (match == played_.end()) return nullptr;
    const auto play = match->second.find({key.number, key.attempt});
    return play == match->second.end() ? nullptr : &play->second;
}

void HostsPlayed::annul(const GameKey& key) {
    if (auto* kept = find(key)) kept->by_order = true;
}

void HostsPlayed::restore(const GameKey& key) {
    if (auto* kept = find(key)) kept->by_order = false;
}

void HostsPlayed::forget(std::uint64_t match) {
    played_.erase(match);
}

std::string_view HostsPlayed::of(const GameKey& key) const {
    const auto match = played_.find(key.match);
    if (match == played_.end()) return {};
    const auto play = match->second.find({key.number, key.attempt});
    if (play == match->second.end()) return {};
    return play->second.play->host->name;
}

std::set<std::string> HostsPlayed::names() const {
    std::set<std::string> names;
    for (const auto& [match, plays] : played_) {
        for (const auto& [number, kept] : plays) {
            const auto& name = kept.play->host->name;
            if (!kept.by_order && kept.play->counts && !name.empty()) names.insert(name);
        }
    }
    return names;
}

HostPlays HostsPlayed::plays() const {
    HostPlays all{{}, players_.size()};
    for (const auto& [match, plays] : played_) {
        for (const auto& [number, kept] : plays) {
            if (!kept.by_order) all.plays.push_back(kept.play);
        }
    }
    return all;
}

}  // namespace referee::scheduler
