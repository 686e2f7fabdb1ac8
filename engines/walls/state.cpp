#include "engines/walls/walls.h"

#include <algorithm>
#include <charconv>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"

namespace engines::walls {
namespace {

constexpr std::size_t quotes_and_comma = 3;    // around each row of the board's text
constexpr std::size_t example_bytes_max = 40;  // of a malformed move that is told back
constexpr std::size_t pawn_bytes_max = 128;    // its text has 70, and four numbers

constexpr int square_columns = 4;        // of the picture: a square and the blank behind it
constexpr std::size_t figure_lines = 4;  // of the picture: where it lies, two players, the end

constexpr Score win = Score::whole(2);
constexpr Score draw = Score::whole(1);
constexpr Score loss = Score::whole(0);

struct ReadMove {
    Move move = Move::none;
    std::optional<Note> note;
};

Note missing_move(Seat seat) {
    return {
        seat, true, "missing_move",
        "No move was given: an idle move. Expected \"F\" (try forward), \"L\" or \"R\" (turn)."};
}

Note malformed_move(Seat seat, json::View view) {
    const auto text = view.string();
    std::string found;
    if (text && text->size() <= example_bytes_max) {
        json::Writer(found).string(*text);
    } else {
        found = text ? "a longer string" : json::describe(view.kind());
    }
    return {
        seat, true, "malformed_move",
        "Expected \"F\" (try forward), \"L\" or \"R\" (turn), found " + found + ": an idle move."};
}

ReadMove read_move(Seat seat, json::View view) {
    if (view.is_null()) return {Move::none, missing_move(seat)};
    const auto text = view.string();
    if (text == "F") return {Move::forward, {}};
    if (text == "L") return {Move::left, {}};
    if (text == "R") return {Move::right, {}};
    return {Move::none, malformed_move(seat, view)};
}

// Each turn writes one: its pieces are put together beside the text, which then grows once.
void write_pawn(std::string& text, const Pawn& pawn) {
    std::array<char, pawn_bytes_max> room;
    auto* end = room.data();
    const auto put = [&](std::string_view before, int value) {
        end = std::copy(before.begin(), before.end(), end);
        end = std::to_chars(end, room.data() + room.size(), value).ptr;
    };
    put(R"({"at":[)", pawn.at.row);
    put(",", pawn.at.column);
    constexpr std::array<std::string_view, 4> facing = {
        R"(],"facing":"N","idle":)", R"(],"facing":"E","idle":)", R"(],"facing":"S","idle":)",
        R"(],"facing":"W","idle":)"};
    put(facing[static_cast<std::size_t>(pawn.facing)], pawn.idle);
    put(pawn.stalled ? R"(,"stalled":true,"bricks":)" : R"(,"stalled":false,"bricks":)",
        pawn.bricks);
    *end++ = '}';
    text = std::string_view(room.data(), end);
}

std::string start_of_text(int size) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object().member("size", size).key("board").begin_array();
    const std::string row(static_cast<std::size_t>(size), unmarked);
    for (int i = 0; i < size; ++i) writer.string(row);
    writer.end_array().key("players");
    return text;
}

}  // namespace

WallsState::WallsState(int size, int first)
    : position_(size, first), board_text_(start_of_text(size)) {
    for (int i = 0; i < players; ++i) write_pawn_of(i);
}

void WallsState::write_pawn_of(int player) {
    write_pawn(pawn_texts_[static_cast<std::size_t>(player)], position_.pawn(player));
}

std::size_t WallsState::offset(Square at) const {
    const auto size = static_cast<std::size_t>(position_.size());
    const auto stride = size + quotes_and_comma;
    const auto rows_end = board_text_.size() - std::string_view("],\"players\":").size();
    const auto rows_begin = rows_end - (size * stride - 1);  // no comma behind the last row
    return rows_begin + static_cast<std::size_t>(at.row) * stride + 1 +
           static_cast<std::size_t>(at.column);
}

std::string_view WallsState::row_text(int row) const {
    return std::string_view(board_text_)
        .substr(offset({row, 0}), static_cast<std::size_t>(position_.size()));
}

Seats WallsState::to_move() const {
    Seats seats;
    if (!position_.over()) seats.set(static_cast<std::size_t>(position_.to_move()));
    return seats;
}

void WallsState::apply(std::span<const Answer> answers, std::vector<Note>& notes) {
    REFEREE_ASSERT(!over() && answers.size() == players);
    const auto seat = static_cast<Seat>(position_.to_move());
    auto read = read_move(seat, answers[seat].move);
    if (read.note) notes.push_back(std::move(*read.note));
    last_ = position_.play(read.move);
    ++moves_;
    if (last_->new_brick) board_text_[offset(last_->before.at)] = brick_letters[seat];
    write_pawn_of(last_->player);
    if (position_.pawn(last_->player).stalled) {
        notes.push_back({seat, false, "stalled",
                         fmt::format("Player {} made {} moves in a row without a new brick and "
                                     "never moves again.",
                                     brick_letters[seat], idle_max)});
    }
}

void WallsState::forfeit(Seat seat) {
    REFEREE_ASSERT(!over() && seat < players);
    forfeited_ = seat;
    last_.reset();
    position_.stop();
}

