#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "referee/game/play/play.h"
#include "referee/net/lobby/bot.h"
#include "referee/net/loop/loop_watch.h"
#include "referee/net/loop/timers.h"
#include "referee/tournament/table/announcement.h"
#include "referee/tournament/table/cores.h"

namespace referee::table {

using loop::StallSource;

class Table;

// Somebody who looks on: told after each turn that was played, and when the play has ended.
class Watcher {
 public:
    virtual ~Watcher() = default;
    virtual void on_position(const Table& table) = 0;
};

// A game that is being played: joins the pure Play to the bots' sessions and to the timers. It is
// made when all seats are known and calls `on_finished` once when the result stands. Then it must
// be announced or dropped. Never destroy it from inside its own callbacks. Not thread safe.
//
// A bot that the referee launched thinks only while it holds a core (see Cores): its start and its
// turns are sent, and its time begins, when there is a core for it. Between its turns it is frozen
// if its config says so, and by default where its processor time is measured. It is always frozen
// when a start or a turn ended without its answer, until its next turn or its next game: otherwise
// it would go on thinking in vain, on a core that another bot has now.
class Table final : public lobby::SeatedGame {
 public:
    using OnFinished = std::function<void(Table&)>;

    // `bots` by seat; they, the timers, the stalls and the cores outlive the table.
    Table(play::PlaySetup setup, MatchFacts match, std::vector<lobby::Bot*> bots,
          loop::Timers& timers, const StallSource& stalls, Cores& cores, OnFinished on_finished);
    ~Table() override;
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    // `absent`: seats whose bots didn't come; see Play::start.
    void start(std::span<const Seat> absent = {});
    // Before start(). The watcher outlives the table.
    void watch(Watcher& watcher) { watcher_ = &watcher; }
    // Ends a game that doesn't count: because of the referee's own trouble, or by an order from
    // outside.
    void stop(GameStatus status, std::string reason);

    const play::Play& play() const { return play_; }
    const std::vector<lobby::Bot*>& bots() const { return bots_; }
    // Until when the game now waits for the seat's bot; nothing where it doesn't wait.
    std::optional<Instant> deadline(Seat seat) const;
    // What bots sent with their moves for their own use: NDJSON, one line for each text, by seat.
    const std::string& debug_text(Seat seat) const { return places_[seat].debug; }

    // Tells the bots how the game ended; call it once the result is recorded. Requires: the play
    // has finished.
    void announce();

    const std::string& game_id() const override { return play_.id(); }
    std::string awaited_line(Seat seat) const override { return play_.awaited_line(seat); }
    bool on_ready(Seat seat) override;
    bool on_move(Seat seat, const protocol::Move& move, std::string_view line,
                 Stamp arrived) override;
    void on_bad_line(Seat seat, const protocol::ProtocolError& error) override;
    void on_foreign_move(Seat seat, std::string_view line, Stamp arrived) override;
    void on_connected(Seat seat) override;
    void on_disconnected(Seat seat, session::CloseCause cause) override;

 private:
    struct Deadline {
        loop::Timers::Id timer;  // of the deadline, or of the look before it; 0 during a look
        Instant at;
        Duration look_every;
        Duration cpu_budget;
    };
    enum class Activity : std::uint8_t {
        none,      // its start has not been sent yet
        thinking,  // it has not answered the start or turn that it was sent last
        resting,   // it has answered
    };
    // What the table keeps of a seat.
    struct Place {
        std::optional<Deadline> deadline;
        loop::Timers::Id cause_timer = 0;  // set while the cause of a disconnection isn't known yet
        Activity activity = Activity::none;
        bool ready_asked = false;
        // What a bot said that it is when it began stands: a bot that loses could come back as
        // another version, and have the loss played again.
        bool version_named = false;
        bool crash_told = false;
        bool turn_in_pieces = false;  // the kernel didn't take all of its turn at once
        bool fault_unsent = false;    // it waits in the outbox, for the turn that follows it
        Cores::Permit core = 0;       // held or asked for; launched bots only
        // The most that its bot may have waited for a core since its start or turn was sent, as it
        // was looked at: who ends takes its waits along.
        Duration core_wait{};
        Instant core_look{};  // when that is looked at again
        std::optional<Duration> cpu_at_send;
        // From which on its processor time is its next turn's. Frozen it uses none, but a machine
        // may refuse to freeze it, and without a control group a bot may wake itself.
        std::optional<Duration> cpu_at_rest;
        std::string debug;
    };

    enum class Stage : std::uint8_t {
        playing,
        finished,  // on_finished has not been called yet
        told,
    };

    void perform();
    // The same when others have been judged too: where many deadlines are due or answers come at
    // once, the last must not wait until all that follows from the others has been sent.
    void perform_afterwards();
    void carry_out(const play::Action& action);
    // Calls `send` at once, or as soon as there is a core for a bot that needs one.
    void with_core(Seat seat, void (Table::*send)(Seat));
    void send_start(Seat seat);
    void write_start(Seat seat, bool resumed);
    void send_turn(Seat seat);
    // Sends the same turn once more, to a bot that was away.
    void send_turn_again(Seat seat);
    bool measures_cpu() const { return play_.clock().measure == clock::Measure::cpu; }
    // The seat's turn is over, or the seat is ready: its bot need not run for now.
    void rest(Seat seat);
    void send_fault(std::size_t index);
    void book_disconnection(Seat seat, session::CloseCause cause);
    // Sends what waits in the outboxes of those who were sent no turn behind it.
    void flush_rest();
    // In table_deadlines.cpp, to judge():
    void arm(const play::ArmDeadline& deadline);
    // Processor time of the seat's bot since its turn was sent; nothing where it isn't measured.
    std::optional<Duration> cpu_in_turn(Seat seat, bool just_read) const;
    // What its launched bot may have waited for a core since its start or turn was sent.
    Duration core_wait_max(Seat seat);
    // Waits for the seat's deadline, or for the next look before it.
    void wait(Seat seat, std::optional<Duration> cpu_used);
    // Reads what has come, so that it is known when it came.
    void look(Seat seat);
    void disarm(Seat seat);
    void on_deadline(Seat seat);
    void judge(Seat seat);
    // Which of the referee's own stalls affect the seat's turn.
    loop::StallsOf stalls_of(Seat seat) const;
    play::Arrival arrival_of(Seat seat, Stamp at) const;
    // Sends what `write` appends to the outbox of the seat's bot; nothing where it is away.
    template <typename Write>
    void say(Seat seat, const Write& write);
    session::Session* session(Seat seat) const { return bots_[seat]->session(); }

    play::Play play_;
    MatchFacts match_;
    std::vector<lobby::Bot*> bots_;
    loop::Timers& timers_;
    const StallSource& stalls_;
    Cores& cores_;
    OnFinished on_finished_;
    std::vector<Place> places_;  // by seat
    play::Actions actions_;
    bool performing_ = false;
    bool judging_ = false;              // a deadline: the actions are carried out later
    loop::Timers::Id performance_ = 0;  // set while they wait for that
    Stage stage_ = Stage::playing;
    Watcher* watcher_ = nullptr;
    std::int64_t watched_turns_ = -1;
    std::string delta_;
};

}  // namespace referee::table
