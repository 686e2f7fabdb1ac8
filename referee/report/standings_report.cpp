#include "referee/report/tournament_texts.h"

#include <algorithm>
#include <span>

#include "protocol/base/text.h"
#include "referee/contest/formats/format.h"
#include "referee/contest/formats/knockout.h"
#include "referee/files/text_table.h"
#include "referee/game/result/game_result.h"
#include "referee/report/certainty.h"
#include "referee/report/ledger.h"
#include "referee/report/ratings.h"
#include "referee/report/standings_rows.h"

namespace referee::report {

namespace {

namespace json = protocol::json;

void write_games(json::Writer& writer, const Ledger& ledger, const formats::MatchResult& match,
                 std::size_t seat) {
    writer.key("games").begin_array();
    for (const auto& game : match.counted) {
        if (!game.scores[seat]) continue;  // a solo game of another bot
        writer.begin_object().member(
            "game", game_id({ledger.config.id, match.match, game.number, game.attempt}));
        game.scores[seat]->write(writer.key("score"));
        writer.end_object();
    }
    writer.end_array();
}

void write_match(json::Writer& writer, const Ledger& ledger, const Appearance& appearance) {
    const auto& [match, seat] = appearance;
    writer.begin_object()
        .member("match", match_id(ledger.config.id, match->match))
        .member("round", match->round)
        .key("opponents")
        .begin_array();
    for (std::size_t other = 0; other < match->seats.size(); ++other) {
        if (other != seat) writer.string(ledger.name(match->seats[other]));
    }
    writer.end_array().member("seat", seat).member("place", match->placing[seat]);
    match->points[seat].write(writer.key("points"));
    match->scores[seat].write(writer.key("score"));
    if (match->forfeit())
        writer.member("forfeit", true).member("absent", bool{match->absent[seat]});
    if (match->one_goes_on) {
        const auto decision = formats::decision_of(*match);
        writer.member("goes_on", decision.winner == seat);
        if (!decision.level_by.empty()) writer.member("level_by", decision.level_by);
    }
    write_games(writer, ledger, *match, seat);
    writer.end_object();
}

void write_byes(json::Writer& writer, std::span<const formats::Bye> byes) {
    writer.key("byes").begin_array();
    for (const auto& bye : byes) {
        writer.begin_object().member("round", bye.round);
        write_bye(writer, bye);
        writer.end_object();
    }
    writer.end_array();
}

void write_rating(json::Writer& writer, const Ratings& ratings,
                  std::span<const RatingColumn> columns, standings::Entrant entrant,
                  std::size_t index) {
    if (ratings.rated[entrant] > 0) {
        writer.key("rating").begin_object();
        for (const auto& column : columns) {
            const auto& cell = column.cells[index];
            writer.key(column.name).raw(cell.empty() ? "null" : cell);
        }
        writer.member("matches", ratings.rated[entrant]);
        if (ratings.elo) writer.member("group", ratings.elo->ratings[entrant].group);
        writer.end_object();
    }
    if (!ratings.ranks || ratings.ranks->intervals[entrant].best == 0) return;
    const auto& interval = ratings.ranks->intervals[entrant];
    writer.key("rank_interval")
        .begin_array()
        .unsigned_integer(interval.best)
        .unsigned_integer(interval.worst)
        .end_array();
    files::write_fixed(writer, "first_share", ratings.ranks->first_share[entrant], share_decimals);
}

void write_row(json::Writer& writer, const Ledger& ledger, const Row& row, const Ratings& ratings,
               std::span<const RatingColumn> figures, std::span<const RatingColumn> columns,
               std::size_t index) {
    const auto& config = ledger.config;
    writer.begin_object().key("rank");
    row.rank == 0 ? writer.null() : writer.unsigned_integer(row.rank);
    writer.member("name", ledger.name(row.entrant))
        .member("played", row.appearances.size())
        .member("won", row.tally.won)
        .member("drawn", row.tally.drawn)
        .member("lost", row.tally.lost)
        .member("clock", clock::name_of(config.clock.kind))
        .member("measure", clock::name_of(config.clock.measure));
    if (row.rank == 0) writer.member("house", true);
    if (const auto gone = ledger.withdrawn.find(row.entrant); gone != ledger.withdrawn.end())
        writer.member("withdrawn", gone->second);
    for (std::size_t i = 0; i < row.cells.size(); ++i)
        writer.key(standings::name_of(config.tie_breaks[i]))
            .raw(row.cells[i] == "-0" ? "null" : row.cells[i]);
    for (const auto& figure : figures) writer.key(figure.name).raw(figure.cells[index]);
    write_rating(writer, ratings, columns, row.entrant, index);
    writer.key("matches").begin_array();
    for (const auto& appearance : row.appearances) write_match(writer, ledger, appearance);
    writer.end_array();
    write_byes(writer, row.byes);
    write_annulled_of(writer, ledger, row.entrant);
    writer.end_object();
}

void write_sprt(json::Writer& writer, const formats::SprtBounds& bounds,
                const formats::GauntletState& gauntlet) {
    const auto& state = gauntlet.test;
    writer.key("sprt")
        .begin_object()
        .member("elo0", bounds.elo0)
        .member("elo1", bounds.elo1)
        .member("alpha", bounds.alpha)
        .member("beta", bounds.beta)
        .member("elo", formats::name_of(bounds.elo))
        .member("matches", gauntlet.matches)
        .member("distinct", state.matches);
    files::write_fixed(writer, "log_likelihood_ratio", state.log_likelihood_ratio, share_decimals);
    files::write_fixed(writer, "lower", state.lower, share_decimals);
    files::write_fixed(writer, "upper", state.upper, share_decimals);
    writer.member("verdict", rating::name_of(state.verdict)).end_object();
}

// The room that the games take, which are most of it where there are many: so it isn't copied as
// it grows.
std::size_t bytes_of_games(const Ledger& ledger) {
    constexpr std::size_t bytes_of_game = 38;  // {"game":"t/100.100","score":1},
    std::size_t bytes = 0;
    for (const auto& match : ledger.results)
        bytes += match.seats.size() * match.counted.size() * bytes_of_game;
    return bytes;
}

// The text of standings.json; configs/README.md describes its members.
std::string standings_json(const Ledger& ledger, std::span<const Row> rows, const Ratings& ratings,
                           const Certainty& certainty) {
    std::string text;
    text.reserve(bytes_of_games(ledger));
    json::Writer writer(text);
    const auto& config = ledger.config;
    writer.begin_object()
        .member("tournament", config.id)
        .member("game", config.game)
        .member("format", formats::name_of(config.format.kind()))
        .member("seed", config.seed)
        .member("finished", ledger.finished)
        .member("matches_played", ledger.matches_played);
    if (!ledger.ended_early.empty()) writer.member("ended_early", ledger.ended_early);
    if (!ledger.set_aside.empty()) writer.member("set_aside", ledger.set_aside);
    if (!no_fide_pairing(ledger).empty()) writer.member("fide_pairing", false);
    if (const auto sentences = arbiter_sentences(ledger); !sentences.empty())
        writer.key("arbiter").texts(sentences);
    writer.key("tie_breaks").texts(config.tie_breaks, [&](const auto& tie_break) {
        return standings::name_of(tie_break);
    });
    if (config.match.points == formats::MatchPoints::result &&
        formats::seats_of(config.format) > 1) {
        std::int64_t most = 0;
        for (const auto& row : rows) {
            // In a round robin it is for nothing.
            const auto byes = std::ranges::count_if(
                row.byes, [](const auto& bye) { return bye.points.in_halves() > 0; });
            most = std::max(most, byes + static_cast<std::int64_t>(row.appearances.size()));
        }
        most *= formats::win_of_match(config.format).in_halves();
        engines::Score::halves(most).write(writer.key("points_possible"));
    }
    writer.member("matches", ratings.matches)
        .member("distinct", ratings.distinct)
        .member("without_game", ratings.gameless);
    if (ratings.elo) writer.member("groups", ratings.elo->groups);
    if (const auto sentence = order_sentence(ledger, rows, ratings); !sentence.empty())
        writer.member("certainty", sentence).member("samples", ratings.draws);
    if (ratings.sprt) write_sprt(writer, *formats::sequential_test(config.format), *ratings.sprt);
    write_question(writer, ledger, ratings);
    write_program_changes(writer, ledger);
    write_certainty(writer, ledger, rows, ratings, certainty);
    const auto figures = figure_columns(ledger, rows);
    const auto columns = rating_columns(ratings, rows);
    writer.key("bots").begin_array();
    for (std::size_t index = 0; index < rows.size(); ++index) {
        text += '\n';
        write_row(writer, ledger, rows[index], ratings, figures, columns, index);
    }
    writer.end_array().end_object();
    text += '\n';
    return text;
}

std::string interval_text(const rating::RankInterval& interval) {
    if (interval.best == 0) return "-";
    const auto best = std::to_string(interval.best);
    return interval.best == interval.worst ? best : fmt::format("{}-{}", best, interval.worst);
}

void append(files::Cells& cells, const files::Cells& more) {
    cells.insert(cells.end(), more.begin(), more.end());
}

// The heading and a line for each row: what the file and the tables for people have alike. `called`
// is the name that columns have there.
std::vector<files::Cells> lines_of(const Ledger& ledger, std::span<const Row> rows,
                                   std::span<const RatingColumn> columns,
                                   std::string_view RatingColumn::*called) {
    std::vector<files::Cells> lines{{"rank", "name"}};
    auto& heading = lines.front();
    for (const auto tie_break : ledger.config.tie_breaks)
        heading.emplace_back(standings::name_of(tie_break));
    append(heading, {"played", "won", "drawn", "lost"});
    for (const auto& column : columns) heading.emplace_back(column.*called);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& row = rows[i];
        files::Cells line{rank_text(row.rank), ledger.name(row.entrant)};
        append(line, row.cells);
        for (const auto number : {std::uint64_t{row.appearances.size()}, row.tally.won,
                                  row.tally.drawn, row.tally.lost})
            line.push_back(std::to_string(number));
        for (const auto& column : columns) line.push_back(column.cells[i]);
        lines.push_back(std::move(line));
    }
    return lines;
}

std::vector<RatingColumn> columns_of(const Ledger& ledger, const std::vector<Row>& rows,
                                     const Ratings& ratings) {
    auto columns = figure_columns(ledger, rows);
    for (auto& column : rating_columns(ratings, rows)) columns.push_back(std::move(column));
    return columns;
}

std::string csv_of(const Ledger& ledger, const std::vector<Row>& rows, const Ratings& ratings) {
    auto lines = lines_of(ledger, rows, columns_of(ledger, rows, ratings), &RatingColumn::name);
    if (ratings.ranks) append(lines.front(), {"rank_best", "rank_worst"});
    append(lines.front(), {"clock", "measure", "withdrawn"});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        auto& line = lines[i + 1];
        std::replace(line.begin(), line.end(), std::string("-0"), std::string());
        if (ratings.ranks) {
            const auto& [best, worst] = ratings.ranks->intervals[rows[i].entrant];
            append(line,
                   {best > 0 ? std::to_string(best) : "", best > 0 ? std::to_string(worst) : ""});
        }
        const auto gone = ledger.withdrawn.find(rows[i].entrant);
        append(line, {std::string(clock::name_of(ledger.config.clock.kind)),
                      std::string(clock::name_of(ledger.config.clock.measure)),
                      gone == ledger.withdrawn.end() ? std::string() : gone->second});
    }
    return files::csv_text(lines);
}

