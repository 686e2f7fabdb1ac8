// How a game begins where another one stopped, how it ends, and what its result says.

#include <algorithm>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "protocol/base/utf8.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/writer.h"
#include "referee/game/play/play.h"

namespace referee::play {

namespace {

// Of a bot's debug text, where it gives the reason of a fault.
constexpr std::size_t said_bytes_max = 300;

}  // namespace

void Play::take_past(const Past& past) {
    for (const auto& turn : past.turns) {
        REFEREE_ASSERT(!state_->over());
        if (turn.forfeit) {
            take_out(*turn.forfeit);
        } else {
            take_past_turn(turn);
        }
    }
    REFEREE_ASSERT(!state_->over());
    for (auto& seat : seats_) {
        seat.turn.clear();
        seat.valid_moves = 0;  // those of others
    }
}

void Play::take_past_turn(const PastTurn& turn) {
    const auto to_move = state_->to_move();
    for (Seat seat = 0; seat < seats_.size(); ++seat) {
        auto& state = seats_[seat];
        state.turn.clear();
        state.turn.move = turn.moves[seat];
        state.turn.used_us = turn.used_us[seat];
        if (to_move.test(seat)) state.clock.used_before(from_us(state.turn.used_us));
    }
    ++turn_;
    apply_answers({});
}

void Play::stop(GameStatus status, std::string reason, Actions& actions) {
    if (phase_ == Phase::finished) return;
    REFEREE_ASSERT(!counts(status));
    finish(status, std::move(reason), actions);
}

Instant Play::ready_until(Seat seat, Duration waited) const {
    const auto budget = setup_.ready_budget;
    return seats_[seat].sent.latest + budget + std::min(waited, clock::wall_backstop(budget));
}

void Play::miss_ready(Seat seat, const Arrival& arrival, Actions& actions) {
    if (const auto until = ready_until(seat, arrival.waited); arrival.at.latest < until) {
        actions.emplace_back(ArmDeadline{seat, until});
        return;
    }
    auto& state = seats_[seat];
    state.unready = true;
    // Who isn't there any more would only keep the others for all its turns.
    const bool is_gone =
        !setup_.needs_all_ready && std::ranges::any_of(result_.faults, [seat](const auto& fault) {
            return fault.seat == seat && fault.code == FaultCode::disconnected;
        });
    Fault fault;
    fault.code = FaultCode::late;
    fault.message = "no ready within " + ms_text(setup_.ready_budget) + " of start" +
                    (is_gone                  ? ", and the bot has left: it forfeits the game"
                     : setup_.needs_all_ready ? ": the match is dropped"
                                              : ": the game begins without it");
    if (is_gone) fault.consequence = Consequence::forfeit;
    fault.rule = "start.ready";
    fault.rule_text = "a bot answers start with ready before its ready budget is over";
    fault.evidence.sent_us = since_begin_us(state.sent.earliest);
    fault.evidence.noticed_us = since_begin_us(arrival.at.latest);
    fault.evidence.budget_us = in_us(setup_.ready_budget);
    fault.seat = seat;
    name_what_it_met(fault, arrival);
    add_fault(std::move(fault), actions);
    if (is_gone) forfeit(seat, setup_.bots[seat] + " left before it was ready", actions);
    if (awaits_ready(seat)) count_in(seat, actions);
}

bool Play::ended_unready(Actions& actions) {
    const auto missing = not_ready();
    if (missing.empty()) return false;
    finish(GameStatus::interrupted,
           base::joined(missing, ", ", [this](auto seat) { return setup_.bots[seat]; }) +
               (missing.size() == 1 ? " was" : " were") +
               " not ready in time: the match is dropped",
           actions);
    return true;
}

bool Play::keep_move(Seat seat, json::View move, const Arrival& arrival, Actions& actions) {
    auto& state = seats_[seat];
    if (move.is_null()) {
        const auto first = arrival.debug.substr(0, arrival.debug.find('\n'));
        state.turn.why = base::visible_line(base::utf8_prefix(first, said_bytes_max));
        return true;
    }
    json::Writer writer(state.turn.move);
    move.write(writer);
    state.move_bytes += state.turn.move.size();
    if (state.move_bytes <= move_bytes_max) return true;
    state.turn.move.clear();
    Fault fault;
    fault.code = FaultCode::flooding;
    fault.seat = seat;
    fault.message = fmt::format("{}'s moves in this game have more than {} bytes",
                                setup_.bots[seat], move_bytes_max);
    fault.evidence.received_us = since_begin_us(arrival.at.latest);
    set_rule(fault);
    file(std::move(fault), actions);
    if (awaits(seat)) close_seat(seat, actions);
    return false;
}

std::vector<Seat> Play::not_ready() const {
    std::vector<Seat> found;
    for (Seat seat = 0; seat < seats_.size(); ++seat) {
        if (seats_[seat].unready) found.push_back(seat);
    }
    return found;
}

void Play::finish(GameStatus status, std::string reason, Actions& actions) {
    phase_ = Phase::finished;
    for (Seat seat = 0; seat < seats_.size(); ++seat) {
        seats_[seat].wait = Wait::nothing;
        actions.emplace_back(DropDeadline{seat});
    }
    if (counts(status) && !forfeit_reasons_.empty()) {
        status = GameStatus::forfeited;
        reason = base::joined(forfeit_reasons_, "; ");
    }
    result_.status = status;
    result_.reason = std::move(reason);
    if (counts(status)) result_.outcome = state_->outcome();
    if (status == GameStatus::played) result_.reason = told_of_best(*setup_.game, result_);
    result_.turns = turns_played_;
    result_.clock_kind = clock::name_in_results(setup_.clock);
    result_.measure = clock::name_of(setup_.clock.measure);
    for (const auto& seat : seats_) {
        result_.used_us.push_back(in_us(seat.clock.used()));
        result_.means.push_back(seat.means);
        result_.valid_moves.push_back(seat.valid_moves);
    }
    note_allowances();
    note_programs();
    if (const auto* maps = setup_.game->maps()) result_.maps_version = maps->version();
    if (counts(status)) note_outcome();
    actions.emplace_back(Finish{});
}

void Play::note_allowances() {
    const auto bounded = [](const SeatState& seat) {
        return seat.allowance.by != clock::AllowedBy::nothing;
    };
    if (std::none_of(seats_.begin(), seats_.end(), bounded)) return;
    for (const auto& seat : seats_) {
        result_.round_trip_us.push_back(in_us(seat.allowance.round_trip));
        result_.allowance_us.push_back(in_us(seat.allowance.bound));
        result_.allowed_by.emplace_back(clock::name_of(seat.allowance.by));
    }
}

void Play::note_programs() {
    const auto launched = [](const SeatState& seat) { return !seat.program.sandbox.empty(); };
    const auto named = [](const SeatState& seat) { return !seat.program.program.empty(); };
    const bool any_launched = std::any_of(seats_.begin(), seats_.end(), launched);
    if (!any_launched && std::none_of(seats_.begin(), seats_.end(), named)) return;
    for (const auto& seat : seats_) {
        result_.program.push_back(seat.program.program);
        if (any_launched) result_.sandbox.push_back(seat.program.sandbox);
    }
}

void Play::note_outcome() {
    fingerprint_.add(name_of(result_.status));
    for (const auto score : result_.outcome.scores) {
        fingerprint_.add(std::to_string(score.in_halves()));
    }
    for (const auto place : result_.outcome.placing) fingerprint_.add(std::to_string(place));
    result_.fingerprint = fingerprint_.text();
}

}  // namespace referee::play
