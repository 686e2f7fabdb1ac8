#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engines/delta.h"
#include "engines/game.h"
#include "protocol/json/document.h"
#include "referee/game/clock/allowances.h"
#include "referee/game/clock/path.h"
#include "referee/game/clock/seat_clock.h"
#include "referee/game/play/play_setup.h"
#include "referee/game/play/replay_writer.h"
#include "referee/game/result/game_result.h"

namespace referee::play {

// Faults and notes of one bot in one game beyond this many are counted, not kept: a bot that does
// everything wrong must not fill the disk.
inline constexpr std::size_t faults_kept_max = 200;
// Of a bot's moves in one game: far beyond the longest games here. They stay in memory until it is
// over, and go to whoever comes back into it.
inline constexpr std::size_t move_bytes_max = 16 * 1024 * 1024;
// While a game waits for a late answer, what has come of the bot is read so often. Of lines that
// are read together nobody knows when the first came, so a bot that joins its lines on purpose can
// hide lateness of this length in a turn. A look takes some microseconds.
inline constexpr Duration late_look_every = std::chrono::milliseconds(20);
// While a start or a turn of a launched bot lasts, what it has waited for a core is looked at so
// often: a program of it that ends takes its waits along. A turn that is shorter costs no look.
inline constexpr Duration core_look_every = std::chrono::seconds(1);

namespace json = protocol::json;
using engines::Seat;

// What the shell has to do, in this order, after an event.
struct SendStart {
    Seat seat;
};  // write_start(), then tell start_sent()
struct SendTurn {
    Seat seat;
};  // write_turn(), then tell turn_sent()
struct SendFault {
    std::size_t fault;
};  // faults()[fault], to its seat
struct ArmDeadline {
    Seat seat;
    Instant at;
    // Until then what has come of the seat's bot is read so often; zero: it need not be.
    Duration look_every{};
    // Of processor time: when the bot has used so much in this turn, the deadline has come. Zero:
    // it isn't measured, or not bounded.
    Duration cpu_budget{};
};  // call deadline(seat) then; replaces the seat's last
struct DropDeadline {
    Seat seat;
};
struct Finish {};  // result() and replay() are complete
using Action = std::variant<SendStart, SendTurn, SendFault, ArmDeadline, DropDeadline, Finish>;
using Actions = std::vector<Action>;

// How an answer came.
struct Arrival {
    Stamp at{};                      // by the kernel where it stamps
    Path path{};                     // as far as it is believed; zeros where unknown
    clock::Allowance allowance{};    // what bounds it
    Duration stalled{};              // how long the referee stood still since the turn was sent
    std::string_view stall_cause{};  // why, in plain words; where it stood still
    std::optional<Duration> cpu{};   // the bot's processor time since the turn was sent
    // What a launched bot itself waited for a core since then, through no fault of its own.
    Duration waited{};
    std::string_view how{};    // "wall: kernel receive stamp", for the evidence
    std::string_view line{};   // as received, valid UTF-8; empty where none came
    std::string_view debug{};  // what the bot said beside its move
    std::string_view met{};    // what keeps the bot from answering, if that is known
    bool away = false;         // the bot has no connection now
    bool paused = false;       // nothing of it is read for a while, because it sent too much
    std::size_t half_line{};   // bytes of a line that has begun and has no line feed yet
    // Processor time of a launched bot since the turn was sent, whatever its clock measures; only
    // where no answer came, and where it is known.
    std::optional<Duration> worked{};
};

// What became of an answer.
enum class AnswerFate : std::uint8_t {
    taken,        // it ends the seat's turn, in time
    late,         // it is the awaited answer, but too late: the move is missing
    old_turn,     // an answer to an earlier turn: dropped, no penalty
    not_to_move,  // the seat is not to move in this turn
    answered,     // it has answered this turn already
    future_turn,  // a turn that has not begun
};

// An answer that came when its turn was over.
struct Overdue {
    Duration took{};  // from the sending of the turn to the arrival
    Duration over{};  // how much more that was than the limit and all that could be taken off
};

// The rule that a fault of this kind broke, where it is one of the referee's own: its name and
// what it says.
struct Rule {
    std::string_view name;
    std::string_view text;
};
Rule rule_of(FaultCode code);

// One game as a state machine: events in, actions out; it knows no network, no clock, no process.
// Each event takes the instant at which it happened and appends to `actions`. Events that don't fit
// (a deadline for a turn that is over) are ignored. Not thread safe.
//
// Life: start() once; for each seat start_sent() from the shell, then ready() or its deadline; then
// turns: SendTurn for each seat to move, turn_sent() from the shell, answer() or deadline() for
// each; and so on until Finish. How it begins and ends stands in play_ending.cpp, what is made of
// things done wrong in play_faults.cpp.
class Play {
 public:
    // Requires params that the game accepts (check them with Game::start first).
    explicit Play(PlaySetup setup);