std::string table_of(const Ledger& ledger, const std::vector<Row>& rows,
                     const std::vector<RatingColumn>& columns,
                     const std::optional<rating::RankIntervals>& ranks = {}) {
    auto lines = lines_of(ledger, rows, columns, &RatingColumn::heading);
    if (ranks) lines.front().emplace_back("ranks");
    for (std::size_t i = 0; ranks && i < rows.size(); ++i)
        lines[i + 1].push_back(interval_text(ranks->intervals[rows[i].entrant]));
    return files::table_text(lines);
}

// Lists knockout matches that ended level.
std::string level_matches(const Ledger& ledger) {
    std::vector<std::string> lines;
    for (const auto& match : ledger.results) {
        if (!match.one_goes_on) continue;
        const auto decision = formats::decision_of(match);
        if (decision.level_by.empty()) continue;
        const auto name = [&](std::size_t seat) { return ledger.name(match.seats[seat]); };
        lines.push_back(fmt::format("Round {}, {} - {}, is level: {} goes on by {}", match.round,
                                    name(0), name(1), name(decision.winner), decision.level_by));
    }
    return base::joined(lines, "\n");
}

std::string title_of(const Ledger& ledger) {
    const auto& config = ledger.config;
    return fmt::format("{}: {}, {}, clock {} by {} time{}\n\n", config.id, config.game,
                       formats::name_of(config.format.kind()), clock::name_of(config.clock.kind),
                       clock::name_of(config.clock.measure),
                       ledger.finished
                           ? ""
                           : "; after " + base::counted(ledger.matches_played, "match", "matches"));
}

