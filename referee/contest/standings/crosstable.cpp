#include "referee/contest/standings/crosstable.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
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

class Rounds {
 public:
    Rounds(const Crosstable& table, LastRound last_round)
        : table_(table), fore_(last_round == LastRound::drawn_by_all) {
        for (const auto& row : table.rows) add(row);
    }

    Contributions all() const {
        Contributions all;
        all.plain = plain_;
        for (std::size_t p = 0; p < table_.rows.size(); ++p) {
            const auto& row = table_.rows[p];
            auto& rounds = all.by_round.emplace_back();
            for (const auto& entry : row.rounds) {
                if (!entry.outcome) continue;
                rounds.push_back(contribution(p, entry));
            }
        }
        return all;
    }

 private:
    bool counts_as_drawn(const StandingsRow& row, const RoundEntry& entry) const {
        return fore_ && &entry == &row.rounds.back() && entry.meetings > 0;
    }

    // The player's points, and how it counts for those it met: rounds at the end that it left
    // unplayed, without an opponent, become draws.
    void add(const StandingsRow& row) {
        const auto is_left_out = [&](const RoundEntry& entry) {
            return entry.left_out() && !counts_as_drawn(row, entry);
        };
        auto left = row.rounds.size();  // from which on all are left out
        while (left > 0 && is_left_out(row.rounds[left - 1])) --left;
        auto& plain = plain_.emplace_back(0);
        auto& adjusted = adjusted_.emplace_back(0);
        for (std::size_t r = 0; r < row.rounds.size(); ++r) {
            const auto& entry = row.rounds[r];
            const auto points = counts_as_drawn(row, entry) ? table_.points.draw : entry.points;
            plain += points;
            adjusted += r >= left && entry.meetings == 0 ? table_.points.draw : points;
        }
    }

    Contribution contribution(std::size_t p, const RoundEntry& entry) const {
        const auto& row = table_.rows[p];
        const auto met = row.met(entry);
        const bool as_game = entry.is_game() || counts_as_drawn(row, entry);
        Contribution sum;
        sum.voluntary = !as_game && entry.left_out();
        if (met.empty()) {
            const Tenths all_drawn = table_.points.draw * static_cast<Tenths>(table_.rounds);
            const Tenths dummy = std::min(plain_[p], all_drawn);
            return {dummy * parts_per_tenth, dummy * entry.points * parts_per_tenth, sum.voluntary};
        }
        const std::int64_t share = parts_per_tenth / static_cast<std::int64_t>(met.size());
        for (const auto& meeting : met) {
            const Tenths theirs = adjusted_[meeting.opponent];
            const Tenths score = as_game ? theirs : std::min(plain_[p], theirs);
            sum.score += score * share;
            sum.weighted += score * meeting.credit * share;
        }
        return sum;
    }

    const Crosstable& table_;
    bool fore_;
    std::vector<Tenths> plain_;
    std::vector<Tenths> adjusted_;
};

constexpr std::int32_t level_percent = 50;

// From 50 to 100 per cent; the other half is its mirror image.
constexpr std::array<std::int16_t, 51> differences{
    0,   7,   14,  21,  29,  36,  43,  50,  57,  65,  72,  80,  87,  95,  102, 110, 117,
    125, 133, 141, 149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273,
    284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800};

// An exact fraction of small numbers. The denominator is positive.
struct Fraction {
    std::int64_t above = 0;
    std::int64_t below = 1;

    Fraction plus(Fraction other) const {
        const std::int64_t sum = above * other.below + other.above * below;
        const std::int64_t product = below * other.below;
        const std::int64_t divisor = std::gcd(sum, product);
        return {sum / divisor, product / divisor};
    }
    bool operator==(const Fraction& other) const = default;  // both are in lowest terms
    bool operator>(Fraction other) const { return above * other.below > other.above * below; }
};

struct Member {
    std::size_t row = 0;
    Fraction got;  // points from games inside the group; of several with one opponent, their mean
    Fraction top;  // with a win over everybody not met
};

using Rows = std::vector<std::size_t>;

Member member_of(const Crosstable& table, std::size_t row, const Rows& sorted_group) {
    struct Sum {
        Tenths points = 0;
        std::int64_t games = 0;
    };
    std::map<std::size_t, Sum> met;
    for (const auto& entry : table.rows[row].rounds) {
        if (!entry.is_game()) continue;
        for (const auto& meeting : table.rows[row].met(entry)) {
            const std::size_t opponent = meeting.opponent;
            if (!std::ranges::binary_search(sorted_group, opponent)) continue;
            auto& sum = met[opponent];
            sum.points += meeting.credit;
            ++sum.games;
        }
    }
    Member member{row, {}, {}};
    for (const auto& [opponent, sum] : met) {
        const std::int64_t divisor = std::gcd(sum.points, sum.games);
        member.got = member.got.plus({sum.points / divisor, sum.games / divisor});
    }
    const auto missing = static_cast<std::int64_t>(sorted_group.size() - 1 - met.size());
    member.top = member.got.plus({missing * table.points.win, 1});
    return member;
}

// The group in parts that are surely in this order.
std::vector<Rows> parts_of(const Crosstable& table, Rows group) {
    std::ranges::sort(group);
    std::vector<Member> members;
    for (const auto row : group) members.push_back(member_of(table, row, group));
    std::ranges::stable_sort(members, [](const Member& a, const Member& b) {
        if (!(a.got == b.got)) return a.got > b.got;
        return a.top > b.top;
    });
    const bool all_met =
        std::ranges::all_of(members, [](const Member& m) { return m.got == m.top; });
    std::vector<Rows> parts;
    if (all_met) {
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (i == 0 || !(members[i].got == members[i - 1].got)) parts.emplace_back();
            parts.back().push_back(members[i].row);
        }
        return parts;
    }
    // From the top down, takes only players that can't be overtaken any more.
    std::size_t first = 0;
    while (first + 1 < members.size() &&
           std::all_of(members.begin() + static_cast<std::ptrdiff_t>(first) + 1, members.end(),
                       [&](const Member& m) { return members[first].got > m.top; })) {
        parts.push_back({members[first].row});
        ++first;
    }
    parts.emplace_back();
    for (; first < members.size(); ++first) parts.back().push_back(members[first].row);
    return parts;
}

void place(const Crosstable& table, const Rows& group, std::size_t base,
           std::map<std::size_t, std::size_t>& places) {
    const auto parts = group.size() > 1 ? parts_of(table, group) : std::vector<Rows>{group};
    if (parts.size() == 1) {
        for (const auto row : group) places[row] = base;
        return;
    }
    for (const auto& part : parts) {
        place(table, part, base, places);
        base += part.size();
    }
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

Contributions contributions(const Crosstable& table, LastRound last_round) {
    return Rounds(table, last_round).all();
}

std::int32_t rating_difference(std::int32_t percent) {
    REFEREE_ASSERT(percent >= 0 && percent <= 100);
    if (percent >= level_percent) return differences[static_cast<std::size_t>(percent - 50)];
    return -differences[static_cast<std::size_t>(level_percent - percent)];
}

std::vector<std::size_t> direct_encounter(const Crosstable& table,
                                          std::span<const std::size_t> group) {
    std::map<std::size_t, std::size_t> places;
    place(table, Rows(group.begin(), group.end()), 1, places);
    std::vector<std::size_t> in_order;
    for (const auto row : group) in_order.push_back(places[row]);
    return in_order;
}

}  // namespace referee::standings
