#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/find.h"
#include "referee/game/clock/allowances.h"
#include "referee/game/result/game_result.h"
#include "referee/net/session/session.h"

namespace referee::lobby {

// A running game, as the bots that sit in it see it.
class SeatedGame {
 public:
    virtual ~SeatedGame() = default;
    virtual const std::string& game_id() const = 0;
    // A line that the seat's bot could send now; empty where none is awaited of it.
    virtual std::string awaited_line(engines::Seat) const { return {}; }
    // Return whether the message was asked for.
    virtual bool on_ready(engines::Seat seat) = 0;
    virtual bool on_move(engines::Seat seat, const protocol::Move& move, std::string_view line,
                         Stamp arrived) = 0;
    // A line of the seat's bot was not a valid message.
    virtual void on_bad_line(engines::Seat seat, const protocol::ProtocolError& error) = 0;
    // A move of the seat's bot came that names no game in which the bot sits.
    virtual void on_foreign_move(engines::Seat, std::string_view /*line*/, Stamp /*arrived*/) {}
    virtual void on_connected(engines::Seat seat) = 0;
    virtual void on_disconnected(engines::Seat seat, session::CloseCause cause) = 0;
};

// The process behind a bot that the referee launched itself. By default one that always has a core,
// and of which nothing more is known.
class Process {
 public:
    virtual ~Process() = default;
    // Processor time that all processes of the bot have used so far; nothing where it can't be
    // measured now.
    virtual std::optional<Duration> cpu_time() = 0;
    // The same as begin_turn() or core_wait_min() has just read it: spares another reading.
    virtual std::optional<Duration> cpu_time_just_read() { return cpu_time(); }
    // The means by which it is measured: "cgroup v2", ...
    virtual std::string_view cpu_means() const = 0;
    // A start or a turn of the bot is about to be handed over.
    virtual void begin_turn() {}
    // Processor time that it used since begin_turn(); nothing where it is not known.
    virtual std::optional<Duration> worked_in_turn() { return std::nullopt; }
    // How long, in the start or the turn that has taken `wall` so far, the bot waited for a core
    // through no fault of its own: what is certain, for the charge of an answer; and what may be,
    // for how long to wait for one.
    virtual Duration core_wait_min(Duration /*wall*/) { return Duration::zero(); }
    virtual Duration core_wait_max(Duration /*wall*/) { return Duration::zero(); }
    // A frozen bot does not run until it is thawed. Both may be called at any time, and repeatedly.
    // False where the machine refuses to freeze it.
    virtual bool freeze() { return true; }
    virtual void thaw() {}
    // Whether it is to be frozen while it is not its turn; nothing: where its clock asks for it.
    virtual std::optional<bool> freezes_between_turns() const { return false; }
    // How and why the process ended: exit status, signal, the tail of standard error.
    struct Exit {
        std::optional<int> status;
        std::optional<int> signal;
        std::string stderr_tail;
        std::string hint{};  // which limit it met, and what helps; empty where nothing tells
    };
    virtual std::optional<Exit> exited() const { return std::nullopt; }
    // What may keep it from answering, as far as the kernel tells: a limit that it met since its
    // launch, or that it is stopped. In words that follow its name; empty where nothing does.
    virtual std::string met() const { return {}; }
    // Which program it is, and what it runs in.
    virtual LaunchedProgram program() const { return {}; }
};

// A bot that is known by name, connected or not: it outlives its connections.
class Bot {
 public:
    // `allowances` outlives it.
    Bot(std::string name, clock::Allowances& allowances)
        : name_(std::move(name)), allowances_(allowances) {}
    Bot(const Bot&) = delete;
    Bot& operator=(const Bot&) = delete;

    const std::string& name() const { return name_; }

    // Null while it is away.
    session::Session* session() const { return session_.get(); }
    bool connected() const { return session_ != nullptr; }
    // How long a line to it and its answer are under way, as far as that is believed of it; zeros
    // while it is away.
    Path path(Instant now);
    // What bounds that; empty while it is away.
    clock::Allowance allowance() const { return allowances_.of(connection_); }
    protocol::StateForm state_form() const { return state_form_; }
    // Which version of its program it said it is, at its last login; empty: it said none.
    const std::string& version() const { return version_; }
    bool plays(std::string_view game) const { return base::contains(games_, game); }
    // Games that it could begin now; 0 while it is away. A launched bot plays one game at a time,
    // whatever it asked for: then all of its processor time belongs to that game, and it can be
    // frozen.
    std::size_t free_seats() const;

    // Whether strangers get back what its login took: not of one that logs in again and again.
    bool gives_back_login(Instant now);

    // The bot has logged in: takes over what it said at its login, and its new connection.
    void connect(std::shared_ptr<session::Session> session, const protocol::Login& login);
    void disconnect(session::CloseCause cause);
    // Of the connection that ended last: what the bot said at its end; a game that it was in, until
    // it comes back.
    const std::string& goodbye() const { return goodbye_; }
    const std::string& left_game() const { return left_game_; }

    void sit(SeatedGame& game, engines::Seat seat) { places_.push_back({&game, seat}); }
    void leave(const SeatedGame& game);
    struct Place {
        SeatedGame* game = nullptr;
        engines::Seat seat = 0;
    };
    // The game is null where the bot does not sit in a game of that id now.
    Place place_in(std::string_view game_id) const;
    const std::vector<Place>& places() const { return places_; }
    // Whether the bot left a game of that id a short while ago.
    bool played_lately(std::string_view game_id) const { return base::contains(lately_, game_id); }

    void set_process(Process* process) { process_ = process; }
    Process* process() const { return process_; }

 private:
    std::shared_ptr<clock::PathHistory> way_from(const std::string& network);

    std::string name_;
    clock::Allowances& allowances_;
    clock::Allowances::Id connection_ = nullptr;
    Instant gives_back_again_{};
    std::shared_ptr<session::Session> session_;
    // What its ways were like, by network_of(); the one used last is last.
    std::vector<std::pair<std::string, std::shared_ptr<clock::PathHistory>>> ways_;
    protocol::StateForm state_form_ = protocol::StateForm::full;
    std::size_t parallel_ = 1;
    std::string version_;
    std::string goodbye_;
    std::string left_game_;
    std::vector<std::string> games_;
    std::vector<Place> places_;
    std::vector<std::string> lately_;
    Process* process_ = nullptr;
};

}  // namespace referee::lobby
