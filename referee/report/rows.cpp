#include "referee/report/rows.h"

#include <algorithm>

#include "referee/contest/formats/terms.h"

namespace referee::report {
namespace {

void count(const Appearance& appearance, Tally& tally) {
    const auto& placing = appearance.match->placing;
    const auto best = std::count(placing.begin(), placing.end(), 1);
    const auto& absent = appearance.match->absent;
    const bool missing = !absent.empty() && absent[appearance.seat];
    if (placing.size() == 1) return;  // alone, it had nobody to win against
    if (missing || placing[appearance.seat] != 1) {
        ++tally.lost;
    } else if (best > 1) {
        ++tally.drawn;
    } else {
        ++tally.won;
    }
}

}  // namespace

standings::Standings folded(const Ledger& ledger) {
    standings::FieldOfPlay field;
    for (const auto& entry : ledger.entries) field.ratings.push_back(entry.rating);
    field.unranked = formats::fixed_opponents(ledger.config.format);
    field.points = formats::points_of(ledger.config.format);
    return standings::standings_of(field, ledger.results, ledger.byes, ledger.config.tie_breaks);
}

std::vector<Row> rows_of(const Ledger& ledger) {
    const auto standings = folded(ledger);
    std::vector<std::vector<Appearance>> appearances(ledger.entries.size());
    for (const auto& match : ledger.results) {
        for (std::size_t seat = 0; seat < match.seats.size(); ++seat) {
            appearances[match.seats[seat]].push_back({&match, seat});
        }
    }
    std::vector<std::vector<formats::Bye>> byes(ledger.entries.size());
    for (const auto& bye : ledger.byes) byes[bye.entrant].push_back(bye);
    std::vector<Row> rows;
    for (const auto entrant : standings.ranking.order) {
        auto& row = rows.emplace_back();
        row.rank = standings.ranking.rank[entrant];
        if (ledger.places) row.rank = (*ledger.places)[entrant];
        row.entrant = entrant;
        for (const auto& column : standings.ranking.columns) {
            row.cells.push_back(standings::text_of(column.cells[entrant]));
        }
        row.appearances = std::move(appearances[entrant]);
        row.byes = std::move(byes[entrant]);
        for (const auto& appearance : row.appearances) count(appearance, row.tally);
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return a.rank < b.rank; });
    return rows;
}

}  // namespace referee::report
