// PROGRAM: once a game; its size, its role, and then a line a turn, which it answers with a letter.

#include <array>
#include <utility>

#include "sample_bots/cpp/adapter/answer.h"
#include "sample_bots/cpp/adapter/players.h"

namespace bots::adapter {
namespace {

// What of a player can be seen.
struct Place {
    std::int64_t row = 0;
    std::int64_t column = 0;
    std::size_t facing = 0;  // clockwise from north
};

Place place_of(kit::json::View state, std::size_t seat) {
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

class WallsPlayer final : public kit::Player {
 public:
    // The program starts before `ready`, and learns its role there.
    WallsPlayer(const std::vector<std::string>& words, const kit::GameStart& start)
        : seat_(start.seat) {
        for (std::size_t seat = 0; seat < places_.size(); ++seat)
            places_[seat] = place_of(start.state, seat);
        next_input_ = std::to_string(start.state.find("size").integer().value_or(0)) + "\n" +
                      (seat_ == 0 ? "A" : "B") + "\n";
        auto started = ChildProgram::start(words);
        if (started) {
            program_ = *std::move(started);
        } else {
            gone_ = started.error();
        }
    }

    std::string move(const kit::Turn& turn) override {
        next_input_ += step_of(turn.state, seat_);
        next_input_ += ' ';
        next_input_ += step_of(turn.state, 1 - seat_);
        next_input_ += '\n';
        auto answer = program_ ? letter_for(turn) : std::string(no_move);
        if (!program_) notes_.add(gone_);
        debug_ = notes_.take(turn.number);
        return answer;
    }
    std::string debug() override { return std::move(debug_); }

 private:
    // What a player did since this program's last turn.
    char step_of(kit::json::View state, std::size_t seat) {
        const auto before = std::exchange(places_[seat], place_of(state, seat));
        return step_between(before, places_[seat]);
    }

    std::string letter_for(const kit::Turn& turn) {
        const auto deadline = deadline_of(turn);
        ++owed_;
        bool told = false;  // of lines that are no answer
        for (auto input = std::exchange(next_input_, {});; input.clear()) {
            const auto stopped = program_->feed_for_line(input, deadline);
            if (stopped != Stopped::line) return no_letter(stopped);
            const auto line = *program_->take_line();
            if (line.size() != 1) {
                if (!std::exchange(told, true))
                    notes_.add("a line of one letter is an answer, " + quoted(line) + " is none");
            } else if (--owed_ > 0) {
                notes_.add("the answer " + quoted(line) + " belongs to an earlier turn");
            } else {
                return move_text(line);
            }
        }
    }

    std::string no_letter(Stopped stopped) {
        if (stopped == Stopped::deadline) {  // its answer to this turn may still come
            notes_.add("the program gave no answer in time");
            return std::string(no_move);
        }
        const bool ends = stopped == Stopped::end;
        gone_ = told_of(stopped, program_->stop(ends ? time_to_end : std::chrono::milliseconds{}));
        if (gone_.empty()) gone_ = "the program has ended, or closed its output";
        if (const auto error = last_error_of(*program_); !error.empty()) gone_ += "; " + error;
        program_.reset();
        return std::string(no_move);
    }

    std::size_t seat_;
    std::array<Place, 2> places_;
    std::string next_input_;
    std::unique_ptr<ChildProgram> program_;
    std::string gone_;      // why there is no program
    std::size_t owed_ = 0;  // turns that it has not answered
    Notes notes_;
    std::string debug_;
};

}  // namespace

kit::MakePlayer walls_lines(std::vector<std::string> words) {
    return [words = std::move(words)](const kit::GameStart& start) {
        return std::make_unique<WallsPlayer>(words, start);
    };
}

}  // namespace bots::adapter
