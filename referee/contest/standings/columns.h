#pragma once

#include <optional>

#include "referee/contest/standings/tie_break.h"
#include "referee/contest/standings/tie_break_values.h"

namespace referee::standings {

// Works out the columns of a crosstable one by one, keeping what several of them need.
class Columns {
 public:
    // The table must outlive it.
    explicit Columns(const Crosstable& table) : table_(table) {}

    // Requires: any tie-break but direct encounter, which depends on the ties before it.
    Column column(TieBreak tie_break);

 private:
    Value cell(TieBreak tie_break, std::size_t p);
    const Contributions& as_played();
    const Contributions& with_last_drawn();
    // The sum of a row's scores of opponents.
    std::int64_t buchholz(std::size_t row);
    Value koya(const Row& row);
    Value average_opponent_buchholz(const Row& row);
    bool everybody_is_rated();

    const Crosstable& table_;
    std::optional<Contributions> as_played_;
    std::optional<Contributions> with_last_drawn_;
    std::optional<bool> everybody_is_rated_;
};

}  // namespace referee::standings
