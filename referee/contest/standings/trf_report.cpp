#include "referee/contest/standings/trf_report.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"

namespace referee::standings {
namespace {

using pairing::PairingOutcome;

constexpr int points_most = 999;  // 99.9 fills the four columns

class Report {
 public:
    Report(const Standings& standings, const TrfHead& head)
        : standings_(standings),
          ranks_(head.places.empty() ? standings.ranking.rank : head.places) {
        const auto& worth = standings.table.points;
        points_.win = points_.forfeit_win = points_.full_bye = static_cast<int>(worth.win);
        points_.draw = points_.half_bye = static_cast<int>(worth.draw);
        points_.loss = static_cast<int>(worth.loss);
        points_.allocated_bye = static_cast<int>(head.bye_points);
        document_.points = points_;
        document_.plain.push_back({"012", " " + head.tournament});
        const auto rounds = head.rounds_total == 0 ? standings.table.rounds : head.rounds_total;
        document_.rounds_total = static_cast<int>(rounds);
        document_.initial_colour =
            head.first_is_white ? pairing::Colour::white : pairing::Colour::black;
        document_.accelerations = head.accelerations;
        document_.forbidden = head.forbidden;
        by_number_ = head.by_number;
        if (by_number_.empty()) {
            by_number_.resize(standings.table.rows.size());
            std::iota(by_number_.begin(), by_number_.end(), std::size_t{0});
        }
        REFEREE_ASSERT(by_number_.size() == standings.table.rows.size());
        number_of_.resize(by_number_.size());
        for (const auto& row : standings.table.rows) {
            byes_.resize(std::max(byes_.size(), row.rounds.size()), 0);
            for (std::size_t round = 0; round < row.rounds.size(); ++round)
                if (row.rounds[round].outcome == PairingOutcome::allocated_bye) ++byes_[round];
        }
        int number = 0;
        for (const auto row : by_number_) number_of_[row] = ++number;
    }

    void add_all(std::span<const std::string> bots) {
        for (const auto row : by_number_) add(row, bots[row]);
    }

    trf::Document document() {
        for (auto& [key, numbers] : other_points_) {
            const auto& [round, code, points] = key;
            document_.abnormal.push_back({code, points, round, std::move(numbers)});
        }
        return std::move(document_);
    }

 private:
    void add(std::size_t index, const std::string& name) {
        const auto& row = standings_.table.rows[index];
        trf::PlayerRecord player;
        player.number = number_of_[index];
        player.name = name;
        if (row.rating != 0) player.rating = std::to_string(row.rating);
        player.rank = static_cast<int>(ranks_[index]);
        int points = 0;
        for (const auto& entry : row.rounds) {
            points += static_cast<int>(entry.points);
            player.rounds.push_back(opponent_in(row, entry));
            if (entry.outcome) write_outcome(*entry.outcome, entry.points, player);
        }
        while (!player.rounds.empty() && player.rounds.back().is_blank()) player.rounds.pop_back();
        if (points <= points_most) player.points_tenths = points;
        document_.players.push_back(std::move(player));
    }

    trf::TrfRound opponent_in(const StandingsRow& row, const RoundEntry& entry) const {
        REFEREE_ASSERT(entry.meetings <= 1);
        trf::TrfRound written;
        if (entry.meetings == 1) {
            written.opponent = number_of_[row.met(entry).front().opponent];
            written.colour = entry.second_seat ? 'b' : 'w';
        }
        return written;
    }

    // Of the player's last round; and its points, where they are not what the outcome is worth.
    void write_outcome(PairingOutcome outcome, Tenths points, trf::PlayerRecord& player) {
        const auto round = player.rounds.size();
        pairing::Game game;
        game.outcome = outcome;
        if (outcome == PairingOutcome::allocated_bye && byes_[round - 1] > 1)
            game.outcome = PairingOutcome::absent;
        player.rounds.back().result = trf::code_of_round(game.outcome);
        if (points == pairing::points_of(game, points_)) return;
        const auto key = std::tuple(static_cast<int>(round), trf::code_of_points(game.outcome),
                                    static_cast<int>(points));
        other_points_[key].push_back(player.number);
    }

    const Standings& standings_;
    const std::vector<std::size_t>& ranks_;
    std::vector<std::size_t> byes_;  // allocated ones, by round
    pairing::PairingPoints points_;
    std::vector<std::size_t> by_number_;
    std::vector<int> number_of_;  // by row
    trf::Document document_;
    std::map<std::tuple<int, char, int>, std::vector<int>> other_points_;
};

std::int32_t rating_of(const std::string& text) {
    std::int32_t rating = 0;
    const char* begin = text.data();
    const char* end = begin + text.size();
    while (begin != end && *begin == ' ') ++begin;
    std::from_chars(begin, end, rating);
    return rating;
}

RoundEntry entry_of(const pairing::Game& game, const pairing::PairingPoints& points) {
    RoundEntry entry;
    entry.outcome = game.outcome;
    entry.points = pairing::points_of(game, points);
    // A won game is a win even where the file gives it points of its own.
    const bool own_points = game.points_tenths.has_value();
    entry.won = entry.points == points.win || (own_points && game.outcome == PairingOutcome::win);
    entry.second_seat = game.colour == pairing::Colour::black;
    return entry;
}

}  // namespace

trf::Document trf_report(const Standings& standings, std::span<const std::string> bots,
                         const TrfHead& head) {
    REFEREE_ASSERT(bots.size() == standings.table.rows.size());
    Report report(standings, head);
    report.add_all(bots);
    return report.document();
}

TrfCrosstable crosstable_of(const trf::Document& document) {
    const auto field = trf::field_of(document);
    std::map<int, const pairing::Entrant*> entrants;
    for (const auto& entrant : field.entrants) entrants.emplace(entrant.number, &entrant);
    std::map<int, std::int32_t> ratings;
    for (const auto& player : document.players)
        ratings.emplace(player.number, rating_of(player.rating));
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
    for (const auto& entry : tie_break_names) {
        order.push_back(entry.value);
        if (entry.value == TieBreak::performance_rating) break;
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
        text += fmt::format("{}\t{}", crosstable.numbers[row], ranking.rank[row]);
        for (const auto& column : ranking.columns) text += '\t' + text_of(column.cells[row]);
        text += '\n';
    }
    return text;
}

}  // namespace referee::standings
