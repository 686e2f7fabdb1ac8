// PROGRAM --challenge: once a game, the board on its standard input, the whole way as its answer.

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "sample_bots/cpp/adapter/answer.h"
#include "sample_bots/cpp/adapter/players.h"

namespace bots::adapter {
namespace {

constexpr std::string_view blanks = " \t\r\n";

// The columns, the rows, and the rows themselves; the start is marked, which the state doesn't do.
std::string maze_text(kit::json::View state) {
    std::vector<std::string> rows;
    for (const auto row : state.find("board").elements())
        rows.emplace_back(row.string().value_or(""));
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
        const auto begin = line.find_first_not_of(blanks);
        if (begin == std::string::npos) continue;
        const auto end = line.find_last_not_of(blanks);
        last = LastLine{line.substr(begin, end - begin + 1), found++};
    }
    return last;
}

class SnakePlayer final : public kit::Player {
 public:
    // Started before `ready`, so that its start isn't charged; it gets the board with the turn.
    explicit SnakePlayer(std::vector<std::string> words) {
        words.emplace_back("--challenge");
        auto started = ChildProgram::start(words);
        if (started) {
            program_ = *std::move(started);
        } else {
            never_ = started.error();
        }
    }

    std::string move(const kit::Turn& turn) override {
        const bool is_asked = program_ != nullptr;
        if (!is_asked) notes_.add(never_);
        auto answer = is_asked ? first_answer(turn) : std::string(no_move);
        debug_ = notes_.take(turn.number);
        return answer;
    }
    std::string debug() override { return std::move(debug_); }

 private:
    std::string first_answer(const kit::Turn& turn) {
        const auto stopped = program_->feed_to_end(maze_text(turn.state), deadline_of(turn));
        const bool ends = stopped == Stopped::end;
        const auto ending = program_->stop(ends ? time_to_end : std::chrono::milliseconds{});
        const auto output = program_->output();
        const auto error = last_error_of(*program_);
        program_.reset();
        never_ = "the program runs once a game and isn't asked again";
        const auto told = told_of(stopped, ending);
        notes_.add(told);
        if (!told.empty()) notes_.add(error);
        const auto last = ends ? last_line_of(output) : std::nullopt;
        if (!last) {
            if (ends) notes_.add("the program printed no line of letters");
            if (told.empty()) notes_.add(error);
            never_ += ": it gave no answer";
            return std::string(no_move);
        }
        if (last->before > 0)
            notes_.add("the program printed " + std::to_string(last->before) +
                       " other lines before its answer; expected that line alone");
        const auto wrong = last->text.find_first_not_of("NSOE");
        if (wrong != std::string::npos)
            notes_.add("expected the letters N, S, O and E alone, found " +
                       quoted(last->text.substr(wrong, 1)) + " in " + quoted(last->text));
        never_ += ": its answer of " + std::to_string(last->text.size()) +
                  " letters was over before the game was";
        return move_text(last->text);
    }

    std::unique_ptr<ChildProgram> program_;
    std::string never_;  // why there is no answer any more
    Notes notes_;
    std::string debug_;
};

}  // namespace

kit::MakePlayer snake_challenge(std::vector<std::string> words) {
    return [words = std::move(words)](const kit::GameStart&) {
        return std::make_unique<SnakePlayer>(words);
    };
}

}  // namespace bots::adapter
