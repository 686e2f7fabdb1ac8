#pragma once

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "protocol/base/secret.h"
#include "referee/connections/lobby/guesses.h"
#include "referee/connections/lobby/network.h"
#include "referee/connections/net/peer_watch.h"
#include "referee/connections/runtime/life.h"
#include "referee/connections/runtime/timers.h"
#include "referee/office/control/commands.h"

// Where orders come in: an address, and the connections that were made to it.

namespace referee::control {

// An order is short: a longer request is not from ctl.
inline constexpr std::size_t request_bytes_max = 16 * 1024;
// At one door. Enough, since instructors are few; where more come, the oldest of those that only
// wait goes.
inline constexpr std::size_t connections_max = 32;
// A request must be there so long after its connection was made, or after the answer before it; and
// an answer must be taken within that. ctl asks at once.
inline constexpr Duration request_time_max = std::chrono::seconds(30);
// When descriptors have run out, the server waits so long before it accepts again.
inline constexpr auto accept_pause = std::chrono::milliseconds(200);

// Points to null once the daemon is stopping.
using CommandsNow = std::shared_ptr<Commands*>;

// What all connections of a server work with; it outlives them, or they are closed before.
struct DoorTerms {
    runtime::Timers& timers;
    lobby::Guesses& guesses;  // at the admin token
};

// One connection of a ctl: a request, its answer, the next request.
template <typename Socket>
class Connection : public std::enable_shared_from_this<Connection<Socket>> {
 public:
    // `token`: empty where none is asked. `network`: where it comes from, as wrong tokens are
    // counted.
    Connection(Socket socket, CommandsNow commands, DoorTerms terms, std::string token,
               std::string network)
        : socket_(std::move(socket)),
          commands_(std::move(commands)),
          terms_(terms),
          token_(std::move(token)),
          tried_{std::move(network), "the admin token"} {}

    void read() {
        auto self = this->shared_from_this();
        phase_ = Phase::waits;
        close_after(request_time_max);
        boost::asio::async_read_until(
            socket_, boost::asio::dynamic_buffer(in_, request_bytes_max), '\n',
            [self](const boost::system::error_code& error, std::size_t bytes) {
                if (self->phase_ == Phase::closed) return;
                if (!error) return self->handle(bytes);
                if (error == boost::asio::error::not_found) return self->refuse_long_request();
                self->close();
            });
    }
    void close() {
        if (std::exchange(phase_, Phase::closed) == Phase::closed) return;
        terms_.timers.cancel(std::exchange(timer_, 0));
        place_.reset();
        boost::system::error_code ignored;
        socket_.close(ignored);
    }
    // Tells why, if the other side reads, and closes.
    void show_out(const std::string& why) {
        if (phase_ == Phase::closed) return;
        boost::system::error_code ignored;
        if (phase_ != Phase::answers) {
            socket_.non_blocking(true, ignored);
            socket_.write_some(boost::asio::buffer(refusal(why)), ignored);
        }
        close();
    }
    bool closed() const { return phase_ == Phase::closed; }
    // The higher, the sooner it may be shown out: those that wait without having shown that they
    // may give orders, then all that wait, then those whose order is being carried out.
    int idleness() const {
        if (phase_ != Phase::waits) return 0;
        return trusted_ ? 1 : 2;
    }

 private:
    enum class Phase : std::uint8_t { waits, delayed, carries_out, answers, closed };

