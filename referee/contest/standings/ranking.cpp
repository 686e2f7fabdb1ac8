#include <algorithm>

#include "referee/contest/standings/columns.h"
#include "referee/contest/standings/tie_break.h"
#include "referee/contest/standings/tie_break_values.h"

namespace referee::standings {

namespace {

// -1: a is better.
int compare_cells(Value a, Value b, bool lower) {
    if (a == b) return 0;
    if (!a || !b) return a ? -1 : 1;
    return (*a < *b) == lower ? -1 : 1;
}

int compare_rows(const std::vector<Column>& columns, std::size_t a, std::size_t b) {
    for (const auto& column : columns) {
        const int found =
            compare_cells(column.cells[a], column.cells[b], lower_is_better(column.tie_break));
        if (found != 0) return found;
    }
    return 0;
}

std::vector<std::size_t> sorted_rows(const Crosstable& table, const std::vector<Column>& columns) {
    std::vector<std::size_t> order;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        if (table.rows[row].ranked) order.push_back(row);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return compare_rows(columns, a, b) < 0; });
    return order;
}

// Places inside each tie that the columns so far leave; 0 for all where nobody is separated.
Column direct_encounters(const Crosstable& table, const std::vector<Column>& before) {
    Column column{TieBreak::direct_encounter, std::vector<Value>(table.rows.size(), 0)};
    const auto order = sorted_rows(table, before);
    for (std::size_t first = 0; first < order.size();) {
        std::size_t end = first + 1;
        while (end < order.size() && compare_rows(before, order[first], order[end]) == 0) ++end;
        const std::span group(order.data() + first, end - first);
        const auto places = direct_encounter(table, group);
        const bool flat =
            std::all_of(places.begin(), places.end(), [](std::size_t place) { return place == 1; });
        for (std::size_t i = 0; i < group.size() && !flat; ++i) {
            column.cells[group[i]] = static_cast<std::int64_t>(places[i]) * parts_per_unit;
        }
        first = end;
    }
    return column;
}

}  // namespace

Ranking rank_by(const Crosstable& table, std::span<const TieBreak> order) {
    Ranking ranking;
    Columns columns(table);
    for (const auto tie_break : order) {
        ranking.columns.push_back(tie_break == TieBreak::direct_encounter
                                      ? direct_encounters(table, ranking.columns)
                                      : columns.column(tie_break));
    }
    ranking.order = sorted_rows(table, ranking.columns);
    ranking.rank.assign(table.rows.size(), 0);
    if (!ranking.order.empty()) ranking.rank[ranking.order.front()] = 1;
    for (std::size_t i = 1; i < ranking.order.size(); ++i) {
        const std::size_t row = ranking.order[i];
        const std::size_t above = ranking.order[i - 1];
        const bool shared = compare_rows(ranking.columns, row, above) == 0;
        ranking.rank[row] = shared ? ranking.rank[above] : i + 1;
    }
    return ranking;
}

}  // namespace referee::standings
