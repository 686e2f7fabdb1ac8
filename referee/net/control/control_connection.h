#pragma once

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "protocol/base/bytes.h"
#include "protocol/limits.h"
#include "referee/limits.h"
#include "referee/net/control/control_commands.h"
#include "referee/net/lobby/guesses.h"
#include "referee/net/loop/time_share.h"
#include "referee/net/loop/timers.h"

// One connection that gives orders, over whatever stream.

namespace referee::control {

// Points to null once the daemon is stopping.
using CommandsNow = std::shared_ptr<ControlCommands*>;

// What all connections of a server work with; it outlives them, or they are closed before.
struct ControlContext {
    loop::Timers& timers;
    lobby::Guesses& guesses;  // at the admin token
    // What is done for whoever has not told the token yet is charged to it; null: to nothing.
    loop::TimeShare* strangers_time = nullptr;
};

using TlsStream = boost::asio::ssl::stream<boost::asio::ip::tcp::socket>;

// Whether a handshake failed because the peer speaks plain text.
bool is_plain_text(const boost::system::error_code& error);

// One connection of a ctl: a request, its answer, the next request.
template <typename Stream>
class ControlConnection : public std::enable_shared_from_this<ControlConnection<Stream>> {
 public:
    // `token`: empty where none is asked. `network`: where it comes from, as wrong tokens are
    // counted.
    ControlConnection(Stream stream, CommandsNow commands, ControlContext terms, std::string token,
                      std::string network)
        : stream_(std::move(stream)),
          commands_(std::move(commands)),
          terms_(terms),
          token_(std::move(token)),
          tried_{std::move(network), "the admin token"} {}

    void begin() {
        constexpr bool is_encrypted = std::is_same_v<Stream, TlsStream>;
        if constexpr (is_encrypted) phase_ = Phase::shakes_hands;
        close_after(is_encrypted ? protocol::limits::login_time_max : limits::order_time_max);
        read();
    }
    void close() {
        if (std::exchange(phase_, Phase::closed) == Phase::closed) return;
        terms_.timers.cancel(std::exchange(timer_, 0));
        place_.reset();
        boost::system::error_code ignored;
        stream_.lowest_layer().close(ignored);
    }
    // Tells why, if the other side reads, and closes.
    void show_out(const std::string& why) {
        if (phase_ == Phase::closed) return;
        boost::system::error_code ignored;
        if (phase_ != Phase::answers && phase_ != Phase::shakes_hands) {
            stream_.write_some(boost::asio::buffer(refusal(why)), ignored);
        }
        close();
    }
    bool closed() const { return phase_ == Phase::closed; }
    // The higher, the sooner it may be shown out: those that wait without having shown that they
    // may give orders, then all that wait, then those whose order is being carried out.
    int idleness() const {
        if (phase_ != Phase::waits && phase_ != Phase::shakes_hands) return 0;
        return trusted_ ? 1 : 2;
    }

 private:
    enum class Phase : std::uint8_t { shakes_hands, waits, delayed, carries_out, answers, closed };

    void read() {
        boost::asio::co_spawn(stream_.get_executor(), read_request(this->shared_from_this()),
                              boost::asio::detached);
    }
    boost::asio::awaitable<void> read_request(
        std::shared_ptr<ControlConnection> /*keeps this alive*/) {
        boost::system::error_code error;
        stream_.lowest_layer().non_blocking(true, error);
        while (phase_ != Phase::closed) {
            if (terms_.strangers_time != nullptr && !trusted_)
                piece_.emplace(co_await terms_.strangers_time->turn(tried_.network));
            if (phase_ != Phase::closed && take_request()) {
                piece_.reset();
                co_return;
            }
            piece_.reset();
            co_await stream_.lowest_layer().async_wait(
                boost::asio::socket_base::wait_read,
                boost::asio::as_tuple(boost::asio::use_awaitable));
        }
    }
    // Reads what is there. False: that was no whole request yet.
    bool take_request() {
        boost::system::error_code error;
        if (phase_ == Phase::shakes_hands) shake_hands(error);
        auto end = in_.find('\n');
        while (!error && end == std::string::npos && in_.size() < limits::order_bytes_max) {
            std::array<char, 4096> buffer;
            const auto most = std::min(buffer.size(), limits::order_bytes_max - in_.size());
            in_.append(buffer.data(),
                       stream_.read_some(boost::asio::buffer(buffer.data(), most), error));
            end = in_.find('\n');
        }
        if (end != std::string::npos) {
            handle(end + 1);
        } else if (in_.size() >= limits::order_bytes_max) {
            refuse_long_request();
        } else if (error == boost::asio::error::would_block) {
            return false;
        } else {
            if (is_plain_text(error)) answer_in_plain_text();
            close();
        }
        return true;
    }
    void shake_hands(boost::system::error_code& error) {
        if constexpr (std::is_same_v<Stream, TlsStream>)
            stream_.handshake(boost::asio::ssl::stream_base::server, error);
        if (error) return;
        phase_ = Phase::waits;
        close_after(limits::order_time_max);
    }
    void answer_in_plain_text() {
        boost::system::error_code ignored;
        if constexpr (std::is_same_v<Stream, TlsStream>)
            stream_.next_layer().write_some(
                boost::asio::buffer(refusal(
                    "this port expects TLS; give its address to ctl as the daemon's log tells it: "
                    "--address tls://HOST:PORT#sha256=...")),
                ignored);
    }
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
        if (piece_) terms_.strangers_time->give_back(tried_.network, piece_->end());
        if (*commands_ == nullptr) return write(refusal("the daemon is stopping"));
        (*commands_)
            ->carry_out(request.root(), [self = this->shared_from_this()](std::string answer) {
                self->write(std::move(answer));
            });
    }
    // The last answer: where the next request begins is not known.
    void refuse_long_request() {
        show_out("expected a request of at most " + std::to_string(limits::order_bytes_max) +
                 " bytes on one line, such as {\"command\":\"status\"}");
    }
    void write(std::string answer) {
        if (phase_ == Phase::closed) return;
        auto self = this->shared_from_this();
        phase_ = Phase::answers;
        close_after(limits::order_time_max);
        out_ = std::move(answer);
        boost::asio::async_write(
            stream_, boost::asio::buffer(out_),
            [self](const boost::system::error_code& error, std::size_t /*bytes*/) {
                if (self->phase_ == Phase::closed) return;
                if (error) return self->close();
                self->phase_ = Phase::waits;
                self->close_after(limits::order_time_max);
                self->read();
            });
    }

    Stream stream_;
    CommandsNow commands_;
    ControlContext terms_;
    std::string token_;
    lobby::Guesses::Try tried_;
    lobby::Guesses::Place place_;
    std::string in_;
    std::string line_;
    std::string out_;
    loop::Timers::Id timer_ = 0;
    std::optional<loop::TimeShare::Piece> piece_;  // a stranger's request, while it is looked at
    bool trusted_ = false;
    Phase phase_ = Phase::waits;
};

}  // namespace referee::control
