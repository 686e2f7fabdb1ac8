#include "referee/report/reports.h"

#include <algorithm>
#include <map>

#include "referee/contest/formats/knockout.h"
#include "referee/game/result/result.h"
#include "referee/report/rows.h"
#include "referee/report/text_table.h"

namespace referee::report {
namespace {

using Cells = std::vector<std::string>;
using formats::FormatKind;

constexpr std::size_t matrix_entrants_most = 64;  // wider tables can't be read
constexpr std::size_t meetings_told_most = 4;     // in one cell; more are summed up
constexpr int rating_decimals = 1;
constexpr std::string_view seat_letters = "abcdefgh";

// "W", "D", "L"; "+" or "-" where somebody didn't come; "" where the bot was alone.
std::string letter_of(const Appearance& appearance) {
    const auto& [match, seat] = appearance;
    if (match->seats.size() == 1) return "";
    if (match->forfeit()) {
        const auto came = std::count(match->absent.begin(), match->absent.end(), false);
        if (match->absent[seat]) return "-";
        if (came == 1) return "+";
    }
    if (match->seats.size() > 2) return std::to_string(match->placing[seat]);
    const int other = match->placing[1 - seat];
    return match->placing[seat] < other ? "W" : match->placing[seat] > other ? "L" : "D";
}

std::string_view ruled_mark(const formats::MatchResult& match) {
    return match.ruled ? "*" : "";
}

class Crosstable {
 public:
    explicit Crosstable(const Ledger& ledger) : ledger_(ledger), rows_(rows_of(ledger)) {
        number_of_.assign(ledger.entries.size(), 0);
        for (std::size_t i = 0; i < rows_.size(); ++i) number_of_[rows_[i].entrant] = i + 1;
        const auto kind = ledger.config.format.kind();
        const bool has_rounds = kind != FormatKind::ladder;
        by_opponent_ =
            (kind == FormatKind::round_robin || kind == FormatKind::gauntlet || !has_rounds) &&
            rows_.size() <= matrix_entrants_most;
        if (!has_rounds) return;
        for (const auto& match : ledger.results) rounds_ = std::max(rounds_, match.round);
        for (const auto& bye : ledger.byes) rounds_ = std::max(rounds_, bye.round);
    }

    std::vector<Cells> lines() const {
        std::vector<Cells> lines{heading()};
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const auto& row = rows_[i];
            Cells line{std::to_string(i + 1), ledger_.entries[row.entrant].name};
            const auto middle = by_opponent_ ? by_opponent(row) : by_round(row);
            line.insert(line.end(), middle.begin(), middle.end());
            line.push_back(points_of(row));
            line.push_back(rank_text(row.rank));
            lines.push_back(std::move(line));
        }
        return lines;
    }

    std::string legend() const {
        const auto ruled = [](const auto& match) { return match.ruled; };
        return cells_legend() + (std::any_of(ledger_.results.begin(), ledger_.results.end(), ruled)
                                     ? " A star behind points: an arbiter set that result."
                                     : "");
    }

 private:
    std::string cells_legend() const {
        if (!by_opponent_ && rounds_ == 0)
            return "A column for each bot stands here where there are " +
                   std::to_string(matrix_entrants_most) + " bots or fewer.";
        if (by_opponent_) {
            return "A column for each bot: W won, D drawn, L lost, in pods the place, + and - a "
                   "forfeit; then the points of the match. More than " +
                   std::to_string(meetings_told_most) + " meetings: points of matches.";
        }
        return "A column for each round: W won, D drawn, L lost, in pods the place, + and - a "
               "forfeit; the numbers of those met; the seat, from a; the points.";
    }

    Cells heading() const {
        Cells line{"no", "name"};
        for (std::size_t i = 0; by_opponent_ && i < rows_.size(); ++i) {
            line.push_back(std::to_string(i + 1));
        }
        for (std::uint32_t round = 1; !by_opponent_ && round <= rounds_; ++round) {
            line.push_back("round " + std::to_string(round));
        }
        line.insert(line.end(), {"points", "rank"});
        return line;
    }

