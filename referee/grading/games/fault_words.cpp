#include "referee/grading/games/played_records.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>

#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "protocol/json/text.h"
#include "referee/files/file.h"
#include "referee/grading/verdict/words.h"
#include "referee/limits.h"
#include "referee/report/output_folder.h"

namespace referee::grading {

namespace {

namespace json = protocol::json;

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
    std::istringstream lines(
        text_of(games, limits::debug_file_bytes_max,
                [&](const report::OutputFolder& folder) { return folder.debug_file(key, bot); }));
    json::Document document;
    for (std::string line; std::getline(lines, line);) {
        if (!document.parse(line)) continue;
        const auto turn = document.root().find("turn").integer();
        const auto words = document.root().find("debug").string();
        if (turn && words) said.emplace(*turn, json::visible_line(*words));
    }
    return said;
}

// By turn, how much too late the seat's answers came in the end.
std::map<std::int64_t, std::int64_t> over_by_turn(const std::string& games, const GameKey& key,
                                                  engines::Seat seat) {
    std::map<std::int64_t, std::int64_t> over;
    const auto replay = replay_of(games, key);
    const auto begin = replay.find_last_of('\n', replay.size() < 2 ? 0 : replay.size() - 2);
    json::Document last;
    if (begin == std::string::npos || !last.parse(replay.substr(begin + 1))) return over;
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
    const auto end =
        std::min({message.find(": ", begin), message.find(" (strike ", begin), message.size()});
    message.replace(begin, end - begin, message.compare(end, 1, ":") == 0 ? "" : ".");
}

// Of a turn in which an adapter got no answer of its program: where its message begins to tell
// what was seen of that. Not of a program that was thinking: then there is more to tell.
std::size_t begin_of_silence(const std::string& message, bool is_before) {
    if (is_before) return std::min(message.find("; its answer to turn "), message.size());
    if (message.find("it was thinking") != std::string::npos) return std::string::npos;
    return message.find("; nothing came by then");
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

GameResult with_words(GameResult result, engines::Seat seat, bool by_adapter,
                      const std::string& games) {
    const auto is_its_own = [seat](const Fault& fault) { return fault.seat == seat; };
    const auto is_late = [&](const Fault& fault) { return is_its_own(fault) && is_of_time(fault); };
    const auto any = [&result](auto is) {
        return std::any_of(result.faults.begin(), result.faults.end(), is);
    };
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
            fault.message = words->second + "; so: " + fault.message.substr(0, silence);
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
        const std::string none = "o move came";  // something may have come that is none
        const auto at = fault.message.rfind(none);
        // Its words may stand in the message already: why it gave the turn away.
        if (is_cause && (at == 1 || fault.message.find(" gave the turn away, ") < at) &&
            at != std::string::npos)
            fault.message.replace(0, at + none.size(), "no valid move came");
        fault.message = is_cause ? words->second + "; so: " + fault.message
                                 : fault.message + " (said of this move: " + words->second + ")";
    }
    return result;
}

std::string replay_of(const std::string& games, const GameKey& key) {
    return text_of(games, limits::replay_told_bytes_max,
                   [&](const report::OutputFolder& folder) { return folder.replay_file(key); });
}

}  // namespace referee::grading
