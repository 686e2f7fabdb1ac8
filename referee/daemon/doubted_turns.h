#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "referee/game/clock/doubts.h"

namespace referee::daemon {

// Turns that were in time only by doubt, by bot and by the address that it played from, and what of
// that is worth a line of the log.
class DoubtedTurns {
 public:
    // A game of the bot has ended, with these. `address` is empty where the bot is away, or is a
    // process of ours.
    void add(const std::string& bot, const std::string& address, const clock::Doubts& doubts);
    clock::Doubts of(std::string_view bot) const;

    // Once for each address: where of all turns from there too many passed by doubt, and several
    // bots had a part in it. Then something is wrong with their common way, or one person has them
    // all. Nothing where it is told already.
    std::optional<std::string> many_from(const std::string& address);
    // Who passed turns by doubt since the last call: "ann from 10.1.1.7 3 of 40 turns, bob 1 of 20
    // turns", those with the most first, `named_max` of them. Empty where nobody did.
    std::string lately();

    static constexpr std::size_t named_max = 5;

 private:
    struct Player {
        std::string address;  // the last one
        clock::Doubts doubts;
    };
    using Players = std::map<std::string, Player, std::less<>>;  // by bot

    Players ever_;
    Players lately_;
    // Where bots play from. Many may play from one, so that nothing is added up bot by bot.
    struct Place {
        clock::Doubts sum;
        std::set<std::string> doubted;  // bots
        bool told = false;
    };
    std::map<std::string, Place, std::less<>> places_;  // by address
};

}  // namespace referee::daemon
