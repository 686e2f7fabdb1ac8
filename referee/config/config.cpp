#include "referee/config/config.h"

namespace referee::config {

std::vector<formats::Entry> entries_of(const TournamentConfig& tournament,
                                       const std::vector<BotConfig>& bots) {
    std::vector<formats::Entry> entries;
    for (const auto index : tournament.bots) {
        const auto& bot = bots[index];
        formats::Entry entry;
        entry.name = bot.name;
        entry.rating = bot.rating;
        entry.team = bot.team;
        const auto found = tournament.attendance.find(index);
        if (found != tournament.attendance.end()) {
            entry.first_round = found->second.first_round;
            entry.last_round = found->second.last_round;
            entry.half_point_byes = found->second.half_point_byes;
            entry.zero_point_byes = found->second.zero_point_byes;
        }
        entries.push_back(std::move(entry));
    }
    return entries;
}

}  // namespace referee::config
