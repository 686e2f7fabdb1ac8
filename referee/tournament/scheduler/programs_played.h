#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "referee/game/result/result.h"

namespace referee::scheduler {

// Which programs played the games of a contest, as their results name them. A name is kept once,
// and as long as a game is that it played.
class ProgramsPlayed {
 public:
    // Of a game that counts. Games are told in the order of their ends.
    void note(const GameResult& result);
    // The match lies far back.
    void forget(std::uint64_t match);
    // Empty where nobody could tell, or the bot had no seat in it.
    std::string_view of(const GameKey& key, std::string_view bot) const;
    // With which version of its program a bot played these games: that of the last of them whose
    // program is known. Versions are numbered from 0, as they came.
    std::uint32_t version_in(const std::vector<GameKey>& games, const std::string& bot) const;

 private:
    using Words = std::map<std::string, std::size_t, std::less<>>;  // and how often each is used
    using Play = std::pair<std::uint32_t, std::uint32_t>;           // number, attempt
    using Seats = std::vector<std::pair<Words::iterator, Words::iterator>>;  // bot, program
    // The versions of one bot: of the last few their programs. An older one that comes again
    // counts as new.
    struct Versions {
        std::uint32_t count = 0;
        std::deque<std::string> last;  // the newest at the end
    };
    Words::iterator used(const std::string& text);
    void unused(Words::iterator word);

    Words words_;
    std::map<std::uint64_t, std::map<Play, Seats>> played_;  // by match
    std::map<std::string, Versions> versions_;               // by bot
};

}  // namespace referee::scheduler
