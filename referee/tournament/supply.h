#pragma once

#include "referee/config/config.h"
#include "referee/tournament/scheduler/scheduler.h"

namespace referee::tournament {

// Brings the bots that the referee launches itself. The scheduler asks for them, and the lobby
// tells when they come and leave.
class Supply : public scheduler::BotSupply {
 public:
    // A launched bot, as the config describes it now.
    virtual void know(const config::BotConfig& bot) = 0;
    // A bot that is known is launched in another way now: its process, if any, ends with the match
    // that it is in; at once where it is in none.
    virtual void launch_anew(lobby::Bot& bot) = 0;
    // The same, and nobody launches the bot any more, until it is made known again.
    virtual void retire(lobby::Bot& bot) = 0;
    // A match was dropped, and the bot is in no game: it is in no match either.
    virtual void match_dropped(lobby::Bot& /*bot*/) {}
    // A bot, launched or not, has logged in.
    virtual void arrived(lobby::Bot& bot) = 0;
    // A bot, launched or not, came with the right token, and as many bots are logged in as may be.
    virtual void no_place_for(lobby::Bot& bot) = 0;
    // Its connection has ended.
    virtual void left(lobby::Bot& bot) = 0;
};

}  // namespace referee::tournament