    // `absent`: seats whose bots never showed up: they forfeit before the first turn.
    void start(Instant now, std::span<const Seat> absent, Actions& actions);
    // The start was handed to the kernel at `now`, or could not be; the seat has ready_budget from
    // here.
    void start_sent(Seat seat, Instant now, Actions& actions);
    // Until when the seat's ready is waited for, where its bot may have waited so long for a core
    // since its start was sent: the time is at most that of wall_backstop() longer.
    Instant ready_until(Seat seat, Duration waited) const;
    // Which launched program takes the seat: told before its start is sent, and again where it
    // comes back. The last one stands in the result.
    void seated(Seat seat, LaunchedProgram program) { seats_[seat].program = std::move(program); }
    void ready(Seat seat, Actions& actions);
    // When the turn was handed to the kernel (or could not be: the bot is away, its time runs).
    void turn_sent(Seat seat, Stamp sent, Path path, Actions& actions);
    AnswerFate answer(Seat seat, std::int64_t turn, json::View move, const Arrival& arrival,
                      Actions& actions);
    // Of the seat's last answer(), where it was the first to one of its latest turns that ended
    // without one.
    const std::optional<Overdue>& overdue(Seat seat) const { return seats_[seat].overdue; }
    // The seat's armed deadline has come; `arrival` tells what is known of time at this moment: as
    // `waited` all that the bot may have waited for a core since its start or turn was sent.
    void deadline(Seat seat, const Arrival& arrival, Actions& actions);
    // The bot did something wrong that is not about a move (flooding, a crash, a lost connection):
    // `fault` has code, message, rule and evidence; the play fills in the rest and decides. Where
    // the policy makes it cost the move, the seat's present turn ends here, charged as `arrival`
    // tells.
    void misbehaved(Seat seat, Fault fault, const Arrival& arrival, Actions& actions);
    // A line of the seat's bot that is no answer to its turn, to an earlier one where it names
    // that. No fault, but evidence where no answer comes.
    void stray(Seat seat, std::string_view line, Instant at, std::int64_t answered = 0);
    // The referee's own trouble, or a stop from outside: the game doesn't count.
    void stop(GameStatus status, std::string reason, Actions& actions);

    const PlaySetup& setup() const { return setup_; }
    const std::string& id() const { return id_; }
    const std::string& full_params() const { return result_.params; }
    std::int64_t turn() const { return turn_; }
    // Turns that the state has behind it.
    std::int64_t turns_played() const { return turns_played_; }
    // What the seat may spend on its present turn.
    Duration budget(Seat seat) const { return seats_[seat].clock.budget(); }
    bool finished() const { return phase_ == Phase::finished; }
    bool begun() const { return phase_ == Phase::playing; }
    // Whether it goes on from turns that were played before it began.
    bool is_fork() const { return setup_.past.has_value(); }
    bool awaits(Seat seat) const { return seats_[seat].wait == Wait::sending || runs(seat); }
    bool awaits_ready(Seat seat) const { return seats_[seat].wait == Wait::ready; }
    // A line that the seat's bot could send now: its ready, or the game's own example of a move.
    // Empty where nothing is awaited of it.
    std::string awaited_line(Seat seat) const;
    // Whether that is the latest turn of the seat that is over, and its answer came in time.
    bool has_answered(Seat seat, std::int64_t turn) const {
        return seats_[seat].last_turn == turn && !seats_[seat].charge.late;
    }
    // Seats that were not ready in time.
    std::vector<Seat> not_ready() const;
    // Whether the seat's turn was sent and its time runs. Between SendTurn and turn_sent() an
    // answer is awaited, but the time stands.
    bool runs(Seat seat) const {
        const auto wait = seats_[seat].wait;
        return wait == Wait::answer || wait == Wait::late_answer;
    }
    Instant sent_at(Seat seat) const { return seats_[seat].sent.earliest; }
    const engines::State& state() const { return *state_; }
    const std::vector<Fault>& faults() const { return result_.faults; }
    clock::ClockConfig clock() const { return setup_.clock; }
    // How many of the seat's turns were in time only by doubt, so far.
    const clock::Doubts& doubts(Seat seat) const { return seats_[seat].doubts; }

