#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "referee/connections/lobby/lobby.h"
#include "referee/games/clock/time.h"

namespace referee::scheduler {

// Since when games wait for bots that are away, or that are here and play another game. Those of
// one game share it, whatever their tournament.
class Absences {
 public:
    // A game waits for it, from now on where none did before: since when.
    Instant begin(const lobby::Bot& bot, const std::string& game, Instant now) {
        return since_.try_emplace({bot.name(), game}, now).first->second;
    }
    // Nothing where no game waits for it.
    std::optional<Instant> since(const lobby::Bot& bot, const std::string& game) const;
    // Those who are here by now are waited for anew when they are away again.
    void end_of_those_who_are_here(lobby::Lobby& lobby);

 private:
    std::map<std::pair<std::string, std::string>, Instant> since_;  // by name and game
};

}  // namespace referee::scheduler
