#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "referee/lobby/bot.h"
#include "referee/play/play.h"
#include "referee/runtime/timers.h"

namespace referee::table {

using engines::Seat;

// What a table needs to know of the match around its game.
struct MatchFacts {
    std::string match_id;
    std::uint32_t games_max = 1;  // that the match may have
};

// How much the referee itself stood still in a stretch of time; see the loop's watch.
class StallSource {
 public:
    virtual ~StallSource() = default;
    virtual Duration stalled(Instant from, Instant to) const = 0;
};

class Table;

// Somebody who looks on: told after each turn that was played, and when the play has finished.
class Watcher {
 public:
    virtual ~Watcher() = default;
    virtual void on_position(const Table& table) = 0;
};

// A game being played: joins the pure Play to the bots' sessions and to the timers. Born when all
// seats are known, tells `on_finished` once when the result stands, and must then be announced or
// dropped; never destroyed from inside its own callbacks. Not thread safe.
class Table final : public lobby::Seating {
 public:
    using OnFinished = std::function<void(Table&)>;

    // `bots` by seat; they and the timers outlive the table.
    Table(play::PlaySetup setup, MatchFacts match, std::vector<lobby::Bot*> bots, runtime::Timers& timers,
          const StallSource& stalls, OnFinished on_finished);
    ~Table() override;
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;
    Table(Table&&) = delete;
    Table& operator=(Table&&) = delete;

    // `absent`: seats whose bots never showed up; see Play::start.
    void start(std::span<const Seat> absent = {});
    // Before start(). The watcher outlives the table.
    void watch(Watcher& watcher) { watcher_ = &watcher; }
    // The game doesn't count: the referee's own trouble, or a stop from outside.
    void stop(GameStatus status, std::string reason);

    const play::Play& play() const { return play_; }
    const std::vector<lobby::Bot*>& bots() const { return bots_; }
    // What bots sent with their moves for their own eyes: NDJSON, a line a text; by seat.
    const std::string& debug_text(Seat seat) const { return debug_[seat]; }

    // Tells the bots how the game ended; call it once the result is recorded. Needs a finished play.
    void announce();

    const std::string& game_id() const override { return play_.id(); }
    bool on_ready(Seat seat) override;
    bool on_move(Seat seat, const protocol::Move& move, std::string_view line, Instant arrived) override;
    void on_bad_line(Seat seat, const protocol::ProtocolError& error) override;
    void on_connected(Seat seat) override;
    void on_disconnected(Seat seat, session::CloseCause cause) override;

 private:
    void perform();
    void send_start(Seat seat, bool resumed);
    void send_turn(Seat seat, bool again);
    void send_fault(std::size_t index);
    void book_disconnection(Seat seat, session::CloseCause cause);
    void arm(Seat seat, Instant at);
    void disarm(Seat seat);
    void on_deadline(Seat seat);
    play::Arrival arrival_of(Seat seat, Instant at) const;
    void tell_debug_cut(Seat seat, std::int64_t turn);
    void answer_fate(Seat seat, play::AnswerFate fate, std::int64_t turn);
    session::Session* session(Seat seat) const { return bots_[seat]->session(); }

    play::Play play_;
    MatchFacts match_;
    std::vector<lobby::Bot*> bots_;
    runtime::Timers& timers_;
    const StallSource& stalls_;
    OnFinished on_finished_;
    std::vector<runtime::Timers::Id> deadlines_;
    std::vector<runtime::Timers::Id> farewells_;  // disconnections whose cause is awaited
    std::vector<bool> ready_asked_;
    std::vector<std::optional<Duration>> cpu_at_send_;
    std::vector<std::string> debug_;
    play::Actions actions_;
    bool performing_ = false;
    bool finish_told_ = false;
    bool started_ = false;
    Watcher* watcher_ = nullptr;
    std::int64_t watched_turns_ = -1;
    std::string delta_;
};

}  // namespace referee::table
