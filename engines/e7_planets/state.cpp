#include "engines/e7_planets/e7_planets.h"

#include <algorithm>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"

namespace engines::e7_planets {
namespace {

constexpr std::size_t cell_width_min = 2;
constexpr std::size_t cell_width_max = 4;
constexpr std::size_t figure_lines = 2;       // above the grid: the figures, the columns' numbers
constexpr std::size_t window_lines = 2;       // below a window: where it lies, what lies outside
constexpr std::size_t listed_bytes_max = 66;  // of what lies outside; a count follows
constexpr std::int32_t two_digits = 100;      // of a column's number, where cells are narrow
constexpr std::int32_t three_digits = 1000;

std::string ghost_mark(const GhostStart& ghost) {
    return (ghost.type == GhostType::back_and_forth ? "b" : "t") +
           std::to_string(ghost.transparency);
}

// What stands on each cell, the topmost only.
std::vector<std::string> marks(const Map& map, const Position& position) {
    std::vector<std::string> marks;
    marks.reserve(map.cells());
    for (const auto value : map.grid) {
        marks.push_back(value == asteroid_field ? "#" : value == 0 ? "." : std::to_string(value));
    }
    for (const auto i : position.scraps_left) {
        const auto& scrap = map.scraps[i];
        marks[map.index(scrap.cell)] = "$" + std::to_string(scrap.value);
    }
    marks[map.index(position.ship.cell)] = "@";
    for (std::size_t i = 0; i < position.ghosts.size(); ++i) {
        marks[map.index(position.ghosts[i].cell)] = ghost_mark(map.ghosts[i]);
    }
    return marks;
}

// Wide enough for every mark, and so that two numbers never touch.
std::size_t cell_width(const std::vector<std::string>& marks) {
    std::size_t width = cell_width_min;
    for (const auto& mark : marks) {
        const bool is_number = mark.front() >= '0' && mark.front() <= '9';
        width = std::max(width, mark.size() + (is_number ? 1 : 0));
    }
    return std::min(width, cell_width_max);
}

void append_padded(std::string& out, std::string text, std::size_t width) {
    if (text.size() > width) {
        text.resize(width - 1);
        text += '+';
    }
    out.append(width - text.size(), ' ');
    out += text;
}

std::string figures(const Map& map, const Position& position) {
    auto text =
        fmt::format("score {} of {}, scraps left {}, turns left {} of {}", position.score,
                    map.total_value(), position.scraps_left.size(), position.turns_left, map.turns);
    if (position.ship.wait > 0) text += fmt::format(", slowed down for {}", position.ship.wait);
    if (position.caught) text += ", caught";
    return text + "\n";
}

// "not shown: $5 at 12,33, b1 at 3,4 ..."
std::string beyond(const Map& map, const Position& position, const Window& window) {
    std::string text;
    std::size_t left_out = 0;
    const auto list = [&](const std::string& mark, Cell cell) {
        if (window.holds(cell.row, cell.column)) return;
        const auto item = fmt::format("{} at {},{}", mark, cell.row + 1, cell.column + 1);
        if (text.size() + item.size() > listed_bytes_max) {
            ++left_out;
        } else {
            text += (text.empty() ? "not shown: " : ", ") + item;
        }
    };
    for (const auto i : position.scraps_left) {
        list("$" + std::to_string(map.scraps[i].value), map.scraps[i].cell);
    }
    for (std::size_t i = 0; i < position.ghosts.size(); ++i) {
        list(ghost_mark(map.ghosts[i]), position.ghosts[i].cell);
    }
    if (left_out > 0) text += fmt::format(" and {} more", left_out);
    return text.empty() ? text : text + '\n';
}

constexpr std::string_view nowhere_text = "[null,null]";
constexpr std::size_t found_text_max = 40;  // of a wrong move, in a message

std::string cell_text(Cell cell) {
    std::string text;
    json::Writer writer(text);
    write_cell(writer, cell);
    return text;
}

Note invalid_move(json::View move) {
    const bool came = move && !move.is_null();
    std::string reason(no_move_came);
    if (came) {
        reason = R"(expected one of "U", "D", "L", "R", ".", found )";
        const auto text = move.string();
        if (text && text->size() <= found_text_max) {
            json::Writer(reason).string(*text);
        } else {
            reason += json::describe(move.kind());
        }
    }
    return {0, true, came ? "malformed_move" : "missing_move", reason + "; the ship stays", reason};
}

CheckResult check_move(const Map& map, const Position& position, Direction move) {
    switch (judge(map, position, move)) {
        case Verdict::carried_out:
            return {};
        case Verdict::waiting: {
            const auto more = position.ship.wait - 1;
            const auto reason = "the ship is slowed down on " + cell_text(position.ship.cell) +
                                " for this turn" +
                                (more == 0 ? "" : fmt::format(" and {} more", more));
            return base::failure(Note{0, false, "waiting", reason + "; the move is not carried out",
                                      reason + R"(; all it can do is "." (wait))"});
        }
        case Verdict::bumped: {
            const auto reason =
                cell_text(map.wrapped(position.ship.cell, move)) + " is an asteroid field";
            return base::failure(Note{0, false, "bumped", reason + "; the ship stays", reason});
        }
    }
    return {};
}

void add_row(json::Writer& patch, const std::string& owner, Cell cell) {
    write_change(patch, "add", owner + "/location/-", [&] { write_cell(patch, cell); });
}

void write_ghost_numbers(json::Writer& writer, const std::vector<std::size_t>& ghosts) {
    writer.begin_array();
    for (const auto i : ghosts) writer.unsigned_integer(i + 1);
    writer.end_array();
}

std::string ghost_numbers(const std::vector<std::size_t>& ghosts) {
    return base::joined(ghosts, ", ", [](std::size_t i) { return std::to_string(i + 1); });
}

}  // namespace

std::string render_position(const Map& map, const Position& position, const Window& window) {
    const auto marks = e7_planets::marks(map, position);
    const auto width = cell_width(marks);
    const auto margin = std::to_string(map.rows).size();

    std::string out = figures(map, position);
    out.append(margin, ' ');
    const auto digits = width > cell_width_min ? three_digits : two_digits;
    for (auto column = window.columns.first; column < window.columns.end(); ++column) {
        append_padded(out, std::to_string((column + 1) % digits), width);
    }
    out += '\n';
    for (auto row = window.rows.first; row < window.rows.end(); ++row) {
        append_padded(out, std::to_string(row + 1), margin);
        for (auto column = window.columns.first; column < window.columns.end(); ++column) {
            append_padded(out, marks[map.index({row, column})], width);
        }
        out += '\n';
    }
    return out + place_of(window, map.rows, map.columns, 1) + beyond(map, position, window);
}

Window window_around_ship(const Map& map, const Position& position, const Screen& screen) {
    const auto ship = position.ship.cell;
    const auto margin = std::to_string(map.rows).size();
    const auto room = std::max(screen.columns, margin) - margin;
    const auto columns = static_cast<int>(room / cell_width(marks(map, position)));
    auto lines = lines_for_rows(screen, figure_lines);
    if (columns < map.columns || lines < map.rows) {
        lines = lines_for_rows(screen, figure_lines + window_lines);
    }
    return {span_around(ship.row, map.rows, lines), span_around(ship.column, map.columns, columns)};
}

std::optional<Direction> read_move(json::View move) {
    const auto text = move.string();
    if (text == letter(Direction::stay)) return Direction::stay;
    for (const auto direction : four_directions) {
        if (text == letter(direction)) return direction;
    }
    return std::nullopt;
}

PlanetsState::PlanetsState(Map map) {
    auto setting = std::make_shared<Setting>();
    setting->map = std::move(map);
    json::Writer writer(setting->grid_text);
    write_grid(writer, setting->map);
    setting_ = std::move(setting);

    const auto& own = setting_->map;
    position_ = initial_position(own);
    ship_rows_ = nowhere_text;
    for (const auto& ghost : own.ghosts) {
        const bool has_before = ghost.type == GhostType::back_and_forth;
        ghost_rows_.push_back(has_before ? cell_text(ghost.before) : std::string(nowhere_text));
    }
    write_rows_of_turn();
    write_scraps();
}

void PlanetsState::write_rows_of_turn() {
    ship_rows_ += ',' + cell_text(position_.ship.cell);
    for (std::size_t i = 0; i < ghost_rows_.size(); ++i) {
        ghost_rows_[i] += ',' + cell_text(position_.ghosts[i].cell);
    }
}

void PlanetsState::write_scraps() {
    scraps_text_.clear();
    json::Writer writer(scraps_text_);
    writer.begin_array();
    for (const auto i : position_.scraps_left) write_scrap(writer, map().scraps[i]);
    writer.end_array();
}

Seats PlanetsState::to_move() const {
    Seats seats;
    seats[0] = !forfeited_ && !e7_planets::over(position_);
    return seats;
}

void PlanetsState::apply(std::span<const Answer> answers, std::vector<Note>& notes) {
    REFEREE_ASSERT(!over() && answers.size() == seats());
    const auto move = read_move(answers[0].move);
    std::string_view code = move == Direction::stay ? "stay" : "";
    if (auto checked = check(0, answers[0].move); !checked) {
        code = checked.error().code;
        notes.push_back(std::move(checked.error()));
    }
    if (move && move != Direction::stay) ++moves_[static_cast<std::size_t>(*move)];
    for (auto& stays : stays_) {
        if (stays.code == code && stays.turns++ == 0)
            stays.first = map().turns - position_.turns_left + 1;
    }

    const auto left_before = position_.scraps_left;
    play_turn(map(), position_, move.value_or(Direction::stay), events_);
    write_rows_of_turn();
    if (events_.picked_up) {
        picked_up_.push_back(*events_.picked_up);
        const auto at = std::find(left_before.begin(), left_before.end(), *events_.picked_up);
        removed_at_ = static_cast<std::size_t>(at - left_before.begin());
        write_scraps();
    }
    if (position_.caught) caught_ = way_it_was_caught(code);
    if (over()) note_end(notes);
}

void PlanetsState::note_end(std::vector<Note>& notes) const {
    if (position_.caught) {
        std::string how;
        if (!events_.same_spot.empty()) {
            how = "on the same cell as ghost " + ghost_numbers(events_.same_spot);
        }
        if (!events_.switched.empty()) {
            how += (how.empty() ? "" : "; ") +
                   ("changed places with ghost " + ghost_numbers(events_.switched));
        }
        notes.push_back({0, false, "caught", "the ship is caught: " + how});
    } else if (won(position_)) {
        notes.push_back({0, false, "won", "all scraps are picked up"});
    } else {
        notes.push_back({0, false, "out_of_turns", "no turns are left"});
    }
}

void PlanetsState::forfeit(Seat seat) {
    REFEREE_ASSERT(!over() && seat == 0);
    forfeited_ = true;
}

void PlanetsState::write_state(json::Writer& writer) const {
    writer.begin_object().key("grid").raw(setting_->grid_text);
    writer.key("player").begin_object().key("location").begin_array().raw(ship_rows_).end_array();
    writer.member("score", position_.score).end_object();
    writer.key("scraps").raw(scraps_text_);
    writer.key("ghosts").begin_array();
    for (std::size_t i = 0; i < ghost_rows_.size(); ++i) {
        writer.begin_object().key("location").begin_array().raw(ghost_rows_[i]).end_array();
        writer.member("type", type_name(map().ghosts[i].type));
        writer.member("transparency", map().ghosts[i].transparency).end_object();
    }
    writer.end_array().member("remaining_turns", position_.turns_left).end_object();
}

bool PlanetsState::write_delta(json::Writer& writer) const {
    writer.begin_array();
    if (forfeited_) {
        writer.end_array();
        return true;
    }
    add_row(writer, "/player", position_.ship.cell);
    if (events_.picked_up) {
        write_replace(writer, "/player/score", position_.score);
        write_remove(writer, "/scraps/" + std::to_string(removed_at_));
    }
    for (std::size_t i = 0; i < position_.ghosts.size(); ++i) {
        add_row(writer, "/ghosts/" + std::to_string(i), position_.ghosts[i].cell);
    }
    write_replace(writer, "/remaining_turns", position_.turns_left);
    writer.end_array();
    return true;
}

CheckResult PlanetsState::check(Seat seat, json::View move) const {
    REFEREE_ASSERT(seat == 0);
    const auto direction = read_move(move);
    if (!direction) return base::failure(invalid_move(move));
    return check_move(map(), position_, *direction);
}

// No letter is a fault: one that can't be carried out leaves the ship where it is.
std::optional<LegalMoves> PlanetsState::legal_moves(Seat /*the only one*/) const {
    LegalMoves legal;
    json::Writer(legal.moves.emplace_back()).string(letter(Direction::stay));
    for (const auto direction : four_directions) {
        json::Writer(legal.moves.emplace_back()).string(letter(direction));
    }
    return legal;
}

std::optional<std::int64_t> PlanetsState::turns_most() const {
    return position_.turns_left;
}

Outcome PlanetsState::outcome() const {
    REFEREE_ASSERT(over());
    return {{Score::whole(forfeited_ ? 0 : position_.score)}, {1}, detail()};
}

std::string PlanetsState::detail() const {
    return json::object_text([&](json::Writer& writer) {
        writer.member("win", !forfeited_ && won(position_));
        writer.member("max_turns", map().turns)
            .member("n_turns", map().turns - position_.turns_left);
        writer.member("score", forfeited_ ? std::int64_t{0} : position_.score);
        writer.member("scraps_total_value", map().total_value());
        writer.key("scraps_picked_up").begin_array();
        for (const auto i : picked_up_) write_scrap(writer, map().scraps[i]);
        writer.end_array().key("scraps_left").raw(scraps_text_);
        writer.member("caught", position_.caught);
        writer.key("ghosts_catch_samespot");
        write_ghost_numbers(writer, events_.same_spot);
        writer.key("ghosts_catch_switch");
        write_ghost_numbers(writer, events_.switched);
    });
}

std::string PlanetsState::render() const {
    return render_position(map(), position_, whole_board(map().rows, map().columns));
}

std::string PlanetsState::render_for(Seat /*the only one*/, const Screen& screen) const {
    return render_position(map(), position_, window_around_ship(map(), position_, screen));
}

std::unique_ptr<State> PlanetsState::clone() const {
    return std::make_unique<PlanetsState>(*this);
}

}  // namespace engines::e7_planets
