#include "referee/report/standings_rows.h"

#include <algorithm>
#include <cmath>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/contest/formats/format.h"
#include "referee/files/text_table.h"
#include "referee/report/certainty.h"

namespace referee::report {
namespace {

void count(const Appearance& appearance, Tally& tally) {
    const auto& placing = appearance.match->placing;
    const auto best = std::ranges::count(placing, 1);
    if (placing.size() == 1) return;  // alone, it had nobody to win against
    if (!came(*appearance.match, appearance.seat) || placing[appearance.seat] != 1) {
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
        if (ledger.config.house.contains(ledger.name(entrant))) house.push_back(entrant);
    }
    return house;
}

// The place that a format gives, counted among those who are ranked.
std::size_t place_without(const std::vector<standings::Entrant>& house,
                          const std::vector<std::size_t>& places, standings::Entrant entrant) {
    const auto before = std::ranges::count_if(
        house, [&](const auto other) { return places[other] < places[entrant]; });
    return places[entrant] - static_cast<std::size_t>(before);
}

constexpr int elo_decimals = 1;
constexpr int skill_decimals = 2;
constexpr double whole_percent = 100;

std::string percent(double share) {
    return std::to_string(std::lround(share * whole_percent)) + "%";
}

void add(RatingColumn& column, bool is_known, double value, int decimals) {
    column.cells.push_back(is_known ? files::fixed_text(value, decimals) : "");
}

std::vector<RatingColumn> elo_columns(const rating::EloTable& elo, std::span<const Row> rows) {
    std::vector<RatingColumn> columns{
        {"elo", "elo", {}}, {"elo_error95", "+-95%", {}}, {"superiority", "los", {}}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto one = rows[i].entrant;
        const auto next = i + 1 < rows.size() ? rows[i + 1].entrant : one;
        const auto& rating = elo.ratings[one];
        const bool has_next = next != one && rating.elo && elo.ratings[next].elo;
        add(columns[0], rating.elo.has_value(), rating.elo.value_or(0), elo_decimals);
        add(columns[1], rating.elo.has_value(), rating.error95, elo_decimals);
        add(columns[2], has_next, has_next ? elo.superiority(one, next) : 0, share_decimals);
    }
    return columns;
}

std::vector<RatingColumn> skill_columns(const Ratings& ratings, std::span<const Row> rows) {
    std::vector<RatingColumn> columns{{"skill", "skill", {}}, {"skill_deviation", "+-", {}}};
    for (const auto& row : rows) {
        const auto& skill = ratings.skills[row.entrant];
        const bool rated = ratings.rated[row.entrant] > 0;
        add(columns[0], rated, skill.mean, skill_decimals);
        add(columns[1], rated, skill.deviation, skill_decimals);
    }
    return columns;
}

constexpr int share_figure_decimals = 4;
constexpr double deviations_of_95 = 1.96;

std::span<const Row> ranked_rows(std::span<const Row> rows) {
    const auto is_ranked = [](const Row& row) { return row.rank != 0; };
    return rows.first(static_cast<std::size_t>(std::ranges::count_if(rows, is_ranked)));
}

using certainty::EffectKind;
using certainty::SeatEffect;

constexpr int percent_decimals = 1;
constexpr double percent_least = 0.1;

std::string percent_text(double share) {
    return files::fixed_text(share * whole_percent, percent_decimals) + '%';
}

std::string signed_percent(double share) {
    const auto text = percent_text(share);
    return text.front() == '-' ? text : '+' + text;
}

std::string chance_text(double p) {
    return p * whole_percent < percent_least ? "below 0.1%" : "at most " + percent_text(p);
}

std::string what_is_told(const SeatEffect& effect) {
    if (effect.kind == EffectKind::first_move) return "who moves first";
    const auto seat = "seat " + std::to_string(effect.seat);
    if (effect.kind == EffectKind::seat) return seat;
    return fmt::format("{} on setup {}", seat, effect.setup);
}

// Pairs of neighbours whose 95% intervals of ranks don't overlap.
std::size_t told_apart(std::span<const Row> rows, const Ratings& ratings) {
    std::size_t sure = 0;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        const auto& upper = ratings.ranks->intervals[rows[i].entrant];
        const auto& lower = ratings.ranks->intervals[rows[i + 1].entrant];
        sure += upper.worst < lower.best ? 1 : 0;
    }
    return sure;
}

}  // namespace

std::string rank_text(std::size_t rank) {
    return rank == 0 ? "house" : std::to_string(rank);
}

void write_bye(protocol::json::Writer& writer, const formats::Bye& bye) {
    bye.points.write(writer.member("kind", standings::name_of(bye.kind)).key("points"));
}