// Each turn writes it: what is behind the board is put together beside the text, as a pawn is.
void WallsState::write_state(json::Writer& writer) const {
    const char* const to_move = position_.over() ? "null" : position_.to_move() == 0 ? "0" : "1";
    const std::array<std::string_view, 7> pieces = {
        "[", pawn_texts_[0], ",", pawn_texts_[1], R"(],"to_move":)", to_move, "}"};
    std::array<char, players * pawn_bytes_max> room;
    auto* end = room.data();
    for (const auto piece : pieces) end = std::copy(piece.begin(), piece.end(), end);
    writer.raw(board_text_).buffer().append(room.data(), end);
}

bool WallsState::write_delta(json::Writer& writer) const {
    auto& text = writer.raw("[").buffer();
    if (last_) {
        if (last_->new_brick) {
            const int row = last_->before.at.row;
            text.append(R"({"op":"replace","path":"/board/)").append(std::to_string(row));
            text.append(R"(","value":")").append(row_text(row)).append(R"("},)");
        }
        text += last_->player == 0 ? R"({"op":"replace","path":"/players/0","value":)"
                                   : R"({"op":"replace","path":"/players/1","value":)";
        text.append(pawn_texts_[static_cast<std::size_t>(last_->player)]).append("},");
    }
    text += R"({"op":"replace","path":"/to_move","value":)";
    text += position_.over() ? "null}]" : position_.to_move() == 0 ? "0}]" : "1}]";
    return true;
}

CheckResult WallsState::check(Seat seat, json::View move) const {
    auto note = read_move(seat, move).note;
    if (note) return base::failure(*std::move(note));
    return {};
}

// A move that can't be carried out is played all the same, as an idle one.
std::optional<LegalMoves> WallsState::legal_moves(Seat /*the one to move*/) const {
    return LegalMoves{{R"("F")", R"("L")", R"("R")"}};
}

// A player has laid a brick, or is stalled, within so many moves; in the end both are stalled.
std::optional<std::int64_t> WallsState::turns_most() const {
    constexpr std::int64_t moves_a_brick = 9;
    const std::int64_t size = position_.size();
    return moves_a_brick * (size * size + static_cast<std::int64_t>(players));
}

Outcome WallsState::outcome() const {
    REFEREE_ASSERT(over());
    const int a = position_.pawn(0).bricks;
    const int b = position_.pawn(1).bricks;
    Outcome outcome;
    outcome.scores = {draw, draw};
    if (forfeited_ || a != b) {
        const Seat loser = forfeited_ ? *forfeited_ : (a < b ? 0U : 1U);
        outcome.scores[loser] = loss;
        outcome.scores[1 - loser] = win;
    }
    outcome.placing = placing_by_score(outcome.scores);
    json::Writer writer(outcome.detail);
    writer.begin_object().key("bricks").begin_array().integer(a).integer(b).end_array();
    writer.key("moves").unsigned_integer(moves_).end_object();
    return outcome;
}

std::unique_ptr<State> WallsState::clone() const {
    return std::make_unique<WallsState>(*this);
}

std::string WallsState::render() const {
    return picture_in(whole_board(position_.size(), position_.size()));
}

std::string WallsState::render_for(Seat seat, const Screen& screen) const {
    const auto at = position_.pawn(static_cast<int>(seat)).at;
    const int size = position_.size();
    const auto columns = (static_cast<int>(screen.columns) + 1) / square_columns;
    return picture_in({span_around(at.row, size, lines_for_rows(screen, figure_lines)),
                       span_around(at.column, size, columns)});
}

// Each square is its brick (or a dot) and, where a player stands, the player and where it looks.
std::string WallsState::picture_in(const Window& window) const {
    constexpr std::string_view pawn_letters = "ab";
    constexpr std::string_view arrows = "^>v<";
    std::string text;
    const auto& [rows, columns] = window;
    for (int row = rows.first; row < rows.end(); ++row) {
        for (int column = columns.first; column < columns.end(); ++column) {
            const Square at{row, column};
            text += position_.square(at);
            std::string_view standing = "  ";
            std::array<char, 2> pawn_text{};
            for (std::size_t i = 0; i < players; ++i) {
                const Pawn& pawn = position_.pawn(static_cast<int>(i));
                if (pawn.at != at) continue;
                pawn_text = {pawn_letters[i], arrows[static_cast<std::size_t>(pawn.facing)]};
                standing = {pawn_text.data(), pawn_text.size()};
            }
            text += standing;
            text += column + 1 < columns.end() ? ' ' : '\n';
        }
    }
    text += place_of(window, position_.size(), position_.size(), 0);
    for (std::size_t i = 0; i < players; ++i) {
        const Pawn& pawn = position_.pawn(static_cast<int>(i));
        text += fmt::format("{}: {} bricks, {}{}\n", pawn_letters[i], pawn.bricks,
                            pawn.stalled ? "stalled" : fmt::format("idle {}", pawn.idle),
                            position_.to_move() == static_cast<int>(i) ? ", to move" : "");
    }
    if (position_.over()) text += "The game is over.\n";
    return text;
}

}  // namespace engines::walls
