#include "referee/contest/standings/standings.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "protocol/base/assertion.h"

namespace referee::standings {
namespace {

using pairing::PairingOutcome;

// Machines that others look after may tell any times; a column counts in parts.
constexpr std::int64_t used_us_most = std::numeric_limits<std::int64_t>::max() / parts_per_unit;

// What a bye is to its entrant, in the order of the kinds.
constexpr std::array outcomes_of_byes{PairingOutcome::allocated_bye, PairingOutcome::half_bye,
                                      PairingOutcome::full_bye, PairingOutcome::absent};
static_assert(outcomes_of_byes.size() == bye_kinds.size());

// A round of an entrant before it is laid down in a row.
struct Told {
    std::uint32_t round = 0;
    Entrant entrant = 0;
    RoundEntry entry;
    std::vector<Meeting> met;
};

// Nothing where it is a game for the seat, as a pod is that a bot didn't come to for the others, if
// at least two came.
std::optional<PairingOutcome> without_game(const MatchResult& match, std::size_t seat) {
    if (!match.forfeit()) return std::nullopt;
    if (match.absent[seat]) return PairingOutcome::forfeit_loss;
    if (std::ranges::count(match.absent, false) > 1) return std::nullopt;
    return PairingOutcome::forfeit_win;
}

Told told_of(const MatchResult& match, std::size_t seat, const PointSystem& points) {
    Told told{match.round, match.seats[seat], {}, {}};
    const bool pair = match.seats.size() == 2;
    auto& entry = told.entry;
    entry.match = match.match;
    entry.points = tenths_of(match.points[seat]);
    entry.second_seat = seat == 1;
    bool ahead_of_all = match.seats.size() > 1;
    const int place = match.placing[seat];
    for (std::size_t other = 0; other < match.seats.size(); ++other) {
        if (other == seat) continue;
        const int theirs = match.placing[other];
        ahead_of_all = ahead_of_all && place < theirs;
        const Tenths by_place = place < theirs    ? points.win
                                : place == theirs ? points.draw
                                                  : points.loss;
        told.met.push_back(
            {static_cast<std::uint32_t>(match.seats[other]), pair ? entry.points : by_place});
    }
    const auto unplayed = without_game(match, seat);
    entry.outcome = unplayed       ? *unplayed
                    : ahead_of_all ? PairingOutcome::win
                    : place == 1   ? PairingOutcome::draw
                                   : PairingOutcome::loss;
    entry.won = ahead_of_all && unplayed != PairingOutcome::forfeit_loss;
    return told;
}

Told told_of(const Bye& bye, const PointSystem& points) {
    RoundEntry entry;
    entry.points = tenths_of(bye.points);
    entry.outcome = outcomes_of_byes[static_cast<std::size_t>(bye.kind)];
    entry.won = entry.points > 0 && entry.points == points.win;
    return {bye.round, bye.entrant, entry, {}};
}

// By entrant and round.
std::vector<Told> all_told(std::span<const MatchResult> matches, std::span<const Bye> byes,
                           const PointSystem& points) {
    std::vector<Told> told;
    for (const auto& match : matches)
        for (std::size_t seat = 0; seat < match.seats.size(); ++seat)
            told.push_back(told_of(match, seat, points));
    for (const auto& bye : byes) told.push_back(told_of(bye, points));
    std::ranges::sort(told, {}, [](const Told& one) {
        return std::tuple(one.entrant, one.round, one.entry.match);
    });
    return told;
}

}  // namespace

Crosstable crosstable_of(const StandingsSetup& field, std::span<const MatchResult> matches,
                         std::span<const Bye> byes) {
    Crosstable table{field.points, field.rounds, {}};
    const auto told = all_told(matches, byes, field.points);
    REFEREE_ASSERT(told.empty() || told.back().entrant < field.ratings.size());
    for (const auto rating : field.ratings) table.rows.emplace_back().rating = rating;
    for (const auto entrant : field.unranked) table.rows.at(entrant).ranked = false;
    for (const auto& match : matches) {
        for (std::size_t seat = 0; seat < match.seats.size(); ++seat) {
            auto& row = table.rows[match.seats[seat]];
            row.scores += tenths_of(match.scores[seat]);
            if (!match.used_us.empty())
                row.used_us += std::min(match.used_us[seat], used_us_most - row.used_us);
            row.games += match.games;
        }
    }
    for (const auto& one : told) table.rounds = std::max<std::size_t>(table.rounds, one.round);
    auto next = told.begin();
    for (Entrant entrant = 0; entrant < table.rows.size(); ++entrant) {
        for (std::uint32_t round = 1; round <= table.rounds; ++round) {
            const auto is_its = [&] {
                return next != told.end() && next->entrant == entrant && next->round == round;
            };
            if (!is_its()) table.rows[entrant].add({}, {});
            for (; is_its(); ++next) table.rows[entrant].add(next->entry, next->met);
        }
    }
    return table;
}

Standings standings_of(const StandingsSetup& field, std::span<const MatchResult> matches,
                       std::span<const Bye> byes, std::span<const TieBreak> order) {
    Standings standings{crosstable_of(field, matches, byes), {}};
    standings.ranking = rank_by(standings.table, order);
    return standings;
}

}  // namespace referee::standings
