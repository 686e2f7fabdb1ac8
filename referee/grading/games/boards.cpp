#include "referee/grading/games/played_records.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

#include "engines/registry.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/game/trace/replay.h"
#include "referee/game/trace/trace.h"
#include "referee/limits.h"

namespace referee::grading {
namespace {

namespace json = protocol::json;
using verdict::PlayedGame;

constexpr auto after_all = std::numeric_limits<std::int64_t>::max();

// A game played again.
struct Replayed {
    std::unique_ptr<engines::State> state;  // before the turn, or after the last one; null: unknown
    std::string answer;   // of the seat in that turn, in words; empty: none, or no words
    std::string habit{};  // `it only ever answered "D" (down)`; empty: too few answers, or others
};

// What a seat answered, turn by turn.
class Answers {
 public:
    void add(json::View move) {
        if (move.is_null()) return;
        ++many_;
        if (different_.size() <= told_max) different_.insert(move.json_text());
    }
    // Of one answer from the second time on; of two only where there are many.
    std::string habit(const engines::Game& rules) const {
        constexpr std::size_t of_two = 4;
        if (different_.size() > told_max || many_ < (different_.size() < 2 ? 2 : of_two)) return {};
        std::vector<std::string> told;
        for (const auto& text : different_) {
            json::Document move;
            if (!move.parse(text)) return {};
            const auto words = rules.move_in_words(move.root());
            told.push_back(text + (words.empty() ? words : " (" + words + ')'));
        }
        return "it only ever answered " + base::joined(told, " and ");
    }

