#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <set>

#include "engines/registry.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/files/file.h"
#include "referee/game/trace/replay.h"
#include "referee/game/trace/trace.h"
#include "referee/grading/games/played_records.h"
#include "referee/grading/verdict/phrases.h"
#include "referee/report/output_folder.h"

namespace referee::grading {
namespace {

// Boards that a page of feedback shows: those of an open series.
constexpr std::size_t boards_max = 10;

namespace json = protocol::json;
using verdict::PlayedGame;

constexpr auto after_all = std::numeric_limits<std::int64_t>::max();

// A game played again.
struct Replayed {
    std::unique_ptr<engines::State> state;  // before the turn, or after the last one; null: unknown
    std::string answer;   // of the seat in that turn, in words; empty: none, or no words
    std::string habit{};  // `it only ever answered "D" (down)`; empty: too few answers, or others
};

constexpr std::size_t told_answers_max = 2;

// `many` answers of a seat were these and no others. One is a habit from the second time on; two
// are only where there are many.
std::string habit_of(const std::set<std::string>& different, std::size_t many,
                     const engines::Game& rules) {
    constexpr std::size_t of_two = 4;
    if (different.size() > told_answers_max || many < (different.size() < 2 ? 2 : of_two))
        return {};
    std::vector<std::string> told;
    for (const auto& text : different) {
        json::Document move;
        if (!move.parse(text)) return {};
        const auto words = rules.move_in_words(move.root());
        told.push_back(text + (words.empty() ? words : " (" + words + ')'));
    }
    return "it only ever answered " + base::joined(told, " and ");
}

Replayed replayed(const std::string& replay, std::int64_t turn, engines::Seat seat) {
    static const engines::Registry registry;
    const auto lines = trace::lines_of(replay, {});
    if (!lines) return {};
    auto setup = trace::set_up_again(lines->first, {}, registry);
    if (!setup) return {};
    auto& state = *setup->state;
    trace::TurnLine line;
    std::vector<engines::Note> notes;
    std::size_t many = 0;             // answers of the seat
    std::set<std::string> different;  // and one more, where there are more than are told
    auto rest = lines->turns;
    for (std::int64_t next = 1; !rest.empty() && !state.over(); ++next) {
        if (!line.read(base::next_line(rest), state.seats(), true)) return {};
        if (next == turn) {
            auto answer = line.forfeit() || seat >= state.seats()
                              ? std::string()
                              : setup->game->move_in_words(line.answers()[seat].move);
            return {std::move(setup->state), std::move(answer)};
        }
        if (line.forfeit()) {
            state.forfeit(*line.forfeit());
        } else {
            if (seat < state.seats() && !line.answers()[seat].move.is_null()) {
                ++many;
                if (different.size() <= told_answers_max)
                    different.insert(line.answers()[seat].move.json_text());
            }
            state.apply(line.answers(), notes);
        }
    }
    return {std::move(setup->state), {}, habit_of(different, many, *setup->game)};
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
    for (auto& word : base::command_of(std::string(bot.program->kind->arguments))) {
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
    if (text.size() > verdict::feedback_output_bytes_max) return;
    const auto in_turn = is_plan ? std::string() : " in turn " + std::to_string(turn);
    auto command = command_of(bot, game);
    if (!command.empty())
        command += " < board.txt: how it was asked; put a board of this page into board.txt";
    if (!command.empty() && !base::contains(grade.to_see, command)) grade.to_see.push_back(command);
    if (!answer.empty())
        grade.to_see.push_back("In game " + game.id + " the answer" + in_turn + " was " + answer);
    grade.inputs.emplace(fmt::format("The board of game {}, turn {}", game.id, turn), text);
}

// In which turns boards of a game are shown: in those that the steps' reasons name first, else in
// that of its first fault.
std::set<std::int64_t> turns_of_boards(const PlayedGame& game, const verdict::Grade& grade) {
    std::set<std::int64_t> turns;
    for (const auto& step : grade.steps) {
        if (!step.lacks_points() || step.hidden) continue;
        const auto told = std::ranges::find_if(step.told, [&](const verdict::AdvicePlace& place) {
            return place.id == game.id && place.turn > 0;
        });
        if (told != step.told.end()) turns.insert(told->turn);
    }
    if (turns.empty() && !game.faults.empty()) turns.insert(game.faults.front().turn);
    return turns;
}

// A file of the game; a run of one tournament has no folder for it.
template <typename Named>
std::string text_of(const std::string& games, std::size_t bytes_max, Named named) {
    for (const bool flat : {false, true}) {
        auto text = files::read_named_file(named(report::OutputFolder(games, flat)), bytes_max);
        if (text) return *std::move(text);
    }
    return {};
}

using SaidByTurn = std::map<std::int64_t, std::string>;

// What a bot said of its moves in a game.
SaidByTurn said_by_turn(const std::string& games, const GameKey& key, const std::string& bot) {
    SaidByTurn said;
    const auto lines =
        text_of(games, report::debug_file_bytes_max,
                [&](const report::OutputFolder& folder) { return folder.debug_file(key, bot); });
    trace::for_each_debug(lines, [&said](std::int64_t turn, std::string_view words) {
        said.emplace(turn, base::visible_line(words));
    });
    return said;
}

// By turn, how much too late the seat's answers came in the end.
std::map<std::int64_t, std::int64_t> over_by_turn(const std::string& games, const GameKey& key,
                                                  engines::Seat seat) {
    std::map<std::int64_t, std::int64_t> over;
    const auto replay = replay_of(games, key);
    json::Document last;
    if (!last.parse(base::last_line(replay))) return over;
    for (const auto times : last.root().find("times").elements()) {
        const auto turn = times.find("turn").integer();
        const auto over_us = times.find("over_us").integer();
        if (times.find("seat").unsigned_integer() == seat && turn && over_us)
            over.emplace(*turn, *over_us);
    }
    return over;
}

bool is_of_time(const Fault& fault) {
    return fault.code == FaultCode::late || fault.code == FaultCode::hung ||
           fault.code == FaultCode::over_budget;
}

// The turn of a move that came and is none; 0 where none did.
std::int64_t turn_of_no_move(const Fault& fault) {
    json::Document line;
    if (!fault.evidence.received || !line.parse(*fault.evidence.received)) return 0;
    const auto move = line.root().find("move");
    return move && move.is_null() ? line.root().find("turn").integer().value_or(0) : 0;
}

// What was expected is said once, by the adapter, which saw what the program itself answered.
void leave_out_expected(std::string& message) {
    const auto end = message.rfind("; ");
    if (end != std::string::npos && message.starts_with("expected ")) message.erase(0, end + 2);
}

// What a message should have held is nothing to a student who never writes one.
void leave_out_example(std::string& message) {
    const auto begin = message.find(". Expected ");
    if (begin == std::string::npos) return;
    const auto end = std::min(
        {message.find(": ", begin), message.find(fault_words::strike, begin), message.size()});
    message.replace(begin, end - begin, message.compare(end, 1, ":") == 0 ? "" : ".");
}

// Of a turn in which an adapter got no answer of its program: where its message begins to tell
// what was seen of that. Not of a program that was thinking: then there is more to tell.
std::size_t begin_of_silence(const std::string& message, bool is_before) {
    if (is_before) return std::min(message.find(fault_words::answer_to_other_turn), message.size());
    if (message.find(fault_words::thinking) != std::string::npos) return std::string::npos;
    return message.find("; " + std::string(fault_words::nothing_came));
}

// What an adapter said when it last got no answer. It is turns behind while it waits.
SaidByTurn::const_iterator last_silence(const SaidByTurn& said, std::int64_t turn) {
    for (auto one = said.upper_bound(turn); one != said.begin();) {
        --one;
        if (one->second.find("gave no answer in time") != std::string::npos) return one;
    }
    return said.end();
}

std::string too_late(std::int64_t over_us) {
    return "; too late by " + verdict::with_short_times(base::milliseconds(over_us));
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
    auto in_kind = played.state->tell_play_without_map(seat);
    if (!played.habit.empty()) in_kind.insert(in_kind.begin(), played.habit);
    return {all.empty() ? all : "; " + all, std::move(in_kind)};
}

void add_boards(const verdict::Played& played, const config::BotConfig& bot,
                const std::string& games, verdict::Grade& grade) {
    // A program that is asked once has lost a game by its one answer: each of these is of use.
    const bool is_plan = bot.program && bot.program->kind->is_asked_once;
    const auto is_told = [&](const PlayedGame& game) {
        return std::ranges::any_of(grade.steps, [&](const auto& step) {
            if (!step.lacks_points() || step.hidden || step.games.empty()) return false;
            const auto& ids = step.games;
            return ids.front() == game.id ||
                   (is_plan && (!game.faults.empty() || !game.won()) &&
                    base::contains(ids, game.id)) ||
                   base::contains(step.told, game.id, &verdict::AdvicePlace::id);
        });
    };
    for (const auto* game : played.games()) {
        if (!is_told(*game)) continue;
        for (const auto turn : is_plan ? std::set<std::int64_t>{1} : turns_of_boards(*game, grade))
            if (grade.inputs.size() < boards_max) add_board(*game, turn, bot, games, grade);
    }
}

GameResult with_words(GameResult result, engines::Seat seat, bool by_adapter,
                      const std::string& games) {
    const auto is_its_own = [seat](const Fault& fault) { return fault.seat == seat; };
    const auto is_late = [&](const Fault& fault) { return is_its_own(fault) && is_of_time(fault); };
    const auto any = [&result](auto is) { return std::ranges::any_of(result.faults, is); };
    if (!any(is_its_own)) return result;
    const auto said = said_by_turn(games, result.key, result.bots[seat]);
    const auto over = any(is_late) ? over_by_turn(games, result.key, seat)
                                   : std::map<std::int64_t, std::int64_t>();
    for (auto& fault : result.faults) {
        if (!is_its_own(fault)) continue;
        const auto& evidence = fault.evidence;
        const auto empty = turn_of_no_move(fault);
        const bool is_before = empty > 0 && empty < fault.turn;  // what came was of another turn
        fault.message = verdict::with_short_times(fault.message);
        if (by_adapter && fault.rule.ends_with(".missing_move")) leave_out_example(fault.message);
        const auto silence = by_adapter && (is_before || is_of_time(fault))
                                 ? begin_of_silence(fault.message, is_before)
                                 : std::string::npos;
        auto words = said.find(is_before && by_adapter ? empty : fault.turn);
        if (words == said.end() && silence != std::string::npos)
            words = last_silence(said, fault.turn);
        const bool speaks = words != said.end();
        if (silence != std::string::npos && speaks) {  // turns of one cause are told alike
            fault.message = words->second + verdict::and_so + fault.message.substr(0, silence);
            continue;
        }
        if (is_of_time(fault) && !(by_adapter && speaks)) {
            const auto late = over.find(fault.turn);
            if (late != over.end()) {
                fault.message += too_late(late->second);
            } else if (evidence.received_us && !is_before && evidence.charged_us &&
                       evidence.budget_us && *evidence.charged_us > *evidence.budget_us) {
                fault.message += too_late(*evidence.charged_us - *evidence.budget_us);
            }
        }
        if (!speaks) continue;
        const bool is_cause = (empty > 0 && !is_before) || (by_adapter && !is_of_time(fault));
        if (by_adapter && is_cause && words->second.find("expected ") != std::string::npos)
            leave_out_expected(fault.message);
        // Something may have come that is none.
        const auto none = engines::no_move_came.substr(1);
        const auto at = fault.message.rfind(none);
        // Its words may stand in the message already: why it gave the turn away.
        if (is_cause && (at == 1 || fault.message.find(fault_words::gave_away) < at) &&
            at != std::string::npos)
            fault.message.replace(0, at + none.size(), "no valid move came");
        fault.message = is_cause ? words->second + verdict::and_so + fault.message
                                 : fault.message + " (said of this move: " + words->second + ")";
    }
    return result;
}

std::string replay_of(const std::string& games, const GameKey& key) {
    return text_of(games, report::replay_told_bytes_max,
                   [&](const report::OutputFolder& folder) { return folder.replay_file(key); });
}

}  // namespace referee::grading
