#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "protocol/framer.h"
#include "referee/config/config.h"
#include "referee/game/clock/time.h"
#include "referee/launch/process/launcher.h"
#include "referee/net/loop/life.h"
#include "referee/net/transport/listener.h"
#include "referee/net/transport/transport.h"

namespace referee::check_bot {

// What was seen of a bot that belongs to no single corner.
struct BotObservations {
    struct Odd {
        std::string line;  // as received, cut
        std::string why;   // what is wrong with it
    };
    std::vector<Odd> texts;     // lines for people among the messages
    std::vector<Odd> mistakes;  // messages that the protocol doesn't know
    std::vector<Odd> unasked;   // good messages that nobody had asked for
    std::size_t messages = 0;   // good ones, in all

    // A turn that was answered.
    struct Answer {
        std::string game;
        Duration took{};
        Duration budget{};  // zero: the turn has none of its own
        bool late = false;
    };
    std::vector<Answer> answers;
    std::vector<std::string> unanswered;  // the games of the turns that were not
    struct Start {
        std::string game;
        Duration took{};  // from `start` to `ready`
    };
    std::vector<Start> starts;
};

// Runs the loop's handlers until then, or until one has run.
void run_one_until(boost::asio::io_context& loop, Instant until);

// How the referee says what it has to say: each is allowed by the protocol, and a bot must bear it.
struct SendingStyle {
    bool unknown_members = false;   // each message has members that no version knows yet
    bool unknown_messages = false;  // before each comes a message of a type that none knows yet
    bool in_pieces = false;         // a message comes in small pieces, with pauses between them
};

// What a login said.
struct LoginTold {
    std::string name;
    std::string token;
    std::vector<std::string> games;
    bool delta = false;
};

// A connection of the bot that is examined: hello, login, and what both say then. Pings are
// answered, and lines that are no message are answered as the referee does, and noted. Waiting runs
// the loop. Not thread safe.
class BotConnection {
 public:
    // The loop and the observations outlive this.
    BotConnection(boost::asio::io_context& loop, std::unique_ptr<transport::Transport> transport,
                  BotObservations& observations);
    ~BotConnection() { close(); }
    BotConnection(const BotConnection&) = delete;
    BotConnection& operator=(const BotConnection&) = delete;

    // Says hello and waits for the login, until a time that is asked for again and again. An
    // error tells why none came.
    base::Result<LoginTold, std::string> log_in(std::string_view session,
                                                const std::function<Instant()>& until);
    void welcome(const LoginTold& login, const std::vector<std::string>& games);

    // Says whole lines, each ended by a line feed, in the present style.
    void say(std::string_view lines);
    void set_style(const SendingStyle& style) { style_ = style; }

    struct Heard {
        protocol::FromBot message;  // valid until the next hear()
        std::string line;
        Instant at;
    };
    // The next good message; nothing where none came until then.
    std::optional<Heard> hear(Instant until);
    // Notes a good message that nobody had asked for.
    void note_unasked(const std::string& line, std::string why);

    // False once the connection has ended, by either side.
    bool open() const { return open_; }
    // Why, in words; "its connection ended" where the other side did it.
    const std::string& why_closed() const { return why_closed_; }
    // Waits while the loop runs; what comes meanwhile is kept for hear().
    void pause(Duration duration);
    void close();
    bool said_something() const { return !said_first_.empty(); }
    bool said_goodbye() const { return goodbye_; }

 private:
    struct Line {
        std::string text;
        Instant at;  // when it came
    };
    boost::asio::awaitable<void> listen();
    // The next line; nothing where none has come until then, or none can come any more.
    std::optional<Line> next(Instant until);
    // Gives all of it to the kernel. A bot that takes nothing for long is shut out; what one that
    // is gone doesn't take is lost.
    void send(std::string_view bytes);
    // Ends it for a reason that is the bot's.
    void shut_out(std::string why);
    void answer_mistake(protocol::ProtocolError error, const std::string& line);
    // Whether the bot sends far more than it was asked for; then it is shut out.
    bool floods();

    boost::asio::io_context& loop_;
    std::unique_ptr<transport::Transport> transport_;
    BotObservations& observations_;
    protocol::Framer framer_;
    std::deque<Line> lines_;
    bool open_ = true;
    std::string why_closed_ = "its connection ended";
    SendingStyle style_;
    protocol::json::Document document_;
    std::uint64_t texts_ = 0;
    std::size_t mistakes_ = 0;
    std::size_t unasked_ = 0;
    std::size_t heard_since_said_ = 0;  // lines, since it was last told something of a game
    std::string said_first_;            // the first bytes that came, as many as are shown
    std::string first_wrong_;           // what is wrong with the first line that is no message
    std::string session_;
    bool goodbye_ = false;
    loop::Life life_;
};

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

// How the bot that is examined comes. Not thread safe; `loop` outlives it.
class Entrance {
 public:
    using Connection = base::Result<std::unique_ptr<transport::Transport>, std::string>;

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

    ConnectsBy connects_by() const { return connects_by_; }
    // Where it dials in; empty on standard input and output.
    std::string address() const { return listener_ ? listener_->endpoint() : std::string(); }
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
    bool has_waiting_connection() const { return waiting_ != nullptr; }
    // Waits until the program has ended, or something knocks. Nothing of one that we didn't launch.
    std::optional<process::ExitStatus> await_exit(Instant until);
    ProgramState program_state() const;
    // Of a program that we launched; see process::BotProcess.
    void begin_turn();
    Duration core_wait_min(Duration wall);
    Duration core_wait_max(Duration wall);
    // Ends the program, so that next() launches it anew; connections that wait are closed.
    void start_over();
    // Whether no launch of it has ever brought a process.
    bool never_started() const { return !started_; }
    // What the sandbox hides of what its command needs, with what helps; empty: nothing is known.
    std::string hidden_by_sandbox() const;

 private:
    Entrance(boost::asio::io_context& loop, ConnectsBy connects_by)
        : loop_(loop), connects_by_(connects_by) {}
    base::Result<void, std::string> launch();
    void accept(std::unique_ptr<transport::Listener>& listener);

    boost::asio::io_context& loop_;
    ConnectsBy connects_by_;
    config::BotConfig bot_;
    std::string token_;
    std::string sandbox_;
    std::unique_ptr<process::Launcher> launcher_;
    std::unique_ptr<transport::Listener> listener_;
    std::unique_ptr<transport::Listener>
        own_listener_;  // in the bot's own network, where it has one
    process::OwnedProcess process_;
    std::unique_ptr<transport::Transport> waiting_;
    bool started_ = false;
    Instant start_began_{};
    Duration start_within_{};
    Duration start_waited_{};
};

}  // namespace referee::check_bot
