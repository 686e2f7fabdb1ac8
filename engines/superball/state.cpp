#include "engines/superball/superball.h"

#include <algorithm>
#include <array>
#include <limits>

#include "engines/engine_text.h"
#include "protocol/base/assertion.h"
#include "protocol/base/text.h"

namespace engines::superball {
namespace {

constexpr std::int64_t points_per_pace = 1000;
// Around each row's letters in the JSON text stand two quotes and a comma or bracket.
constexpr int row_punctuation = 3;

// All swaps of so many pieces are some thousands; the usual board has room for 80.
constexpr std::size_t listed_pieces_max = 100;

constexpr std::string_view margin = "     ";  // of the picture, for row numbers

constexpr std::string_view illegal_code = "illegal_move";
constexpr std::string_view malformed_code = "malformed_move";
constexpr std::string_view missing_code = "missing_move";
constexpr std::string_view pace_code = "pace";

}  // namespace

std::string_view to_text(Ending ending) {
    constexpr std::array<std::string_view, 4> words{"full", "illegal", "missing", "pace"};
    return words.at(static_cast<std::size_t>(ending));
}

SuperballState::SuperballState(const Rules& rules, std::uint32_t seed)
    : pace_us_(rules.pace_us), position_(rules, seed) {
    if (position_.full()) ending_ = Ending::full;
    board_text_.push_back('[');
    for (int i = 0; i < rules.rows; ++i) {
        board_text_.append("\"").append(static_cast<std::size_t>(rules.cols), ' ').append("\",");
    }
    board_text_.back() = ']';
    remember();
    refresh_text();
}

void SuperballState::remember() {
    empty_before_ = position_.board().empty();
    score_before_ = score();
    over_before_ = ending_.has_value();
}

void SuperballState::refresh_text() {
    changed_rows_.clear();
    const auto& board = position_.board();
    std::size_t at = 0;
    int cell = 0;
    for (int row = 0; row < board.rows(); ++row) {
        at += 2;  // bracket or comma, and quote
        bool changed = false;
        for (int col = 0; col < board.cols(); ++col, ++at, ++cell) {
            const char letter = board.letter(cell);
            changed = changed || board_text_[at] != letter;
            board_text_[at] = letter;
        }
        if (changed) changed_rows_.push_back(row);
        ++at;  // quote
    }
}

std::string_view SuperballState::row_text(int row) const {
    const int cols = position_.board().cols();
    const auto begin = static_cast<std::size_t>(row * (cols + row_punctuation) + 2);
    return std::string_view(board_text_).substr(begin, static_cast<std::size_t>(cols));
}

base::Result<Move, SuperballState::Refusal> SuperballState::judge(json::View move) const {
    const auto refused = [](Ending ending, std::string_view code, const std::string& reason) {
        return base::failure(
            Refusal{ending, {0, true, code, reason + "; the game ends with score 0", reason}});
    };
    if (move.is_null()) return refused(Ending::missing, missing_code, std::string(no_move_came));
    const auto text = move.string();
    if (!text) {
        return refused(Ending::illegal, malformed_code,
                       "a move is a string, such as \"SWAP 0 1 7 2\" or \"SCORE 5 0\", not " +
                           std::string(json::describe(move.kind())));
    }
    const auto parsed = parse_move(*text);
    if (std::holds_alternative<BlankMove>(parsed)) {
        return refused(Ending::missing, missing_code, "the move is blank, which counts as none");
    }
    if (const auto* bad = std::get_if<BadMove>(&parsed)) {
        return refused(Ending::illegal, malformed_code, bad->message);
    }
    const auto* swap = std::get_if<Swap>(&parsed);
    const Move wanted = swap != nullptr ? Move(*swap) : Move(std::get<Collect>(parsed));
    if (const auto checked = position_.check(wanted); !checked) {
        return refused(Ending::illegal, illegal_code,
                       superball::to_text(wanted) + ": " + checked.error());
    }
    return wanted;
}

std::uint64_t SuperballState::paces() const {
    return 1 + static_cast<std::uint64_t>(position_.score() / points_per_pace);
}

// Whether the time used is more than pace_us for each started thousand of points. Divides rather
// than multiplies: the product may not fit.
bool SuperballState::out_of_pace() const {
    if (pace_us_ == 0) return false;
    const auto needed = used_us_ / paces() + (used_us_ % paces() != 0 ? 1 : 0);
    return needed > pace_us_;
}

// The allowance fits, because more than that was used.
Note SuperballState::note_of_pace() const {
    const auto allowed = pace_us_ * paces();
    return {.seat = 0,
            .is_fault = true,
            .code = pace_code,
            .message = fmt::format(
                "{} used {}, and a score of {} allows {} ({}, and as much again for each "
                "1000 points): the game ends, and the score stays.",
                moves_ == 0 ? "Turn 1" : fmt::format("Turns 1 to {}", moves_ + 1),
                base::milliseconds(used_us_), score(), base::milliseconds(allowed),
                base::milliseconds(pace_us_)),
            .over_time = true};
}

void SuperballState::finish(Ending ending) {
    ending_ = ending;
    lost_ = ending == Ending::illegal || ending == Ending::missing;
}

void SuperballState::apply(std::span<const Answer> answers, std::vector<Note>& notes) {
    REFEREE_ASSERT(!ending_ && answers.size() == 1);
    remember();
    const auto& answer = answers.front();
    REFEREE_ASSERT(answer.used_us >= 0);
    const auto used = static_cast<std::uint64_t>(answer.used_us);
    used_us_ += std::min(used, std::numeric_limits<std::uint64_t>::max() - used_us_);
    if (out_of_pace()) {
        notes.push_back(note_of_pace());
        finish(Ending::pace);
    } else {
        auto judged = judge(answer.move);
        if (!judged) {
            notes.push_back(std::move(judged.error().note));
            finish(judged.error().ending);
        } else {
            position_.play(*judged);
            ++moves_;
            if (position_.full()) finish(Ending::full);
        }
    }
    refresh_text();
}

// A seat that lost by the referee's decision gave no move in the end.
void SuperballState::forfeit(Seat seat) {
    REFEREE_ASSERT(!ending_ && seat == 0);
    remember();
    finish(Ending::missing);
    refresh_text();
}

void SuperballState::write_state(json::Writer& writer) const {
    writer.begin_object()
        .key("board")
        .raw(board_text_)
        .member("empty", position_.board().empty())
        .member("score", score())
        .member("over", ending_.has_value())
        .end_object();
}

bool SuperballState::write_delta(json::Writer& writer) const {
    writer.begin_array();
    for (const int row : changed_rows_)
        write_replace(writer, "/board/" + std::to_string(row), row_text(row));
    const int empty = position_.board().empty();
    if (empty != empty_before_) write_replace(writer, "/empty", empty);
    if (score() != score_before_) write_replace(writer, "/score", score());
    if (ending_.has_value() != over_before_) write_replace(writer, "/over", ending_.has_value());
    writer.end_array();
    return true;
}

CheckResult SuperballState::check(Seat seat, json::View move) const {
    REFEREE_ASSERT(!ending_ && seat == 0);
    auto judged = judge(move);
    if (!judged) return base::failure(std::move(judged.error().note));
    return {};
}

// While the game is on there are at least two pieces, so there is a swap. On a board with more
// pieces than lists are made for, only the swaps of pieces that follow each other are told.
std::optional<LegalMoves> SuperballState::legal_moves(Seat /*the only one*/) const {
    const auto& board = position_.board();
    std::vector<Cell> pieces;
    LegalMoves legal;
    const auto list = [&legal](const Move& move) {
        json::Writer(legal.moves.emplace_back()).string(superball::to_text(move));
    };
    for (int number = 0; number < board.size(); ++number) {
        if (board.is_empty(number)) continue;
        pieces.push_back(board.cell(number));
        const Collect collect{pieces.back()};
        if (position_.check(collect)) list(collect);
    }
    legal.all = pieces.size() <= listed_pieces_max;
    for (std::size_t first = 0; first + 1 < pieces.size(); ++first) {
        const auto end = legal.all ? pieces.size() : first + 2;
        for (auto second = first + 1; second < end; ++second) {
            list(Swap{pieces[first], pieces[second]});
        }
    }
    return legal;
}

Outcome SuperballState::outcome() const {
    REFEREE_ASSERT(ending_);
    Outcome outcome;
    outcome.scores = {Score::whole(score())};
    outcome.placing = {1};
    json::Writer writer(outcome.detail);
    writer.begin_object()
        .member("score", score())
        .member("moves", moves_)
        .member("ended_by", superball::to_text(*ending_))
        .end_object();
    return outcome;
}

std::string SuperballState::render() const {
    return draw(position_.board().cols());
}

// Every cell matters to a player, so all are shown: of a board that is too wide, one part of its
// columns below the other.
std::string SuperballState::render_for(Seat /*the only one*/, const Screen& screen) const {
    return draw(static_cast<int>(std::max(screen.columns, margin.size() + 1) - margin.size()));
}

std::string SuperballState::draw(int part_cols) const {
    const auto& board = position_.board();
    constexpr int digits = 10;  // column numbers are shown by their last digit
    auto text = fmt::format("Empty cells: {}   Score: {}", board.empty(), score());
    if (ending_) text += fmt::format("   Game over ({})", superball::to_text(*ending_));
    text += '\n';
    for (int first = 0; first < board.cols(); first += part_cols) {
        const int end = std::min(first + part_cols, board.cols());
        if (part_cols < board.cols()) text += fmt::format("columns {} to {}\n", first, end - 1);
        text += margin;
        for (int col = first; col < end; ++col) text += static_cast<char>('0' + col % digits);
        text += '\n';
        for (int row = 0; row < board.rows(); ++row) {
            const std::string number = std::to_string(row);
            text.append(margin.size() - 2 - number.size(), ' ').append(number).append(2, ' ');
            text.append(row_text(row).substr(static_cast<std::size_t>(first),
                                             static_cast<std::size_t>(end - first)));
            text.push_back('\n');
        }
    }
    return text;
}

std::unique_ptr<State> SuperballState::clone() const {
    return std::make_unique<SuperballState>(*this);
}

}  // namespace engines::superball