    // The state as JSON text; valid until the next event.
    const std::string& state_text() const;
    // The patch from the state that this seat was last sent to the present one; the next patch
    // starts from here. Needs keep_deltas() since that state was sent.
    void take_delta(Seat seat, std::string& out);
    // The seat is sent the present state whole: patches are kept from here on, or not any more.
    void keep_deltas(Seat seat, bool keeps);
    // The budget that the seat's current turn has left at `now`.
    Duration budget_left(Seat seat, Instant now) const;
    // What became of the seat's last answer.
    struct Last {
        std::int64_t turn = 0;
        clock::Charge charge;
        std::string_view stall_cause;  // of what was corrected
        clock::Allowance allowance;
        std::string_view move;                 // JSON text as applied; "null" where it is missing
        std::span<const engines::Note> notes;  // of all seats, in that turn
    };
    std::optional<Last> last(Seat seat) const;
    // All turns so far: one line of NDJSON a turn, {"moves":[...],"used_us":[...]}.
    std::string_view history() const { return replay_.turns(); }
    // The line that its replay begins with: the setup.
    std::string_view setup_line() const { return replay_.header(); }

    // Require: finished.
    const GameResult& result() const { return result_; }
    std::string replay() const { return replay_.complete(result_); }

 private:
    enum class Phase : std::uint8_t { fresh, readying, playing, finished };

    // What the game waits for from a seat: a ready while the phase is readying, the others while it
    // is playing.
    enum class Wait : std::uint8_t {
        nothing,
        ready,
        sending,      // its turn is to be handed over: its time stands
        answer,       // its answer ends the turn
        late_answer,  // waits_for_late: it is late already, and that is filed
    };

    // What one turn leaves behind until the next one is opened.
    struct SeatTurn {
        std::int64_t used_us = 0;
        bool received = false;        // its answer came, in time or not
        std::string move;             // JSON text; empty where missing
        std::string line;             // the answer's, capped, for the evidence
        std::string why;              // what the bot said of giving the turn away
        std::string stray;            // the last line that was no answer to this turn, capped
        std::int64_t stray_turn = 0;  // that the line answered, where that was an earlier one
        void clear();                 // keeps the room of the texts
    };

    // A turn that ended without an answer: one may come yet.
    struct Unanswered {
        std::int64_t turn = 0;
        Instant sent{};
        Duration most{};  // an answer that took longer is too late by every reading
    };
    // So many of them are kept of a seat: a bot that is slow by more than that many turns is not
    // told how long it took.
    static constexpr std::size_t unanswered_max = 1024;

    struct SeatState {
        clock::SeatClock clock{clock::ClockConfig{}};
        Wait wait = Wait::nothing;
        bool has_answered = false;  // a turn of this game, in time or not
        bool unready = false;       // its ready didn't come in time
        unsigned strikes = 0;
        Stamp sent{};  // its start, or the last of its turns
        Path path{};   // when that turn was sent
        SeatTurn turn;
        Instant arrived{};  // the last answer, or the end of the wait for it
        Instant stray_at{};
        std::string met_told;  // Arrival::met, as its latest fault told it
        std::deque<Unanswered> unanswered;
        std::optional<Overdue> overdue;
        clock::Doubts doubts;
        std::string last_move;
        std::size_t move_bytes = 0;             // of all its moves
        std::vector<engines::Note> last_notes;  // of the last turn in which it was to move
        std::size_t faults_kept = 0;
        std::int64_t valid_moves = 0;
        std::int64_t last_turn = 0;
        clock::Charge charge;  // of the last turn
        std::string means;     // by which it was timed
        clock::Allowance allowance;
        LaunchedProgram program;
        std::string stall_cause;
        // Operations since the state that was last sent; nothing where they are not kept.
        std::optional<std::string> deltas;
        json::Document document;  // of the turn's move, for the engine
    };

