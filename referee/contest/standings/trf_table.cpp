#include "referee/contest/standings/trf_table.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace referee::standings {

namespace {

std::int32_t rating_of(const std::string& text) {
    std::int32_t rating = 0;
    const char* begin = text.data();
    const char* end = begin + text.size();
    while (begin != end && *begin == ' ') ++begin;
    std::from_chars(begin, end, rating);
    return rating;
}

RoundKind kind_of(pairing::Outcome outcome) {
    switch (outcome) {
        case pairing::Outcome::win:
        case pairing::Outcome::draw:
        case pairing::Outcome::loss:
            return RoundKind::game;
        case pairing::Outcome::forfeit_win:
            return RoundKind::forfeit_win;
        case pairing::Outcome::forfeit_loss:
            return RoundKind::forfeit_loss;
        case pairing::Outcome::allocated_bye:
            return RoundKind::pairing_bye;
        case pairing::Outcome::full_bye:
            return RoundKind::full_bye;
        case pairing::Outcome::half_bye:
            return RoundKind::half_bye;
        case pairing::Outcome::absent:
            break;
    }
    return RoundKind::zero_bye;
}

RoundEntry entry_of(const pairing::Game& game, const pairing::PointSystem& points) {
    RoundEntry entry;
    entry.kind = kind_of(game.outcome);
    entry.points = pairing::points_of(game, points);
    // A won game is a win even where the file gives it points of its own.
    const bool own_points = game.points_tenths.has_value();
    entry.won = entry.points == points.win || (own_points && game.outcome == pairing::Outcome::win);
    entry.second_seat = game.colour == pairing::Colour::black;
    if (game.outcome == pairing::Outcome::win) entry.standard_halves = 2;
    if (game.outcome == pairing::Outcome::draw) entry.standard_halves = 1;
    return entry;
}

}  // namespace

TrfCrosstable crosstable_of(const trf::Document& document) {
    const auto field = trf::field_of(document);
    std::map<int, const pairing::Entrant*> entrants;
    for (const auto& entrant : field.entrants) entrants.emplace(entrant.number, &entrant);
    std::map<int, std::int32_t> ratings;
    for (const auto& player : document.players) {
        ratings.emplace(player.number, rating_of(player.rating));
    }
    std::map<int, std::uint32_t> row_of;
    TrfCrosstable result;
    for (const auto& [number, entrant] : entrants) {
        row_of.emplace(number, static_cast<std::uint32_t>(row_of.size()));
        result.numbers.push_back(number);
    }
    const auto rounds = std::max(field.rounds_played, document.rounds_total.value_or(0));
    result.table.points = {field.points.win, field.points.draw, field.points.loss};
    result.table.rounds = static_cast<std::size_t>(rounds);
    for (const auto& [number, entrant] : entrants) {
        auto& row = result.table.rows.emplace_back();
        row.rating = ratings[number];
        for (int round = 1; round <= rounds; ++round) {
            const auto game =
                round <= field.rounds_played ? pairing::game_of(*entrant, round) : pairing::Game{};
            const auto entry = entry_of(game, field.points);
            std::vector<Meeting> met;
            const auto opponent = row_of.find(game.opponent);
            if (opponent != row_of.end()) met.push_back({opponent->second, entry.points});
            row.add(entry, met);
        }
    }
    return result;
}

std::vector<TieBreak> fide_order() {
    std::vector<TieBreak> order;
    for (const auto& entry : tie_break_names()) {
        order.push_back(entry.tie_break);
        if (entry.tie_break == TieBreak::performance_rating) break;
    }
    return order;
}

std::string trf_table(const trf::Document& document) {
    const auto crosstable = crosstable_of(document);
    const auto ranking = rank_by(crosstable.table, fide_order());
    std::string text = "StartNo\tRank";
    for (const auto& column : ranking.columns) {
        text += '\t';
        text += code_of(column.tie_break);
    }
    text += '\n';
    for (std::size_t row = 0; row < crosstable.numbers.size(); ++row) {
        text += std::to_string(crosstable.numbers[row]) + '\t' + std::to_string(ranking.rank[row]);
        for (const auto& column : ranking.columns) text += '\t' + text_of(column.cells[row]);
        text += '\n';
    }
    return text;
}

}  // namespace referee::standings
