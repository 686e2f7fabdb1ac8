#include "tests/bench/instant_answers.h"

#include <cstdlib>

#include "tests/bench/member.h"

namespace bench {
namespace {

constexpr int e7_ghosts = 4;
constexpr int e7_first_ghost_column = 10;

// The moves of one seat from the first to the last: the same for both, as the halves mirror.
std::string walls_script(bool right_half) {
    constexpr int centre = board_size / 2;
    // Toward the bottom first, then up and down, column by column, away from the middle.
    const char to_south = right_half ? 'R' : 'L';
    const char first_turn = right_half ? 'L' : 'R';  // from south to the outside
    const char second_turn = first_turn;             // from the outside to north
    std::string script(1, to_south);
    script.append(static_cast<std::size_t>(centre), 'F');
    bool at_bottom = true;
    for (int column = 1; column < centre; ++column) {
        const char turn = at_bottom ? first_turn : to_south;
        script += turn;
        script += 'F';
        script += at_bottom ? second_turn : to_south;
        script.append(static_cast<std::size_t>(board_size - 1), 'F');
        at_bottom = !at_bottom;
    }
    return script;
}

// As many moves as a game has turns.
std::string e7_script() {
    std::string script;
    while (script.size() < e7_turns) script += script.size() % 2 == 0 ? 'D' : 'U';
    return script;
}

}  // namespace

std::string e7_params() {
    // The ship goes to and fro in the first column, and the ghosts in columns of their own. The
    // scrap can't be reached in time.
    std::string row = "[0";
    for (int i = 1; i < board_size; ++i) row += ",0";
    row += "]";
    std::string text = R"({"map":{"grid":[)" + row;
    for (int i = 1; i < board_size; ++i) text += "," + row;
    text += R"(],"player":{"location":[[null,null],[1,1]],"score":0},"scraps":[{"location":[1,)" +
            std::to_string(board_size) + R"(],"value":1}],"ghosts":[)";
    for (int i = 0; i < e7_ghosts; ++i) {
        const auto column = std::to_string(e7_first_ghost_column + i);
        text += std::string(i == 0 ? "" : ",") + R"({"location":[[1,)" + column + "],[2," + column +
                R"(]],"type":"backandforth","transparency":0})";
    }
    return text + R"(],"remaining_turns":)" + std::to_string(e7_turns) + "}}";
}

InstantAnswers::Line InstantAnswers::answer(std::string_view line, std::string& answers) {
    const auto type = member(line, "\"type\":");
    if (type == "turn") return move(line, answers);
    if (type == "hello") {
        answers += R"({"type":"login","name":")" + name_ + R"(","games":[)";
        answers += game_ == Game::walls ? R"("walls"])" : R"("e7_planets"])";
        if (game_ == Game::e7_deltas) answers += R"(,"state":"delta")";
        // A launched bot is told its own.
        if (const char* token = std::getenv("REFEREE_TOKEN"))
            answers += R"(,"token":")" + std::string(token) + '"';
        answers += "}\n";
    } else if (type == "start") {
        script_ =
            game_ == Game::walls ? walls_script(member(line, "\"seat\":") == "1") : e7_script();
        step_ = 0;
        answers +=
            R"({"type":"ready","game_id":")" + std::string(member(line, "\"game_id\":")) + "\"}\n";
    }
    return Line::other;
}

InstantAnswers::Line InstantAnswers::move(std::string_view line, std::string& answers) {
    const auto what = step_ == 0                    ? Line::first_turn
                      : step_ + 1 == script_.size() ? Line::last_turn
                                                    : Line::turn;
    answers += R"({"type":"move","game_id":")";
    answers += member(line, "\"game_id\":");
    answers += R"(","turn":)";
    answers += member(line, "\"turn\":");
    answers += R"(,"move":")";
    answers += step_ < script_.size() ? script_[step_] : 'L';
    answers += "\"}\n";
    ++step_;
    return what;
}

}  // namespace bench