    // The answer that is being handled: the engine reads it without another parse.
    struct LiveMove {
        Seat seat;
        json::View move;
    };

    static clock::Spent spent_by(const SeatState& state, const Arrival& arrival);
    void note_start();
    void take_out(Seat seat);
    void take_past(const Past& past);
    void take_past_turn(const PastTurn& turn);
    void note_outcome();
    void note_allowances();
    void note_programs();
    void open_turn(Actions& actions);
    // What is known of an answer to a turn that ended without one.
    void note_overdue(Seat seat, std::int64_t turn, Instant arrived);
    // The longest that an answer could have taken and be in time, as the charge tells; `budget` is
    // what there was to spend.
    Duration longest(const clock::Charge& charge, Duration budget) const;
    void book(Seat seat, const clock::Charge& charge, const Arrival& arrival);
    // Keeps the answer's move. False, and the turn is over: the bot's moves have too many bytes.
    bool keep_move(Seat seat, json::View move, const Arrival& arrival, Actions& actions);
    // The seat's turn is over; `live`: the answer that ended it, where one did.
    void close_seat(Seat seat, Actions& actions, const LiveMove& live = {});
    // Nothing more is waited for from the seat before the first turn. The last seat begins that
    // turn, or ends a game that needs all of them.
    void count_in(Seat seat, Actions& actions);
    bool waits() const;
    // The seat's time to get ready is over, unless its bot waited for a core.
    void miss_ready(Seat seat, const Arrival& arrival, Actions& actions);
    // Ends the game where a seat was not ready in time.
    bool ended_unready(Actions& actions);
    void apply_answers(const LiveMove& live);
    void keep_delta();
    void charge_fault(Seat seat, const Arrival& arrival, const clock::Charge& charge,
                      Actions& actions);
    std::string excuse(Seat seat, const Arrival& arrival) const;
    void book_notes(Actions& actions);
    void name_missing_answer(Fault& fault, const Arrival& arrival) const;
    std::string silence_text(Seat seat, const Arrival& arrival) const;
    void name_what_it_met(Fault& fault, const Arrival& arrival);
    // `received`: at that instant a line came; otherwise the fault was only noticed then.
    protocol::Evidence times(Seat seat, Instant at, bool received,
                             const clock::Charge& charge) const;
    // The time that a turn's charge is held against.
    Duration judged_budget(Seat seat, const clock::Charge& charge) const;
    // Files a fault and does what the policy says; for faults that don't forfeit by themselves.
    // `own` stands before the message, for the seat alone.
    void file(Fault fault, Actions& actions, const std::string& own = {});
    static void set_rule(Fault& fault);
    void add_fault(Fault fault, Actions& actions);
    void decide(Seat seat, Consequence consequence, const std::string& why, Actions& actions);
    void forfeit(Seat seat, std::string reason, Actions& actions);
    void finish(GameStatus status, std::string reason, Actions& actions);
    std::int64_t since_begin_us(Instant at) const { return in_us(at - begun_); }

    PlaySetup setup_;
    std::string id_;
    std::unique_ptr<engines::State> state_;
    std::vector<SeatState> seats_;
    Phase phase_ = Phase::fresh;
    std::int64_t turn_ = 0;
    std::int64_t turns_played_ = 0;
    Instant begun_{};
    mutable std::string state_text_;
    mutable bool state_text_fresh_ = false;
    std::vector<engines::Note> notes_;  // of the last turn
    std::vector<engines::Answer> answers_;
    std::vector<std::int64_t> used_us_;
    engines::DeltaWriter changes_;  // followed while a seat keeps deltas
    std::string delta_;
    std::vector<std::string> forfeit_reasons_;
    ReplayWriter replay_;
    Fingerprint fingerprint_;
    GameResult result_;
};

}  // namespace referee::play
