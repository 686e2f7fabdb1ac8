#include "referee/watch/terminal/picture.h"

#include <algorithm>

#include "protocol/json/text.h"

namespace referee::terminal {
namespace {

using showing::FrameFacts;
using showing::ReplayFrames;

constexpr std::int64_t us_per_ms = 1000;
constexpr std::int64_t us_per_s = 1'000'000;
constexpr std::size_t bar_columns = 20;
constexpr std::size_t name_columns_max = 24;
constexpr std::size_t move_columns_max = 24;
// Words of bots and notes that stand below a board, each with its own line.
constexpr std::size_t words_lines_max = 6;

std::string as_printable(std::string_view text) {
    return protocol::json::visible_line(text);
}

// Filled up with blanks, or cut, to so many columns.
std::string in_columns(const std::string& text, std::size_t columns) {
    const auto fitting = protocol::json::fitting(text, columns);
    const auto used = protocol::json::columns_of(fitting);
    return std::string(fitting) + std::string(used < columns ? columns - used : 0, ' ');
}

// "18 us", "1.2 ms", "3.0 s".
std::string short_time(std::int64_t us) {
    constexpr std::int64_t tenths = 10;
    const auto in_unit = [us](std::int64_t unit, const char* name) {
        return std::to_string(us / unit) + "." + std::to_string(us % unit * tenths / unit) + name;
    };
    if (us >= us_per_s) return in_unit(us_per_s, " s");
    if (us >= us_per_ms) return in_unit(us_per_ms, " ms");
    return std::to_string(us) + " us";
}

std::string bar(std::int64_t used, std::int64_t budget) {
    const auto share = static_cast<double>(used) / static_cast<double>(budget);
    const auto filled = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * bar_columns);
    return "[" + std::string(filled, '#') + std::string(bar_columns - filled, '.') + "]";
}

std::string joined_names(const ReplayFrames& replay_frames) {
    std::string text;
    for (const auto& bot : replay_frames.bots())
        text += (text.empty() ? "" : ", ") + as_printable(bot);
    return text;
}

std::string turn_of(const ReplayFrames& replay_frames, std::size_t frame) {
    const auto& facts = replay_frames.facts(frame);
    auto text =
        "turn " + std::to_string(facts.turn) + " of " + std::to_string(replay_frames.turns());
    if (facts.forfeit) text += ", forfeit";
    return text;
}

// How it ended, where the frame is the last one.
std::string told_status(const ReplayFrames& replay_frames, std::size_t frame) {
    if (frame + 1 != replay_frames.frames()) return {};
    std::string text = as_printable(replay_frames.result().find("status").string().value_or(""));
    const auto scores = replay_frames.result().find("outcome").find("scores");
    for (std::size_t seat = 0; const auto score : scores.elements()) {
        std::string number;
        protocol::json::Writer writer(number);
        score.write(writer);
        text += (seat == 0 ? ", scores " : " : ") + as_printable(number);
        ++seat;
    }
    return text;
}

// A seat's move and time: "alice  F  18 us  [##........] of 1.0 s".
Line seat_line(const ReplayFrames& replay_frames, std::size_t frame, engines::Seat seat) {
    const auto& facts = replay_frames.facts(frame);
    std::size_t name_columns = 0;
    for (const auto& bot : replay_frames.bots())
        name_columns = std::max(name_columns, protocol::json::columns_of(as_printable(bot)));
    const auto name = in_columns(as_printable(replay_frames.bots()[seat]),
                                 std::min(name_columns, name_columns_max));
    const bool moved = seat < facts.moves.size() && !facts.moves[seat].empty();
    Line line{{name, Paint::strong},
              {"  " + in_columns(moved ? as_printable(facts.moves[seat]) : "-", move_columns_max)}};
    const auto budget = replay_frames.clock().find("budget_us").integer().value_or(0);
    const bool of_game = replay_frames.clock().find("kind").string() == "game";
    const auto turn_us = seat < facts.used_us.size() ? facts.used_us[seat] : 0;
    const auto used = of_game ? facts.used_in_all_us[seat] : turn_us;
    line.push_back({" " + short_time(turn_us)});
    if (budget > 0) {
        line.push_back({"  " + bar(used, budget), used >= budget ? Paint::bad : Paint::faint});
        line.push_back({of_game ? " " + short_time(used) + " of " : " of "});
        line.push_back({short_time(budget)});
    }
    return line;
}

// Faults of the frame's turn, what else the engine noted, and what the bots said.
std::vector<Line> word_lines(const ReplayFrames& replay_frames, std::size_t frame,
                             bool with_debug) {
    const auto& facts = replay_frames.facts(frame);
    std::vector<Line> lines;
    if (facts.forfeit) {
        lines.push_back(
            {{as_printable(replay_frames.bots()[*facts.forfeit]) + " is out of the game",
              Paint::bad}});
    }
    for (const auto& fault : replay_frames.faults()) {
        if (fault.turn != facts.turn || frame == 0) continue;
        lines.push_back(
            {{"fault of " + as_printable(replay_frames.bots()[fault.seat]) + ": " +
                  as_printable(fault.code) + " (" + as_printable(fault.consequence) + ")",
              Paint::bad},
             {"  " + as_printable(fault.message)}});
    }
    for (const auto& note : facts.notes) {
        if (note.is_fault) continue;  // the fault tells it
        lines.push_back(
            {{as_printable(replay_frames.bots()[note.seat]) + ": " + as_printable(note.message)}});
    }
    if (!with_debug) return lines;
    for (std::size_t seat = 0; seat < facts.debug.size(); ++seat) {
        if (facts.debug[seat].empty()) continue;
        lines.push_back({{as_printable(replay_frames.bots()[seat]) + " says: ", Paint::strong},
                         {as_printable(facts.debug[seat])}});
    }
    return lines;
}

// "=====>-----!---": where the frame is, and the faults.
Line timeline(const ReplayFrames& replay_frames, const Playback& playback, std::size_t columns) {
    const auto at = [&](std::size_t frame) {
        return replay_frames.frames() < 2 ? 0
                                          : frame * (columns - 1) / (replay_frames.frames() - 1);
    };
    std::string text(columns, '-');
    std::fill_n(text.begin(), at(playback.frame), '=');
    for (const auto frame : playback.fault_frames) text[at(frame)] = '!';
    text[at(playback.frame)] = '>';
    Line line;
    for (const char c : text)
        line.push_back({std::string(1, c), c == '!'   ? Paint::bad
                                           : c == '-' ? Paint::faint
                                                      : Paint::plain});
    return line;
}

std::string speed_of(const Playback& playback) {
    switch (playback.running) {
        case RunningPlayback::forward:
            return " running, ";
        case RunningPlayback::backward:
            return " running back, ";
        case RunningPlayback::stopped:
            break;
    }
    return " ";
}

Line title_line(const ReplayFrames& replay_frames, const Playback& playback, const Choice& choice) {
    Line line{{std::string(replay_frames.info().title), Paint::strong},
              {"  " + turn_of(replay_frames, playback.frame) + "  " +
               as_printable(replay_frames.game_id()) + "  " + joined_names(replay_frames)}};
    if (choice.games > 1) {
        line.push_back({"  (game " + std::to_string(choice.chosen + 1) + " of " +
                            std::to_string(choice.games) + ")",
                        Paint::faint});
    }
    if (const auto status = told_status(replay_frames, playback.frame); !status.empty())
        line.push_back({"  " + status, Paint::strong});
    return line;
}

// Of a board that is too large, of which each seat has a part.
Piece followed_text(const ReplayFrames& replay_frames, const Playback& playback) {
    return {"; around " + as_printable(replay_frames.bots()[playback.followed]) + " (seat " +
                std::to_string(playback.followed) + ", v: the next)",
            Paint::strong};
}

Line hint_line(const Playback& playback) {
    constexpr std::int64_t tenths = 10;
    const auto tenths_a_second = us_per_s * tenths / frame_us(playback);
    return {{std::to_string(tenths_a_second / tenths) + "." +
                 std::to_string(tenths_a_second % tenths) + " frames a second," +
                 speed_of(playback) + "h help, q close",
             Paint::faint}};
}

void append(std::vector<Line>& lines, std::vector<Line> more) {
    std::move(more.begin(), more.end(), std::back_inserter(lines));
}

}  // namespace