    // In the way in which the standings count them.
    std::string points_of(const Row& row) const {
        engines::Score sum;
        for (const auto& [match, seat] : row.appearances) sum += match->points[seat];
        for (const auto& bye : row.byes) sum += bye.points;
        return score_text(sum);
    }

    std::string number_text(standings::Entrant entrant) const {
        const auto number = number_of_[entrant];
        return number == 0 ? ledger_.entries[entrant].name : std::to_string(number);
    }

    Cells by_opponent(const Row& row) const {
        struct Meetings {
            std::string told;
            std::size_t count = 0;
            engines::Score points;
        };
        std::vector<Meetings> met(rows_.size());
        for (const auto& appearance : row.appearances) {
            const auto& [match, seat] = appearance;
            for (std::size_t other = 0; other < match->seats.size(); ++other) {
                if (other == seat || number_of_[match->seats[other]] == 0) continue;
                auto& cell = met[number_of_[match->seats[other]] - 1];
                const bool pod = match->seats.size() > 2;
                cell.told += (cell.count == 0 ? "" : " ") + letter_of(appearance) +
                             (pod ? ":" : "") + score_text(match->points[seat]) +
                             std::string(ruled_mark(*match));
                ++cell.count;
                cell.points += match->points[seat];
            }
        }
        Cells cells;
        for (std::size_t i = 0; i < met.size(); ++i) {
            const auto& cell = met[i];
            const bool summed = cell.count > meetings_told_most;
            const auto text =
                summed ? score_text(cell.points) + " of " + std::to_string(cell.count) : cell.told;
            cells.push_back(number_of_[row.entrant] == i + 1 ? "*" : text);
        }
        return cells;
    }

    // For example "W3b 1"; of a pod "1b (5 7 3) 6".
    std::string round_text(const Appearance& appearance) const {
        const auto& [match, seat] = appearance;
        const auto points = score_text(match->points[seat]) + std::string(ruled_mark(*match));
        std::string others;
        for (std::size_t other = 0; other < match->seats.size(); ++other) {
            if (other == seat) continue;
            others += (others.empty() ? "" : " ") + number_text(match->seats[other]);
        }
        if (others.empty()) return points;
        const std::string seat_letter(1, seat_letters[seat]);
        if (match->seats.size() == 2)
            return letter_of(appearance) + others + seat_letter + " " + points;
        return letter_of(appearance) + seat_letter + " (" + others + ") " + points;
    }

    Cells by_round(const Row& row) const {
        std::vector<std::string> told(rounds_);
        if (rounds_ == 0) return told;
        const auto add = [&told](std::uint32_t round, const std::string& text) {
            auto& cell = told[round - 1];
            cell += (cell.empty() ? "" : "; ") + text;
        };
        for (const auto& appearance : row.appearances) {
            add(appearance.match->round, round_text(appearance));
        }
        for (const auto& bye : row.byes) add(bye.round, "bye " + score_text(bye.points));
        return told;
    }

    const Ledger& ledger_;
    std::vector<Row> rows_;
    std::vector<std::size_t> number_of_;  // by entrant, counted from 1; 0: not in the standings
    std::uint32_t rounds_ = 0;
    bool by_opponent_ = false;
};

}  // namespace

CrosstableText crosstable_text_of(const Ledger& ledger) {
    const Crosstable crosstable(ledger);
    const auto lines = crosstable.lines();
    CrosstableText written;
    TextTable table(lines.front());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        add_csv_line(written.csv, lines[i]);
        if (i > 0) table.add(lines[i]);
    }
    written.text = ledger.config.id + ": " + ledger.config.game + "\n\n" + table.text() + '\n' +
                   crosstable.legend() + '\n';
    return written;
}

