#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "referee/game/clock/time.h"
#include "referee/net/lobby/lobby.h"

namespace referee::scheduler {

// Since when a bot keeps games waiting, because it is away, or because it is here and doesn't play
// that game. Tournaments of the same game share one absence.
class Absences {
 public:
    // A game waits for the bot. Returns since when any game does: from now on where none did
    // before.
    Instant begin(const lobby::Bot& bot, const std::string& game, Instant now) {
        return since_.try_emplace({bot.name(), game}, now).first->second;
    }
    // Nothing where no game waits for the bot.
    std::optional<Instant> since(const lobby::Bot& bot, const std::string& game) const;
    // Bots that have come are absent no more: the next absence begins anew.
    void forget_present(lobby::Lobby& lobby);

 private:
    std::map<std::pair<std::string, std::string>, Instant> since_;  // by bot and game
};

}  // namespace referee::scheduler
