#pragma once

#include <optional>
#include <string>

#include "referee/game/clock/time.h"
#include "referee/game/play/play.h"
#include "referee/net/lobby/lobby.h"

namespace referee::scheduler {

// Brings bots that the referee launches itself.
class BotSupply {
 public:
    virtual ~BotSupply() = default;
    // Whether it launches this bot.
    virtual bool launches(const lobby::Bot& bot) const = 0;
    // A game waits for the bot, which is away: sees to it that the bot comes.
    virtual void want(lobby::Bot& bot) = 0;
    // Whether the bot stays after a game. One that doesn't stay begins no other game before
    // game_over() was called.
    virtual bool stays(const lobby::Bot& /*bot*/) const { return true; }
    // What is known of a bot that is away; nothing of one that it doesn't launch.
    struct Coming {
        std::optional<Instant> until;  // it is being started, and has until then to log in
        play::Absence absence;         // why it isn't there yet, if something went wrong
        std::string launch;            // what follows "who": "is being launched"
        bool failing = false;          // its launch was tried, and failed
        bool given_up = false;         // nobody launches it again, unless an order changes that
    };
    virtual Coming coming(const lobby::Bot& /*bot*/) const { return {}; }
    // A game of the bot, or its match, is over.
    virtual void game_over(lobby::Bot& bot, bool match_over) = 0;
};

}  // namespace referee::scheduler
