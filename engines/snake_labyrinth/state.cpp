#include "engines/snake_labyrinth/snake_labyrinth.h"

#include <algorithm>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"

namespace engines::snake_labyrinth {
namespace {

// Letters are characters, not bytes: a plan is UTF-8, and each character in it counts once.
constexpr unsigned char continuation_mask = 0xC0;
constexpr unsigned char continuation_mark = 0x80;

// Of a picture: the figures, and where it lies; and what stands before the moves.
constexpr std::size_t figure_lines = 2;
constexpr std::size_t path_label_bytes = 7;

bool begins_letter(char c) {
    return (static_cast<unsigned char>(c) & continuation_mask) != continuation_mark;
}

std::size_t letter_bytes(std::string_view text) {
    const auto next = std::find_if(text.begin() + 1, text.end(), begins_letter);
    return static_cast<std::size_t>(next - text.begin());
}

std::size_t count_letters(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_letter));
}

constexpr std::string_view move_hint =
    R"(a move is a string of one or more of the letters N, S, O (west) and E, as in "E" or "EESS")";

// Text of a row in board_text_: two quotes and a comma around the cells.
constexpr std::size_t row_frame_bytes = 3;
// About how long the operations of a patch are, to choose between changing the body and telling
// it anew.
constexpr std::size_t operation_bytes = 34;
constexpr std::size_t square_bytes = 8;

}  // namespace

SnakeState::SnakeState(const Setup& setup)
    : walk_(setup.board, plays_with_body(setup.level)),
      max_steps_(setup.max_steps),
      on_illegal_(setup.on_illegal) {
    const auto& board = walk_.board();
    json::Writer writer(board_text_);
    writer.begin_array();
    for (std::size_t row = 0; row < board.rows(); ++row) {
        writer.string(board.cells().substr(row * board.columns(), board.columns()));
    }
    writer.end_array();
    begin_turn();
}

void SnakeState::begin_turn() {
    before_ = figures();
    body_before_ = walk_.body_length();
    moves_made_ = 0;
    changed_rows_.clear();
}

void SnakeState::apply(std::span<const Answer> answers, std::vector<Note>& notes) {
    REFEREE_ASSERT(!is_over_ && answers.size() == 1);
    begin_turn();
    const auto& move = answers.front().move;
    const auto plan = move.string();
    if (plan && !plan->empty()) {
        play_plan(*plan, notes);
    } else {
        suffer_slip();
        const bool came = move && !move.is_null() && !plan;
        lacked_move_ = !came;
        const auto form =
            std::string(move_hint) + "; found " + std::string(json::describe(move.kind()));
        notes.push_back(fault_note(came ? Slip{"malformed_move", form}
                                   : plan
                                       ? Slip{"no_move", "the move is empty, which counts as none"}
                                       : Slip{"no_move", std::string(no_move_came)}));
    }
    if (is_over_ && !walk_.has_left() && walk_.steps() >= max_steps_) {
        notes.push_back({0, false, "out_of_steps",
                         fmt::format("the game ends unfinished: {} steps are made, and the snake "
                                     "is still inside",
                                     max_steps_)});
    }
}

void SnakeState::play_plan(std::string_view plan, std::vector<Note>& notes) {
    std::optional<Slip> first;
    std::size_t slips = 0;
    std::size_t number = 0;
    auto rest = plan;
    while (!rest.empty() && !is_over_) {
        const auto letter = rest.substr(0, letter_bytes(rest));
        rest.remove_prefix(letter.size());
        ++number;
        auto played = play_letter(letter);
        if (played) continue;
        ++slips;
        if (first) continue;
        first = std::move(played.error());
        first->reason = fmt::format("letter {}, {}", number, first->reason);
    }
    if (first) {
        if (slips > 1) {
            first->reason += " (and " + base::counted(slips - 1, "letter") +
                             " more of this plan can't be carried out)";
        }
        notes.push_back(fault_note(*first));
    }
    if (!rest.empty()) {
        notes.push_back({0, false, "plan_rest_ignored",
                         fmt::format("the game was over after letter {}: the last {} of the plan "
                                     "came to nothing",
                                     number, base::counted(count_letters(rest), "letter"))});
    }
}