// Each that isn't empty, behind an empty line and what it is.
std::string paragraphs(const std::vector<std::string>& texts, const std::string& what = {}) {
    std::string all;
    for (const auto& text : texts)
        if (!text.empty()) all += '\n' + what + text + '\n';
    return all;
}

// What happened beside the games.
std::string events_of(const Ledger& ledger) {
    std::vector<std::string> withdrawn;
    for (const auto& [entrant, reason] : ledger.withdrawn)
        withdrawn.push_back(
            ledger.name(entrant) + " (" + reason + ")" +
            (ledger.config.drops_withdrawn ? ": its matches count for nobody" : ""));
    return paragraphs({level_matches(ledger)}) + paragraphs({ledger.set_aside}, "Set aside: ") +
           paragraphs(arbiter_sentences(ledger), "Arbiter: ") +
           paragraphs({no_fide_pairing(ledger)}, "No FIDE pairing: ") +
           paragraphs(withdrawn, "Withdrawn: ") + paragraphs({ledger.ended_early}, "Ended early: ");
}

// Wider cross tables are a file of their own alone.
constexpr std::size_t cross_rows_most = 16;

std::string text_of(const Ledger& ledger, const std::vector<Row>& rows, const Ratings& ratings) {
    auto text = title_of(ledger) + table_of(ledger, rows, figure_columns(ledger, rows));
    if (rows.size() <= cross_rows_most && !ledger.results.empty()) {
        const auto whole = crosstable_text_of(ledger).text;
        text += whole.substr(whole.find("\n\n") + 1);
    }
    text += paragraphs({figure_sentence(ledger), question_sentence(ledger, ratings),
                        test_sentence(ledger, ratings), sureness(rows, ledger, ratings)});
    return text + events_of(ledger) + "\nstatistics.txt has ratings, and how sure each is.\n";
}

std::string statistics_of(const Ledger& ledger, const std::vector<Row>& rows,
                          const Ratings& ratings, const Certainty& certainty) {
    return title_of(ledger) +
           table_of(ledger, rows, columns_of(ledger, rows, ratings), ratings.ranks) +
           paragraphs({figure_sentence(ledger), matches_sentence(ratings), groups_sentence(ratings),
                       order_sentence(ledger, rows, ratings), test_sentence(ledger, ratings),
                       question_sentence(ledger, ratings), seats_sentence(certainty)}) +
           paragraphs(program_sentences(ledger)) + events_of(ledger);
}

}  // namespace

StandingsText standings_of(const Ledger& ledger) {
    const auto rows = rows_of(ledger);
    const auto ratings = ratings_of(ledger);
    const auto certainty = certainty_of(ledger);
    return {standings_json(ledger, rows, ratings, certainty), csv_of(ledger, rows, ratings),
            text_of(ledger, rows, ratings), statistics_of(ledger, rows, ratings, certainty)};
}

}  // namespace referee::report
