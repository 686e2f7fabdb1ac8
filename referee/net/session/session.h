#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "protocol/codec.h"
#include "protocol/framer.h"
#include "referee/net/loop/time_share.h"
#include "referee/net/loop/timers.h"
#include "referee/net/loop/wakeup.h"
#include "referee/net/transport/transport.h"

namespace referee::session {

// Credit for bytes that nobody asked for: so many at once, and so many more each second. A line
// that is not an answer costs some more, because it has to be answered.
inline constexpr std::int64_t flood_burst_bytes = 256 * 1024;
inline constexpr std::int64_t flood_bytes_a_second = 64 * 1024;
inline constexpr std::int64_t flood_line_bytes = 256;
// Of who has not logged in: the longest line, and some pings.
inline constexpr std::int64_t stranger_burst_bytes = 80 * 1024;
inline constexpr std::int64_t stranger_line_bytes = 4096;
// When the credit is used up, reading pauses so long; after so many pauses the bot is shown out.
inline constexpr Duration flood_pause = std::chrono::seconds(1);
inline constexpr unsigned flood_pauses_max = 3;
// What an idle session keeps of the room for what it sent.
inline constexpr std::size_t outbox_bytes_kept = 4096;

class Session;

// Why a session ended, for the log and for faults.
enum class CloseCause : std::uint8_t {
    left,         // the bot closed, or said bye
    link_failed,  // the network broke
    login_timeout,
    line_too_long,
    flooding,
    backlog,   // it does not read
    replaced,  // by a newer login of the same bot
    refused,
    released,  // we are done with it
};
std::string_view describe(CloseCause cause);

// Is told what comes in on a session. Called on the loop's thread. A session may be closed from
// inside any of these calls. Messages hold views that are valid during the call.
class SessionEvents {
 public:
    virtual ~SessionEvents() = default;
    virtual void on_login(Session& session, const protocol::Login& login) = 0;
    // Return whether the message was asked for; many that were not count as flooding.
    virtual bool on_ready(Session& session, const protocol::Ready& ready) = 0;
    virtual bool on_move(Session& session, const protocol::Move& move, std::string_view line,
                         Stamp arrived) = 0;
    virtual void on_pong(Session& session, const protocol::Pong& pong) = 0;
    virtual void on_question(Session& session, const protocol::Question& question) = 0;
    // Returns whether the message was asked for.
    virtual bool on_handing_in(Session& session, const protocol::HandingIn& message) = 0;
    // A line that the session's bot could send now in a game; empty where none is awaited of it.
    virtual std::string awaited_line(const Session& /*session*/) const { return {}; }
    // A line that was not a valid message; it has been answered already.
    virtual void on_error(Session& session, const protocol::ProtocolError& error) = 0;
    // Once, as the last call.
    virtual void on_closed(Session& session, CloseCause cause) = 0;
};

// Tells that no program can be handed in here. Always false: nobody asked for the message.
bool takes_no_program(Session& session);

struct SessionLimits {
    std::size_t line_bytes_max = protocol::limits::line_bytes_max;
    Duration login_time_max = protocol::limits::login_time_max;
    std::size_t backlog_bytes_max = protocol::limits::backlog_bytes_max;
    Duration backlog_time_max = protocol::limits::backlog_time_max;
};

// One connection: turns bytes into messages and back, with bounded memory both ways. A coroutine
// that reads keeps it alive until it is closed, and one that writes while bytes wait. Works over
// any transport. Not thread safe.
class Session : public std::enable_shared_from_this<Session> {
 public:
    Session(std::string id, std::unique_ptr<transport::Transport> transport, loop::Timers& timers,
            SessionEvents& events, const SessionLimits& limits,
            const boost::asio::any_io_executor& executor);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // Until the bot has logged in, reading waits for its turn and is charged to `account`; after a
    // login that is given back. The share outlives the session. Before start().
    void take_turns(loop::TimeShare& strangers_time, std::string account) {
        strangers_time_ = &strangers_time;
        account_ = std::move(account);
    }
    // Sends hello and begins to read; the bot is told `server_version`.
    void start(std::string_view server_version);

