#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "referee/game/clock/time.h"

namespace referee::check_bot {

// What was seen of a bot that belongs to no single corner.
struct BotObservations {
    struct Odd {
        std::string line;  // as received, cut
        std::string why;   // what is wrong with it
    };
    std::vector<Odd> texts;     // lines for people among the messages
    std::vector<Odd> mistakes;  // messages that the protocol doesn't know
    std::vector<Odd> unasked;   // good messages that nobody had asked for
    std::size_t messages = 0;   // good ones, in all

    // A turn that was answered, or ran out.
    struct Answer {
        std::string game;
        Duration took{};
        Duration budget{};  // zero: the turn has none of its own
        bool late = false;
    };
    std::vector<Answer> answers;
    struct Start {
        std::string game;
        Duration took{};  // from `start` to `ready`
    };
    std::vector<Start> starts;
};

}  // namespace referee::check_bot
