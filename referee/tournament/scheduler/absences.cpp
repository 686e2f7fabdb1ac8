#include "referee/tournament/scheduler/absences.h"

namespace referee::scheduler {

std::optional<Instant> Absences::since(const lobby::Bot& bot, const std::string& game) const {
    const auto found = since_.find({bot.name(), game});
    if (found == since_.end()) return std::nullopt;
    return found->second;
}

void Absences::forget_present(lobby::Lobby& lobby) {
    std::erase_if(since_, [&lobby](const auto& away) {
        const auto& bot = lobby.bot(away.first.first);
        return bot.connected() && bot.plays(away.first.second);
    });
}

}  // namespace referee::scheduler
