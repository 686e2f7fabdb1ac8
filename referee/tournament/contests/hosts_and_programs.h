#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "referee/game/result/game_result.h"

namespace referee::contests {

// What is told of a play to see whether hosts are alike. Never changed.
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
    std::vector<std::shared_ptr<const HostPlay>> plays;
    std::size_t players = 0;
};

// Which hosts played the games of a contest, and how bots fared there. What is told of a host is
// kept once.
class HostsPlayed {
 public:
    // Of a game that counts, or was annulled. Told once.
    void note(const GameResult& result);
    // By order: it doesn't count; or again.
    void annul(const GameKey& key);
    void restore(const GameKey& key);
    // The match lies far back.
    void forget(std::uint64_t match);
    // Empty where the referee itself played it, or nobody knows the play.
    std::string_view of(const GameKey& key) const;
    // Those by whom anything stands, and were not annulled by order.
    std::set<std::string> names() const;
    HostPlays plays() const;

 private:
    using Number = std::pair<std::uint32_t, std::uint32_t>;  // of the game; of its attempt
    struct Kept {
        std::shared_ptr<const HostPlay> play;
        bool by_order = false;  // annulled so
    };
    struct Less {
        bool operator()(const auto& x, const auto& y) const { return *x < *y; }
    };

    std::set<std::shared_ptr<const HostFacts>, Less> facts_;
    std::map<std::pair<std::string, std::string>, std::size_t> players_;  // bot and program
    std::map<std::uint64_t, std::map<Number, Kept>> played_;              // by match
};

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

}  // namespace referee::contests
