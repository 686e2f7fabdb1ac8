#include "referee/report/standings_report.h"

#include "referee/contest/formats/knockout.h"
#include "referee/report/adaptive_report.h"
#include "referee/report/arbiter_report.h"
#include "referee/report/cells.h"
#include "referee/report/certainty.h"
#include "referee/report/programs_report.h"
#include "referee/report/rating_columns.h"
#include "referee/report/standings_json.h"
#include "referee/report/text_table.h"

namespace referee::report {
namespace {

using Cells = std::vector<std::string>;

std::string interval_text(const rating::RankInterval& interval) {
    const auto best = std::to_string(interval.best);
    return interval.best == interval.worst ? best : best + "-" + std::to_string(interval.worst);
}

Cells counts_of(const Row& row) {
    Cells cells;
    for (const auto number :
         {std::uint64_t{row.appearances.size()}, row.tally.won, row.tally.drawn, row.tally.lost}) {
        cells.push_back(std::to_string(number));
    }
    return cells;
}

void append(Cells& cells, Cells more) {
    cells.insert(cells.end(), more.begin(), more.end());
}

// The first cells of the heading, which are the same in the file and in the table for people.
Cells heading(const Ledger& ledger) {
    Cells cells{"rank", "name"};
    for (const auto tie_break : ledger.config.tie_breaks) {
        cells.emplace_back(standings::name_of(tie_break));
    }
    append(cells, {"played", "won", "drawn", "lost"});
    return cells;
}

Cells beginning(const Ledger& ledger, const Row& row) {
    Cells cells{std::to_string(row.rank), ledger.entries[row.entrant].name};
    append(cells, row.cells);
    append(cells, counts_of(row));
    return cells;
}

std::vector<RatingColumn> columns_of(const Ledger& ledger, const std::vector<Row>& rows,
                                     const Ratings& ratings) {
    auto columns = figure_columns(ledger, rows);
    for (auto& column : rating_columns(ratings, rows)) columns.push_back(std::move(column));
    return columns;
}

// Empty where it isn't.
std::string why_withdrawn(const Ledger& ledger, standings::Entrant entrant) {
    const auto gone = ledger.withdrawn.find(entrant);
    return gone == ledger.withdrawn.end() ? "" : gone->second;
}

std::string csv_of(const Ledger& ledger, const std::vector<Row>& rows, const Ratings& ratings) {
    const auto columns = columns_of(ledger, rows, ratings);
    std::string text;
    auto first = heading(ledger);
    for (const auto& column : columns) first.emplace_back(column.name);
    if (ratings.ranks) append(first, {"rank_best", "rank_worst"});
    append(first, {"clock", "measure", "withdrawn"});
    add_csv_line(text, first);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        auto cells = beginning(ledger, rows[i]);
        for (auto& cell : cells) {
            if (cell == "-0") cell.clear();
        }
        for (const auto& column : columns) cells.push_back(column.cells[i]);
        if (ratings.ranks) {
            const auto& interval = ratings.ranks->intervals[rows[i].entrant];
            append(cells, {std::to_string(interval.best), std::to_string(interval.worst)});
        }
        append(cells, {std::string(clock::name_of(ledger.config.clock.kind)),
                       std::string(clock::name_of(ledger.config.clock.measure)),
                       why_withdrawn(ledger, rows[i].entrant)});
        add_csv_line(text, cells);
    }
    return text;
}

std::string table_of(const Ledger& ledger, const std::vector<Row>& rows, const Ratings& ratings) {
    const auto columns = columns_of(ledger, rows, ratings);
    auto first = heading(ledger);
    for (const auto& column : columns) first.emplace_back(column.heading);
    if (ratings.ranks) first.emplace_back("ranks");
    TextTable table(first);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        auto cells = beginning(ledger, rows[i]);
        for (const auto& column : columns) cells.push_back(column.cells[i]);
        if (ratings.ranks)
            cells.push_back(interval_text(ratings.ranks->intervals[rows[i].entrant]));
        table.add(cells);
    }
    return table.text();
}

// Lists knockout matches that ended level.
std::string level_matches(const Ledger& ledger) {
    std::string text;
    for (const auto& match : ledger.results) {
        if (!match.one_goes_on) continue;
        const auto decision = formats::decision_of(match);
        if (decision.level_by.empty()) continue;
        const auto name = [&](std::size_t seat) { return ledger.entries[match.seats[seat]].name; };
        text += "Round " + std::to_string(match.round) + ", " + name(0) + " - " + name(1) +
                ", is level: " + name(decision.winner) + " goes on by " +
                std::string(decision.level_by) + '\n';
    }
    return text;
}

std::string text_of(const Ledger& ledger, const std::vector<Row>& rows, const Ratings& ratings,
                    const Certainty& certainty) {
    const auto& config = ledger.config;
    std::string text = config.id + ": " + config.game + ", " +
                       std::string(formats::name_of(config.format.kind())) + ", clock " +
                       std::string(clock::name_of(config.clock.kind)) + " by " +
                       std::string(clock::name_of(config.clock.measure)) + " time\n\n" +
                       table_of(ledger, rows, ratings);
    for (const auto& sentence :
         {figure_sentence(ledger), matches_sentence(ratings), groups_sentence(ratings),
          order_sentence(ledger, rows, ratings), test_sentence(ledger, ratings),
          question_sentence(ledger, ratings), seats_sentence(certainty)}) {
        if (!sentence.empty()) text += '\n' + sentence + '\n';
    }
    for (const auto& sentence : program_sentences(ledger)) text += '\n' + sentence + '\n';
    if (const auto level = level_matches(ledger); !level.empty()) text += '\n' + level;
    if (!ledger.set_aside.empty()) text += "\nSet aside: " + ledger.set_aside + '\n';
    for (const auto& sentence : arbiter_sentences(ledger)) text += "\nArbiter: " + sentence + '\n';
    if (const auto why = no_fide_pairing(ledger); !why.empty())
        text += "\nNo FIDE pairing: " + why + '\n';
    for (const auto& [entrant, reason] : ledger.withdrawn)
        text += "\nWithdrawn: " + ledger.entries[entrant].name + " (" + reason + ")\n";
    if (!ledger.ended_early.empty()) text += "\nEnded early: " + ledger.ended_early + '\n';
    return text;
}

}  // namespace

StandingsText standings_of(const Ledger& ledger) {
    const auto rows = rows_of(ledger);
    const auto ratings = ratings_of(ledger);
    const auto certainty = certainty_of(ledger);
    return {standings_json(ledger, rows, ratings, certainty), csv_of(ledger, rows, ratings),
            text_of(ledger, rows, ratings, certainty)};
}

}  // namespace referee::report