 private:
    static constexpr std::size_t told_max = 2;
    std::size_t many_ = 0;
    std::set<std::string> different_;  // and one more, where there are more than are told
};

Replayed replayed(const std::string& replay, std::int64_t turn, engines::Seat seat) {
    static const engines::Registry registry;
    const auto lines = trace::lines_of(replay, {});
    if (!lines) return {};
    auto setup = trace::set_up_again(lines->first, {}, registry);
    if (!setup) return {};
    auto& state = *setup->state;
    trace::TurnLine line;
    std::vector<engines::Note> notes;
    Answers answers;
    auto rest = lines->turns;
    for (std::int64_t next = 1; !rest.empty() && !state.over(); ++next) {
        const auto end = rest.find('\n');
        if (!line.read(rest.substr(0, end), state.seats(), true)) return {};
        if (next == turn) {
            auto answer = line.forfeit() || seat >= state.seats()
                              ? std::string()
                              : setup->game->move_in_words(line.answers()[seat].move);
            return {std::move(setup->state), std::move(answer)};
        }
        rest.remove_prefix(std::min(end, rest.size() - 1) + 1);
        if (line.forfeit()) {
            state.forfeit(*line.forfeit());
        } else {
            if (seat < state.seats()) answers.add(line.answers()[seat].move);
            state.apply(line.answers(), notes);
        }
    }
    return {std::move(setup->state), {}, answers.habit(*setup->game)};
}

// A Snake's head is marked in its row. No rows: its state is no such board.
std::vector<std::string> board_in(const engines::State& state) {
    std::string text;
    json::Writer writer(text);
    state.write_state(writer);
    std::vector<std::string> rows;
    json::Document document;
    if (!document.parse(text)) return rows;
    for (const auto row : document.root().find("board").elements()) {
        if (!row.string()) return {};
        rows.emplace_back(*row.string());
    }
    const auto head = document.root().find("head");
    const auto row = head.at(0).unsigned_integer();
    const auto column = head.at(1).unsigned_integer();
    if (row && column && *row < rows.size() && *column < rows[*row].size())
        rows[*row][*column] = 'o';
    return rows;
}

// How the kind's program is run on a board; empty of other programs.
std::string command_of(const config::BotConfig& bot, const PlayedGame& game) {
    json::Document params;
    if (!bot.program || bot.program->kind->arguments.empty() || !params.parse(game.params))
        return {};
    auto words = bot.program->words;
    for (auto& word : kinds::command_of(std::string(bot.program->kind->arguments))) {
        const auto param = params.root().find(word);
        if (const auto number = param.integer()) word = std::to_string(*number);
        if (const auto text = param.string()) word = *text;
        words.push_back(std::move(word));
    }
    return base::joined(words, " ");
}

void add_board(const PlayedGame& game, std::int64_t turn, const config::BotConfig& bot,
               const std::string& games, verdict::Grade& grade) {
    const bool is_plan = bot.program && bot.program->kind->is_asked_once;
    const auto key = game_key(game.id);
    if (turn == 0 || !key) return;
    const auto [state, answer, habit] = replayed(replay_of(games, *key), turn, game.seat);
    auto board = state ? board_in(*state) : std::vector<std::string>();
    if (board.empty()) return;
    if (is_plan)
        board.insert(board.begin(),
                     {std::to_string(board.front().size()), std::to_string(board.size())});
    const auto text = base::joined(board, "\n");
    if (text.size() > limits::feedback_output_bytes_max) return;
    const auto in_turn = is_plan ? std::string() : " in turn " + std::to_string(turn);
    auto command = command_of(bot, game);
    if (!command.empty())
        command += " < board.txt: how it was asked; put a board of this page into board.txt";
    if (!command.empty() &&
        std::find(grade.to_see.begin(), grade.to_see.end(), command) == grade.to_see.end())
        grade.to_see.push_back(command);
    if (!answer.empty())
        grade.to_see.push_back("In game " + game.id + " the answer" + in_turn + " was " + answer);
    grade.inputs.emplace("The board of game " + game.id + ", turn " + std::to_string(turn), text);
}

// "game ann.s/1.1 and 2 more: ..." names ann.s/1.1, and not ann.s/1.10.
bool names(const std::string& line, const std::string& id) {
    const auto named = "game " + id;
    return line.starts_with(named) &&
           std::string_view(" ,:").find(line[named.size()]) != std::string_view::npos;
}

// "game ann.s/1.1 on tiny, turn 3: ...", "(wrong in 2 of its 9 turns, first in turn 3): ..." name
// turn 3; nothing: it names none.
std::optional<std::int64_t> turn_in(const std::string& line) {
    const auto where = line.substr(0, line.find(": "));
    for (const std::string_view before : {", turn ", "first in turn "}) {
        const auto at = where.find(before);
        if (at != std::string::npos)
            return std::strtoll(where.c_str() + at + before.size(), nullptr, 10);
    }
    return std::nullopt;
}

// In which turns boards of a game are shown: in those that the steps' reasons name first, else in
// that of its first fault.
std::set<std::int64_t> turns_of_boards(const PlayedGame& game, const verdict::Grade& grade) {
    std::set<std::int64_t> turns;
    for (const auto& step : grade.steps) {
        if (!step.lacks_points() || step.hidden) continue;
        for (const auto& line : step.advice) {
            const auto turn = names(line, game.id) ? turn_in(line) : std::nullopt;
            if (!turn) continue;
            turns.insert(*turn);
            break;
        }
    }
    if (turns.empty() && !game.faults.empty()) turns.insert(game.faults.front().turn);
    return turns;
}

}  // namespace

ToldPlay told_play(const engines::Game& rules, const GameResult& result, engines::Seat seat,
                   const std::string& games) {
    json::Document params;
    if (!params.parse(result.params)) return {};
    const auto start = rules.start(params.root(), result.seed);
    if (!start || !(*start)->tell_play(seat)) return {};  // so no replay is read for nothing
    const auto played = replayed(replay_of(games, result.key), after_all, seat);
    if (!played.state) return {};
    const auto all = played.state->tell_play(seat).value_or("");
    auto in_kind = played.state->tell_play_in_kind(seat);
    if (!played.habit.empty()) in_kind.insert(in_kind.begin(), played.habit);
    return {all.empty() ? all : "; " + all, std::move(in_kind)};
}

void add_boards(const verdict::Played& played, const config::BotConfig& bot,
                const std::string& games, verdict::Grade& grade) {
    // A program that is asked once has lost a game by its one answer: each of these is of use.
    const bool is_plan = bot.program && bot.program->kind->is_asked_once;
    const auto is_told = [&](const PlayedGame& game) {
        return std::any_of(grade.steps.begin(), grade.steps.end(), [&](const auto& step) {
            if (!step.lacks_points() || step.hidden || step.games.empty()) return false;
            const auto& ids = step.games;
            return ids.front() == game.id ||
                   (is_plan && (!game.faults.empty() || !game.won()) &&
                    std::find(ids.begin(), ids.end(), game.id) != ids.end()) ||
                   std::any_of(step.advice.begin(), step.advice.end(),
                               [&](const auto& line) { return names(line, game.id); });
        });
    };
    for (const auto& [id, series] : played.series) {
        for (const auto& game : series.games) {
            if (!is_told(game)) continue;
            for (const auto turn :
                 is_plan ? std::set<std::int64_t>{1} : turns_of_boards(game, grade))
                if (grade.inputs.size() < limits::boards_max)
                    add_board(game, turn, bot, games, grade);
        }
    }
}

}  // namespace referee::grading
