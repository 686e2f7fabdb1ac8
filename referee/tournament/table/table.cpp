#include "referee/tournament/table/table.h"

#include <utility>

#include "protocol/bad_line.h"
#include "protocol/base/assertion.h"
#include "protocol/base/overloaded.h"
#include "referee/game/trace/replay.h"

namespace referee::table {
namespace {

// Debug text that is kept of one bot in one game.
constexpr std::size_t debug_bytes_kept_max = 256 * 1024;

// How far the news of a process' end may be behind the end of its pipes.
constexpr Duration exit_news_max = std::chrono::milliseconds(100);

}  // namespace

Table::Table(play::PlaySetup setup, MatchFacts match, std::vector<lobby::Bot*> bots,
             loop::Timers& timers, const StallSource& stalls, Cores& cores, OnFinished on_finished)
    : play_(std::move(setup)),
      match_(std::move(match)),
      bots_(std::move(bots)),
      timers_(timers),
      stalls_(stalls),
      cores_(cores),
      on_finished_(std::move(on_finished)),
      places_(bots_.size()) {
    for (Seat seat = 0; seat < bots_.size(); ++seat) bots_[seat]->sit(*this, seat);
}

Table::~Table() {
    timers_.cancel(performance_);
    for (Seat seat = 0; seat < bots_.size(); ++seat) {
        disarm(seat);
        timers_.cancel(places_[seat].cause_timer);
        if (stage_ != Stage::playing) continue;
        bots_[seat]->leave(*this);
        auto* process = bots_[seat]->process();
        if (process != nullptr && places_[seat].activity == Activity::resting) process->thaw();
    }
    for (const auto& place : places_) cores_.leave_queue(place.core);
    for (const auto& place : places_) cores_.release(place.core);
}

template <typename Write>
void Table::say(Seat seat, const Write& write) {
    auto* connection = session(seat);
    if (connection == nullptr) return;
    write(connection->outbox());
    connection->flush();
}

void Table::start(std::span<const Seat> absent) {
    play_.start(timers_.now(), absent, actions_);
    perform();
}

void Table::stop(GameStatus status, std::string reason) {
    play_.stop(status, std::move(reason), actions_);
    perform();
}

// Carries out what the play asked for. That may cause further events (a turn is sent, so its
// deadline is armed), which append to the same list.
void Table::perform() {
    if (performing_ || judging_) return;
    performing_ = true;
    for (std::size_t i = 0; i < actions_.size(); ++i) {
        const auto action = actions_[i];
        carry_out(action);
    }
    actions_.clear();
    flush_rest();
    performing_ = false;
    const bool over = stage_ != Stage::playing;
    if (watcher_ != nullptr && (over || watched_turns_ != play_.turns_played())) {
        watched_turns_ = play_.turns_played();
        watcher_->on_position(*this);
    }
    if (stage_ != Stage::finished) return;
    stage_ = Stage::told;
    for (auto* bot : bots_) bot->leave(*this);
    on_finished_(*this);
}

void Table::perform_afterwards() {
    if (actions_.empty() || performance_ != 0) return;
    performance_ = timers_.afterwards([this] {
        performance_ = 0;
        perform();
    });
}

void Table::carry_out(const play::Action& action) {
    std::visit(base::Overloaded{
                   // What came before them may have ended the game, or the seat's turn.
                   [this](const play::SendStart& start) {
                       if (play_.awaits_ready(start.seat))
                           with_core(start.seat, &Table::send_start);
                   },
                   [this](const play::SendTurn& turn) {
                       if (play_.awaits(turn.seat)) with_core(turn.seat, &Table::send_turn);
                   },
                   [this](const play::SendFault& fault) { send_fault(fault.fault); },
                   [this](const play::ArmDeadline& deadline) { arm(deadline); },
                   [this](const play::DropDeadline& deadline) { rest(deadline.seat); },
                   [this](const play::Finish&) { stage_ = Stage::finished; },
               },
               action);
}

void Table::with_core(Seat seat, void (Table::*send)(Seat)) {
    if (bots_[seat]->process() == nullptr) {
        (this->*send)(seat);
        return;
    }
    auto& core = places_[seat].core;
    REFEREE_ASSERT(core == 0);
    const auto answer = cores_.request([this, seat, send] {
        (this->*send)(seat);
        perform();
    });
    core = answer.permit;
    if (answer.granted) (this->*send)(seat);
}

void Table::send_start(Seat seat) {
    if (!play_.awaits_ready(seat)) return;
    auto& place = places_[seat];
    place.activity = Activity::thinking;
    place.core_wait = {};
    if (auto* process = bots_[seat]->process(); process != nullptr) {
        process->begin_turn();
        process->thaw();
    }
    if (session(seat) != nullptr) write_start(seat, play_.is_fork());
    play_.start_sent(seat, timers_.now(), actions_);
}

void Table::write_start(Seat seat, bool resumed) {
    auto* connection = session(seat);
    places_[seat].ready_asked = !play_.begun();
    const auto& bot = *bots_[seat];
    const bool named = std::exchange(places_[seat].version_named, true);
    if (bot.process() != nullptr) {
        play_.seated(seat, bot.process()->program());
    } else if (!named) {
        play_.seated(seat, {said_version(bot.version()), {}});
    }
    encode_start(connection->outbox(), play_, match_, seat, resumed);
    if (resumed) {
        encode_past(connection->outbox(), play_);
        connection->excuse_backlog();
    }
    play_.keep_deltas(seat, bots_[seat]->state_form() == protocol::StateForm::delta);
    connection->flush();
}

void Table::rest(Seat seat) {
    disarm(seat);
    auto& place = places_[seat];
    if (auto* process = bots_[seat]->process();
        process != nullptr && place.activity != Activity::none) {
        const bool freezes = process->freezes_between_turns().value_or(measures_cpu());
        if (place.activity == Activity::thinking || (freezes && !play_.finished())) {
            process->freeze();
            if (measures_cpu()) place.cpu_at_rest = process->cpu_time();
        } else {
            process->thaw();  // so that it can read how the game ended
        }
    }
    cores_.release(std::exchange(place.core, 0));
}

void Table::send_turn(Seat seat) {
    if (!play_.awaits(seat)) return;
    auto& place = places_[seat];
    place.activity = Activity::thinking;
    place.core_wait = {};
    if (auto* process = bots_[seat]->process(); process != nullptr) {
        const auto at_rest = std::exchange(place.cpu_at_rest, std::nullopt);
        process->begin_turn();
        place.cpu_at_send = measures_cpu() && !at_rest ? process->cpu_time_just_read() : at_rest;
        process->thaw();
    }
    auto* connection = session(seat);
    if (connection == nullptr) {
        play_.turn_sent(seat, Stamp::exact(timers_.now()), {}, actions_);
        return;
    }
    const bool delta = bots_[seat]->state_form() == protocol::StateForm::delta;
    delta_.clear();
    if (delta) play_.take_delta(seat, delta_);
    encode_turn(connection->outbox(), play_, seat, play_.budget(seat), delta ? &delta_ : nullptr);
    const auto sent = connection->flush();
    place.fault_unsent = false;
    place.turn_in_pieces = connection->backlog() > 0;
    play_.turn_sent(seat, sent, bots_[seat]->path(sent.latest), actions_);
}

void Table::send_turn_again(Seat seat) {
    if (!play_.runs(seat)) return;
    say(seat, [&](std::string& out) {
        encode_turn(out, play_, seat, play_.budget_left(seat, timers_.now()), nullptr);
    });
}

void Table::send_fault(std::size_t index) {
    const auto& fault = play_.faults()[index];
    auto* connection = session(fault.seat);
    if (connection == nullptr) return;
    encode_fault(connection->outbox(), play_.id(), fault);
    places_[fault.seat].fault_unsent = true;
}

void Table::flush_rest() {
    for (Seat seat = 0; seat < places_.size(); ++seat) {
        if (!std::exchange(places_[seat].fault_unsent, false)) continue;
        if (auto* connection = session(seat); connection != nullptr) connection->flush();
    }
}

bool Table::on_ready(Seat seat) {
    auto& place = places_[seat];
    if (place.activity == Activity::none) return false;
    const bool asked = std::exchange(place.ready_asked, false);
    if (play_.awaits_ready(seat)) place.activity = Activity::resting;
    play_.ready(seat, actions_);
    perform();
    return asked;
}

loop::StallsOf Table::stalls_of(Seat seat) const {
    const auto* connection = session(seat);
    // A bot that is away may be waiting to be let in again, and only the referee can do that. Only
    // the referee, too, can send the rest of a turn that was too long for the kernel's buffers.
    if (connection == nullptr || places_[seat].turn_in_pieces) return loop::StallsOf::process;
    if (connection->transport().stamped_by_kernel()) return loop::StallsOf::machine;
    return match_.alone ? loop::StallsOf::stamp : loop::StallsOf::cores;
}

play::Arrival Table::arrival_of(Seat seat, Stamp at) const {
    play::Arrival arrival;
    arrival.at = at;
    arrival.how = "timer of the referee";
    arrival.away = session(seat) == nullptr;
    if (!play_.runs(seat)) return arrival;
    const auto whose = stalls_of(seat);
    arrival.stalled = stalls_.stalled(whose, play_.sent_at(seat), at.latest);
    if (arrival.stalled > Duration::zero())
        arrival.stall_cause = stalls_.cause(whose, play_.sent_at(seat), at.latest);
    if (const auto* connection = session(seat); connection != nullptr) {
        arrival.paused = connection->is_paused();
        arrival.path = bots_[seat]->path(at.latest);
        arrival.allowance = bots_[seat]->allowance();
        arrival.how = connection->transport().stamp_source();
    }
    auto* process = bots_[seat]->process();
    if (process != nullptr)
        arrival.waited = process->core_wait_min(at.latest - play_.sent_at(seat));
    // What held up the referee may have held up the bot in the same moments, and is taken off
    // already: only what the bot waited beyond that is left.
    arrival.waited = std::max(arrival.waited - arrival.stalled, Duration::zero());
    arrival.cpu = cpu_in_turn(seat, true);
    if (arrival.cpu) arrival.how = process->cpu_means();
    return arrival;
}

bool Table::on_move(Seat seat, const protocol::Move& move, std::string_view line, Stamp arrived) {
    auto& debug = places_[seat].debug;
    if (!move.debug.empty() && debug.size() < debug_bytes_kept_max)
        trace::append_debug(debug, move.turn, move.debug);
    if (move.debug_cut)
        say(seat, [&](std::string& out) { encode_debug_cut(out, play_, move.turn); });
    auto arrival = arrival_of(seat, arrived);
    arrival.line = line;
    arrival.debug = move.debug;
    const auto fate = play_.answer(seat, move.turn, move.move.view(), arrival, actions_);
    const bool answered = fate == play::AnswerFate::taken || fate == play::AnswerFate::late;
    if (answered) places_[seat].activity = Activity::resting;
    if (!answered)
        say(seat, [&](std::string& out) { encode_fate(out, play_, seat, fate, move.turn); });
    if (timers_.hears_more()) {
        perform_afterwards();
    } else {
        perform();
    }
    return answered;
}

void Table::on_bad_line(Seat seat, const protocol::ProtocolError& error) {
    Fault fault;
    fault.code = FaultCode::protocol;
    fault.message = bots_[seat]->name() + " sent a line that is no valid message: " + error.message;
    if (protocol::may_hold_token(error.received)) {
        fault.message += protocol::line_not_shown;
    } else {
        fault.evidence.received = error.received;
    }
    play_.misbehaved(seat, std::move(fault), arrival_of(seat, Stamp::exact(timers_.now())),
                     actions_);
    perform();
}

void Table::on_foreign_move(Seat seat, std::string_view line, Stamp arrived) {
    play_.stray(seat, line, arrived.latest);
}

void Table::on_connected(Seat seat) {
    if (places_[seat].activity == Activity::none) return;  // its start will be sent later
    write_start(seat, true);
    if (!play_.runs(seat)) return;
    // The bot was launched anew during its turn, which had begun without a process: like any other
    // bot, it thinks only on a core. Its clock runs while it waits for one, since it left by
    // itself.
    if (places_[seat].core == 0) {
        with_core(seat, &Table::send_turn_again);
    } else {
        send_turn_again(seat);
    }
}

void Table::on_disconnected(Seat seat, session::CloseCause cause) {
    if (play_.finished()) return;
    play_.keep_deltas(seat, false);  // the next state will be sent whole
    const auto* process = bots_[seat]->process();
    if (process == nullptr || process->exited()) {
        book_disconnection(seat, cause);
        return;
    }
    // Its pipes are closed, but the news that its process has ended may come a moment later. That
    // news decides between crashed and disconnected.
    auto& timer = places_[seat].cause_timer;
    timers_.cancel(timer);
    timer = timers_.schedule(timers_.now() + exit_news_max, [this, seat, cause] {
        places_[seat].cause_timer = 0;
        book_disconnection(seat, cause);
    });
}

void Table::book_disconnection(Seat seat, session::CloseCause cause) {
    if (play_.finished()) return;
    auto fault = disconnection(*bots_[seat], cause);
    places_[seat].crash_told = fault.code == FaultCode::crashed;
    play_.misbehaved(seat, std::move(fault), arrival_of(seat, Stamp::exact(timers_.now())),
                     actions_);
    perform();
}

void Table::announce() {
    for (Seat seat = 0; seat < bots_.size(); ++seat)
        say(seat, [&](std::string& out) {
            encode_end(out, *play_.setup().game, play_.result(),
                       {match_.pseudonyms, play_.setup().bots[seat]});
        });
}

}  // namespace referee::table
