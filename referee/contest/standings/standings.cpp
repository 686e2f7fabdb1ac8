#include "referee/contest/standings/standings.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"

namespace referee::standings {
namespace {

using pairing::PairingOutcome;

constexpr std::int64_t parts_of_tenth = parts_per_unit / tenths_per_point;
constexpr std::int64_t parts_of_score = parts_of_tenth / parts_per_tenth;

enum class Summand : std::uint8_t { score, weighted };

std::int64_t summand(const Contribution& round, Summand what) {
    return what == Summand::score ? round.score * parts_of_score : round.weighted;
}

bool less(const Contribution& a, const Contribution& b, Summand what) {
    return std::tuple(a.score, summand(a, what)) < std::tuple(b.score, summand(b, what));
}

// The round that a cut leaves out: the least of those that the player chose not to play, unless
// the least of all gives more.
std::size_t least_round(const std::vector<Contribution>& rounds, Summand what) {
    std::size_t least = 0;
    std::optional<std::size_t> voluntary;
    for (std::size_t r = 0; r < rounds.size(); ++r) {
        if (less(rounds[r], rounds[least], what)) least = r;
        if (rounds[r].voluntary && (!voluntary || less(rounds[r], rounds[*voluntary], what)))
            voluntary = r;
    }
    if (!voluntary || summand(rounds[least], what) > summand(rounds[*voluntary], what))
        return least;
    return *voluntary;
}

// The sum without so many of the least and of the greatest.
std::int64_t sum_of(std::vector<Contribution> rounds, Summand what, bool cut_least = false,
                    bool cut_greatest = false) {
    const auto drop = [&](std::size_t round) {
        rounds.erase(rounds.begin() + static_cast<std::ptrdiff_t>(round));
    };
    if (cut_least && !rounds.empty()) drop(least_round(rounds, what));
    if (cut_greatest && !rounds.empty()) {
        const auto greatest = std::ranges::max_element(
            rounds, [&](const Contribution& a, const Contribution& b) { return less(a, b, what); });
        drop(static_cast<std::size_t>(greatest - rounds.begin()));
    }
    std::int64_t sum = 0;
    for (const auto& round : rounds) sum += summand(round, what);
    return sum;
}

TieBreakValue units(std::int64_t count) {
    return count * parts_per_unit;
}

template <typename Condition>
TieBreakValue rounds_that(const StandingsRow& row, Condition condition) {
    return units(std::ranges::count_if(row.rounds, condition));
}

std::int64_t half_up(std::int64_t above, std::int64_t below) {
    return (2 * above + below) / (2 * below);
}

std::int64_t progressive(const StandingsRow& row) {
    Tenths running = 0;
    Tenths sum = 0;
    for (const auto& entry : row.rounds) {
        running += entry.points;
        sum += running;
    }
    return sum * parts_of_tenth;
}

// The mean value of those met in games, in whole steps; none without a game.
template <typename ValueOf>
TieBreakValue average_of_opponents(const StandingsRow& row, std::int64_t step,
                                   const ValueOf& value_of) {
    std::int64_t sum = 0;
    std::int64_t met = 0;
    for (const auto& entry : row.rounds) {
        if (!entry.is_game()) continue;
        for (const auto& meeting : row.met(entry)) {
            sum += value_of(meeting.opponent);
            ++met;
        }
    }
    if (met == 0) return std::nullopt;
    return half_up(sum, met * step) * step;
}

// Of its games; 0 without any.
std::int32_t percent_of(const StandingsRow& row) {
    std::int64_t halves = 0;
    std::int64_t games = 0;
    for (const auto& entry : row.rounds) {
        if (!entry.is_game()) continue;
        halves += entry.outcome == PairingOutcome::win    ? 2
                  : entry.outcome == PairingOutcome::draw ? 1
                                                          : 0;
        ++games;
    }
    return games == 0 ? 0 : static_cast<std::int32_t>(half_up(100 * halves, 2 * games));
}

// Works out the columns of a crosstable one by one, keeping what several of them need.
class Columns {
 public:
    // The table must outlive it.
    explicit Columns(const Crosstable& table)
        : table_(table),
          as_played_(contributions(table, LastRound::as_played)),
          everybody_is_rated_(!base::contains(table.rows, 0, &StandingsRow::rating)) {}

    // Requires: any tie-break but direct encounter, which depends on the ties before it.
    StandingsColumn column(TieBreak tie_break) {
        if (tie_break == TieBreak::fore_buchholz && !with_last_drawn_)
            with_last_drawn_ = contributions(table_, LastRound::drawn_by_all);
        StandingsColumn column{tie_break, {}};
        for (std::size_t p = 0; p < table_.rows.size(); ++p)
            column.cells.push_back(cell(tie_break, p));
        return column;
    }

