#include "referee/report/tournament_texts.h"

#include <algorithm>
#include <map>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/json/writer.h"
#include "referee/contest/formats/format.h"
#include "referee/contest/formats/knockout.h"
#include "referee/files/text_table.h"
#include "referee/game/result/game_result.h"
#include "referee/report/ledger.h"
#include "referee/report/standings_rows.h"

namespace referee::report {

namespace {

namespace json = protocol::json;
using formats::FormatKind;

constexpr int rating_decimals = 1;

// A match that was drawn, with its result where there is one.
struct Board {
    formats::Pairing pairing;
    const formats::MatchResult* result = nullptr;
    bool dropped = false;  // it counts for nobody
};

struct Round {
    std::map<std::uint64_t, Board> boards;  // by the match's ordinal
    std::vector<const formats::Bye*> byes;
};

std::map<std::uint32_t, Round> rounds_of(const Ledger& ledger) {
    std::map<std::uint32_t, Round> rounds;
    const auto add = [&rounds](const formats::MatchResult& match, bool dropped) {
        rounds[match.round].boards[match.match] = {
            {match.match, match.round, match.seats}, &match, dropped};
    };
    for (const auto& match : ledger.results) add(match, false);
    for (const auto& match : ledger.dropped) add(match, true);
    for (const auto& pairing : ledger.open)
        rounds[pairing.round].boards[pairing.match] = {pairing, nullptr};
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
        writer.begin_object().member("name", ledger.name(board.pairing.seats[seat]));
        if (board.result != nullptr) {
            const auto& result = *board.result;
            result.points[seat].write(writer.key("points"));
            result.scores[seat].write(writer.key("score"));
            writer.member("place", result.placing[seat]);
            if (result.forfeit()) writer.member("absent", bool{result.absent[seat]});
            if (const auto rated = ratings.find(board.pairing.match); rated != ratings.end())
                writer.key("rating").raw(files::fixed_text(rated->second[seat], rating_decimals));
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
    if (board.dropped) writer.member("dropped", true);
    if (is_by_hand(ledger, board.pairing)) writer.member("by_hand", true);
    write_seats(writer, ledger, board, ratings);
    writer.key("games").begin_array();
    if (board.result != nullptr)
        for (const auto& game : board.result->counted)
            writer.string(game_id({id, board.pairing.match, game.number, game.attempt}));
    writer.end_array();
    write_annulled(writer, ledger, board.pairing.match);
    if (const auto decision = decision_of(board)) {
        writer.member("winner", ledger.name(board.pairing.seats[decision->winner]));
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
            writer.begin_object().member("name", ledger.name(bye->entrant));
            write_bye(writer, *bye);
            writer.end_object();
        }
        writer.end_array().end_object();
    }
    writer.end_array().end_object();
    text += '\n';
    return text;
}

std::string bye_text(const Ledger& ledger, const formats::Bye& bye) {
    const auto& name = ledger.name(bye.entrant);
    if (bye.kind == standings::ByeKind::zero_point) return "absent: " + name + '\n';
    return "bye: " + name + ", points " + bye.points.text() + '\n';
}

std::string table_of(const Ledger& ledger, const Round& round) {
    std::size_t seats = 0;
    for (const auto& [ordinal, board] : round.boards)
        seats = std::max(seats, board.pairing.seats.size());
    std::vector<std::string> heading{"board"};
    for (std::size_t seat = 0; seat < seats; ++seat) {
        heading.push_back("seat " + std::to_string(seat));
        heading.emplace_back("points");
    }
    files::TextTable table(heading);
    std::size_t number = 0;
    for (const auto& [ordinal, board] : round.boards) {
        std::vector<std::string> cells{std::to_string(++number)};
        for (std::size_t seat = 0; seat < board.pairing.seats.size(); ++seat) {
            const auto* result = board.result;
            cells.push_back(ledger.name(board.pairing.seats[seat]));
            std::string points = result == nullptr ? "" : result->points[seat].text();
            if (result != nullptr && result->forfeit()) points += result->absent[seat] ? "-" : "+";
            cells.push_back(points + (result != nullptr && result->ruled ? "*" : "") +
                            (board.dropped ? " dropped" : ""));
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
            text += fmt::format("board {}: {}\n", number, sentence);
        const auto decision = decision_of(board);
        if (!decision || decision->level_by.empty()) continue;
        text += fmt::format("board {} is level: {} wins by {}\n", number,
                            ledger.name(board.pairing.seats[decision->winner]), decision->level_by);
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
        written.text += fmt::format("\nRound {}\n{}", number, table_of(ledger, round));
        for (const auto* bye : round.byes) written.text += bye_text(ledger, *bye);
    }
    written.text += legend_of(ledger, rounds);
    return written;
}

}  // namespace referee::report