std::vector<standings::Entrant> unranked_of(const Ledger& ledger) {
    auto unranked = formats::fixed_opponents(ledger.config.format);
    for (const auto entrant : house_of(ledger))
        if (!base::contains(unranked, entrant)) unranked.push_back(entrant);
    return unranked;
}

standings::Standings folded(const Ledger& ledger) {
    standings::StandingsSetup field;
    for (const auto& entry : ledger.entries) field.ratings.push_back(entry.rating);
    field.unranked = unranked_of(ledger);
    field.points = formats::points_of(ledger.config.format);
    return standings::standings_of(field, ledger.results, ledger.byes, ledger.config.tie_breaks);
}

std::vector<Row> rows_of(const Ledger& ledger) {
    const auto standings = folded(ledger);
    std::vector<std::vector<Appearance>> appearances(ledger.entries.size());
    for (const auto& match : ledger.results)
        for (std::size_t seat = 0; seat < match.seats.size(); ++seat)
            appearances[match.seats[seat]].push_back({&match, seat});
    std::vector<std::vector<formats::Bye>> byes(ledger.entries.size());
    for (const auto& bye : ledger.byes) byes[bye.entrant].push_back(bye);
    std::vector<Row> rows;
    auto house = house_of(ledger);
    const auto played_and_place = [&](standings::Entrant entrant) {
        return std::pair(appearances[entrant].empty(),
                         ledger.places ? (*ledger.places)[entrant] : 0);
    };
    std::ranges::stable_sort(
        house, [&](auto a, auto b) { return played_and_place(a) < played_and_place(b); });
    auto order = standings.ranking.order;
    order.insert(order.end(), house.begin(), house.end());
    for (const auto entrant : order) {
        auto& row = rows.emplace_back();
        row.rank = standings.ranking.rank[entrant];
        if (ledger.places && rows.size() <= standings.ranking.order.size())
            row.rank = place_without(house, *ledger.places, entrant);
        row.entrant = entrant;
        for (const auto& column : standings.ranking.columns)
            row.cells.push_back(standings::text_of(column.cells[entrant]));
        row.appearances = std::move(appearances[entrant]);
        row.byes = std::move(byes[entrant]);
        for (const auto& appearance : row.appearances) count(appearance, row.tally);
    }
    std::ranges::stable_sort(rows, [](const Row& a, const Row& b) {
        return b.rank == 0 ? a.rank != 0 : a.rank != 0 && a.rank < b.rank;
    });
    return rows;
}

std::vector<RatingColumn> figure_columns(const Ledger& ledger, std::span<const Row> rows) {
    std::vector<RatingColumn> columns;
    if (ledger.figures) {
        columns.push_back({"ladder_rating", "rating", {}});
        for (const auto& row : rows)
            add(columns[0], true, (*ledger.figures)[row.entrant], elo_decimals);
    } else if (ledger.adaptive != nullptr) {
        columns = {
            {"share", "share", {}}, {"share_low95", "from", {}}, {"share_high95", "to 95%", {}}};
        const auto& model = ledger.adaptive->model();
        for (const auto& row : rows) {
            const double share = model.share(row.entrant);
            const double error = deviations_of_95 * std::sqrt(model.variance(row.entrant));
            std::size_t column = 0;
            for (const double end : {share, share - error, share + error})
                add(columns[column++], true, std::clamp(end, 0.0, 1.0), share_figure_decimals);
        }
    }
    return columns;
}

std::string figure_sentence(const Ledger& ledger) {
    if (ledger.figures)
        return fmt::format(
            "The ladder ranks by \"rating\", which each match moves: by up to {} points in a bot's "
            "first {} matches, then by up to {}, and by more for a new program. Who has played "
            "fewer than {} matches, or is withdrawn, stands behind the others. \"elo\" is worked "
            "out from all matches in the table at once, and may order neighbours otherwise.",
            files::fixed_text(rating::step_of_newcomers, 0), rating::newcomer_matches_max,
            files::fixed_text(rating::step_of_others, 0), formats::ladder_matches_to_rank);
    if (ledger.adaptive != nullptr)
        return "Ranks are by \"share\", the part of the points of a round robin without end, "
               "worked out for this table from all matches in it; who left stands at the end. "
               "\"elo\" is strength alone, without what single pairs do otherwise, and may order "
               "neighbours otherwise.";
    return {};
}

std::vector<RatingColumn> rating_columns(const Ratings& ratings, std::span<const Row> rows) {
    if (ratings.elo) return elo_columns(*ratings.elo, rows);
    if (!ratings.skills.empty()) return skill_columns(ratings, rows);
    return {};
}