    // Appends a message; it goes out with the next flush(). Ignored once closed.
    template <typename Message>
    void send(const Message& message) {
        if (!closed()) protocol::encode(out_, message);
    }
    // Sends an error at once. Returns false: what it answers is no line that was asked for.
    bool send_error(protocol::ErrorCode code, std::string message, std::string_view expected = {},
                    std::string_view member = {});
    // Sends an error, and that nothing more comes. The caller closes.
    void send_refusal(const protocol::ProtocolError& error);
    // The buffer that messages are encoded into. For lines that have no message struct.
    std::string& outbox() { return out_; }
    // Hands all messages to the kernel in one write; what the kernel does not take follows when it
    // can. Returns when the kernel took them.
    Stamp flush();

    // What waits now may wait, however much it is: the bot asked for it by coming back.
    void excuse_backlog() { excused_ = out_.size(); }

    // Reads what has arrived already, without waiting; called before a deadline is judged. Never
    // called from inside an event of this session.
    void drain();

    // A line that would be right now; where no game awaits one, an example of its form.
    std::string awaited_line() const;
    // Bytes that came without a line feed behind them: the beginning of a line.
    std::size_t half_line() const { return framer_.pending(); }

    // The login was accepted. Whether what it took is given back.
    void logged_in(bool gives_back = true);
    // The bot has sent so much that nobody asked for that nothing is read from it for a while.
    bool is_paused() const { return pause_timer_ != 0; }
    // Flushes what it can and ends the session.
    void close(CloseCause cause);
    bool closed() const { return phase_ >= Phase::lingering; }
    // What the bot said when it left, as it came.
    const std::string& goodbye() const { return goodbye_; }

    const std::string& id() const { return id_; }
    const transport::Transport& transport() const { return *transport_; }
    transport::Transport& transport() { return *transport_; }
    // Bytes that the bot has not taken yet.
    std::size_t backlog() const { return out_.size() - out_done_; }

 private:
    enum class Phase : std::uint8_t {
        stranger,  // it has to log in first
        logged_in,
        lingering,  // closed, but its last words are still on the way
        closed,
    };

    boost::asio::awaitable<void> read_loop(std::shared_ptr<Session> self);
    boost::asio::awaitable<void> write_loop(std::shared_ptr<Session> self);
    // False where there is nothing more to read now.
    bool read_once();
    void take_lines(const transport::Transport::Read& got);
    // Whether the line was asked for.
    bool handle(std::string_view line, Stamp stamp);
    void answer_error(protocol::ProtocolError error);
    void charge_flood(std::size_t bytes);
    void refuse(protocol::ErrorCode code, std::string_view message, CloseCause cause);
    void watch_backlog();
    // While bytes wait, and somebody may take them.
    void go_on_writing();
    void give_up_backlog();

    std::string id_;
    std::unique_ptr<transport::Transport> transport_;
    loop::Timers& timers_;
    SessionEvents& events_;
    SessionLimits limits_;
    boost::asio::any_io_executor executor_;
    loop::TimeShare* strangers_time_ = nullptr;
    std::string account_;
    Duration charged_{};
    bool gives_back_ = false;
    protocol::Framer framer_;
    protocol::json::Document document_;
    std::string goodbye_;
    std::string out_;
    std::size_t out_done_ = 0;
    std::size_t excused_ = 0;  // of out_, from its beginning
    loop::Wakeup resume_signal_;
    loop::Timers::Id login_timer_ = 0;
    loop::Timers::Id backlog_timer_ = 0;
    loop::Timers::Id pause_timer_ = 0;  // while it isn't 0, nothing is read
    loop::Timers::Id linger_timer_ = 0;
    std::int64_t flood_burst_;   // the most credit
    std::int64_t flood_credit_;  // for bytes that nobody asked for
    Instant credit_at_{};
    unsigned pauses_ = 0;
    std::uint64_t plain_texts_ = 0;  // lines of text for people that came
    bool taking_ = false;            // a message is being handled
    bool writing_ = false;           // the loop that writes runs
    Phase phase_ = Phase::stranger;
};

}  // namespace referee::session
