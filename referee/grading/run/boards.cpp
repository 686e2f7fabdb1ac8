#include "referee/grading/run/boards.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

#include "engines/registry.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/files/named_file.h"
#include "referee/game/trace/replay_lines.h"
#include "referee/game/trace/trace.h"
#include "referee/grading/verdict/words.h"
#include "referee/limits.h"
#include "referee/report/output_folder.h"

namespace referee::grading {
namespace {

namespace json = protocol::json;
using verdict::PlayedGame;

constexpr std::string_view snake = "snake-challenge";
constexpr std::string_view superball = "superball-moves";
constexpr auto after_all = std::numeric_limits<std::int64_t>::max();

std::string replay_of(const std::string& games, const PlayedGame& game) {
    const auto key = game_key(game.id);
    for (const bool flat : {false, true}) {
        if (!key) break;
        auto text = files::read_named_file(report::OutputFolder(games, flat).replay_file(*key),
                                           limits::replay_told_bytes_max);
        if (text) return *std::move(text);
    }
    return {};
}

// The game's state as JSON, as it was before that turn, or after the last one; empty where the
// replay doesn't have it.
std::string state_in(const std::string& replay, std::int64_t turn) {
    const engines::Registry registry;
    const auto lines = trace::lines_of(replay, {});
    if (!lines) return {};
    auto setup = trace::set_up_again(lines->first, {}, registry);
    if (!setup) return {};
    auto& state = *setup->state;
    trace::TurnLine line;
    std::vector<engines::Note> notes;
    auto rest = lines->turns;
    for (std::int64_t next = 1; next < turn && !rest.empty() && !state.over(); ++next) {
        const auto end = rest.find('\n');
        if (!line.read(rest.substr(0, end), state.seats(), true)) return {};
        rest.remove_prefix(std::min(end, rest.size() - 1) + 1);
        if (line.forfeit()) {
            state.forfeit(*line.forfeit());
        } else {
            state.apply(line.answers(), notes);
        }
    }
    std::string text;
    json::Writer writer(text);
    state.write_state(writer);
    return text;
}

struct Board {
    std::vector<std::string> rows;  // none: its state is no such board
    std::string head;               // "[1, 4]" of a Snake, which is marked in its row
};

Board board_in(const std::string& state) {
    Board board;
    json::Document document;
    if (!document.parse(state, {.depth_max = trace::line_depth_max})) return board;
    for (const auto row : document.root().find("board").elements()) {
        if (!row.string()) return {};
        board.rows.emplace_back(*row.string());
    }
    const auto head = document.root().find("head");
    const auto row = head.at(0).unsigned_integer();
    const auto column = head.at(1).unsigned_integer();
    if (!row || !column || *row >= board.rows.size() || *column >= board.rows[*row].size())
        return board;
    board.rows[*row][*column] = 'o';
    board.head = '[' + std::to_string(*row) + ", " + std::to_string(*column) + ']';
    return board;
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
    std::string text;
    for (const auto& part : parts) text.append(text.empty() ? "" : between).append(part);
    return text;
}

// How the kind's program is run on a board; empty of other programs.
std::string command_of(const config::BotConfig& bot, const PlayedGame& game) {
    if (!bot.program) return {};
    auto words = bot.program->words;
    json::Document params;
    if (bot.program->kind->name == snake) {
        words.emplace_back("--challenge");
    } else if (bot.program->kind->name == superball && params.parse(game.params)) {
        for (const auto* name : {"rows", "cols", "min_score_size"})
            words.push_back(std::to_string(params.root().find(name).integer().value_or(0)));
        words.emplace_back(params.root().find("colors").string().value_or(""));
    } else {
        return {};
    }
    return joined(words, " ");
}

void add_board(const PlayedGame& game, const config::BotConfig& bot, const std::string& games,
               verdict::Grade& grade) {
    const auto command = command_of(bot, game);
    const bool is_plan = bot.program && bot.program->kind->name == snake;
    const auto turn = is_plan ? 1 : game.faults.empty() ? 0 : game.faults.front().turn;
    const auto replay = replay_of(games, game);
    if (const auto end = board_in(state_in(replay, after_all)); !end.head.empty() && !game.won())
        grade.to_see.push_back("In game " + game.id + " the head stood at " + end.head +
                               " when it ended");
    if (turn == 0) return;
    auto board = board_in(state_in(replay, turn)).rows;
    if (board.empty()) return;
    if (is_plan)
        board.insert(board.begin(),
                     {std::to_string(board.front().size()), std::to_string(board.size())});
    const auto text = joined(board, "\n");
    if (text.size() > limits::feedback_output_bytes_max) return;
    const auto name = "The board of game " + game.id + ", turn " + std::to_string(turn);
    if (!command.empty())
        grade.to_see.push_back(
            command + " < board.txt: how game " + game.id +
            (is_plan ? " asked it" : " asked it in turn " + std::to_string(turn)) +
            "; what is to be in that file stands on this page");
    grade.inputs.emplace(name, text);
}

}  // namespace

void add_boards(const verdict::Played& played, const config::BotConfig& bot,
                const std::string& games, verdict::Grade& grade) {
    std::set<std::string> ids;
    for (const auto& step : grade.steps) {
        const bool lacks = step.verdict == verdict::StepVerdict::failed ||
                           step.verdict == verdict::StepVerdict::partly;
        if (lacks && !step.hidden && !step.games.empty()) ids.insert(step.games.front());
    }
    for (const auto& [id, series] : played.series) {
        for (const auto& game : series.games) {
            if (ids.contains(game.id)) add_board(game, bot, games, grade);
        }
    }
}

}  // namespace referee::grading
