#pragma once

#include "referee/arena/scheduler/scheduler.h"
#include "referee/config/config.h"

namespace referee::house {

// Brings the bots that the referee launches itself: to the scheduler, which asks for them, as to
// the lobby, which tells of them.
class Supply : public scheduler::BotSupply {
 public:
    // A bot that is launched, as the config has it now.
    virtual void know(const config::BotConfig& bot) = 0;
    // A bot, of these or another, has logged in.
    virtual void arrived(lobby::Bot& bot) = 0;
    // Its connection has ended.
    virtual void left(lobby::Bot& bot) = 0;
};

}  // namespace referee::house
