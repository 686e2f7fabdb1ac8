#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "referee/memory/journal/journal.h"
#include "referee/memory/store/record_reader.h"

// The Hall of Fame: the best programs across semesters, by their average scores.

namespace referee::hall {

// Averages count in thousandths.
inline constexpr double thousandths_of_one = 1000;

struct Row {
    std::size_t rank = 0;  // from 1; who has the same average shares it
    std::int64_t entered_ms = 0;
    journal::FameRecord entry;
};

// What is shown. Empty: all.
struct Filter {
    std::string game;
    std::string semester;
};

// What stands in it, as the records of a store tell it.
class Hall {
 public:
    // Records that have nothing to do with it are passed over.
    void take(const store::StoredRecord& stored);

    // Null where that name has no place.
    const journal::FameRecord* find(const std::string& game, const std::string& semester,
                                    const std::string& bot) const;
    // Best first, game by game; ranks count among those that are shown.
    std::vector<Row> rows(const Filter& filter) const;

 private:
    using Key = std::tuple<std::string, std::string, std::string>;  // game, semester, bot

    std::vector<std::pair<Key, Row>> rows_;  // in the order in which they came
};

}  // namespace referee::hall
