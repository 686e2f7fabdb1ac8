#pragma once

// One process of the student's program: its messages, what else it prints, and how it ended.
// Nothing of it stays behind: the launcher holds its children together, also where the bridge is
// killed.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "referee/connect/relay/lines.h"
#include "referee/files/descriptor.h"
#include "referee/launch/process/launcher.h"

namespace referee::bridge {

// What comes of a channel, on the loop's thread and never from inside a call to it.
struct ChannelNews {
    // Lines that were read together, without their ends; valid during the call.
    std::function<void(std::span<const std::string_view> lines)> on_lines;
    // A line longer than the channel takes was passed over.
    std::function<void()> on_too_long;
    // All that send() was given has left.
    std::function<void()> on_sent;
    // Called once: nothing comes any more. `half_line` is what came behind the last line end.
    std::function<void(const std::string& why, std::string_view half_line)> on_end;
};

// A stream of lines both ways that never waits: a TCP connection, one with TLS, or a program's
// input and output.
class Channel {
 public:
    Channel() = default;
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;
    virtual ~Channel() = default;

    // Begins to read.
    virtual void start(ChannelNews news) = 0;
    // While it is off, nothing more is read than what is under way.
    virtual void set_reading(bool reading) = 0;
    // Sends now what the kernel takes, and the rest later.
    virtual void send(std::string_view text) = 0;
    // What waits to be sent.
    virtual std::size_t unsent() const = 0;
    // No more is sent than what waits; then the other side sees the end.
    virtual void end_output() = 0;
    // Ends both directions; no news come any more. Idempotent.
    virtual void close() = 0;
};

using TlsStream = boost::asio::ssl::stream<boost::asio::ip::tcp::socket>;

// Of a socket, or of a TlsStream whose handshake is done.
template <typename Stream>
std::shared_ptr<Channel> channel_of(Stream connection, std::size_t line_bytes_max);
// Written to `input`, read from `output`; both don't block.
std::shared_ptr<Channel> channel_of(const boost::asio::any_io_executor& executor,
                                    files::Descriptor input, files::Descriptor output,
                                    std::size_t line_bytes_max);

// How it is started: with the environment, the folder and the rights of the person who called, and
// with what PROTOCOL.md ("Launched bots") gives a program that speaks on standard output.
process::LaunchSpec launch_spec_of(const std::vector<std::string>& command,
                                   const relay::BotIdentity& identity);

struct ProgramEnd {
    process::ExitStatus status;
    bool closed_output = false;   // while it still ran; then it was ended
    bool left_processes = false;  // that it had started; they are ended too
    std::string error_tail;       // the end of its standard error
};

struct ProgramNews {
    std::function<void(std::span<const std::string_view> lines)> on_lines;
    std::function<void()> on_too_long;
    std::function<void()> on_sent;
    std::function<void(std::string_view text)> on_error_text;
    // It printed text without a line feed at its end.
    std::function<void(std::string_view half_line)> on_half_line;
    // Once, the last of all.
    std::function<void(const ProgramEnd&)> on_ended;
};

class StudentProcess {
 public:
    static base::Result<std::unique_ptr<StudentProcess>, process::LaunchError> begin(
        const boost::asio::any_io_executor& executor, process::Launcher& launcher,
        const process::LaunchSpec& spec, ProgramNews news);
    ~StudentProcess();
    StudentProcess(const StudentProcess&) = delete;
    StudentProcess& operator=(const StudentProcess&) = delete;

    Channel& channel() { return *channel_; }
    void kill() { bot_->kill(); }

 private:
    enum class Phase : std::uint8_t { runs, closed_output, exited, ended };

    StudentProcess(const boost::asio::any_io_executor& executor, process::OwnedBot bot,
                   ProgramNews news);
    void watch();
    void output_ended(std::string_view half_line);
    void exited(const process::ExitStatus& status);
    void finish();

    boost::asio::steady_timer timer_;
    process::OwnedBot bot_;
    std::shared_ptr<Channel> channel_;
    ProgramNews news_;
    ProgramEnd end_;
    Phase phase_ = Phase::runs;
    bool output_is_over_ = false;
    loop::Life life_;
};

}  // namespace referee::bridge
