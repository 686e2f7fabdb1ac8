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

std::vector<standings::Entrant> house_of(const Ledger& ledger) {
    std::vector<standings::Entrant> house;
    for (standings::Entrant entrant = 0; entrant < ledger.entries.size(); ++entrant) {
        if (ledger.config.house.contains(ledger.entries[entrant].name)) house.push_back(entrant);
    }
    return house;
}

// The place that a format gives, counted among those who are ranked.
std::size_t place_without(const std::vector<standings::Entrant>& house,
                          const std::vector<std::size_t>& places, standings::Entrant entrant) {
    const auto before = std::count_if(house.begin(), house.end(), [&](const auto other) {
        return places[other] < places[entrant];
    });
    return places[entrant] - static_cast<std::size_t>(before);
}

}  // namespace

std::string rank_text(std::size_t rank) {
    return rank == 0 ? "house" : std::to_string(rank);
}

std::vector<standings::Entrant> unranked_of(const Ledger& ledger) {
    auto unranked = formats::fixed_opponents(ledger.config.format);
    for (const auto entrant : house_of(ledger)) {
        if (std::find(unranked.begin(), unranked.end(), entrant) == unranked.end())
            unranked.push_back(entrant);
    }
    return unranked;
}

standings::Standings folded(const Ledger& ledger) {
    standings::FieldOfPlay field;
    for (const auto& entry : ledger.entries) field.ratings.push_back(entry.rating);
    field.unranked = unranked_of(ledger);
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
    const auto house = house_of(ledger);
    auto order = standings.ranking.order;
    order.insert(order.end(), house.begin(), house.end());
    for (const auto entrant : order) {
        auto& row = rows.emplace_back();
        row.rank = standings.ranking.rank[entrant];
        if (ledger.places && rows.size() <= standings.ranking.order.size())
            row.rank = place_without(house, *ledger.places, entrant);
        row.entrant = entrant;
        for (const auto& column : standings.ranking.columns) {
            row.cells.push_back(standings::text_of(column.cells[entrant]));
        }
        row.appearances = std::move(appearances[entrant]);
        row.byes = std::move(byes[entrant]);
        for (const auto& appearance : row.appearances) count(appearance, row.tally);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return b.rank == 0 ? a.rank != 0 : a.rank != 0 && a.rank < b.rank;
    });
    return rows;
}

}  // namespace referee::report
