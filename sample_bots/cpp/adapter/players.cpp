#include "sample_bots/cpp/adapter/child_program.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "protocol/base/text.h"
#include "protocol/json/writer.h"

namespace bots::adapter {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::size_t note_bytes_max = 500;  // well within a move's debug text
// As the games' pages have it where nobody says how long a turn may take.
constexpr microseconds limit_default{std::chrono::seconds(60)};
constexpr microseconds more_least{milliseconds(200)};
constexpr microseconds more_most{milliseconds(5'000)};
// How long a program whose output has ended may take to end.
constexpr milliseconds time_to_end{200};
constexpr std::string_view no_move = "null";

// What is told of a student's program beside its moves: each turn's words are the move's `debug`,
// and stand on standard error unless they are those of the turn before.
class Notes {
 public:
    // None where they are empty.
    void add(std::string words) {
        if (!words.empty() && words_.size() < note_bytes_max)
            words_ += (words_.empty() ? "" : "; ") + std::move(words);
    }
    // All words since the last call. `turn`: the one that they belong to.
    std::string take(std::int64_t turn) {
        auto words = std::exchange(words_, {});
        if (!words.empty() && words != last_)
            std::fprintf(stderr, "turn %lld: %s\n", static_cast<long long>(turn), words.c_str());
        last_ = words;
        return words;
    }

 private:
    std::string words_;
    std::string last_;
};

// Until when an answer is awaited. The referee judges whether it came in time, and excuses waits
// that can't be seen from here, so this is later than the turn may last by the wall: it only keeps
// a program that never answers from holding up the next game.
Deadline deadline_of(const Turn& turn) {
    const auto limit = turn.wall_limit_us > 0 ? microseconds(turn.wall_limit_us) : limit_default;
    return std::chrono::steady_clock::now() + limit + std::clamp(limit, more_least, more_most);
}

// The text as JSON; bytes that no text has become '?', which no game takes for a move.
std::string move_text(std::string_view text) {
    std::string plain(text);
    const auto is_plain = [](char c) { return c >= ' ' && c <= '~'; };
    std::replace_if(
        plain.begin(), plain.end(), [&](char c) { return !is_plain(c); }, '?');
    std::string json;
    protocol::json::Writer writer(json);
    writer.string(plain);
    return json;
}

// What the players have in common: a program, and what is told of it beside each move.
class ProgramPlayer : public Player {
 public:
    std::string move(const Turn& turn) final {
        auto text = answer(turn);
        debug_ = notes_.take(turn.number);
        return text;
    }
    std::string debug() final { return std::move(debug_); }

 protected:
    // Why it can't be started; empty where it was.
    std::string start_program(const std::vector<std::string>& words) {
        auto started = ChildProgram::start(words);
        if (!started) return started.error();
        program_ = *std::move(started);
        return {};
    }
    // Ends the program, whose output stopped so; what there is to tell of that.
    std::string end_program(Stopped stopped) {
        const bool ends = stopped == Stopped::end;
        return told_of(stopped, program_->stop(ends ? time_to_end : std::chrono::milliseconds{}));
    }

    std::unique_ptr<ChildProgram> program_;
    Notes notes_;

 private:
    virtual std::string answer(const Turn& turn) = 0;

    std::string debug_;
};

constexpr std::string_view blanks = " \t\r\n";

// The columns, the rows, and the rows themselves; the start is marked, which the state doesn't do.
std::string maze_text(json::View state) {
    auto rows = state.find("board").texts();
    const auto head = state.find("head");
    const auto row = static_cast<std::size_t>(head.at(0).integer().value_or(0));
    const auto column = static_cast<std::size_t>(head.at(1).integer().value_or(0));
    if (row < rows.size() && column < rows[row].size()) rows[row][column] = 'o';
    const auto columns = rows.empty() ? 0 : rows.front().size();
    auto text = std::to_string(columns) + "\n" + std::to_string(rows.size()) + "\n";
    for (const auto& each : rows) text += each + "\n";
    return text;
}

struct LastLine {
    std::string text;
    std::size_t before = 0;  // lines that are not blank
};

std::optional<LastLine> last_line_of(const std::string& output) {
    std::optional<LastLine> last;
    std::istringstream lines(output);
    std::size_t found = 0;
    for (std::string line; std::getline(lines, line);) {
        const auto text = base::trimmed(line, blanks);
        if (!text.empty()) last = LastLine{std::string(text), found++};
    }
    return last;
}

class SnakePlayer final : public ProgramPlayer {
 public:
    // Started before `ready`, so that its start isn't charged; it gets the board with the turn.
    explicit SnakePlayer(std::vector<std::string> words) {
        words.emplace_back("--challenge");
        never_ = start_program(words);
    }

 private:
    std::string answer(const Turn& turn) override {
        if (program_ != nullptr) return first_answer(turn);
        notes_.add(never_);
        return std::string(no_move);
    }

    std::string first_answer(const Turn& turn) {
        const auto stopped = program_->feed_to_end(maze_text(turn.state), deadline_of(turn));
        const bool ends = stopped == Stopped::end;
        const auto told = end_program(stopped);
        const auto output = program_->output();
        const auto error = last_error_of(*program_);
        program_.reset();
        notes_.add(told);
        if (!told.empty()) notes_.add(error);
        const auto last = ends ? last_line_of(output) : std::nullopt;
        if (!last) {
            if (ends) notes_.add("the program printed no line of letters");
            if (told.empty()) notes_.add(error);
            never_ = "the program is asked once a game, and gave no answer";
            return std::string(no_move);
        }
        const auto wrong = last->text.find_first_not_of("NSOE");
        const auto letters =
            wrong == std::string::npos
                ? std::string()
                : " the letters N, S, O and E alone, found " + quoted(last->text.substr(wrong, 1));
        if (last->before > 0)
            notes_.add("the program printed " + std::to_string(last->before + 1) +
                       " lines, and the last one, " + quoted(last->text) +
                       ", was taken for its answer" +
                       (letters.empty() ? "; expected one line with all letters"
                                        : ": expected one line of" + letters));
        else if (!letters.empty())
            notes_.add("expected" + letters + " in " + quoted(last->text));
        never_ = "its answer had " + std::to_string(last->text.size()) +
                 (last->text.size() == 1 ? " letter" : " letters") +
                 ", and the program is asked only once";
        return move_text(last->text);
    }

    std::string never_;  // why there is no answer any more
};

std::string board_rows(json::View state) {
    std::string text;
    for (const auto row : state.find("board").elements()) text.append(row.text()).append("\n");
    return text;
}

// What the command line ends with. The handout's values stand for params that are left out.
std::vector<std::string> arguments_of(json::View params) {
    const auto number = [&params](std::string_view name, std::int64_t otherwise) {
        return std::to_string(params.find(name).integer().value_or(otherwise));
    };
    return {number("rows", 8), number("cols", 10), number("min_score_size", 5),
            std::string(params.find("colors").string().value_or("pbyrg"))};
}

class SuperballPlayer final : public ProgramPlayer {
 public:
    SuperballPlayer(std::vector<std::string> words, json::View params) : words_(std::move(words)) {
        for (auto& argument : arguments_of(params)) words_.push_back(std::move(argument));
        notes_.add(start_program(words_));  // the first one, before `ready`
    }

 private:
    std::string answer(const Turn& turn) override {
        if (!program_) notes_.add(start_program(words_));
        if (!program_) return std::string(no_move);
        const auto stopped = program_->feed_to_end(board_rows(turn.state), deadline_of(turn));
        const bool ends = stopped == Stopped::end;
        const auto told = end_program(stopped);
        const auto program = std::move(program_);
        notes_.add(told);
        if (!told.empty()) notes_.add(last_error_of(*program));
        if (!ends) return std::string(no_move);
        auto line = program->take_line();
        if (!line && !program->output().empty()) {
            line = program->output();  // its last line has no end
        } else if (line && !program->output().empty()) {
            const auto& rest = program->output();
            const auto more = std::count(rest.begin(), rest.end(), '\n') + (rest.back() != '\n');
            notes_.add("the program printed " + std::to_string(1 + more) +
                       " lines, and the first alone is taken for the move");
        }
        if (!line) {
            notes_.add("the program printed nothing");
            if (told.empty()) notes_.add(last_error_of(*program));
        }
        return line ? move_text(*line) : std::string(no_move);
    }

    std::vector<std::string> words_;
};

// What of a player can be seen.
struct Place {
    std::int64_t row = 0;
    std::int64_t column = 0;
    std::size_t facing = 0;  // clockwise from north
};

Place place_of(json::View state, std::size_t seat) {
    const auto player = state.find("players").at(seat);
    const auto at = player.find("at");
    const auto facing = player.find("facing").string().value_or("N");
    return {at.at(0).integer().value_or(0), at.at(1).integer().value_or(0),
            std::string_view("NESW").find(facing.substr(0, 1))};
}

// What brought a player from one place to the other; '-' where it stayed as it was.
char step_between(const Place& before, const Place& after) {
    constexpr std::size_t directions = 4;
    if (before.row != after.row || before.column != after.column) return 'F';
    if (before.facing == after.facing) return '-';
    return (before.facing + 1) % directions == after.facing ? 'R' : 'L';
}

class WallsPlayer final : public ProgramPlayer {
 public:
    // The program starts before `ready`, and learns its role there.
    WallsPlayer(const std::vector<std::string>& words, const GameStart& start) : seat_(start.seat) {
        for (std::size_t seat = 0; seat < places_.size(); ++seat)
            places_[seat] = place_of(start.state, seat);
        next_input_ = std::to_string(start.state.find("size").integer().value_or(0)) + "\n" +
                      (seat_ == 0 ? "A" : "B") + "\n";
        gone_ = start_program(words);
    }

 private:
    std::string answer(const Turn& turn) override {
        next_input_ += step_of(turn.state, seat_);
        next_input_ += ' ';
        next_input_ += step_of(turn.state, 1 - seat_);
        next_input_ += '\n';
        auto text = program_ ? letter_for(turn) : std::string(no_move);
        if (!program_) notes_.add(gone_);
        return text;
    }

    // What a player did since this program's last turn.
    char step_of(json::View state, std::size_t seat) {
        const auto before = std::exchange(places_[seat], place_of(state, seat));
        return step_between(before, places_[seat]);
    }

    std::string letter_for(const Turn& turn) {
        const auto deadline = deadline_of(turn);
        ++owed_;
        bool told = false;   // of a line that is no answer
        bool noted = false;  // any line
        for (auto input = std::exchange(next_input_, {});; input.clear()) {
            const auto stopped = program_->feed_for_line(input, deadline);
            if (stopped != Stopped::line) return no_letter(stopped, noted);
            const auto line = *program_->take_line();
            answered_ = noted = true;
            const bool is_letter = line.size() == 1;
            if (!is_letter && bad_line_.empty())
                bad_line_ = quoted(line) + " in turn " + std::to_string(turn.number);
            if (is_letter && --owed_ == 0) {
                bad_line_.clear();
                return move_text(line);
            }
            const std::string taken = " is taken for the answer to an earlier turn";
            if (bad_line_.empty()) {
                notes_.add(quoted(line) + taken);
                continue;
            }
            if (!std::exchange(told, true))
                notes_.add(bad_line_ + " is no answer, which is a line of one letter");
            if (is_letter) notes_.add("the letter that it printed now" + taken);
        }
    }

    std::string no_letter(Stopped stopped, bool noted) {
        if (stopped == Stopped::deadline) {  // its answer to this turn may still come
            const auto& begun = program_->output();
            const auto none =
                noted ? "nothing more"
                : answered_
                    ? "no line"
                    : "no line; does it flush its output (fflush, endl) behind each letter?";
            notes_.add("the program gave no answer in time: it printed " +
                       (begun.empty() ? none : quoted(begun) + " and no end of the line"));
            return std::string(no_move);
        }
        gone_ = end_program(stopped);
        if (gone_.empty())
            gone_ = program_->has_ended_well()
                        ? "the program ended with status 0 before the game was over"
                        : "the program closed its output, and went on";
        if (const auto error = last_error_of(*program_); !error.empty()) gone_ += "; " + error;
        program_.reset();
        return std::string(no_move);
    }

    std::size_t seat_;
    std::array<Place, 2> places_;
    std::string next_input_;
    std::string gone_;       // why there is no program
    std::size_t owed_ = 0;   // turns that it has not answered
    std::string bad_line_;   // what it printed instead, and when, while a turn is owed for that
    bool answered_ = false;  // it printed a line
};

}  // namespace

// PROGRAM --challenge: once a game, the board on its standard input, the whole way as its answer.

MakePlayer snake_challenge(std::vector<std::string> words) {
    return [words = std::move(words)](const GameStart&) {
        return std::make_unique<SnakePlayer>(words);
    };
}

// PROGRAM rows cols min-score-size colors: once a move, the board on its standard input, the first
// line that it prints is the move.

MakePlayer superball_moves(std::vector<std::string> words) {
    return [words = std::move(words)](const GameStart& start) {
        return std::make_unique<SuperballPlayer>(words, start.params);
    };
}

// PROGRAM: once a game; its size, its role, and then a line a turn, which it answers with a letter.

MakePlayer walls_lines(std::vector<std::string> words) {
    return [words = std::move(words)](const GameStart& start) {
        return std::make_unique<WallsPlayer>(words, start);
    };
}

}  // namespace bots::adapter