namespace {
namespace json = protocol::json;

// A match that was drawn, with its result where there is one.
struct Board {
    formats::Pairing pairing;
    const formats::MatchResult* result = nullptr;
};

struct Round {
    std::map<std::uint64_t, Board> boards;  // by the match's ordinal
    std::vector<const formats::Bye*> byes;
};

std::map<std::uint32_t, Round> rounds_of(const Ledger& ledger) {
    std::map<std::uint32_t, Round> rounds;
    for (const auto& match : ledger.results) {
        rounds[match.round].boards[match.match] = {{match.match, match.round, match.seats}, &match};
    }
    for (const auto& pairing : ledger.open) {
        rounds[pairing.round].boards[pairing.match] = {pairing, nullptr};
    }
    for (const auto& bye : ledger.byes) rounds[bye.round].byes.push_back(&bye);
    return rounds;
}

// By match, what a ladder rates its seats by when it is over.
using LadderRatings = std::map<std::uint64_t, std::vector<double>>;
LadderRatings ladder_ratings(const Ledger& ledger) {
    LadderRatings ratings;
    if (ledger.config.format.kind() != FormatKind::ladder) return ratings;
    std::vector<rating::RunningElo> players(ledger.entries.size());
    for (std::size_t i = 0; i < players.size(); ++i)
        if (ledger.entries[i].rating > 0) players[i].rating = ledger.entries[i].rating;
    for (const auto& match : ledger.results) {
        std::vector<rating::RatedSeat> seats;
        for (std::size_t seat = 0; seat < match.seats.size(); ++seat)
            seats.push_back({match.seats[seat], match.placing[seat], match.version_of(seat)});
        rating::move_ratings(players, seats);
        for (const auto entrant : match.seats)
            ratings[match.match].push_back(players[entrant].ranked());
    }
    return ratings;
}

void write_seats(json::Writer& writer, const Ledger& ledger, const Board& board,
                 const LadderRatings& ratings) {
    writer.key("seats").begin_array();
    for (std::size_t seat = 0; seat < board.pairing.seats.size(); ++seat) {
        writer.begin_object().member("name", ledger.entries[board.pairing.seats[seat]].name);
        if (board.result != nullptr) {
            writer.key("points");
            board.result->points[seat].write(writer);
            writer.key("score");
            board.result->scores[seat].write(writer);
            writer.member("place", board.result->placing[seat]);
            if (board.result->forfeit()) writer.member("absent", bool{board.result->absent[seat]});
            if (const auto rated = ratings.find(board.pairing.match); rated != ratings.end())
                writer.key("rating").raw(fixed_text(rated->second[seat], rating_decimals));
        }
        writer.end_object();
    }
    writer.end_array();
}

// Who won a knockout match and goes on.
std::optional<formats::KnockoutDecision> decision_of(const Board& board) {
    if (board.result == nullptr || !board.result->one_goes_on) return std::nullopt;
    return formats::decision_of(*board.result);
}

void write_board(json::Writer& writer, const Ledger& ledger, const Board& board,
                 std::uint64_t number, const LadderRatings& ratings) {
    const auto& id = ledger.config.id;
    writer.begin_object()
        .member("board", number)
        .member("match", match_id(id, board.pairing.match))
        .member("over", board.result != nullptr);
    if (board.result != nullptr && board.result->ruled) writer.member("ruled", true);
    if (is_by_hand(ledger, board.pairing)) writer.member("by_hand", true);
    write_seats(writer, ledger, board, ratings);
    writer.key("games").begin_array();
    if (board.result != nullptr) {
        for (const auto& game : board.result->counted) {
            writer.string(game_id({id, board.pairing.match, game.number, game.attempt}));
        }
    }
    writer.end_array();
    write_annulled(writer, ledger, board.pairing.match);
    if (const auto decision = decision_of(board)) {
        writer.member("winner", ledger.entries[board.pairing.seats[decision->winner]].name);
        if (!decision->level_by.empty()) writer.member("level_by", decision->level_by);
    }
    writer.end_object();
}

std::string json_of(const Ledger& ledger, const std::map<std::uint32_t, Round>& rounds) {
    std::string text;
    json::Writer writer(text);
    const auto ratings = ladder_ratings(ledger);
    writer.begin_object()
        .member("tournament", ledger.config.id)
        .member("game", ledger.config.game)
        .member("format", formats::name_of(ledger.config.format.kind()))
        .key("rounds")
        .begin_array();
    for (const auto& [number, round] : rounds) {
        text += '\n';
        writer.begin_object().member("round", number).key("matches").begin_array();
        std::uint64_t board_number = 0;
        for (const auto& [ordinal, board] : round.boards) {
            text += '\n';
            write_board(writer, ledger, board, ++board_number, ratings);
        }
        writer.end_array().key("byes").begin_array();
        for (const auto* bye : round.byes) {
            writer.begin_object()
                .member("name", ledger.entries[bye->entrant].name)
                .member("kind", standings::name_of(bye->kind))
                .key("points");
            bye->points.write(writer);
            writer.end_object();
        }
        writer.end_array().end_object();
    }
    writer.end_array().end_object();
    text += '\n';
    return text;
}

std::string bye_text(const Ledger& ledger, const formats::Bye& bye) {
    const auto& name = ledger.entries[bye.entrant].name;
    const auto points = score_text(bye.points);
    if (bye.kind == standings::ByeKind::zero_point) return "absent: " + name;
    return "bye: " + name + ", points " + points;
}

std::string table_of(const Ledger& ledger, const Round& round) {
    std::size_t seats = 0;
    for (const auto& [ordinal, board] : round.boards) {
        seats = std::max(seats, board.pairing.seats.size());
    }
    std::vector<std::string> heading{"board"};
    for (std::size_t seat = 0; seat < seats; ++seat) {
        heading.push_back("seat " + std::to_string(seat));
        heading.emplace_back("points");
    }
    TextTable table(heading);
    std::size_t number = 0;
    for (const auto& [ordinal, board] : round.boards) {
        std::vector<std::string> cells{std::to_string(++number)};
        for (std::size_t seat = 0; seat < board.pairing.seats.size(); ++seat) {
            const auto* result = board.result;
            cells.push_back(ledger.entries[board.pairing.seats[seat]].name);
            std::string points = result == nullptr ? "" : score_text(result->points[seat]);
            if (result != nullptr && result->forfeit()) points += result->absent[seat] ? "-" : "+";
            cells.push_back(points + (result != nullptr && result->ruled ? "*" : ""));
        }
        if (is_by_hand(ledger, board.pairing)) cells[0] += '#';
        cells.resize(heading.size());
        table.add(cells);
    }
    if (round.boards.empty()) return "";
    auto text = table.text();
    number = 0;
    for (const auto& [ordinal, board] : round.boards) {
        ++number;
        for (const auto& sentence : annulled_sentences(ledger, ordinal))
            text += "board " + std::to_string(number) + ": " + sentence + '\n';
        const auto decision = decision_of(board);
        if (!decision || decision->level_by.empty()) continue;
        text += "board " + std::to_string(number) +
                " is level: " + ledger.entries[board.pairing.seats[decision->winner]].name +
                " wins by " + std::string(decision->level_by) + '\n';
    }
    return text;
}

// What the marks of the tables mean, as far as there are any.
std::string legend_of(const Ledger& ledger, const std::map<std::uint32_t, Round>& rounds) {
    bool ruled = false;
    bool by_hand = false;
    for (const auto& [number, round] : rounds) {
        for (const auto& [ordinal, board] : round.boards) {
            ruled = ruled || (board.result != nullptr && board.result->ruled);
            by_hand = by_hand || is_by_hand(ledger, board.pairing);
        }
    }
    return std::string(ruled ? "\n* an arbiter set this result\n" : "") +
           (by_hand ? "\n# an arbiter set this match before its round was drawn\n" : "");
}

}  // namespace

PairingsText pairings_of(const Ledger& ledger) {
    const auto rounds = rounds_of(ledger);
    PairingsText written;
    written.json = json_of(ledger, rounds);
    written.text = ledger.config.id + ": " + ledger.config.game + ", " +
                   std::string(formats::name_of(ledger.config.format.kind())) + '\n';
    for (const auto& [number, round] : rounds) {
        written.text += "\nRound " + std::to_string(number) + '\n' + table_of(ledger, round);
        for (const auto* bye : round.byes) written.text += bye_text(ledger, *bye) + '\n';
    }
    written.text += legend_of(ledger, rounds);
    return written;
}

}  // namespace referee::report
