#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <string>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/launch/process/launcher.h"
#include "referee/net/loop/transport.h"
#include "referee/net/transport/listener.h"

// How the bot that is examined comes: launched on its standard input and output, launched and
// dialling in, or started by somebody else.

namespace referee::check_bot {

// What is known of a program that we launched.
struct ProgramState {
    std::optional<process::ExitStatus> exit;  // nothing while it runs
    std::string error_tail;                   // the end of its standard error
    std::uint64_t error_bytes = 0;            // all that it printed there
};

enum class ConnectsBy : std::uint8_t {
    on_stdio,  // launched; a lost connection is followed by a new launch
    dials_in,  // launched, and dials the address in its environment
    by_hand,   // somebody else starts it; it dials an address that was printed
};

// Not thread safe; `loop` outlives it.
class Entrance {
 public:
    using Connection = base::Result<std::unique_ptr<loop::Transport>, std::string>;

    // A bot that is launched: as its config says, with this token. An error says why nothing can be
    // launched or listened on.
    static base::Result<std::unique_ptr<Entrance>, std::string> launching(
        boost::asio::io_context& loop, config::BotConfig bot, std::string token, bool unsandboxed);
    // One that somebody else starts. `port` 0: any.
    static base::Result<std::unique_ptr<Entrance>, std::string> listening(
        boost::asio::io_context& loop, const std::string& host, std::uint16_t port);
    ~Entrance();
    Entrance(const Entrance&) = delete;
    Entrance& operator=(const Entrance&) = delete;

    ConnectsBy comes() const { return comes_; }
    // Where it dials in; empty on standard input and output.
    std::string address() const;
    // The sandbox in a line, for the report; empty where nothing is launched.
    const std::string& sandbox() const { return sandbox_; }

    // Its start begins, which may take so long, less its waits for a core; start_ends() is to be
    // asked often: who ends takes its waits along.
    void begin_start(Duration within);
    Instant start_ends();
    // Of the present start, as far as start_ends() has seen.
    Duration start_waited() const { return start_waited_; }
    // Its next connection. Launches it where it doesn't run, or has only its standard input. An
    // error says why none came in the time of its start.
    Connection next();
    // Whether a connection waits to be taken.
    bool knocks() const { return waiting_ != nullptr; }
    // Waits until the program has ended, or something knocks. Nothing of one that we didn't launch.
    std::optional<process::ExitStatus> await_exit(Instant until);
    ProgramState remains() const;
    // Of a program that we launched; see process::LaunchedBot.
    void begin_turn();
    Duration core_wait_min(Duration wall);
    Duration core_wait_max(Duration wall);
    // Ends the program, so that next() launches it anew; connections that wait are closed.
    void start_over();
    // Whether no launch of it has ever brought a process.
    bool never_started() const { return !started_; }
    // What the sandbox hides of what its command needs, with what helps; empty: nothing is known.
    std::string unseen() const;

 private:
    Entrance(boost::asio::io_context& loop, ConnectsBy comes) : loop_(loop), comes_(comes) {}
    std::optional<std::string> launch();
    void accept(std::unique_ptr<transport::Listener>& listener);

    boost::asio::io_context& loop_;
    ConnectsBy comes_;
    config::BotConfig bot_;
    std::string token_;
    std::string sandbox_;
    std::unique_ptr<process::Launcher> launcher_;
    std::unique_ptr<transport::Listener> listener_;
    std::unique_ptr<transport::Listener> door_;  // in the bot's own network, where it has one
    process::OwnedBot process_;
    std::unique_ptr<loop::Transport> waiting_;
    bool started_ = false;
    Instant start_began_{};
    Duration start_within_{};
    Duration start_waited_{};
};

}  // namespace referee::check_bot
