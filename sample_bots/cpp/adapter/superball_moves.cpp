// PROGRAM rows cols min-score-size colors: once a move, the board on its standard input, the first
// line that it prints is the move.

#include <algorithm>
#include <utility>

#include "sample_bots/cpp/adapter/answer.h"
#include "sample_bots/cpp/adapter/players.h"

namespace bots::adapter {
namespace {

std::string board_rows(kit::json::View state) {
    std::string text;
    for (const auto row : state.find("board").elements())
        text.append(row.string().value_or("")).append("\n");
    return text;
}

// What the command line ends with. The handout's values stand for params that are left out.
std::vector<std::string> arguments_of(kit::json::View params) {
    const auto number = [&params](std::string_view name, std::int64_t otherwise) {
        return std::to_string(params.find(name).integer().value_or(otherwise));
    };
    return {number("rows", 8), number("cols", 10), number("min_score_size", 5),
            std::string(params.find("colors").string().value_or("pbyrg"))};
}

class SuperballPlayer final : public kit::Player {
 public:
    SuperballPlayer(std::vector<std::string> words, kit::json::View params)
        : words_(std::move(words)) {
        for (auto& argument : arguments_of(params)) words_.push_back(std::move(argument));
        start();  // the first one, before `ready`
    }

    std::string move(const kit::Turn& turn) override {
        auto answer = answer_of_one_run(turn);
        debug_ = notes_.take(turn.number);
        return answer;
    }
    std::string debug() override { return std::move(debug_); }

 private:
    void start() {
        auto started = ChildProgram::start(words_);
        if (started) {
            program_ = *std::move(started);
        } else {
            notes_.add(started.error());
        }
    }

    std::string answer_of_one_run(const kit::Turn& turn) {
        if (!program_) start();
        if (!program_) return std::string(no_move);
        const auto program = std::move(program_);
        const auto stopped = program->feed_to_end(board_rows(turn.state), deadline_of(turn));
        const bool ends = stopped == Stopped::end;
        const auto ending = program->stop(ends ? time_to_end : std::chrono::milliseconds{});
        const auto told = told_of(stopped, ending);
        notes_.add(told);
        if (!told.empty()) notes_.add(last_error_of(*program));
        if (!ends) return std::string(no_move);
        auto line = program->take_line();
        if (!line && !program->output().empty()) {
            line = program->output();  // its last line has no end
        } else if (line && !program->output().empty()) {
            const auto& rest = program->output();
            const auto lines = std::count(rest.begin(), rest.end(), '\n') + (rest.back() != '\n');
            notes_.add("the first line is the move, " + std::to_string(lines) +
                       " more were not read");
        }
        if (!line) {
            notes_.add("the program printed nothing");
            if (told.empty()) notes_.add(last_error_of(*program));
        }
        return line ? move_text(*line) : std::string(no_move);
    }

    std::vector<std::string> words_;
    std::unique_ptr<ChildProgram> program_;  // that waits for its board
    Notes notes_;
    std::string debug_;
};

}  // namespace

kit::MakePlayer superball_moves(std::vector<std::string> words) {
    return [words = std::move(words)](const kit::GameStart& start) {
        return std::make_unique<SuperballPlayer>(words, start.params);
    };
}

}  // namespace bots::adapter
