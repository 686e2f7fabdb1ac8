#include "referee/daemon/doubted_turns.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace referee::daemon {

void DoubtedTurns::add(const std::string& bot, const std::string& address,
                       const clock::Doubts& doubts) {
    if (doubts.turns == 0) return;
    for (auto* players : {&ever_, &lately_}) {
        auto& player = (*players)[bot];
        player.address = address;
        player.doubts.add(doubts);
    }
    if (address.empty()) return;
    auto& place = places_[address];
    place.sum.add(doubts);
    if (doubts.by_doubt > 0) place.doubted.insert(bot);
}

clock::Doubts DoubtedTurns::of(std::string_view bot) const {
    const auto found = ever_.find(bot);
    return found == ever_.end() ? clock::Doubts{} : found->second.doubts;
}

std::optional<std::string> DoubtedTurns::many_from(const std::string& address) {
    const auto found = places_.find(address);
    if (found == places_.end()) return std::nullopt;
    auto& [sum, doubted, told] = found->second;
    if (told || doubted.size() < 2 || !sum.many()) return std::nullopt;
    told = true;
    std::string names;
    for (const auto& bot : doubted) names += (names.empty() ? "" : ", ") + bot;
    return std::to_string(doubted.size()) + " bots from " + address + " (" + names +
           "): " + clock::describe(sum);
}

std::string DoubtedTurns::lately() {
    std::vector<std::pair<std::string, Player>> players(lately_.begin(), lately_.end());
    lately_.clear();
    std::erase_if(players, [](const auto& one) { return one.second.doubts.by_doubt == 0; });
    std::stable_sort(players.begin(), players.end(), [](const auto& a, const auto& b) {
        return a.second.doubts.by_doubt > b.second.doubts.by_doubt;
    });
    std::string text;
    for (std::size_t i = 0; i < std::min(players.size(), named_max); ++i) {
        const auto& [bot, player] = players[i];
        text += (i == 0 ? "" : ", ") + bot +
                (player.address.empty() ? "" : " from " + player.address) + " " +
                std::to_string(player.doubts.by_doubt) + " of " +
                std::to_string(player.doubts.turns) + " turns";
    }
    if (players.size() > named_max)
        text += ", and " + std::to_string(players.size() - named_max) + " more";
    return text;
}

}  // namespace referee::daemon
