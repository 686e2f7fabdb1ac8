#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "protocol/base/secret.h"
#include "protocol/limits.h"
#include "referee/connections/net/peer_watch.h"
#include "referee/connections/runtime/life.h"
#include "referee/office/control/commands.h"

// Where orders come in: an address, and the connections that were made to it.

namespace referee::control {

// An order is short: a longer request is not from ctl.
inline constexpr std::size_t request_bytes_max = 16 * 1024;
// Enough, since instructors are few.
inline constexpr std::size_t connections_max = 32;
// When descriptors have run out, the server waits so long before it accepts again.
inline constexpr auto accept_pause = std::chrono::milliseconds(200);

// Points to null once the daemon is stopping.
using CommandsNow = std::shared_ptr<Commands*>;

using TlsStream = boost::asio::ssl::stream<boost::asio::ip::tcp::socket>;

// Whether a handshake failed because the peer speaks plain text.
bool is_plain_text(const boost::system::error_code& error);

// One connection of a ctl: a request, its answer, the next request.
template <typename Stream>
class Connection : public std::enable_shared_from_this<Connection<Stream>> {
 public:
    Connection(Stream stream, CommandsNow commands, std::string token)
        : stream_(std::move(stream)),
          handshake_end_(stream_.get_executor()),
          commands_(std::move(commands)),
          token_(std::move(token)) {}

    void begin() {
        if constexpr (std::is_same_v<Stream, TlsStream>) {
            shake_hands();
        } else {
            read();
        }
    }
    void close() {
        boost::system::error_code ignored;
        stream_.lowest_layer().close(ignored);
    }

 private:
    // Bounded in time, since connections are few.
    void shake_hands() {
        auto self = this->shared_from_this();
        handshake_end_.expires_after(protocol::limits::login_time_max);
        handshake_end_.async_wait([self](const boost::system::error_code& cancelled) {
            if (!cancelled) self->close();
        });
        stream_.async_handshake(boost::asio::ssl::stream_base::server,
                                [self](const boost::system::error_code& error) {
                                    self->handshake_end_.cancel();
                                    if (!error) return self->read();
                                    if (is_plain_text(error)) self->answer_in_plain_text();
                                });
    }
    void answer_in_plain_text() {
        boost::system::error_code ignored;
        boost::asio::write(stream_.next_layer(),
                           boost::asio::buffer(refusal(
                               "this port expects TLS; give its address to ctl as the daemon's log "
                               "tells it: --address tls://HOST:PORT#sha256=...")),
                           ignored);
    }
    void read() {
        auto self = this->shared_from_this();
        boost::asio::async_read_until(
            stream_, boost::asio::dynamic_buffer(in_, request_bytes_max), '\n',
            [self](const boost::system::error_code& error, std::size_t bytes) {
                if (!error) self->handle(bytes);
            });
    }
    void handle(std::size_t bytes) {
        const std::string line = in_.substr(0, bytes);
        in_.erase(0, bytes);
        protocol::json::Document request;
        if (!request.parse(line) || !request.root().is_object()) {
            return write(
                refusal("expected a request such as {\"command\":\"status\"} on one line"));
        }
        if (!token_.empty() &&
            !base::same_secret(token_, request.root().find("token").string().value_or(""))) {
            return write(
                refusal("the admin token is missing or wrong; expected the one of the daemon's "
                        "config, in --token"));
        }
        if (*commands_ == nullptr) return write(refusal("the daemon is stopping"));
        (*commands_)
            ->carry_out(request.root(), [self = this->shared_from_this()](std::string answer) {
                self->write(std::move(answer));
            });
    }
    void write(std::string answer) {
        auto self = this->shared_from_this();
        out_ = std::move(answer);
        boost::asio::async_write(
            stream_, boost::asio::buffer(out_),
            [self](const boost::system::error_code& error, std::size_t /*bytes*/) {
                if (!error) self->read();
            });
    }

    Stream stream_;
    boost::asio::steady_timer handshake_end_;
    CommandsNow commands_;
    std::string token_;
    std::string in_;
    std::string out_;
};

// Accepts on one address.
template <typename Protocol, typename Stream = typename Protocol::socket>
class Door {
 public:
    using Socket = typename Protocol::socket;
    // What a new connection speaks through.
    using MakeStream = std::function<Stream(Socket)>;

    Door(const boost::asio::any_io_executor& loop, std::string token, MakeStream make_stream)
        : acceptor_(loop),
          pause_(loop),
          token_(std::move(token)),
          make_stream_(std::move(make_stream)) {}

    typename Protocol::acceptor& acceptor() { return acceptor_; }
    void accept(const CommandsNow& commands) {
        acceptor_.async_accept(life_.while_it_lasts(
            [this, commands](const boost::system::error_code& error, Socket socket) {
                if (error == boost::asio::error::operation_aborted || !acceptor_.is_open()) return;
                if (error) {
                    pause_.expires_after(accept_pause);
                    pause_.async_wait(life_.while_it_lasts(
                        [this, commands](const boost::system::error_code& gone) {
                            if (!gone) accept(commands);
                        }));
                    return;
                }
                std::erase_if(open_, [](const auto& connection) { return connection.expired(); });
                // Otherwise connections from machines that are gone would use up the limit.
                if constexpr (std::is_same_v<Protocol, boost::asio::ip::tcp>)
                    net::watch_peer(socket.native_handle());
                if (open_.size() < connections_max) {
                    const auto connection = std::make_shared<Connection<Stream>>(
                        make_stream_(std::move(socket)), commands, token_);
                    open_.push_back(connection);
                    connection->begin();
                }
                accept(commands);
            }));
    }
    void close() {
        boost::system::error_code ignored;
        acceptor_.close(ignored);
        pause_.cancel();
        for (const auto& weak : open_) {
            if (const auto connection = weak.lock()) connection->close();
        }
    }

 private:
    typename Protocol::acceptor acceptor_;
    boost::asio::steady_timer pause_;
    std::string token_;
    MakeStream make_stream_;
    std::deque<std::weak_ptr<Connection<Stream>>> open_;
    runtime::Life life_;
};

}  // namespace referee::control
