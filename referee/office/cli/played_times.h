#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "referee/games/clock/time.h"
#include "referee/memory/journal/journal.h"

namespace referee::cli {

// How long bots thought in games that were played, as their clocks charged it. Give it all records,
// in their order. A game that a bot forfeited, or that doesn't count, tells nothing.
class PlayedTimes {
 public:
    void take(const journal::Record& record);

    // In a game, on average; nothing of a bot that has played no such game.
    std::optional<Duration> in_a_game(std::string_view game, const std::string& bot) const;
    // The same of all bots together.
    std::optional<Duration> in_a_game(std::string_view game) const;
    // How long games were, as shares of their mean, in any order: by the bot that thought longest,
    // or by all together where they think in turn. Not empty; of many games only some.
    std::vector<double> spread(std::string_view game, bool simultaneous) const;
    // How many such games there were.
    std::uint64_t games(std::string_view game) const;
    // Who has entered that tournament and was not withdrawn since.
    std::size_t entrants(std::string_view tournament) const;

 private:
    struct Sum {
        std::int64_t used_us = 0;
        std::int64_t seats = 0;
        void add(std::int64_t us) {
            used_us += us;
            ++seats;
        }
    };
    struct Length {
        std::int64_t longest_us = 0;
        std::int64_t all_us = 0;
    };
    struct OfGame {
        std::map<std::string, Sum, std::less<>> by_bot;
        Sum all;
        std::uint64_t games = 0;
        // Of each `every`-th of them.
        std::vector<Length> lengths;
        std::uint64_t every = 1;
        void add(Length length);
    };
    std::map<std::string, OfGame, std::less<>> games_;
    std::map<std::string, std::set<std::string>, std::less<>> entrants_;  // by tournament
};

}  // namespace referee::cli
