#include "referee/office/cli/played_times.h"

#include <algorithm>
#include <cstddef>
#include <variant>

namespace referee::cli {
namespace {

// Enough to tell how much games differ; a power of two.
constexpr std::size_t lengths_kept = 1024;

}  // namespace

void PlayedTimes::OfGame::add(Length length) {
    if ((games - 1) % every != 0) return;
    lengths.push_back(length);
    if (lengths.size() < 2 * lengths_kept) return;
    for (std::size_t i = 0; i < lengths_kept; ++i) lengths[i] = lengths[2 * i];
    lengths.resize(lengths_kept);
    every *= 2;
}

void PlayedTimes::take(const journal::Record& record) {
    if (const auto* entry = std::get_if<journal::EntryRecord>(&record))
        entrants_[entry->tournament].insert(entry->bot);
    if (const auto* withdrawal = std::get_if<journal::WithdrawalRecord>(&record))
        entrants_[withdrawal->tournament].erase(withdrawal->bot);
    const auto* game = std::get_if<journal::GameRecord>(&record);
    if (game == nullptr || game->result.status != GameStatus::played) return;
    const auto& result = game->result;
    auto& its = games_[result.game];
    ++its.games;
    Length length;
    for (std::size_t seat = 0; seat < result.bots.size() && seat < result.used_us.size(); ++seat) {
        its.by_bot[result.bots[seat]].add(result.used_us[seat]);
        its.all.add(result.used_us[seat]);
        length.longest_us = std::max(length.longest_us, result.used_us[seat]);
        length.all_us += result.used_us[seat];
    }
    its.add(length);
}

std::optional<Duration> PlayedTimes::in_a_game(std::string_view game,
                                               const std::string& bot) const {
    const auto found = games_.find(game);
    if (found == games_.end()) return std::nullopt;
    const auto its = found->second.by_bot.find(bot);
    if (its == found->second.by_bot.end()) return std::nullopt;
    return from_us(its->second.used_us / its->second.seats);
}

std::optional<Duration> PlayedTimes::in_a_game(std::string_view game) const {
    const auto found = games_.find(game);
    if (found == games_.end() || found->second.all.seats == 0) return std::nullopt;
    return from_us(found->second.all.used_us / found->second.all.seats);
}

std::vector<double> PlayedTimes::spread(std::string_view game, bool simultaneous) const {
    std::vector<double> shares;
    double sum = 0;
    const auto found = games_.find(game);
    if (found != games_.end()) {
        for (const auto& length : found->second.lengths) {
            const auto us = simultaneous ? length.longest_us : length.all_us;
            shares.push_back(static_cast<double>(us));
            sum += shares.back();
        }
    }
    if (sum <= 0) return {1.0};
    for (auto& share : shares) share *= static_cast<double>(shares.size()) / sum;
    return shares;
}

std::uint64_t PlayedTimes::games(std::string_view game) const {
    const auto found = games_.find(game);
    return found == games_.end() ? 0 : found->second.games;
}

std::size_t PlayedTimes::entrants(std::string_view tournament) const {
    const auto found = entrants_.find(tournament);
    return found == entrants_.end() ? 0 : found->second.size();
}

}  // namespace referee::cli
