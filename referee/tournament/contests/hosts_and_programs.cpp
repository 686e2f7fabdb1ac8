#include "referee/tournament/contests/hosts_and_programs.h"

#include <algorithm>

namespace referee::contests {

namespace {

// One of the lists that a result may lack.
template <typename Value>
Value seat_of(const std::vector<Value>& list, std::size_t seat, Value otherwise) {
    return seat < list.size() ? list[seat] : otherwise;
}

// What is kept of a play, by match; null where nothing is.
template <typename Played>
auto found_in(Played& played, const GameKey& key)
    -> decltype(&played.begin()->second.begin()->second) {
    const auto match = played.find(key.match);
    if (match == played.end()) return nullptr;
    const auto play = match->second.find({key.number, key.attempt});
    return play == match->second.end() ? nullptr : &play->second;
}

// Games of a bot that run at once may be of two programs, and end in any order.
constexpr std::size_t versions_remembered = 8;

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
        its.faulty = std::ranges::any_of(result.faults,
                                         [seat](const auto& fault) { return fault.seat == seat; });
        play->seats.push_back(its);
    }
    played_[result.key.match][{result.key.number, result.key.attempt}] = {std::move(play), false};
}

void HostsPlayed::annul(const GameKey& key) {
    if (auto* kept = found_in(played_, key)) kept->by_order = true;
}

void HostsPlayed::restore(const GameKey& key) {
    if (auto* kept = found_in(played_, key)) kept->by_order = false;
}

void HostsPlayed::forget(std::uint64_t match) {
    played_.erase(match);
}

std::string_view HostsPlayed::of(const GameKey& key) const {
    const auto* kept = found_in(played_, key);
    return kept == nullptr ? std::string_view() : kept->play->host->name;
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

ProgramsPlayed::Words::iterator ProgramsPlayed::used(const std::string& text) {
    const auto word = words_.try_emplace(text, 0).first;
    ++word->second;
    return word;
}

void ProgramsPlayed::unused(Words::iterator word) {
    if (--word->second == 0) words_.erase(word);
}

void ProgramsPlayed::note(const GameResult& result) {
    if (result.program.empty()) return;
    Seats seats;
    for (std::size_t seat = 0; seat < result.bots.size() && seat < result.program.size(); ++seat) {
        const auto& program = result.program[seat];
        seats.emplace_back(used(result.bots[seat]), used(program));
        if (program.empty()) continue;
        auto& versions = versions_[result.bots[seat]];
        if (std::find(versions.last.begin(), versions.last.end(), program) != versions.last.end())
            continue;
        ++versions.count;
        versions.last.push_back(program);
        if (versions.last.size() > versions_remembered) versions.last.pop_front();
    }
    played_[result.key.match][{result.key.number, result.key.attempt}] = std::move(seats);
}

void ProgramsPlayed::forget(std::uint64_t match) {
    const auto found = played_.find(match);
    if (found == played_.end()) return;
    for (const auto& [play, seats] : found->second) {
        for (const auto& [bot, program] : seats) {
            unused(bot);
            unused(program);
        }
    }
    played_.erase(found);
}

std::string_view ProgramsPlayed::of(const GameKey& key, std::string_view bot) const {
    const auto* seats = found_in(played_, key);
    if (seats == nullptr) return {};
    for (const auto& [name, program] : *seats) {
        if (name->first == bot) return program->first;
    }
    return {};
}

std::uint32_t ProgramsPlayed::version_in(const std::vector<GameKey>& games,
                                         const std::string& bot) const {
    const auto found = versions_.find(bot);
    if (found == versions_.end()) return 0;
    const auto& [count, last] = found->second;
    for (auto game = games.rbegin(); game != games.rend(); ++game) {
        const auto at = std::find(last.begin(), last.end(), of(*game, bot));
        if (at != last.end()) return count - static_cast<std::uint32_t>(last.end() - at);
    }
    return count - 1;
}

}  // namespace referee::contests