std::string order_sentence(const Ledger& ledger, std::span<const Row> rows,
                           const Ratings& ratings) {
    rows = ranked_rows(rows);
    if (rows.size() < 2) return {};
    if (!ratings.ranks) {
        if (ratings.drawn_from == 0) return {};
        return fmt::format(
            "How sure the order is can't be said: there are fewer than {} matches for each bot.",
            matches_a_bot_min);
    }
    const auto& first = rows.front().entrant;
    const bool by_games = ledger.config.format.kind() == formats::FormatKind::leaderboard;
    return fmt::format(
        "How sure the order is: in {} draws of what the strengths may be after {}{}, {} was the "
        "strongest in {}; {} of {} pairs of neighbours have 95% intervals of ranks that don't "
        "overlap.",
        ratings.draws, ratings.drawn_from, by_games ? " games of the list" : " matches",
        ledger.name(first), percent(ratings.ranks->first_share[first]), told_apart(rows, ratings),
        rows.size() - 1);
}

std::string sureness(std::span<const Row> rows, const Ledger& ledger, const Ratings& ratings) {
    rows = ranked_rows(rows);
    if (rows.size() < 2 || (!ratings.ranks && ratings.drawn_from == 0)) return {};
    if (!ratings.ranks) return "How sure the order is can't be said yet.";
    const auto& first = rows.front().entrant;
    return fmt::format(
        "How sure the order is: {} is the strongest with {}, and {} of {} neighbours can be told "
        "apart.",
        ledger.name(first), percent(ratings.ranks->first_share[first]), told_apart(rows, ratings),
        rows.size() - 1);
}

// Where half of the matches and more told nothing.
constexpr const char* more_starts =
    " Warning: so many repetitions are little evidence. Bots without chance need different starts: "
    "\"setups\" with several params, and \"starts\": \"drawn\" in \"match\".";

std::string matches_sentence(const Ratings& ratings) {
    if (ratings.matches + ratings.gameless == 0) return {};
    auto text = base::counted(ratings.matches + ratings.gameless, "match", "matches") + ", ";
    if (ratings.gameless > 0)
        text += std::to_string(ratings.gameless) +
                " of them without a game, by a bot that didn't come or an arbiter; ";
    text += std::to_string(ratings.distinct) + " distinct.";
    if (ratings.distinct == ratings.matches) return text;
    return text +
           " The others only repeat games that were played before, move by move: their points "
           "count in the standings, but ratings, intervals and tests take them once." +
           (2 * ratings.distinct <= ratings.matches ? more_starts : "");
}

std::string groups_sentence(const Ratings& ratings) {
    if (!ratings.elo || ratings.elo->groups < 2) return {};
    return fmt::format(
        "The field is in {} groups that never met: Elo ratings and their intervals stand against "
        "the mean of each group, and say nothing of bots of different groups.",
        ratings.elo->groups);
}

std::string test_sentence(const Ledger& ledger, const Ratings& ratings) {
    if (!ratings.sprt) return {};
    const auto& bounds = *formats::sequential_test(ledger.config.format);
    const auto& state = ratings.sprt->test;
    const auto range = files::fixed_text(bounds.elo0, elo_decimals) + " and " +
                       files::fixed_text(bounds.elo1, elo_decimals) + " Elo of a " +
                       std::string(name_of(bounds.elo));
    std::string verdict = "undecided so far";
    if (state.verdict == rating::SprtVerdict::stronger) verdict = "stronger";
    if (state.verdict == rating::SprtVerdict::not_stronger) verdict = "not stronger";
    return fmt::format(
        "Sequential test between {}: {} is {} after {} matches, {} of them distinct; log "
        "likelihood ratio {}, bounds {} and {}.",
        range, ledger.entries.front().name, verdict, ratings.sprt->matches, state.matches,
        files::fixed_text(state.log_likelihood_ratio, share_decimals),
        files::fixed_text(state.lower, share_decimals),
        files::fixed_text(state.upper, share_decimals));
}

std::string seats_sentence(const Certainty& certainty) {
    const SeatEffect* surest = nullptr;
    std::size_t real = 0;
    for (const auto& effect : certainty.seats.effects) {
        if (!effect.real) continue;
        ++real;
        if (surest == nullptr || effect.p < surest->p) surest = &effect;
    }
    if (surest == nullptr) return {};
    auto text =
        "Warning: where a bot sits matters: " + what_is_told(*surest) + " gets " +
        signed_percent(*surest->advantage) +
        " of a game's points beside an even share (95%: " + signed_percent(surest->interval.low) +
        " to " + signed_percent(surest->interval.high) + "; by chance: " + chance_text(surest->p) +
        ')';
    if (real > 1) text += fmt::format("; standings.json has {} more", real - 1);
    return text + '.';
}

}  // namespace referee::report