std::vector<Line> picture(ReplayFrames& replay_frames, const Playback& playback,
                          const Choice& choice, const engines::Screen& screen) {
    std::vector<Line> below;
    if (!playback.projector) {
        for (std::size_t seat = 0; seat < replay_frames.bots().size(); ++seat)
            below.push_back(seat_line(replay_frames, playback.frame, seat));
        auto words = word_lines(replay_frames, playback.frame, playback.debug);
        words.resize(std::min(words.size(), words_lines_max));
        append(below, std::move(words));
    }
    below.push_back(timeline(replay_frames, playback, std::max<std::size_t>(screen.columns, 1)));
    if (!playback.projector) below.push_back(hint_line(playback));
    // On a low screen the board comes first.
    const auto half = screen.lines / 2;
    if (below.size() > half)
        below.erase(below.begin(), below.end() - static_cast<std::ptrdiff_t>(half));

    const auto title_lines = std::min<std::size_t>(1, screen.lines);
    const engines::Screen room{screen.columns, screen.lines - title_lines - below.size()};
    const auto& state = replay_frames.state(playback.frame);
    const auto text = state.render_for(playback.followed, room);
    auto board = position_lines(text);
    board.resize(std::min(board.size(), room.lines));
    std::vector<Line> lines;
    if (title_lines > 0) lines.push_back(title_line(replay_frames, playback, choice));
    const auto other = (playback.followed + 1) % playback.seats;
    const bool is_part = other != playback.followed && state.render_for(other, room) != text;
    if (is_part && !playback.projector && !below.empty())
        below.back().push_back(followed_text(replay_frames, playback));
    append(lines, std::move(board));
    append(lines, std::move(below));
    return lines;
}

