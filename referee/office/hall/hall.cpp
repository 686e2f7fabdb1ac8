#include "referee/office/hall/hall.h"

#include <algorithm>

namespace referee::hall {

void Hall::take(const store::StoredRecord& stored) {
    const auto drop = [this](const Key& key) {
        std::erase_if(rows_, [&key](const auto& row) { return row.first == key; });
    };
    if (const auto* entry = std::get_if<journal::FameRecord>(&stored.record)) {
        Key key{entry->game, entry->semester, entry->bot};
        drop(key);
        rows_.emplace_back(std::move(key), Row{0, stored.time_ms, *entry});
    } else if (const auto* removal = std::get_if<journal::FameRemovalRecord>(&stored.record)) {
        drop({removal->game, removal->semester, removal->bot});
    }
}

const journal::FameRecord* Hall::find(const std::string& game, const std::string& semester,
                                      const std::string& bot) const {
    const Key key{game, semester, bot};
    const auto found = std::find_if(rows_.begin(), rows_.end(),
                                    [&key](const auto& row) { return row.first == key; });
    return found == rows_.end() ? nullptr : &found->second.entry;
}

std::vector<Row> Hall::rows(const Filter& filter) const {
    std::vector<Row> shown;
    for (const auto& [key, row] : rows_) {
        if (!filter.game.empty() && filter.game != row.entry.game) continue;
        if (!filter.semester.empty() && filter.semester != row.entry.semester) continue;
        shown.push_back(row);
    }
    // Of those with the same average who came first stands first.
    std::stable_sort(shown.begin(), shown.end(), [](const Row& one, const Row& other) {
        if (one.entry.game != other.entry.game) return one.entry.game < other.entry.game;
        return one.entry.thousandths > other.entry.thousandths;
    });
    std::size_t first_of_game = 0;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const auto& entry = shown[i].entry;
        const bool begins = i == 0 || shown[i - 1].entry.game != entry.game;
        if (begins) first_of_game = i;
        const bool ties = !begins && shown[i - 1].entry.thousandths == entry.thousandths;
        shown[i].rank = ties ? shown[i - 1].rank : i - first_of_game + 1;
    }
    return shown;
}

}  // namespace referee::hall
