#include "referee/game/play/play.h"

#include <algorithm>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "protocol/base/utf8.h"

namespace referee::play {
namespace {

// A game that is longer than this many turns is stopped as the referee's own trouble: no engine
// here can play so long, and memory is finite.
constexpr std::int64_t turns_max = 10'000'000;

constexpr std::string_view null_text = "null";

std::unique_ptr<engines::State> start_state(const PlaySetup& setup, const json::Document& params) {
    auto started = setup.game->start(params.root(), setup.seed);
    REFEREE_ASSERT(started);
    return *std::move(started);
}

// `where` stands behind "did not show up".
std::string told_absence(const std::string& bot, const Absence& absence,
                         std::string_view where = {}) {
    auto text = bot + " " + absence.withdrawn;
    if (absence.withdrawn.empty()) text.append("did not show up").append(where);
    if (!absence.left.empty()) text += "; it left game " + absence.left + " and did not come back";
    return text;
}

}  // namespace

Play::Play(PlaySetup setup) : setup_(std::move(setup)), id_(game_id(setup_.key)) {
    json::Document params;
    if (!setup_.params.empty()) {
        const auto parsed = params.parse(setup_.params);
        REFEREE_ASSERT(parsed);
    }
    state_ = start_state(setup_, params);
    result_.key = setup_.key;
    result_.game = setup_.game->info().id;
    result_.params = setup_.game->full_params(params.root());
    result_.seed = setup_.seed;
    result_.bots = setup_.bots;
    REFEREE_ASSERT(setup_.bots.size() == state_->seats());
    seats_ = std::vector<SeatState>(setup_.bots.size());
    for (auto& seat : seats_) seat.clock = clock::SeatClock(setup_.clock);
    answers_.resize(seats_.size());
    used_us_.resize(seats_.size());
    replay_.begin(result_, setup_);
    note_start();
    if (setup_.past) take_past(*setup_.past);
}

// The seed is left out: where it decides the start, the state's text shows that start; elsewhere it
// changes nothing that the moves don't show.
void Play::note_start() {
    fingerprint_.add(setup_.game->info().id);
    fingerprint_.add(result_.params);
    if (const auto* maps = setup_.game->maps()) fingerprint_.add(maps->version());
    for (const auto& bot : setup_.bots) fingerprint_.add(bot);
    fingerprint_.add(state_text());
}

void Play::start(Instant now, std::span<const Seat> absent, Actions& actions) {
    REFEREE_ASSERT(phase_ == Phase::fresh);
    phase_ = Phase::readying;
    begun_ = now;
    // All faults come first: the first seat's forfeit may end the game, but each absence counts.
    for (auto& seat : seats_) seat.wait = Wait::ready;
    for (const auto seat : absent) {
        seats_[seat].wait = Wait::nothing;
        Fault fault;
        fault.code = FaultCode::disconnected;
        fault.seat = seat;
        fault.consequence = Consequence::forfeit;
        const auto& absence = setup_.absences[seat];
        fault.message = told_absence(setup_.bots[seat], absence, " for the game");
        if (!absence.cause.empty())
            fault.message += (absence.left.empty() ? ": " : "; ") + absence.cause;
        fault.evidence = absence.evidence;
        fault.rule = "match.no_show";
        fault.rule_text =
            "a bot is connected when its match is called, or within the time that the tournament "
            "waits; one that is withdrawn forfeits the games that it is drawn for";
        add_fault(std::move(fault), actions);
    }
    for (const auto seat : absent) {
        if (phase_ != Phase::readying) continue;
        forfeit(seat, told_absence(setup_.bots[seat], setup_.absences[seat]), actions);
    }
    for (Seat seat = 0; seat < seats_.size() && phase_ == Phase::readying; ++seat) {
        if (awaits_ready(seat)) actions.emplace_back(SendStart{seat});
    }
}

void Play::start_sent(Seat seat, Instant now, Actions& actions) {
    if (!awaits_ready(seat)) return;
    seats_[seat].sent = Stamp::exact(now);
    actions.emplace_back(ArmDeadline{seat, ready_until(seat, Duration::zero())});
}

void Play::ready(Seat seat, Actions& actions) {
    if (awaits_ready(seat)) count_in(seat, actions);
}

void Play::count_in(Seat seat, Actions& actions) {
    seats_[seat].wait = Wait::nothing;
    actions.emplace_back(DropDeadline{seat});
    if (waits()) return;
    if (setup_.needs_all_ready && ended_unready(actions)) return;
    phase_ = Phase::playing;
    open_turn(actions);
}

bool Play::waits() const {
    return std::any_of(seats_.begin(), seats_.end(),
                       [](const SeatState& seat) { return seat.wait != Wait::nothing; });
}

void Play::SeatTurn::clear() {
    used_us = 0;
    received = false;
    move.clear();
    line.clear();
    why.clear();
    stray.clear();
    stray_turn = 0;
}

void Play::open_turn(Actions& actions) {
    if (state_->over()) {
        finish(GameStatus::played, {}, actions);
        return;
    }
    ++turn_;
    if (turn_ > turns_max) {
        finish(GameStatus::annulled, fmt::format("the game did not end within {} turns", turns_max),
               actions);
        return;
    }
    const auto to_move = state_->to_move();
    for (Seat seat = 0; seat < seats_.size(); ++seat) {
        seats_[seat].turn.clear();
        if (!to_move.test(seat)) continue;
        seats_[seat].wait = Wait::sending;
        actions.emplace_back(SendTurn{seat});
    }
}

void Play::turn_sent(Seat seat, Stamp sent, Path path, Actions& actions) {
    auto& state = seats_[seat];
    if (state.wait != Wait::sending && state.wait != Wait::answer) return;
    state.wait = Wait::answer;
    state.sent = sent;
    state.path = path;
    actions.emplace_back(ArmDeadline{seat, sent.latest + state.clock.wait_limit(path),
                                     Duration::zero(), state.clock.cpu_budget()});
}

// The path is at most what it was when the turn was sent. The deadline was armed with that,
// and an answer must fare the same whether it or the deadline is looked at first.
clock::Spent Play::spent_by(const SeatState& state, const Arrival& arrival) {
    return {.wall = arrival.at.latest - state.sent.earliest,
            .doubt = arrival.at.width() + state.sent.width(),
            .path = {std::min(state.path.least, arrival.path.least),
                     std::min(state.path.most, arrival.path.most),
                     std::min(state.path.mean_excess, arrival.path.mean_excess)},
            .round_trip = arrival.allowance.round_trip,
            .cpu = arrival.cpu,
            .stalled = arrival.stalled,
            .waited = arrival.waited};
}

AnswerFate Play::answer(Seat seat, std::int64_t turn, json::View move, const Arrival& arrival,
                        Actions& actions) {
    auto& state = seats_[seat];
    state.overdue.reset();
    state.has_answered |= turn <= turn_;
    if (turn != turn_) stray(seat, arrival.line, arrival.at.latest, turn < turn_ ? turn : 0);
    if (phase_ != Phase::playing || turn > turn_) return AnswerFate::future_turn;
    if (turn < turn_ || !awaits(seat)) note_overdue(seat, turn, arrival.at.latest);
    if (turn < turn_) return AnswerFate::old_turn;
    if (!awaits(seat)) {
        if (state.last_turn != turn_) return AnswerFate::not_to_move;
        return state.charge.late ? AnswerFate::old_turn : AnswerFate::answered;
    }
    if (!runs(seat)) return AnswerFate::future_turn;
    state.turn.received = true;
    state.turn.line =
        base::utf8_prefix(arrival.line, protocol::limits::evidence_received_bytes_max);
    const auto spent = spent_by(state, arrival);
    const auto budget = state.clock.budget();
    const auto charge = state.clock.answered(spent);
    book(seat, charge, arrival);
    if (state.wait == Wait::late_answer)
        replay_.overdue(turn_, seat, {spent.wall, spent.wall - longest(charge, budget)});
    if (charge.late || charge.hung || charge.flag) {
        // Where the game waited for the late answer, its lateness is filed already.
        if (state.wait == Wait::answer || charge.hung) charge_fault(seat, arrival, charge, actions);
        if (awaits(seat)) close_seat(seat, actions);
        return AnswerFate::late;
    }
    if (!keep_move(seat, move, arrival, actions)) return AnswerFate::late;
    close_seat(seat, actions, {seat, move});
    return AnswerFate::taken;
}

void Play::deadline(Seat seat, const Arrival& arrival, Actions& actions) {
    auto& state = seats_[seat];
    if (awaits_ready(seat)) return miss_ready(seat, arrival, actions);
    if (!runs(seat)) return;
    const bool late = state.wait == Wait::late_answer;
    const auto spent = spent_by(state, arrival);
    const auto limit =
        late ? state.clock.hung_limit(state.path) : state.clock.wait_limit(state.path);
    // The wait must end even if the referee keeps standing still: it is at most doubled. Waits for
    // a core are no time that a bot had, but under `cpu` the limit is wall time whatever it waited.
    const auto stalled = state.clock.grace(arrival.stalled, Duration::zero());
    const auto grace = late ? stalled : std::min(stalled, limit);
    const auto waited = setup_.clock.measure == clock::Measure::cpu && spent.cpu
                            ? Duration::zero()
                            : std::min(arrival.waited, clock::wall_backstop(limit));
    const auto certain = state.sent.latest + limit + grace + waited;
    const bool used_up = !late && state.clock.used_up(spent);
    if (arrival.at.latest < certain && !used_up) {  // the bot gets the referee's stall back
        actions.emplace_back(ArmDeadline{seat, certain, late ? late_look_every : Duration::zero(),
                                         late ? Duration::zero() : state.clock.cpu_budget()});
        return;
    }
    if (setup_.clock.waits_for_late && !late) {
        state.wait = Wait::late_answer;
        auto preview = state.clock;  // the time is booked when the answer comes
        const auto charge = preview.expired(spent);
        charge_fault(seat, arrival, charge, actions);
        if (awaits(seat)) {
            actions.emplace_back(ArmDeadline{
                seat, state.sent.latest + state.clock.hung_limit(state.path), late_look_every});
        }
        return;
    }
    const auto budget = state.clock.budget();
    const auto charge = state.clock.expired(spent);
    book(seat, charge, arrival);
    state.unanswered.push_back({turn_, state.sent.earliest, longest(charge, budget)});
    if (state.unanswered.size() > unanswered_max) state.unanswered.pop_front();
    charge_fault(seat, arrival, charge, actions);
    if (awaits(seat)) close_seat(seat, actions);
}

Duration Play::longest(const clock::Charge& charge, Duration budget) const {
    const auto& clock = setup_.clock;
    const bool hard = charge.hard || clock.measure == clock::Measure::cpu;
    const auto limit = hard ? clock::completed(clock).hard_limit : budget;
    return limit + charge.allowance + charge.jitter + charge.waited + charge.corrected;
}

void Play::book(Seat seat, const clock::Charge& charge, const Arrival& arrival) {
    auto& state = seats_[seat];
    state.charge = charge;
    state.arrived = arrival.at.latest;
    if (state.means != arrival.how) state.means = arrival.how;
    if (state.stall_cause != arrival.stall_cause) state.stall_cause = arrival.stall_cause;
    state.allowance = arrival.allowance;
    state.allowance.range = {};  // it may not live as long
    state.doubts.count(charge);
    replay_.times(turn_, seat, charge, arrival.stall_cause);
    state.last_turn = turn_;
    state.turn.used_us = in_us(charge.charged);
}

void Play::close_seat(Seat seat, Actions& actions, const LiveMove& live) {
    REFEREE_ASSERT(awaits(seat));
    seats_[seat].wait = Wait::nothing;
    actions.emplace_back(DropDeadline{seat});
    if (waits()) return;
    apply_answers(live);
    book_notes(actions);
    if (phase_ == Phase::playing) open_turn(actions);
}

void Play::apply_answers(const LiveMove& live) {
    replay_.begin_turn();
    const auto to_move = state_->to_move();
    for (Seat seat = 0; seat < seats_.size(); ++seat) {
        auto& state = seats_[seat];
        auto& answer = answers_[seat];
        answer = {{}, state.turn.used_us};
        used_us_[seat] = state.turn.used_us;
        const auto& text = state.turn.move;
        const auto move = text.empty() ? null_text : std::string_view(text);
        replay_.move(move);
        fingerprint_.add(move);
        if (to_move.test(seat)) state.last_move = text;
        if (text.empty()) continue;
        if (live.move && seat == live.seat) {
            answer.move = live.move;
        } else {
            const auto parsed = state.document.parse(text);
            REFEREE_ASSERT(parsed);
            answer.move = state.document.root();
        }
    }
    replay_.end_turn(used_us_);
    notes_.clear();
    state_->apply(answers_, notes_);
    for (Seat seat = 0; seat < seats_.size(); ++seat) {
        auto& state = seats_[seat];
        if (!to_move.test(seat)) continue;
        state.last_notes = notes_;
        const bool faulty = std::any_of(notes_.begin(), notes_.end(), [seat](const auto& note) {
            return note.seat == seat && note.is_fault && !note.over_time;
        });
        if (!state.turn.move.empty() && !faulty) ++state.valid_moves;
    }
    ++turns_played_;
    state_text_fresh_ = false;
    keep_delta();
}

void Play::keep_delta() {
    const auto keeps = [](const SeatState& seat) { return seat.deltas.has_value(); };
    if (std::none_of(seats_.begin(), seats_.end(), keeps)) return;
    delta_.clear();
    json::Writer writer(delta_);
    changes_.write(*state_, writer);
    const auto operations = std::string_view(delta_).substr(1, delta_.size() - 2);
    if (operations.empty()) return;
    for (auto& seat : seats_) {
        if (!seat.deltas) continue;
        if (!seat.deltas->empty()) *seat.deltas += ',';
        *seat.deltas += operations;
    }
}

void Play::keep_deltas(Seat seat, bool keeps) {
    if (keeps) changes_.begin(state_text());
    auto& deltas = seats_[seat].deltas;
    deltas.reset();
    if (keeps) deltas.emplace();
}

void Play::take_delta(Seat seat, std::string& out) {
    auto& deltas = seats_[seat].deltas;
    out += '[';
    if (deltas) {
        out += *deltas;
        deltas->clear();
    }
    out += ']';
}

const std::string& Play::state_text() const {
    if (!state_text_fresh_) {
        state_text_.clear();
        json::Writer writer(state_text_);
        state_->write_state(writer);
        state_text_fresh_ = true;
    }
    return state_text_;
}

std::string Play::awaited_line(Seat seat) const {
    const bool readies = awaits_ready(seat);
    if (!readies && !awaits(seat)) return {};
    return json::object_text([&](json::Writer& writer) {
        writer.member("type", readies ? "ready" : "move").member("game_id", id_);
        if (readies) return;
        writer.member("turn", turn_).key("move").raw(setup_.game->info().move_example);
    });
}

Duration Play::budget_left(Seat seat, Instant now) const {
    const auto& state = seats_[seat];
    return std::max(state.clock.budget() - (now - state.sent.latest), Duration::zero());
}

std::optional<Play::Last> Play::last(Seat seat) const {
    const auto& state = seats_[seat];
    if (state.last_turn == 0 || awaits(seat) == (state.last_turn == turn_)) return std::nullopt;
    return Last{state.last_turn,
                state.charge,
                state.stall_cause,
                state.allowance,
                state.last_move.empty() ? null_text : std::string_view(state.last_move),
                state.last_notes};
}

}  // namespace referee::play
