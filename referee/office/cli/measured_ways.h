#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "referee/games/clock/allowances.h"
#include "referee/memory/journal/journal.h"

namespace referee::cli {

// What the records of earlier games tell of the ways to bots. Give it all records, in their order.
class MeasuredWays {
 public:
    void take(const journal::Record& record, std::int64_t time_ms);

    // Of each bot by its name, as its last game left it; without median, peers and range. Bots
    // whose way was never measured are missing.
    const std::map<std::string, clock::Allowance, std::less<>>& ways() const { return ways_; }
    // Who has entered a tournament and was not withdrawn from it since.
    const std::set<std::string>& entrants(std::string_view tournament) const;
    bool is_withdrawn(std::string_view tournament, const std::string& bot) const;

    // A measurement is one bot's in one game.
    std::uint64_t measurements() const { return measurements_; }
    // When the first and the last of these games ended, in milliseconds since 1970.
    std::int64_t first_ms() const { return first_ms_; }
    std::int64_t last_ms() const { return last_ms_; }

 private:
    struct Attendance {
        std::set<std::string> here;
        std::set<std::string> withdrawn;
    };

    void take_game(const GameResult& result, std::int64_t time_ms);

    std::map<std::string, clock::Allowance, std::less<>> ways_;
    std::map<std::string, Attendance, std::less<>> attendances_;  // by tournament
    std::uint64_t measurements_ = 0;
    std::int64_t first_ms_ = 0;
    std::int64_t last_ms_ = 0;
};

}  // namespace referee::cli
