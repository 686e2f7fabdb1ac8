#include <cstdint>
#include <string>
#include <string_view>

#include "protocol/base/text.h"
#include "protocol/base/utf8.h"
#include "referee/game/clock/seat_clock.h"
#include "referee/game/play/play.h"
#include "referee/game/result/game_result.h"

// What a play makes of things done wrong: faults, their evidence and what follows from them.

namespace referee::play {

namespace {

// For a late answer that passed the hard limit, not the budget.
constexpr Rule hard_limit_rule{
    "clock.hard_limit",
    "a turn is over after its hard limit of wall time, whatever else the clock counts"};

// A bot that used at least this share of the time was thinking; one that used no more than the
// other share was not.
constexpr int thinking_shares = 2;  // a half
constexpr int waiting_shares = 20;  // a twentieth

// A fault about time in plain words, with its numbers; `wall` is what the turn took.
std::string fault_message(const Fault& fault, std::string_view bot, Duration wall) {
    const std::string who(bot);
    const auto charged = base::milliseconds(fault.evidence.charged_us.value_or(0));
    const auto budget = base::milliseconds(fault.evidence.budget_us.value_or(0));
    switch (fault.code) {
        case FaultCode::late:
            if (fault.rule == hard_limit_rule.name) {
                return who + " took " + ms_text(wall) + " of wall time, and a turn is over after " +
                       budget + ": the move counts as missing";
            }
            return who + " was charged " + charged + " of a budget of " + budget +
                   ": the move counts as missing";
        case FaultCode::hung:
            return who + " counts as hung by its lateness over the whole game";
        case FaultCode::over_budget:
            return who + " used up its time of " + budget +
                   " for the game; the last turn was charged " + charged;
        default:
            return who + ": " + std::string(protocol::name_of(fault.code));
    }
}

// "; its way takes 10.000 ms, and 7.000 ms are allowed for it"; empty where all of it is allowed.
std::string way_text(const protocol::Evidence& evidence) {
    if (!evidence.round_trip_us || !evidence.allowance_us) return {};
    return "; its way takes " + base::milliseconds(*evidence.round_trip_us) + ", and " +
           base::milliseconds(*evidence.allowance_us) + " are allowed for it";
}

// What came in a turn instead of its answer; `answered` is the earlier turn that it answered, 0
// where it answered none.
std::string stray_text(std::int64_t answered, std::int64_t turn, Duration into_turn) {
    if (answered <= 0) return "; a line came that is no answer to this turn";
    const bool before = into_turn < Duration::zero();
    return fmt::format("{}{} came {}{}, and none to turn {} had come by then",
                       fault_words::answer_to_other_turn, answered,
                       ms_text(before ? -into_turn : into_turn),
                       before ? " before this turn was sent" : " into this turn", turn);
}

// Of a bot that sent the beginning of a line, and no more.
std::string half_line_text(std::size_t bytes) {
    return "half a line is waiting (" + base::counted(bytes, "byte") + "): end it with a line feed";
}

constexpr auto* unflushed =
    "; perhaps it doesn't flush its output, or doesn't end each line with a line feed";

// Of a bot of which no more is known, behind what came.
constexpr std::string_view silent = ": it thinks too long, or waits for something";

// Of a launched bot that sent nothing: whether it was thinking, by the processor time that it used.
std::string work_text(Duration worked, Duration wall, bool has_answered) {
    const auto used = "it used " + ms_text(worked) + " of processor time in " + ms_text(wall);
    const auto nothing = std::string(fault_words::nothing_came) + ": ";
    if (worked * thinking_shares >= wall)
        return fmt::format("{}{}, {}", nothing, fault_words::thinking, used);
    const auto flush = has_answered ? "" : unflushed;
    if (worked * waiting_shares > wall) return nothing + used + flush;
    return nothing + "it slept or waited for input, " + used + flush;
}

}  // namespace

Rule rule_of(FaultCode code) {
    switch (code) {
        case FaultCode::late:
            return {"clock.turn_budget", "a move is charged no more than the turn's budget"};
        case FaultCode::malformed:
            return {"game.form", "a move has the form that the game's page gives"};
        case FaultCode::illegal:
            return {"game.rules", "a move obeys the rules of the game"};
        case FaultCode::disconnected:
            return {
                "connection.kept",
                "a bot keeps its connection while its game is on; its clock runs on without it"};
        case FaultCode::crashed:
            return {"process.alive", "a launched bot keeps running while its game is on"};
        case FaultCode::hung:
            return {"clock.hung",
                    "a bot's lateness, summed over the game, stays below the clock's limit"};
        case FaultCode::over_budget:
            return {"clock.game_budget", "a bot's time for the whole game is not used up"};
        case FaultCode::flooding:
            return {"connection.flooding",
                    "a bot sends no more than it is asked for, and no line beyond the limit"};
        case FaultCode::protocol:
            return {"protocol.messages", "a bot sends only messages that the protocol knows"};
    }
    return {};
}

void Play::charge_fault(Seat seat, const Arrival& arrival, const clock::Charge& charge,
                        Actions& actions) {
    if (charge.suspect) {
        finish(
            GameStatus::annulled,
            excuse(seat, arrival) + ", so " + setup_.bots[seat] + " can't be blamed for being late",
            actions);
        return;
    }
    Fault fault;
    fault.seat = seat;
    fault.code = charge.hung   ? FaultCode::hung
                 : charge.flag ? FaultCode::over_budget
                               : FaultCode::late;
    auto& evidence = fault.evidence;
    const bool received = seats_[seat].turn.received;
    evidence = times(seat, arrival.at.latest, received, charge);
    evidence.budget_us = in_us(judged_budget(seat, charge));
    evidence.method = arrival.how;
    if (const auto& line = seats_[seat].turn.line; !line.empty()) evidence.received = line;
    const bool hard = charge.hard && fault.code == FaultCode::late;
    if (hard) {
        fault.rule = hard_limit_rule.name;
        fault.rule_text = hard_limit_rule.text;
    }
    set_rule(fault);
    fault.message = fault_message(fault, setup_.bots[seat], charge.wall);
    if (charge.hung) {
        fault.message += ": " + ms_text(charge.lateness) + " late in all, and " +
                         ms_text(setup_.clock.hung_after) + " are the limit";
    }
    fault.message += way_text(evidence);
    if (!received) name_missing_answer(fault, arrival);
    name_what_it_met(fault, arrival);
    file(std::move(fault), actions);
}

// Once in a game.
void Play::name_what_it_met(Fault& fault, const Arrival& arrival) {
    auto& told = seats_[fault.seat].met_told;
    if (arrival.met.empty() || arrival.met == told) return;
    told = arrival.met;
    fault.message += "; " + told;
}

// Why the seat's bot may not be to blame for being late.
std::string Play::excuse(Seat seat, const Arrival& arrival) const {
    const auto in_turn = " in turn " + std::to_string(turn_);
    std::string reason;
    if (arrival.stalled > Duration::zero()) {
        reason = "the referee itself stood still for " + ms_text(arrival.stalled) + in_turn;
        if (!arrival.stall_cause.empty()) reason += " (" + std::string(arrival.stall_cause) + ")";
    }
    if (arrival.waited > Duration::zero()) {
        if (!reason.empty()) reason += ", and ";
        reason +=
            setup_.bots[seat] + " waited " + ms_text(arrival.waited) + " for a processor" + in_turn;
    }
    return reason;
}

// Tells silence from a line that was no answer: such a line is evidence too.
void Play::name_missing_answer(Fault& fault, const Arrival& arrival) const {
    const auto& state = seats_[fault.seat];
    const bool has_stray = !state.turn.stray.empty();
    if (has_stray) {
        fault.evidence.received = state.turn.stray;
        fault.evidence.received_us = since_begin_us(state.stray_at);
    }
    if (arrival.away) {
        fault.message += "; no answer came, it is disconnected";
    } else if (arrival.paused) {
        fault.message +=
            "; no answer was read: it sent so much that nobody asked for that it is not listened "
            "to for a while";
    } else if (has_stray) {
        fault.message +=
            stray_text(state.turn.stray_turn, turn_, state.stray_at - state.sent.earliest);
    } else {
        fault.message += "; " + silence_text(fault.seat, arrival);
    }
}

// Of a bot that is connected and sent no line: a line without its end, a flush that was forgotten
// and slow thinking look alike from here, as far as nothing else is known.
std::string Play::silence_text(Seat seat, const Arrival& arrival) const {
    if (arrival.half_line > 0) return half_line_text(arrival.half_line);
    const auto& state = seats_[seat];
    // What it waited for a core is no time in which it might have thought.
    const auto wall = arrival.at.latest - state.sent.earliest - arrival.waited;
    if (arrival.worked) return work_text(*arrival.worked, wall, state.has_answered);
    if (!state.has_answered)
        return fmt::format("{}, and no answer to an earlier turn either{}",
                           fault_words::nothing_came, unflushed);
    auto words = fmt::format("{}{}", fault_words::nothing_came, silent);
    const auto is_silent_too = [&](const Fault& other) {
        return other.seat != seat && other.turn == turn_ &&
               other.message.find(silent) != other.message.npos;
    };
    if (std::any_of(result_.faults.begin(), result_.faults.end(), is_silent_too))
        words +=
            "; nor did anything come from another bot in this turn: a machine that they share, or "
            "the way to it, may be too busy";
    return words;
}

void Play::file(Fault fault, Actions& actions, const std::string& own) {
    const auto seat = fault.seat;
    const auto consequence = setup_.faults.of(fault.code);
    fault.consequence = consequence;
    if (consequence == Consequence::strike) {
        fault.message += fmt::format("{}{} of {})", fault_words::strike, seats_[seat].strikes + 1,
                                     setup_.faults.strikes_max);
    }
    const auto message = fault.message;
    fault.message.insert(0, own);
    add_fault(std::move(fault), actions);
    decide(seat, consequence, message, actions);
}

protocol::Evidence Play::times(Seat seat, Instant at, bool received,
                               const clock::Charge& charge) const {
    protocol::Evidence evidence;
    const auto told = clock::as_told(charge);
    evidence.sent_us = since_begin_us(seats_[seat].sent.earliest);
    (received ? evidence.received_us : evidence.noticed_us) = since_begin_us(at);
    evidence.charged_us = told.charged_us;
    evidence.allowed_us = told.allowed_us;
    if (charge.allowance < charge.round_trip) {
        evidence.round_trip_us = in_us(charge.round_trip);
        evidence.allowance_us = in_us(charge.allowance);
    }
    evidence.measure = setup_.clock.measure;
    return evidence;
}

Duration Play::judged_budget(Seat seat, const clock::Charge& charge) const {
    if (charge.hard && !charge.hung) return setup_.clock.hard_limit;
    switch (setup_.clock.kind) {
        case clock::ClockKind::turn:
            return seats_[seat].clock.budget();
        case clock::ClockKind::game:
            return setup_.clock.budget;
        case clock::ClockKind::none:
            return setup_.clock.hard_limit;
    }
    return {};
}

void Play::set_rule(Fault& fault) {
    if (!fault.rule.empty()) return;
    fault.rule = rule_of(fault.code).name;
    fault.rule_text = rule_of(fault.code).text;
}

void Play::book_notes(Actions& actions) {
    for (std::size_t i = 0; i < notes_.size() && phase_ == Phase::playing; ++i) {
        const auto& note = notes_[i];
        auto& seat = seats_[note.seat];
        const bool was_late = seat.turn.move.empty() && seat.charge.late && seat.last_turn == turn_;
        if (!note.is_fault || was_late) continue;
        Fault fault;
        fault.seat = note.seat;
        fault.code = note.over_time ? FaultCode::over_budget
                     : note.code.starts_with("malformed") || seat.turn.move.empty()
                         ? FaultCode::malformed
                         : FaultCode::illegal;
        fault.message = note.message;
        fault.rule = std::string(setup_.game->info().id) + "." + std::string(note.code);
        fault.rule_text = rule_of(fault.code).text;
        fault.evidence = times(note.seat, seat.arrived, seat.turn.received, seat.charge);
        fault.evidence.method = seat.means;
        if (setup_.clock.kind != clock::ClockKind::none) {
            fault.evidence.budget_us = in_us(judged_budget(note.seat, seat.charge));
        }
        if (!seat.turn.line.empty()) fault.evidence.received = seat.turn.line;
        if (!note.over_time) {
            const auto& why = seat.turn.why;
            file(std::move(fault), actions,
                 why.empty() ? why
                             : fmt::format("{}{}and its debug text says: {}. ",
                                           setup_.bots[note.seat], fault_words::gave_away, why));
            continue;
        }
        // The game's rules have taken already what that costs.
        fault.consequence = Consequence::lost_turn;
        fault.rule_text = "a bot thinks no longer than the game's rules allow";
        add_fault(std::move(fault), actions);
    }
}

void Play::stray(Seat seat, std::string_view line, Instant at, std::int64_t answered) {
    if (!awaits(seat)) return;
    auto& state = seats_[seat];
    state.turn.stray = base::utf8_prefix(line, protocol::limits::evidence_received_bytes_max);
    state.turn.stray_turn = answered;
    state.stray_at = at;
}

void Play::note_overdue(Seat seat, std::int64_t turn, Instant arrived) {
    auto& state = seats_[seat];
    const auto found = std::ranges::find(state.unanswered, turn, &Unanswered::turn);
    if (found == state.unanswered.end()) return;
    const auto took = arrived - found->sent;
    state.overdue = {took, std::max(took - found->most, Duration::zero())};
    state.unanswered.erase(found);
    replay_.overdue(turn, seat, *state.overdue);
}

void Play::misbehaved(Seat seat, Fault fault, const Arrival& arrival, Actions& actions) {
    if (phase_ == Phase::finished || phase_ == Phase::fresh) return;
    fault.seat = seat;
    auto& evidence = fault.evidence;
    (fault.code == FaultCode::protocol ? evidence.received_us : evidence.noticed_us) =
        since_begin_us(arrival.at.latest);
    if (fault.code == FaultCode::protocol) {
        stray(seat, fault.evidence.received.value_or(""), arrival.at.latest);
    }
    set_rule(fault);
    const auto consequence = setup_.faults.of(fault.code);
    file(std::move(fault), actions);
    const bool takes_move =
        consequence == Consequence::missing_move || consequence == Consequence::lost_turn;
    if (!takes_move || !runs(seat)) return;
    auto& state = seats_[seat];
    const auto charge = state.clock.answered(spent_by(state, arrival));
    book(seat, charge, arrival);
    state.charge.late = true;  // an answer from here on is to a turn that is over
    close_seat(seat, actions);
}

void Play::add_fault(Fault fault, Actions& actions) {
    fault.turn = turn_;
    ++result_.faults_total;
    auto& kept = seats_[fault.seat].faults_kept;
    if (kept >= faults_kept_max && fault.consequence != Consequence::forfeit) return;
    ++kept;
    result_.faults.push_back(std::move(fault));
    actions.emplace_back(SendFault{result_.faults.size() - 1});
}

void Play::decide(Seat seat, Consequence consequence, const std::string& why, Actions& actions) {
    if (phase_ == Phase::finished) return;
    if (consequence == Consequence::strike && ++seats_[seat].strikes < setup_.faults.strikes_max)
        return;
    if (consequence == Consequence::strike || consequence == Consequence::forfeit) {
        forfeit(seat, setup_.bots[seat] + " forfeits: " + why, actions);
    }
}

void Play::take_out(Seat seat) {
    state_->forfeit(seat);
    replay_.forfeit(seat);
    fingerprint_.add("forfeit " + std::to_string(seat));
    state_text_fresh_ = false;
}

void Play::forfeit(Seat seat, std::string reason, Actions& actions) {
    if (state_->over()) return;
    take_out(seat);
    forfeit_reasons_.push_back(std::move(reason));
    keep_delta();
    if (state_->over()) {
        finish(GameStatus::forfeited, {}, actions);
        return;
    }
    if (awaits_ready(seat)) {
        count_in(seat, actions);
    } else if (awaits(seat)) {
        seats_[seat].turn.move.clear();
        close_seat(seat, actions);
    }
}

}  // namespace referee::play
