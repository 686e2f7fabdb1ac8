#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/daemon/run/tournament_run.h"
#include "referee/store/records/journal.h"

namespace referee::daemon {

// What a bot lost by its own faults, over all tournaments of a store. A game that was annulled is
// no game here: nobody is blamed for the machine's trouble.
struct Forfeits {
    std::uint64_t games = 0;      // that count
    std::uint64_t forfeited = 0;  // of these, by a fault of this bot
    std::uint64_t silent = 0;     // played to their end without a valid move of this bot
    std::string last;             // game and fault of the last of these: "game t/3.1: ..."
};

// Takes the records of a store in their order.
class ForfeitCount {
 public:
    void take(const records::Record& record);
    // By the bots' names.
    std::map<std::string, Forfeits> by_bot() const;

 private:
    struct Game {
        std::vector<std::string> bots;
        std::map<std::string, std::string> faults;  // by bot: those that lost it the game
        std::vector<std::string> silent;
        std::uint64_t order = 0;
    };
    std::map<GameKey, Game> games_;
    std::map<GameKey, Game> annulled_;  // by order
    std::uint64_t records_ = 0;
};

base::Result<std::map<std::string, Forfeits>, std::string> forfeits_in(const std::string& store);

// How a run that was played to its end is judged: exit_no where one of these bots forfeited a game,
// or gave no valid move in any. The message tells of them, and of each bot to which that happened
// in all of its games.
RunEnding judged(const std::map<std::string, Forfeits>& forfeits,
                 const std::vector<std::string>& fail_on_forfeits);

}  // namespace referee::daemon
