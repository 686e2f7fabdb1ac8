#include "referee/tournament/scheduler/programs_played.h"

#include <algorithm>

namespace referee::scheduler {
namespace {

// Games of a bot that run at once may be of two programs, and end in any order.
constexpr std::size_t versions_remembered = 8;

}  // namespace

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
    const auto match = played_.find(key.match);
    if (match == played_.end()) return {};
    const auto play = match->second.find({key.number, key.attempt});
    if (play == match->second.end()) return {};
    for (const auto& [name, program] : play->second) {
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

}  // namespace referee::scheduler
