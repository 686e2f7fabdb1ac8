#include "referee/grading/hall_of_fame/hall.h"

#include <algorithm>

#include "protocol/json/printable.h"

namespace referee::hall_of_fame {

std::vector<Row> rows_of(const Entries& entries, const Filter& filter) {
    std::vector<Row> rows;
    for (const auto& entry : entries) {
        if (!filter.game.empty() && filter.game != entry.game) continue;
        if (!filter.semester.empty() && filter.semester != entry.semester) continue;
        rows.push_back({0, entry});
    }
    // Of those with the same average who came first stands first.
    std::stable_sort(rows.begin(), rows.end(), [](const Row& one, const Row& other) {
        if (one.entry.game != other.entry.game) return one.entry.game < other.entry.game;
        return one.entry.thousandths > other.entry.thousandths;
    });
    std::size_t first_of_game = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool begins = i == 0 || rows[i - 1].entry.game != rows[i].entry.game;
        if (begins) first_of_game = i;
        const bool ties = !begins && rows[i - 1].entry.thousandths == rows[i].entry.thousandths;
        rows[i].rank = ties ? rows[i - 1].rank : i - first_of_game + 1;
    }
    return rows;
}

Entering enter(Entries& entries, const Candidate& candidate, std::int64_t bar) {
    const auto& entry = candidate.entry;
    const auto there = std::find_if(entries.begin(), entries.end(), [&entry](const Entry& other) {
        return other.game == entry.game && other.semester == entry.semester &&
               other.bot == entry.bot;
    });
    const bool is_there = there != entries.end();
    const auto name = protocol::json::visible_line(entry.bot);
    const auto average = average_text(entry.thousandths);
    const auto refused = name + " does not enter: ";
    if (!candidate.is_final) return {is_there, refused + "the grade isn't final; grade again"};
    if (!candidate.unplayed.empty())
        return {is_there, refused + protocol::json::visible_line(candidate.unplayed)};
    if (is_there && there->thousandths >= entry.thousandths)
        return {true, name + " stays with " + average_text(there->thousandths) +
                          (there->thousandths > entry.thousandths ? "; now it has " + average
                                                                  : std::string())};
    if (entry.thousandths < bar)
        return {is_there, refused + average + " is below the bar of " + average_text(bar)};
    auto told = name + " enters with " + average;
    if (is_there) {
        told = name + " rises from " + average_text(there->thousandths) + " to " + average;
        entries.erase(there);
    }
    entries.push_back(entry);
    return {true, std::move(told)};
}

}  // namespace referee::hall_of_fame
