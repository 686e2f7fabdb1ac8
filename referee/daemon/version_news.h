#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace referee::daemon {

// Bots that say another version in nearly each game: an instructor is told once of each, because
// then no figure is of one program.
class VersionNews {
 public:
    // A match of the bot is over, in which that program played (empty: nobody can tell). What is to
    // be told, the first time that there is something.
    std::optional<std::string> played(const std::string& tournament, const std::string& bot,
                                      const std::string& program);

 private:
    struct Seen {
        std::string program;
        std::uint64_t matches = 0;
        std::uint64_t changes = 0;
        bool told = false;
    };
    std::map<std::pair<std::string, std::string>, Seen> seen_;  // by tournament and bot
};

}  // namespace referee::daemon