base::Result<void, SnakeState::Slip> SnakeState::play_letter(std::string_view letter) {
    const auto direction = letter.size() == 1 ? direction_of(letter.front()) : std::nullopt;
    if (!direction) {
        suffer_slip();
        return base::failure(
            Slip{"malformed_letter", "'" + std::string(letter) + "': " + std::string(move_hint)});
    }
    const auto from = walk_.head();
    const auto step = walk_.step(*direction);
    if (step == Walk::Step::moved || step == Walk::Step::left) {
        ++moves_made_;
        show_change(walk_.head());
        is_over_ = step == Walk::Step::left || walk_.steps() >= max_steps_;
        return {};
    }
    suffer_slip();
    const auto& board = walk_.board();
    const auto place = place_text(board.row_of(from), board.column_of(from));
    const auto what = std::string(letter) + " from " + place;
    if (step == Walk::Step::edge)
        return base::failure(Slip{"edge_ahead", what + ": the edge of the board is there"});
    const bool has_drills =
        walk_.drilled() > 0 || walk_.cells().find(cell::drill) != std::string::npos;
    return base::failure(
        Slip{"wall_ahead",
             what + ": a wall is there" + (has_drills ? ", and the snake has no drill" : "")});
}

void SnakeState::suffer_slip() {
    ++illegal_moves_;
    if (on_illegal_ == OnIllegal::stay) walk_.charge_step();
    is_over_ = on_illegal_ == OnIllegal::void_game || walk_.steps() >= max_steps_;
}

Note SnakeState::fault_note(const Slip& slip) const {
    const auto* const consequence = on_illegal_ == OnIllegal::stay
                                        ? "; the snake stays, and the step is charged"
                                        : "; the game ends unfinished";
    return {0, true, slip.code, slip.reason + consequence, slip.reason};
}

void SnakeState::forfeit(Seat /*the only one*/) {
    REFEREE_ASSERT(!is_over_);
    begin_turn();
    is_over_ = true;
}

CheckResult SnakeState::check(Seat /*the only one*/, json::View move) const {
    SnakeState copy = *this;
    std::vector<Note> notes;
    const Answer answer{move, 0};
    copy.apply(std::span(&answer, 1), notes);
    for (auto& note : notes) {
        if (note.is_fault) return base::failure(std::move(note));
    }
    return {};
}

// Single steps; plans are left out. Where the snake is shut in, every step costs the same.
std::optional<LegalMoves> SnakeState::legal_moves(Seat /*the only one*/) const {
    LegalMoves legal{{}, false};
    for (const auto direction : all_directions) {
        auto walk = walk_;
        const auto step = walk.step(direction);
        if (step != Walk::Step::moved && step != Walk::Step::left) continue;
        json::Writer(legal.moves.emplace_back()).string(std::string(1, letter_of(direction)));
    }
    if (!legal.moves.empty()) return legal;
    for (const auto direction : all_directions) {
        json::Writer(legal.moves.emplace_back()).string(std::string(1, letter_of(direction)));
    }
    return legal;
}

// Each turn is a step or more.
std::optional<std::int64_t> SnakeState::turns_most() const {
    return max_steps_ - walk_.steps();
}

std::optional<std::string> SnakeState::tell_play(Seat /*the only one*/) const {
    const auto& board = walk_.board();
    return "the head stood at " +
           place_text(board.row_of(walk_.head()), board.column_of(walk_.head()));
}

// A letter that ended the game is a fault, which is told by itself.
std::vector<std::string> SnakeState::tell_play_without_map(Seat /*the only one*/) const {
    if (walk_.has_left()) return {};
    if (walk_.steps() >= max_steps_) return {"all its steps were used up"};
    if (on_illegal_ == OnIllegal::void_game && illegal_moves_ > 0 && !lacked_move_) return {};
    return {"its answer ended before a way out"};
}

Outcome SnakeState::outcome() const {
    REFEREE_ASSERT(is_over_);
    Outcome outcome;
    outcome.scores = {Score::whole(walk_.has_left() ? walk_.score() : 0)};
    outcome.placing = {1};
    json::Writer writer(outcome.detail);
    writer.begin_object();
    writer.member("finished", walk_.has_left());
    writer.member("coins", walk_.coins());
    writer.member("steps", walk_.steps());
    writer.member("drilled", walk_.drilled());
    writer.member("illegal_moves", illegal_moves_);
    writer.member("path", walk_.path());
    writer.end_object();
    return outcome;
}

std::string SnakeState::render() const {
    const auto& board = walk_.board();
    const auto all = whole_board(static_cast<int>(board.rows()), static_cast<int>(board.columns()));
    return is_over_ ? draw_path(walk_, all, std::string::npos) : draw_position(walk_, all);
}