 private:
    TieBreakValue cell(TieBreak tie_break, std::size_t p) const {
        const StandingsRow& row = table_.rows[p];
        const auto& rounds = as_played_.by_round[p];
        switch (tie_break) {
            case TieBreak::points:
                return as_played_.plain[p] * parts_of_tenth;
            case TieBreak::buchholz:
                return sum_of(rounds, Summand::score);
            case TieBreak::buchholz_cut_1:
                return sum_of(rounds, Summand::score, true);
            case TieBreak::median_buchholz:
                return sum_of(rounds, Summand::score, true, true);
            case TieBreak::sonneborn_berger:
                return sum_of(rounds, Summand::weighted);
            case TieBreak::sonneborn_berger_cut_1:
                return sum_of(rounds, Summand::weighted, true);
            case TieBreak::fore_buchholz:
                return sum_of(with_last_drawn_->by_round[p], Summand::score);
            case TieBreak::progressive:
                return progressive(row);
            case TieBreak::wins:
                return rounds_that(row, [](const auto& e) { return e.won; });
            case TieBreak::games_won:
                return rounds_that(row, [](const auto& e) { return e.is_game() && e.won; });
            case TieBreak::second_seat_games:
                return rounds_that(row, [](const auto& e) { return e.is_game() && e.second_seat; });
            case TieBreak::second_seat_wins:
                return rounds_that(
                    row, [](const auto& e) { return e.is_game() && e.second_seat && e.won; });
            case TieBreak::rounds_played:
                return rounds_that(row, [](const auto& e) { return e.outcome && !e.left_out(); });
            case TieBreak::koya:
                return koya(row);
            case TieBreak::average_opponent_buchholz:
                return average_of_opponents(row, parts_per_unit / 100, [this](std::size_t other) {
                    return sum_of(as_played_.by_round[other], Summand::score);
                });
            case TieBreak::average_opponent_rating:
                return rating(row, 0);
            case TieBreak::performance_rating:
                return rating(row, rating_difference(percent_of(row)));
            case TieBreak::scores:
                return row.scores * parts_of_tenth;
            case TieBreak::average:
                if (row.games == 0) return std::nullopt;
                return half_up(as_played_.plain[p] * parts_of_tenth, row.games);
            case TieBreak::time_used:
                return units(row.used_us);
            case TieBreak::direct_encounter:
                break;
        }
        REFEREE_ASSERT(false);
        return std::nullopt;
    }

    std::int64_t koya(const StandingsRow& row) const {
        const Tenths all_won = table_.points.win * static_cast<Tenths>(table_.rounds);
        Tenths sum = 0;
        for (const auto& entry : row.rounds) {
            for (const auto& meeting : row.met(entry)) {
                if (2 * as_played_.plain[meeting.opponent] >= all_won) sum += meeting.credit;
            }
        }
        return sum * parts_of_tenth / table_.points.others;
    }

    // The mean of the opponents', and so much more; none where somebody has no rating.
    TieBreakValue rating(const StandingsRow& row, std::int32_t more) const {
        if (!everybody_is_rated_) return std::nullopt;
        const auto mean = average_of_opponents(
            row, 1, [this](std::size_t other) { return table_.rows[other].rating; });
        return mean ? units(*mean + more) : mean;
    }

    const Crosstable& table_;
    Contributions as_played_;
    bool everybody_is_rated_;
    std::optional<Contributions> with_last_drawn_;  // once it is asked for
};

// -1: a is better.
int compare_cells(TieBreakValue a, TieBreakValue b, bool lower) {
    if (a == b) return 0;
    if (!a || !b) return a ? -1 : 1;
    return (*a < *b) == lower ? -1 : 1;
}

int compare_rows(const std::vector<StandingsColumn>& columns, std::size_t a, std::size_t b) {
    for (const auto& column : columns) {
        const int found =
            compare_cells(column.cells[a], column.cells[b], lower_is_better(column.tie_break));
        if (found != 0) return found;
    }
    return 0;
}

std::vector<std::size_t> sorted_rows(const Crosstable& table,
                                     const std::vector<StandingsColumn>& columns) {
    std::vector<std::size_t> order;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        if (table.rows[row].ranked) order.push_back(row);
    }
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return compare_rows(columns, a, b) < 0; });
    return order;
}

// Places inside each tie that the columns so far leave; 0 for all where nobody is separated.
StandingsColumn direct_encounters(const Crosstable& table,
                                  const std::vector<StandingsColumn>& before) {
    StandingsColumn column{TieBreak::direct_encounter,
                           std::vector<TieBreakValue>(table.rows.size(), 0)};
    const auto order = sorted_rows(table, before);
    for (std::size_t first = 0; first < order.size();) {
        std::size_t end = first + 1;
        while (end < order.size() && compare_rows(before, order[first], order[end]) == 0) ++end;
        const std::span group(order.data() + first, end - first);
        const auto places = direct_encounter(table, group);
        const bool flat = std::ranges::all_of(places, [](std::size_t place) { return place == 1; });
        for (std::size_t i = 0; i < group.size() && !flat; ++i)
            column.cells[group[i]] = static_cast<std::int64_t>(places[i]) * parts_per_unit;
        first = end;
    }
    return column;
}

}  // namespace

std::string text_of(TieBreakValue value) {
    if (!value) return "-0";
    constexpr std::int64_t parts_per_hundredth = parts_per_unit / 100;
    const bool negative = *value < 0;
    const std::int64_t size = negative ? -*value : *value;
    const std::int64_t hundredths = (size + parts_per_hundredth / 2) / parts_per_hundredth;
    std::string text = negative && hundredths != 0 ? "-" : "";
    text += std::to_string(hundredths / 100);
    const std::int64_t rest = hundredths % 100;
    if (rest == 0) return text;
    text += '.';
    text += static_cast<char>('0' + rest / 10);
    if (rest % 10 != 0) text += static_cast<char>('0' + rest % 10);
    return text;
}

Ranking rank_by(const Crosstable& table, std::span<const TieBreak> order) {
    Ranking ranking;
    Columns columns(table);
    for (const auto tie_break : order)
        ranking.columns.push_back(tie_break == TieBreak::direct_encounter
                                      ? direct_encounters(table, ranking.columns)
                                      : columns.column(tie_break));
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

Standings standings_of(const StandingsSetup& field, std::span<const MatchResult> matches,
                       std::span<const Bye> byes, std::span<const TieBreak> order) {
    Standings standings{crosstable_of(field, matches, byes), {}};
    standings.ranking = rank_by(standings.table, order);
    return standings;
}

}  // namespace referee::standings
