#include "referee/tournament/table/announcement.h"

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/codec.h"
#include "referee/game/clock/seat_clock.h"

namespace referee::table {
namespace {

namespace json = protocol::json;

protocol::ClockTerms terms_of(const clock::ClockConfig& clock) {
    protocol::ClockTerms terms;
    terms.kind = clock.kind;
    terms.measure = clock.measure;
    terms.budget_us = in_us(clock.budget);
    terms.hard_limit_us = in_us(clock.hard_limit);
    if (clock.increment > Duration::zero()) terms.increment_us = in_us(clock.increment);
    return terms;
}

void tell(const play::Play::Last& last, protocol::LastAnswer& told) {
    const auto unless_zero = [](std::int64_t us) {
        return us > 0 ? std::optional(us) : std::nullopt;
    };
    const auto parts = clock::as_told(last.charge);
    told.turn = last.turn;
    told.charged_us = parts.charged_us;
    told.allowed_us = parts.allowed_us;
    if (parts.wall_matters()) told.wall_us = unless_zero(parts.wall_us);
    if (last.charge.allowance < last.charge.round_trip) {
        told.round_trip_us = unless_zero(in_us(last.charge.round_trip));
        told.allowance_us = in_us(last.charge.allowance);
    }
    told.jitter_us = unless_zero(parts.jitter_us);
    told.waited_us = unless_zero(parts.waited_us);
    told.corrected_us = unless_zero(parts.corrected_us);
    if (told.corrected_us) told.cause = last.stall_cause;
    told.doubted_us = unless_zero(parts.doubted_us);
    told.late = last.charge.late;
    told.move = last.move;
    for (const auto& note : last.notes)
        told.notes.push_back({static_cast<std::int64_t>(note.seat), note.code, note.message});
}

std::vector<std::string> names_for(const std::vector<std::string>& bots,
                                   const pseudonyms::NameMask& name_mask) {
    std::vector<std::string> names;
    names.reserve(bots.size());
    for (const auto& bot : bots) names.push_back(name_mask.name(bot));
    return names;
}

}  // namespace

void encode_start(std::string& out, const play::Play& play, const MatchFacts& match,
                  engines::Seat seat, bool resumed) {
    const auto& setup = play.setup();
    protocol::Start start;
    start.match = match.match_id;
    start.game_id = play.id();
    start.game_number = setup.key.number;
    start.games = match.games_max;
    start.game = setup.game->info().id;
    start.seat = static_cast<std::int64_t>(seat);
    const auto names = names_for(setup.bots, {match.pseudonyms, setup.bots[seat]});
    start.names.assign(names.begin(), names.end());
    start.params = play.full_params();
    start.clock = terms_of(setup.clock);
    start.turn = play.turns_played();
    start.state = play.state_text();
    start.resumed = resumed;
    protocol::encode(out, start);
}

void encode_past(std::string& out, const play::Play& play) {
    std::vector<std::string> turns;
    auto rest = play.history();
    while (!rest.empty()) turns.emplace_back(base::next_line(rest));
    protocol::encode_history(out, play.id(), 1, turns);
}

void encode_turn(std::string& out, const play::Play& play, engines::Seat seat, Duration budget,
                 const std::string* delta) {
    protocol::Turn turn;
    turn.game_id = play.id();
    turn.turn = play.turn();
    turn.budget_us = in_us(budget);
    if (delta != nullptr) {
        turn.delta = *delta;
    } else {
        turn.state = play.state_text();
    }
    if (const auto last = play.last(seat)) tell(*last, turn.last.emplace());
    protocol::encode(out, turn);
}

void encode_fault(std::string& out, const std::string& game_id, const Fault& fault) {
    protocol::Fault message;
    message.game_id = game_id;
    message.turn = fault.turn;
    message.seat = static_cast<std::int64_t>(fault.seat);
    message.code = fault.code;
    message.message = fault.message;
    message.rule = fault.rule;
    message.rule_text = fault.rule_text;
    message.consequence = fault.consequence;
    message.evidence = fault.evidence;
    protocol::encode(out, message);
}

void encode_fate(std::string& out, const play::Play& play, engines::Seat seat,
                 play::AnswerFate fate, std::int64_t turn) {
    using protocol::ErrorCode;
    const auto now = std::to_string(play.turn());
    const auto given = std::to_string(turn);
    if (fate == play::AnswerFate::old_turn) {
        protocol::Note note{.code = protocol::name_of(protocol::NoteCode::old_turn),
                            .game_id = play.id(),
                            .turn = turn};
        auto message =
            turn < 1 ? "turns count from 1, and this game is at turn " + now +
                           "; an answer to turn " + given + " was dropped"
            : play.has_answered(seat, turn)
                ? "turn " + given +
                      " is over, and has been answered already; this further answer was dropped"
                : "an answer to turn " + given + ", which is over; it was dropped";
        if (const auto& overdue = play.overdue(seat)) {
            message += ": it came " + ms_text(overdue->took) + " after the turn was sent, and so " +
                       ms_text(overdue->over) + " too late";
            note.took_us = in_us(overdue->took);
            note.over_us = in_us(overdue->over);
        }
        note.message = message;
        return protocol::encode(out, note);
    }
    const auto [code, message] =
        fate == play::AnswerFate::future_turn
            ? std::pair(ErrorCode::future_turn,
                        "turn " + given + " has not begun; the game is at turn " + now)
        : fate == play::AnswerFate::answered
            ? std::pair(ErrorCode::already_answered,
                        "turn " + now + " has been answered already; the first answer stands")
            : std::pair(ErrorCode::not_to_move, "it is not your move in turn " + now);
    protocol::ProtocolError error;
    error.code = code;
    error.message = message;
    error.expected = play.awaited_line(seat);
    protocol::encode(out, error);
}

void encode_end(std::string& out, const engines::Game& rules, const GameResult& result,
                const pseudonyms::NameMask& name_mask) {
    const auto id = game_id(result.key);
    const auto reason = counts(result.status) ? name_mask.reason(result.reason, result.bots)
                                              : name_mask.words(result.reason);
    if (!counts(result.status)) {
        const auto code = result.status == GameStatus::annulled ? protocol::NoteCode::annulled
                                                                : protocol::NoteCode::interrupted;
        return protocol::encode(
            out, protocol::Note{.code = protocol::name_of(code), .message = reason, .game_id = id});
    }
    std::string outcome;
    json::Writer writer(outcome);
    engines::write_outcome(writer, result.outcome);
    const auto names = names_for(result.bots, name_mask);
    std::vector<std::string> scores(result.bots.size());
    std::vector<std::string> reasons(result.bots.size());
    protocol::End end;
    end.game_id = id;
    end.outcome = outcome;
    for (std::size_t i = 0; i < result.bots.size(); ++i) {
        json::Writer score(scores[i]);
        result.outcome.scores[i].write(score);
        reasons[i] = told_by_rules(rules, result, i);
        if (reasons[i].empty()) reasons[i] = reason;
        end.seats.push_back({names[i], scores[i], result.outcome.placing[i], reasons[i]});
    }
    // A game of one seat is played by others from the same seed, and some of them may still have
    // to.
    if (result.bots.size() > 1) end.seed = result.seed;
    end.turns = result.turns;
    end.reason = reason;
    protocol::encode(out, end);
}

void encode_debug_cut(std::string& out, const play::Play& play, std::int64_t turn) {
    const auto message =
        fmt::format("the move's debug text was longer than {} bytes; the rest was cut off",
                    protocol::limits::debug_bytes_max);
    protocol::encode(out, protocol::Note{.code = protocol::name_of(protocol::NoteCode::debug_cut),
                                         .message = message,
                                         .game_id = play.id(),
                                         .turn = turn});
}

Fault disconnection(const lobby::Bot& one, session::CloseCause cause) {
    const auto& bot = one.name();
    const auto* const process = one.process();
    Fault fault;
    fault.code = FaultCode::disconnected;
    fault.message = bot + " is disconnected: " + std::string(session::describe(cause));
    // After a first line `referee connect` sends the end of the program's standard error.
    const std::string_view goodbye = one.goodbye();
    if (const auto line = goodbye.substr(0, goodbye.find('\n')); !line.empty()) {
        fault.message += std::string(fault_words::said) + base::visible_line(line);
        if (line.size() < goodbye.size())
            fault.evidence.stderr_tail = goodbye.substr(line.size() + 1);
    }
    fault.message += "; its clock runs on";
    if (cause == session::CloseCause::flooding || cause == session::CloseCause::line_too_long) {
        fault.code = FaultCode::flooding;
        fault.message = bot + " was shown out: " + std::string(session::describe(cause));
    }
    const auto exit = process == nullptr ? std::nullopt : process->exited();
    if (!exit) return fault;
    fault.code = FaultCode::crashed;
    fault.message = bot + "'s process has ended";
    if (exit->status) fault.message += " with exit status " + std::to_string(*exit->status);
    if (exit->signal) fault.message += " by signal " + std::to_string(*exit->signal);
    if (!exit->hint.empty()) fault.message += "; " + exit->hint;
    if (exit->status) fault.evidence.exit_status = *exit->status;
    if (exit->signal) fault.evidence.signal = *exit->signal;
    if (!exit->stderr_tail.empty()) fault.evidence.stderr_tail = exit->stderr_tail;
    return fault;
}

}  // namespace referee::table
