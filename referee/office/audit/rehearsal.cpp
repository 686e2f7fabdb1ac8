#include "referee/office/audit/rehearsal.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "protocol/base/assertion.h"
#include "protocol/base/milliseconds.h"
#include "referee/arena/table/announcement.h"
#include "referee/arena/table/table.h"
#include "referee/connections/runtime/system_timers.h"

namespace referee::audit {
namespace {

using engines::Seat;
using runtime::monotonic_now;

// The recorded game's clock begins here: any time does.
constexpr Instant game_begins = Instant(std::chrono::seconds(1));
// How long a bot is waited for beyond its turn's own time: its machine may be slower today.
constexpr Duration patience = std::chrono::seconds(5);
constexpr std::size_t unanswered_in_a_row_max = 2;  // then it counts as silent

// No fault takes a seat out by itself: the record says when that happened.
play::FaultPolicy policy_of(const engines::Game& game) {
    auto policy = play::default_faults(game.info());
    for (const auto code : {FaultCode::hung, FaultCode::over_budget, FaultCode::flooding})
        policy.set(code, Consequence::missing_move);
    policy.set(FaultCode::crashed, Consequence::forfeit);
    return policy;
}

play::PlaySetup setup_of(const Recording& recording) {
    play::PlaySetup setup;
    setup.key = recording.key;
    setup.game = recording.game;
    setup.params = recording.whole.params;
    setup.seed = recording.whole.seed;
    setup.bots = recording.whole.past.bots;
    setup.clock = recording.whole.clock;
    setup.faults = policy_of(*recording.game);
    return setup;
}

// Seats that were taken out before the first turn.
std::vector<Seat> absent_in(const Recording& recording) {
    std::vector<Seat> absent;
    for (const auto& turn : recording.whole.past.turns) {
        if (!turn.forfeit) break;
        absent.push_back(*turn.forfeit);
    }
    return absent;
}

}  // namespace

Rehearsal::Rehearsal(exam::Talk& talk, const Recording& recording, Setup setup)
    : talk_(talk),
      recording_(recording),
      setup_(std::move(setup)),
      play_(setup_of(recording)),
      now_(game_begins) {}

Run Rehearsal::run() {
    const auto absent = absent_in(recording_);
    next_ = absent.size();
    done_ = std::count(absent.begin(), absent.end(), setup_.seat) > 0;
    play_.start(now_, absent, actions_);
    while (goes_on()) {
        perform();
        if (goes_on()) play_recorded_turn();
    }
    perform();  // the last faults
    run_.same_times = play_.history() ==
                      std::string_view(recording_.turns_text).substr(0, play_.history().size());
    if (run_.end == RunEnd::whole && play_.finished() && talk_.open()) {
        std::string line;
        table::encode_end(line, play_.result(), {});
        talk_.say(line);
    }
    return std::move(run_);
}

void Rehearsal::perform() {
    while (!actions_.empty()) {
        const auto batch = std::exchange(actions_, {});
        for (const auto& action : batch) {
            if (run_.end == RunEnd::whole) perform(action);
        }
    }
}

void Rehearsal::perform(const play::Action& action) {
    if (const auto* start = std::get_if<play::SendStart>(&action)) {
        if (start->seat == setup_.seat) begin_game();
        play_.start_sent(start->seat, now_, actions_);
        play_.ready(start->seat, now_, actions_);
    } else if (const auto* turn = std::get_if<play::SendTurn>(&action)) {
        if (turn->seat == setup_.seat && !done_) ask();
        play_.turn_sent(turn->seat, Stamp::exact(now_), {}, actions_);
    } else if (const auto* fault = std::get_if<play::SendFault>(&action)) {
        const auto& its = play_.faults()[fault->fault];
        if (its.seat != setup_.seat) return;
        std::string line;
        table::encode_fault(line, play_.id(), its);
        talk_.say(line);
    } else if (const auto* armed = std::get_if<play::ArmDeadline>(&action)) {
        deadlines_[armed->seat] = armed->at;
    }
}

template <typename Wanted>
std::optional<exam::Talk::Heard> Rehearsal::hear(Instant until) {
    while (auto heard = talk_.hear(until)) {
        if (const auto* wanted = std::get_if<Wanted>(&heard->message);
            wanted != nullptr && wanted->game_id == play_.id())
            return heard;
        if (talk_.said_goodbye()) return std::nullopt;
        talk_.note_unasked(heard->line, "nobody had asked for it");
    }
    return std::nullopt;
}

std::string Rehearsal::why_silent(const std::string& what) const {
    if (talk_.said_goodbye()) return "it said bye, " + what;
    return talk_.open() ? what : talk_.why_closed() + ", " + what;
}

void Rehearsal::begin_game() {
    const table::MatchFacts match{match_id(recording_.key.tournament, recording_.key.match),
                                  recording_.key.number};
    std::string line;
    table::encode_start(line, play_, match, setup_.seat, false);
    play_.keep_deltas(setup_.seat, setup_.delta);
    talk_.say(line);
    if (hear<protocol::Ready>(monotonic_now() + play_.setup().ready_budget)) return;
    const bool stays = talk_.open() && !talk_.said_goodbye();
    break_off(stays ? RunEnd::not_ready : RunEnd::gone,
              why_silent("before it was ready for the game"));
}

void Rehearsal::ask() {
    if (setup_.begin_turn) setup_.begin_turn();
    std::string delta;
    if (setup_.delta) play_.take_delta(setup_.seat, delta);
    std::string line;
    table::encode_turn(line, play_, setup_.seat, play_.budget(setup_.seat),
                       setup_.delta ? &delta : nullptr);
    talk_.say(line);
    const auto limit =
        std::max(play_.budget(setup_.seat), clock::completed(play_.clock()).hard_limit);
    const auto until = monotonic_now() + limit + patience;
    Asked asked;
    asked.turn = play_.turn();
    asked.recorded = recorded_now();
    while (const auto heard = hear<protocol::Move>(until)) {
        const auto& move = std::get<protocol::Move>(heard->message);
        if (move.turn != asked.turn) continue;  // a late answer
        protocol::json::Writer writer(asked.now.emplace());
        move.move.view().write(writer);
        break;
    }
    run_.turns.push_back(asked);
    const auto turn = std::to_string(asked.turn);
    const bool gone = !talk_.open() || talk_.said_goodbye();
    if (taken_out_now()) {
        run_.taken_out_turn = asked.turn;
        run_.taken_out = asked.now ? TakenOut::not_again
                         : gone    ? TakenOut::gone_again
                                   : TakenOut::silent_again;
        done_ = true;  // nothing of it is recorded behind that
    } else if (asked.now) {
        unanswered_in_a_row_ = 0;
    } else if (gone) {
        break_off(RunEnd::gone, why_silent("in turn " + turn));
    } else if (++unanswered_in_a_row_ == unanswered_in_a_row_max) {
        break_off(RunEnd::silent, "turn " + turn +
                                      " and the one before it were not answered within " +
                                      base::milliseconds(in_us(limit + patience)));
    }
}

// Its own move in the turn that is open; empty: none came in time, or it was taken out.
std::string Rehearsal::recorded_now() const {
    const auto& turns = recording_.whole.past.turns;
    for (auto i = next_; i < turns.size(); ++i) {
        if (!turns[i].forfeit) return turns[i].moves[setup_.seat];
        if (*turns[i].forfeit == setup_.seat) break;
    }
    return {};
}

// Whether the record takes its seat out before the turn that is open was over.
bool Rehearsal::taken_out_now() const {
    const auto& turns = recording_.whole.past.turns;
    for (auto i = next_; i < turns.size() && turns[i].forfeit; ++i) {
        if (*turns[i].forfeit == setup_.seat) return true;
    }
    return false;
}

void Rehearsal::play_recorded_turn() {
    const auto& turns = recording_.whole.past.turns;
    for (; next_ < turns.size() && turns[next_].forfeit; ++next_) {
        take_out(*turns[next_].forfeit);
        if (play_.finished() || done_) return;
    }
    if (next_ == turns.size()) {  // it was broken off here
        done_ = true;
        return;
    }
    const auto& turn = turns[next_++];
    std::vector<Seat> asked;
    auto longest = Duration::zero();
    for (Seat seat = 0; seat < turn.moves.size(); ++seat) {
        if (!play_.runs(seat)) continue;
        asked.push_back(seat);
        longest = std::max(longest, from_us(turn.used_us[seat]));
    }
    for (const auto seat : asked) answer_as_recorded(seat, turn);
    now_ += longest;
}

void Rehearsal::answer_as_recorded(Seat seat, const play::PastTurn& turn) {
    if (turn.moves[seat].empty()) return let_pass(seat);
    protocol::json::Document move;
    const auto parsed = move.parse(turn.moves[seat]);
    REFEREE_ASSERT(parsed);
    const auto used = from_us(turn.used_us[seat]);
    auto arrival = arrival_at(now_ + used, used);
    arrival.line = turn.moves[seat];
    const auto fate = play_.answer(seat, play_.turn(), move.root(), arrival, actions_);
    if (fate != play::AnswerFate::taken)
        break_off(RunEnd::strayed, "the move that is recorded of seat " + std::to_string(seat) +
                                       " in turn " + std::to_string(play_.turn()) +
                                       " is charged with more than its clock allows");
}

// The seat's turn ran out; where late answers are waited for, that wait too.
void Rehearsal::let_pass(Seat seat) {
    const auto turn = play_.turn();
    while (play_.runs(seat) && play_.turn() == turn) {
        const auto at = deadlines_.at(seat);
        const auto before = actions_.size();
        play_.deadline(seat, arrival_at(at, at - now_), actions_);
        for (auto next = before; next < actions_.size(); ++next) {
            const auto* armed = std::get_if<play::ArmDeadline>(&actions_[next]);
            if (armed != nullptr && armed->seat == seat) deadlines_[seat] = armed->at;
        }
    }
}

void Rehearsal::take_out(Seat seat) {
    if (seat == setup_.seat) {
        done_ = true;  // what it did wrong then it need not do now
        return;
    }
    Fault fault;
    fault.code = FaultCode::crashed;
    fault.message = "it was taken out of the recorded game";
    play_.misbehaved(seat, std::move(fault), arrival_at(now_, {}), actions_);
    perform();
}

void Rehearsal::break_off(RunEnd end, std::string why) {
    run_.end = end;
    run_.why = std::move(why);
}

play::Arrival Rehearsal::arrival_at(Instant at, Duration used) const {
    play::Arrival arrival;
    arrival.at = Stamp::exact(at);
    if (play_.clock().measure == clock::Measure::cpu) arrival.cpu = used;
    arrival.how = "as recorded";
    return arrival;
}

}  // namespace referee::audit
