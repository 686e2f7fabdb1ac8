#pragma once

#include <optional>
#include <string>

#include "protocol/messages.h"
#include "referee/config/config.h"
#include "referee/game/clock/time.h"
#include "referee/game/play/play.h"
#include "referee/net/lobby/bot.h"

namespace referee::scheduler {

// Brings bots that the referee launches itself: the scheduler asks for them, and the referee tells
// which there are, and which bots come and leave.
class BotSupply {
 public:
    virtual ~BotSupply() = default;
    // A launched bot, as the config describes it now.
    virtual void know(const config::BotConfig& /*bot*/) {}
    // A bot that is known is launched in another way now: its process, if any, ends with the match
    // that it is in; at once where it is in none.
    virtual void launch_anew(lobby::Bot& /*bot*/) {}
    // The same, and nobody launches the bot any more, until it is made known again.
    virtual void retire(lobby::Bot& /*bot*/) {}
    // A bot, launched or not, has logged in.
    virtual void arrived(lobby::Bot& /*bot*/) {}
    // What a bot, launched or not, said before it was logged in was answered by this error.
    virtual void turned_away(lobby::Bot& /*bot*/, const protocol::ProtocolError& /*error*/) {}
    // Its connection has ended.
    virtual void left(lobby::Bot& /*bot*/) {}
    // A match was dropped, and the bot is in no game: it is in no match either.
    virtual void match_dropped(lobby::Bot& /*bot*/) {}
    // Whether it launches this bot.
    virtual bool launches(const lobby::Bot& bot) const = 0;
    // A game waits for the bot, which is away: sees to it that the bot comes.
    virtual void want(lobby::Bot& /*bot*/) {}
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
    virtual void game_over(lobby::Bot& /*bot*/, bool /*match_over*/) {}
};

}  // namespace referee::scheduler