std::vector<Line> help_picture(const engines::Screen& screen) {
    std::vector<Line> lines;
    for (auto rest = help_text(); !rest.empty();) {
        const auto end = rest.find('\n');
        lines.push_back({{std::string(rest.substr(0, end))}});
        rest.remove_prefix(end + 1);
    }
    lines.resize(std::min(lines.size(), screen.lines));
    return lines;
}

std::string told_frame(ReplayFrames& replay_frames, std::size_t frame) {
    std::string text = std::string(replay_frames.info().title) + ", " +
                       as_printable(replay_frames.game_id()) + ": " + joined_names(replay_frames) +
                       "\n" + turn_of(replay_frames, frame) + "\n";
    text += replay_frames.state(frame).render();
    const auto& facts = replay_frames.facts(frame);
    for (std::size_t seat = 0; seat < facts.moves.size(); ++seat) {
        if (facts.moves[seat].empty() && facts.used_us[seat] == 0) continue;
        text += as_printable(replay_frames.bots()[seat]) + ": " +
                (facts.moves[seat].empty() ? "no move" : as_printable(facts.moves[seat])) + ", " +
                short_time(facts.used_us[seat]) + "\n";
    }
    for (const auto& line : word_lines(replay_frames, frame, true)) {
        for (const auto& piece : line) text += piece.text;
        text += '\n';
    }
    if (const auto status = told_status(replay_frames, frame); !status.empty())
        text += status + "\n";
    return text;
}

}  // namespace referee::terminal