    void close_after(Duration time) {
        terms_.timers.cancel(timer_);
        timer_ = terms_.timers.schedule(terms_.timers.now() + time, [this] {
            timer_ = 0;
            show_out(
                "no whole request came in time; expected one such as "
                "{\"command\":\"status\"} on one line");
        });
    }
    void handle(std::size_t bytes) {
        line_ = in_.substr(0, bytes);
        in_.erase(0, bytes);
        if (token_.empty()) return judge();
        const auto wait = terms_.guesses.wait_of(tried_);
        if (wait == Duration::zero()) return judge();
        place_ = terms_.guesses.take_place(tried_);
        if (place_ == nullptr) {
            return show_out(
                "too many requests from your address wait for an answer, because a wrong admin "
                "token was sent again and again; come back in some seconds");
        }
        phase_ = Phase::delayed;
        terms_.timers.cancel(timer_);
        timer_ =
            terms_.timers.schedule(terms_.timers.now() + wait, [self = this->shared_from_this()] {
                self->timer_ = 0;
                self->place_.reset();
                self->judge();
            });
    }
    void judge() {
        phase_ = Phase::carries_out;
        terms_.timers.cancel(std::exchange(timer_, 0));
        protocol::json::Document request;
        if (!request.parse(line_) || !request.root().is_object()) {
            return write(
                refusal("expected a request such as {\"command\":\"status\"} on one line"));
        }
        if (!token_.empty()) {
            const auto token = request.root().find("token").string().value_or("");
            if (!base::same_secret(token_, token)) {
                terms_.guesses.was_wrong(tried_);
                return write(
                    refusal("the admin token is missing or wrong; expected the one of the "
                            "daemon's config, in --token"));
            }
            terms_.guesses.was_right(tried_);
        }
        trusted_ = true;
        if (*commands_ == nullptr) return write(refusal("the daemon is stopping"));
        (*commands_)
            ->carry_out(request.root(), [self = this->shared_from_this()](std::string answer) {
                self->write(std::move(answer));
            });
    }
    // The last answer: where the next request begins is not known.
    void refuse_long_request() {
        show_out("expected a request of at most " + std::to_string(request_bytes_max) +
                 " bytes on one line, such as {\"command\":\"status\"}");
    }
    void write(std::string answer) {
        if (phase_ == Phase::closed) return;
        auto self = this->shared_from_this();
        phase_ = Phase::answers;
        close_after(request_time_max);
        out_ = std::move(answer);
        boost::asio::async_write(
            socket_, boost::asio::buffer(out_),
            [self](const boost::system::error_code& error, std::size_t /*bytes*/) {
                if (self->phase_ == Phase::closed) return;
                error ? self->close() : self->read();
            });
    }

    Socket socket_;
    CommandsNow commands_;
    DoorTerms terms_;
    std::string token_;
    lobby::Guesses::Try tried_;
    lobby::Guesses::Place place_;
    std::string in_;
    std::string line_;
    std::string out_;
    runtime::Timers::Id timer_ = 0;
    bool trusted_ = false;
    Phase phase_ = Phase::waits;
};

// Accepts on one address.
template <typename Protocol>
class Door {
 public:
    using Socket = typename Protocol::socket;

    Door(const boost::asio::any_io_executor& loop, DoorTerms terms, std::string token)
        : acceptor_(loop), pause_(loop), terms_(terms), token_(std::move(token)) {}

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
                admit(std::move(socket), commands);
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
    void admit(Socket socket, const CommandsNow& commands) {
        std::string network;
        // Otherwise connections from machines that are gone would keep their places.
        if constexpr (std::is_same_v<Protocol, boost::asio::ip::tcp>) {
            net::watch_peer(socket.native_handle());
            boost::system::error_code ignored;
            network =
                lobby::network_of(socket.remote_endpoint(ignored).address().to_string(ignored));
        }
        make_room();
        const auto connection = std::make_shared<Connection<Socket>>(
            std::move(socket), commands, terms_, token_, std::move(network));
        open_.push_back(connection);
        connection->read();
    }
    void make_room() {
        std::erase_if(open_, [](const auto& weak) {
            const auto connection = weak.lock();
            return connection == nullptr || connection->closed();
        });
        if (open_.size() < connections_max) return;
        // The oldest of the most idle ones.
        const auto first_to_go =
            std::max_element(open_.begin(), open_.end(), [](const auto& a, const auto& b) {
                return a.lock()->idleness() < b.lock()->idleness();
            });
        first_to_go->lock()->show_out("others want this place; come back when you have an order");
        open_.erase(first_to_go);
    }

    typename Protocol::acceptor acceptor_;
    boost::asio::steady_timer pause_;
    DoorTerms terms_;
    std::string token_;
    std::deque<std::weak_ptr<Connection<Socket>>> open_;
    runtime::Life life_;
};

}  // namespace referee::control