std::string SnakeState::render_for(Seat /*the only one*/, const Screen& screen) const {
    const auto& board = walk_.board();
    const auto moves = is_over_ ? (walk_.path().size() + path_label_bytes) / screen.columns + 1 : 0;
    const Window window{
        span_around(static_cast<int>(board.row_of(walk_.head())), static_cast<int>(board.rows()),
                    lines_for_rows(screen, figure_lines + moves)),
        span_around(static_cast<int>(board.column_of(walk_.head())),
                    static_cast<int>(board.columns()), static_cast<int>(screen.columns))};
    return is_over_ ? draw_path(walk_, window, screen.columns) : draw_position(walk_, window);
}

std::unique_ptr<State> SnakeState::clone() const {
    return std::make_unique<SnakeState>(*this);
}

// How a game being played writes its state, and what a turn changed in it.

SnakeState::Figures SnakeState::figures() const {
    return {walk_.head(),  walk_.coins(), walk_.drill_uses(),
            walk_.steps(), walk_.score(), walk_.has_left()};
}

// [ then a row of cells in quotes and a comma, again and again.
std::size_t SnakeState::row_offset(std::size_t row) const {
    return 1 + row * (walk_.board().columns() + row_frame_bytes);
}

std::string_view SnakeState::row_text(std::size_t row) const {
    return std::string_view(board_text_).substr(row_offset(row) + 1, walk_.board().columns());
}

void SnakeState::show_change(Square square) {
    const auto& board = walk_.board();
    const auto row = board.row_of(square);
    auto& shown = board_text_[row_offset(row) + 1 + board.column_of(square)];
    const char now = walk_.cells()[square];
    if (shown == now) return;
    shown = now;
    if (std::find(changed_rows_.begin(), changed_rows_.end(), row) == changed_rows_.end()) {
        changed_rows_.push_back(row);
    }
}

void SnakeState::write_square(json::Writer& writer, Square square) const {
    const auto& board = walk_.board();
    writer.begin_array();
    writer.integer(static_cast<std::int64_t>(board.row_of(square)));
    writer.integer(static_cast<std::int64_t>(board.column_of(square)));
    writer.end_array();
}

void SnakeState::write_squares(json::Writer& writer, const std::vector<Square>& squares) const {
    writer.begin_array();
    for (const auto square : squares) write_square(writer, square);
    writer.end_array();
}

void SnakeState::write_state(json::Writer& writer) const {
    writer.begin_object();
    writer.key("board").raw(board_text_);
    writer.key("head");
    write_square(writer, walk_.head());
    writer.key("body");
    write_squares(writer, walk_.body());
    writer.member("coins", walk_.coins());
    writer.member("drill", walk_.drill_uses());
    writer.member("steps", walk_.steps());
    writer.member("score", walk_.score());
    writer.member("finished", walk_.has_left());
    writer.end_object();
}

bool SnakeState::write_delta(json::Writer& writer) const {
    writer.begin_array();
    for (const auto row : changed_rows_) {
        write_replace(writer, "/board/" + std::to_string(row), row_text(row));
    }
    const auto now = figures();
    if (now.head != before_.head) {
        write_change(writer, "replace", "/head", [&] { write_square(writer, now.head); });
    }
    write_body_delta(writer);
    const auto figure = [&](std::string_view path, std::int64_t before, std::int64_t after) {
        if (before != after) write_replace(writer, path, after);
    };
    figure("/coins", before_.coins, now.coins);
    figure("/drill", before_.drill, now.drill);
    figure("/steps", before_.steps, now.steps);
    figure("/score", before_.score, now.score);
    if (now.finished != before_.finished) {
        write_replace(writer, "/finished", now.finished);
    }
    writer.end_array();
    return true;
}

// Each move puts a segment in front and takes some from the end, so the new body is what the
// moves put there and then, where there is more of it, the front of the old one.
void SnakeState::write_body_delta(json::Writer& writer) const {
    const auto length = walk_.body_length();
    const auto fresh = std::min(length, moves_made_);
    const auto kept = length - fresh;
    const auto operations = body_before_ - kept + fresh;
    if (operations == 0) return;
    if (operations * operation_bytes > length * square_bytes + operation_bytes) {
        write_change(writer, "replace", "/body", [&] { write_squares(writer, walk_.body()); });
        return;
    }
    for (auto left = body_before_; left > kept; --left) {
        write_remove(writer, "/body/" + std::to_string(left - 1));
    }
    const auto front = walk_.body(fresh);
    for (auto square = front.rbegin(); square != front.rend(); ++square) {
        write_change(writer, "add", "/body/0", [&] { write_square(writer, *square); });
    }
}

}  // namespace engines::snake_labyrinth
