#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "referee/files/descriptor.h"

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

}  // namespace referee::bridge
