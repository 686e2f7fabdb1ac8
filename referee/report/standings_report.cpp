#include "referee/report/standings_report.h"

#include <algorithm>
#include <array>

#include "protocol/json/writer.h"
#include "referee/report/text_table.h"
#include "referee/standings/fold.h"

namespace referee::report {
namespace {

namespace json = protocol::json;
using scheduler::Contest;
using standings::Entrant;

// A bot's own matches, counted.
struct Record {
    std::uint64_t won = 0, drawn = 0, lost = 0;
};

struct Row {
    std::size_t rank = 0;
    Entrant entrant = 0;
    Record record;
    std::vector<std::string> cells;  // by tie-break
    std::vector<const tournament::MatchResult*> matches;
};

void count(const tournament::MatchResult& match, std::size_t seat, Record& record) {
    const auto best = std::count(match.placing.begin(), match.placing.end(), 1);
    if (match.placing[seat] != 1) {
        ++record.lost;
    } else if (best > 1 && match.placing.size() > 1) {
        ++record.drawn;
    } else {
        ++record.won;
    }
}

std::vector<Row> rows_of(const Contest& contest) {
    standings::FieldOfPlay field;
    field.ratings.assign(contest.entrants(), 0);
    field.unranked = contest.config().format.opponents;
    std::vector<tournament::MatchResult> matches;
    for (const auto& [ordinal, match] : contest.results()) matches.push_back(match);
    const auto folded = standings::standings_of(field, matches, contest.byes(), contest.config().tie_breaks);
    std::vector<Row> rows;
    for (const auto index : folded.ranking.order) {
        Row row;
        row.rank = folded.ranking.rank[index];
        row.entrant = index;
        for (const auto& column : folded.ranking.columns) row.cells.push_back(standings::text_of(column.cells[index]));
        for (const auto& [ordinal, match] : contest.results()) {
            const auto seat = std::find(match.seats.begin(), match.seats.end(), index);
            if (seat == match.seats.end()) continue;
            count(match, static_cast<std::size_t>(seat - match.seats.begin()), row.record);
            row.matches.push_back(&match);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

void write_match(json::Writer& writer, const Contest& contest, const tournament::MatchResult& match, Entrant entrant) {
    writer.begin_object()
        .member("match", match_id(contest.config().id, match.match))
        .member("round", match.round)
        .key("opponents")
        .begin_array();
    for (const auto other : match.seats) {
        if (other != entrant) writer.string(contest.name(other));
    }
    writer.end_array();
    const auto seat = static_cast<std::size_t>(std::find(match.seats.begin(), match.seats.end(), entrant) - match.seats.begin());
    writer.member("seat", static_cast<std::uint64_t>(seat)).key("points");
    match.points[seat].write(writer);
    writer.key("score");
    match.scores[seat].write(writer);
    writer.member("games", match.games).end_object();
}

void write_row(json::Writer& writer, const Contest& contest, const Row& row) {
    writer.begin_object()
        .member("rank", static_cast<std::uint64_t>(row.rank))
        .member("name", contest.name(row.entrant))
        .member("played", static_cast<std::uint64_t>(row.matches.size()))
        .member("won", row.record.won)
        .member("drawn", row.record.drawn)
        .member("lost", row.record.lost)
        .member("clock", clock::name_of(contest.config().clock.kind))
        .member("measure", clock::name_of(contest.config().clock.measure));
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        writer.key(standings::name_of(contest.config().tie_breaks[i])).raw(row.cells[i] == "-0" ? "null" : row.cells[i]);
    }
    writer.key("matches").begin_array();
    for (const auto* match : row.matches) write_match(writer, contest, *match, row.entrant);
    writer.end_array().end_object();
}

std::string json_of(const Contest& contest, const std::vector<Row>& rows) {
    std::string text;
    json::Writer writer(text);
    const auto& config = contest.config();
    writer.begin_object()
        .member("tournament", config.id)
        .member("game", config.game)
        .member("format", tournament::name_of(config.format.kind))
        .member("seed", config.seed)
        .member("finished", contest.over())
        .key("tie_breaks")
        .begin_array();
    for (const auto tie_break : config.tie_breaks) writer.string(standings::name_of(tie_break));
    writer.end_array().key("bots").begin_array();
    for (const auto& row : rows) {
        text += '\n';
        write_row(writer, contest, row);
    }
    writer.end_array().end_object();
    text += '\n';
    return text;
}

std::string csv_cell(std::string_view text) {
    if (text.find_first_of(",\"\n") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

std::vector<std::string> heading(const Contest& contest) {
    std::vector<std::string> names{"rank", "name"};
    for (const auto tie_break : contest.config().tie_breaks) names.emplace_back(standings::name_of(tie_break));
    for (const auto* name : {"played", "won", "drawn", "lost"}) names.emplace_back(name);
    return names;
}

std::vector<std::string> cells_of(const Contest& contest, const Row& row) {
    std::vector<std::string> cells{std::to_string(row.rank), contest.name(row.entrant)};
    cells.insert(cells.end(), row.cells.begin(), row.cells.end());
    for (const auto number : {std::uint64_t{row.matches.size()}, row.record.won, row.record.drawn, row.record.lost}) {
        cells.push_back(std::to_string(number));
    }
    return cells;
}

}  // namespace

StandingsText standings_of(const Contest& contest) {
    const auto rows = rows_of(contest);
    StandingsText standings;
    standings.json = json_of(contest, rows);
    TextTable table(heading(contest));
    const auto csv_line = [&standings](const std::vector<std::string>& cells) {
        for (std::size_t i = 0; i < cells.size(); ++i) standings.csv += (i == 0 ? "" : ",") + csv_cell(cells[i]);
        standings.csv += '\n';
    };
    csv_line(heading(contest));
    for (const auto& row : rows) {
        const auto cells = cells_of(contest, row);
        csv_line(cells);
        table.add(cells);
    }
    standings.text = contest.config().id + ": " + contest.config().game + ", " +
                     std::string(tournament::name_of(contest.config().format.kind)) + ", clock " +
                     std::string(clock::name_of(contest.config().clock.kind)) + " by " +
                     std::string(clock::name_of(contest.config().clock.measure)) + " time\n\n" + table.text();
    return standings;
}

}  // namespace referee::report
