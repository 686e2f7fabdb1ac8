#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "referee/game/result/game_result.h"

namespace referee::contests {

// What is told of a play to see whether hosts are alike.
struct HostPlay {
    struct Seat {
        std::size_t player = 0;  // a bot with one program; numbered from 0
        std::int64_t used_us = 0;
        std::int64_t turns = 0;  // in which it gave a move
        bool faulty = false;     // at least once
    };
    std::uint64_t match = 0;
    bool counts = true;                     // false: the trouble of that machine annulled it
    std::shared_ptr<const HostFacts> host;  // nameless: the referee itself played it
    std::vector<Seat> seats;
};

// Of a contest, as a value that may be read on any thread.
struct HostPlays {
    std::vector<HostPlay> plays;
    std::size_t players = 0;
};

// The versions of the bots of a contest: which programs played, as results name them.
class ProgramVersions {
 public:
    // Of a game that counts. Games are told in the order of their ends.
    void note(const GameResult& result);
    // With which version of its program a bot played these games: that of the last of them whose
    // program is known. Versions are numbered from 0, as they came.
    std::uint32_t in(const std::vector<GameKey>& games, const std::string& bot,
                     const std::function<std::string_view(const GameKey&)>& program_of) const;

 private:
    // The versions of one bot: of the last few their programs. An older one that comes again
    // counts as new.
    struct Versions {
        std::uint32_t count = 0;
        std::deque<std::string> last;  // the newest at the end
    };

    std::map<std::string, Versions> versions_;  // by bot
};

}  // namespace referee::contests
