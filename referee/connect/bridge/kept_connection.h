#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>

#include "protocol/address.h"
#include "protocol/base/result.h"
#include "referee/connect/relay/relay.h"
#include "referee/files/file.h"
#include "referee/net/loop/life.h"

namespace referee::bridge {

// ---- Channels -------------------------------------------------------------------------------

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

// Written to `input`, read from `output`; both don't block.
std::shared_ptr<Channel> channel_of(const boost::asio::any_io_executor& executor,
                                    files::Descriptor input, files::Descriptor output,
                                    std::size_t line_bytes_max);

// ---- A connection that is kept up -----------------------------------------------------------

// Why there is no connection, in words for a person.
struct NoConnection {
    std::string message;
    bool for_good = false;  // it is of no use to try again
};

struct KeptConnectionNews {
    // Asked before each try: whether a connection is of use now.
    std::function<bool()> is_wanted;
    std::function<void()> on_open;
    std::function<void(std::span<const std::string_view> lines)> on_lines;
    std::function<void()> on_sent;
    // It ended by itself. Nobody dials before dial_later() or dial_now().
    std::function<void(const std::string& why)> on_lost;
    // A try failed. The next one comes by itself, unless it failed for good.
    std::function<void(const NoConnection& why)> on_failed;
    // There was no good connection for as long as was asked for.
    std::function<void()> on_given_up;
};

// A connection to a referee that is kept up: dialled, dialled again in growing pauses when it is
// lost, and given up when that was asked for. By TCP, with TLS where the address says so: where it
// names a fingerprint, the certificate must have it; else it must be one that this machine trusts.
// All calls come on the loop's thread, and none from inside a call to it, but for is_wanted.
class KeptConnection {
 public:
    using Patience = std::optional<std::chrono::nanoseconds>;

    KeptConnection(boost::asio::io_context& loop, protocol::ServerAddress address,
                   Patience patience, KeptConnectionNews news);
    ~KeptConnection() { drop(); }
    KeptConnection(const KeptConnection&) = delete;
    KeptConnection& operator=(const KeptConnection&) = delete;

    // Where there is one; else they do nothing.
    void send(std::string_view text) {
        if (channel_) channel_->send(text);
    }
    std::size_t unsent() const { return channel_ ? channel_->unsent() : 0; }
    void set_reading(bool reading) {
        if (channel_) channel_->set_reading(reading);
    }
    void end_output() {
        if (channel_) channel_->end_output();
    }

    // Where there is none, and no try is under way.
    void dial_now();
    // The same after a pause.
    void dial_later();
    // Ends it without a word.
    void drop() {
        if (const auto channel = std::exchange(channel_, nullptr)) channel->close();
    }
    // It is of use: what failed before is forgotten.
    void is_good();

 private:
    void dialled(base::Result<std::shared_ptr<Channel>, NoConnection> made);
    void lose(const std::string& why);
    void watch_patience();

    boost::asio::io_context& loop_;
    protocol::ServerAddress address_;
    Patience patience_;
    KeptConnectionNews news_;
    std::shared_ptr<Channel> channel_;
    bool tries_ = false;  // a try is under way, or the pause before it
    relay::BackOff back_off_;
    std::minstd_rand chance_;
    boost::asio::steady_timer pause_;
    boost::asio::steady_timer patience_timer_;
    loop::Life life_;
};

}  // namespace referee::bridge
