#include "referee/tournament/contests/matches.h"

#include <algorithm>

#include "protocol/base/find.h"

namespace referee::contests {
namespace {

// Games of a bot that run at once may be of two programs, and end in any order.
constexpr std::size_t versions_remembered = 8;

}  // namespace

std::string_view Matches::program_of(const GameKey& key, Entrant entrant) const {
    const auto* played = play(key);
    if (played == nullptr) return {};
    const auto seats = seats_of(matches_.at(key.match), key.number);
    const auto seat = static_cast<std::size_t>(std::ranges::find(seats, entrant) - seats.begin());
    if (seat >= played->width || played->seats()[seat].program == nullptr) return {};
    return *played->seats()[seat].program;
}

std::string_view Matches::machine_of(const GameKey& key) const {
    const auto* played = known(key.match) ? play(key) : nullptr;
    return played == nullptr ? std::string_view() : played->machine->name;
}

std::set<std::string> Matches::machines() const {
    std::set<std::string> names;
    for (const auto& [ordinal, match] : matches_) {
        for (const auto& played : match.results)
            if (counts(played.status) && !played.machine->name.empty())
                names.insert(played.machine->name);
    }
    return names;
}

MachinePlays Matches::machine_plays() const {
    MachinePlays all;
    std::map<std::pair<Entrant, const std::string*>, std::size_t> players;
    for (const auto& [ordinal, match] : matches_) {
        for (const auto& played : match.results) {
            if (played.by_order || played.status == GameStatus::interrupted) continue;
            auto& play = all.plays.emplace_back();
            play.match = ordinal;
            play.counts = counts(played.status);
            play.machine = {machines_, played.machine};
            const auto seats = seats_of(match, played.number);
            for (std::size_t seat = 0; seat < seats.size() && seat < played.width; ++seat) {
                const auto& its = played.seats()[seat];
                const std::pair player(seats[seat], its.program);
                play.seats.push_back({players.try_emplace(player, players.size()).first->second,
                                      its.used_us, its.turns, its.faulty});
            }
        }
    }
    all.players = players.size();
    return all;
}

void ProgramVersions::note(const GameResult& result) {
    for (std::size_t seat = 0; seat < result.bots.size() && seat < result.program.size(); ++seat) {
        const auto& program = result.program[seat];
        if (program.empty()) continue;
        auto& [count, last] = versions_[result.bots[seat]];
        if (base::contains(last, program)) continue;
        ++count;
        last.push_back(program);
        if (last.size() > versions_remembered) last.pop_front();
    }
}

std::uint32_t ProgramVersions::in(
    const std::vector<GameKey>& games, const std::string& bot,
    const std::function<std::string_view(const GameKey&)>& program_of) const {
    const auto found = versions_.find(bot);
    if (found == versions_.end()) return 0;
    const auto& [count, last] = found->second;
    for (auto game = games.rbegin(); game != games.rend(); ++game) {
        const auto at = std::ranges::find(last, program_of(*game));
        if (at != last.end()) return count - static_cast<std::uint32_t>(last.end() - at);
    }
    return count - 1;
}

}  // namespace referee::contests
