#pragma once

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "protocol/codec.h"
#include "referee/watch/web/request.h"
#include "referee/watch/web/site.h"

// One connection of a browser, plain or by TLS.

namespace referee::web {

// A browser's headers with its cookies; and the largest form: a name, a token and a password.
inline constexpr std::size_t header_bytes_max = 16 * 1024;
inline constexpr std::size_t body_bytes_max = 4 * 1024;
// From the first byte of a request to the last, and until the next one on the same connection.
inline constexpr std::chrono::seconds request_time_max{15};
// To the first byte of the first one, where nothing is encrypted: a bot waits to be greeted.
inline constexpr std::chrono::seconds silent_time_max{4};
inline constexpr std::chrono::seconds idle_time_max{60};
// In which an answer is found: a try at a token waits where many were wrong before it.
inline constexpr std::chrono::seconds answer_time_max{90};
// In which a peer takes an answer, or a piece of a stream.
inline constexpr std::chrono::seconds write_time_max{30};
// In which what a peer still sends is read away, once it has its last answer.
inline constexpr std::chrono::milliseconds drain_time_max{500};

using TlsStream = boost::asio::ssl::stream<boost::asio::ip::tcp::socket>;

// What all connections of a server work with; it outlives them.
struct ServerContext {
    Site& site;
    RequestRate& request_rate;
    std::function<Instant()> now;
};

// The headers of every answer, each with its line end.
inline constexpr std::string_view safety_headers =
    "Content-Security-Policy: default-src 'self'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "X-Frame-Options: DENY\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n";

// What everybody may see; what is one person's is kept nowhere.
inline bool is_cacheable(std::string_view path) {
    return path == "/" || path.starts_with("/api/v1/tournaments") || path.starts_with("/page/");
}

template <typename Stream>
class BrowserConnection final : public std::enable_shared_from_this<BrowserConnection<Stream>> {
 public:
    BrowserConnection(Stream stream, ServerContext context, std::string address,
                      std::string network)
        : stream_(std::move(stream)),
          timer_(stream_.get_executor()),
          context_(std::move(context)),
          address_(std::move(address)),
          network_(std::move(network)) {}
    ~BrowserConnection() {
        if (spectator_) spectator_->leave();
        context_.request_rate.sent(network_, unsent_bytes_);
        context_.request_rate.closed(network_);
    }
    BrowserConnection(const BrowserConnection&) = delete;
    BrowserConnection& operator=(const BrowserConnection&) = delete;

    void begin() {
        // Who says nothing may be a bot that waits to be greeted.
        static constexpr auto silent = is_tls ? request_time_max : silent_time_max;
        call_after(silent, [this] {
            const bool has_spoken = parser_ && parser_->got_some();
            has_spoken ? limit(request_time_max - silent) : tell_bot();
        });
        if constexpr (is_tls) {
            stream_.async_handshake(
                boost::asio::ssl::stream_base::server,
                [self = this->shared_from_this()](const auto& error) {
                    const bool is_no_tls =
                        error.category() == boost::asio::error::get_ssl_category() &&
                        ERR_GET_REASON(static_cast<unsigned long>(error.value())) ==
                            SSL_R_WRONG_VERSION_NUMBER;
                    if (error) return is_no_tls ? self->tell_bot() : self->close();
                    self->speaks_tls_ = true;
                    self->read();
                });
        } else {
            read();
        }
    }

 private:
    using Body = boost::beast::http::string_body;
    using Parser = boost::beast::http::request_parser<Body>;
    static constexpr bool is_tls = std::is_same_v<Stream, TlsStream>;
    static constexpr std::size_t pieces_at_once = 64;

    auto& socket() {
        if constexpr (is_tls) {
            return stream_.next_layer();
        } else {
            return stream_;
        }
    }

    // Whatever is under way ends with the connection then; until then the connection stays, also
    // where nothing but an answer is awaited.
    void limit(std::chrono::nanoseconds time) {
        call_after(time, [this] { close(); });
    }

    // Unless another time is set before. The loop may have found both together, that the time is
    // over and that a request is there: then the request, which it takes first, has set another.
    template <typename Call>
    void call_after(std::chrono::nanoseconds time, Call call) {
        timer_.expires_after(time);
        timer_.async_wait([self = this->shared_from_this(), call](const auto& error) {
            if (!error && self->timer_.expiry() <= std::chrono::steady_clock::now()) call();
        });
    }

    void close() {
        timer_.cancel();
        if (spectator_) spectator_->leave();
        boost::system::error_code ignored;
        socket().shutdown(boost::asio::ip::tcp::socket::shutdown_both, ignored);
        socket().close(ignored);
    }

    void read() {
        parser_.emplace();
        parser_->header_limit(header_bytes_max);
        parser_->body_limit(body_bytes_max);
        boost::beast::http::async_read(
            stream_, buffer_, *parser_,
            [self = this->shared_from_this()](const auto& error, std::size_t /*bytes*/) {
                self->on_read(error);
            });
    }

    void on_read(const boost::system::error_code& error) {
        namespace http = boost::beast::http;
        keep_alive_ = false;
        only_head_ = false;
        if (!error) return take();
        if (error == http::error::body_limit)
            return reply(error_answer(
                413, "too_large",
                "expected a body of at most " + std::to_string(body_bytes_max) + " bytes"));
        if (error == http::error::header_limit || error == http::error::buffer_overflow)
            return reply(error_answer(
                431, "too_large",
                "expected headers of at most " + std::to_string(header_bytes_max) + " bytes"));
        const bool gone = error == http::error::end_of_stream ||
                          error.category() != make_error_code(http::error::bad_method).category();
        if (gone) return close();
        if (is_of_a_bot()) return tell_bot();
        reply(error_answer(
            400, "bad_request",
            "expected a request of HTTP/1.1 such as GET /api/v1/tournaments: " + error.message()));
    }

    // JSON that is no HTTP: a bot has mistaken the port.
    bool is_of_a_bot() const {
        const auto sent = buffer_.data();
        return sent.size() > 0 && *static_cast<const char*>(sent.data()) == '{';
    }

    // In the protocol of bots, which say it to whoever started them, and don't try again.
    void tell_bot() {
        if (!socket().is_open()) return;
        head_.clear();
        protocol::encode(head_, protocol::Bye{protocol::name_of(protocol::ByeReason::refused),
                                              "this port has pages for browsers; bots dial in at " +
                                                  context_.site.terms().bots_dial_in_at});
        const auto told = [self = this->shared_from_this()](const auto& error, std::size_t) {
            error ? self->close() : self->end_politely();
        };
        if (is_tls && !speaks_tls_) {
            boost::asio::async_write(socket(), boost::asio::buffer(head_), told);
        } else {
            boost::asio::async_write(stream_, boost::asio::buffer(head_), told);
        }
    }

    std::string header(std::string_view name) const {
        const auto value = parser_->get()[name];
        return std::string(value.data(), value.size());
    }

    void take() {
        auto& message = parser_->get();
        keep_alive_ = message.keep_alive();
        if (!context_.request_rate.request(network_, context_.now()))
            return reply(error_answer(
                429, "too_many_requests",
                "expected at most " + std::to_string(static_cast<int>(requests_per_second_max)) +
                    " requests a second from one address"));
        // Where its body ends nobody can tell then.
        if (message.count(boost::beast::http::field::transfer_encoding) > 0 && !message.chunked()) {
            keep_alive_ = false;
            return reply(error_answer(501, "unknown_encoding",
                                      "expected Transfer-Encoding: chunked, or none"));
        }
        if (message.count(boost::beast::http::field::host) > 1)
            return reply(error_answer(400, "bad_request", "expected one Host header"));
        auto target =
            read_target(std::string_view(message.target().data(), message.target().size()));
        if (!target) return reply(error_answer(400, "bad_url", target.error()));
        Request request;
        request.method =
            std::string(message.method_string().data(), message.method_string().size());
        // The same answer, without its body.
        only_head_ = request.only_head = request.method == "HEAD";
        if (only_head_) request.method = "GET";
        request.path = std::move(target->path);
        request.query = std::move(target->query);
        request.host = header("Host");
        request.origin = header("Origin");
        request.fetch_site = header("Sec-Fetch-Site");
        request.cookie = header("Cookie");
        request.content_type = header("Content-Type");
        request.body = std::move(message.body());
        request.address = address_;
        request.tls = is_tls;
        cache_.reset();
        if (request.method == "GET" && is_cacheable(request.path))
            cache_ = {header("If-None-Match"),
                      header("Accept-Encoding").find("gzip") != std::string::npos};
        limit(answer_time_max);
        context_.site.answer(request, [weak = this->weak_from_this()](Answer answer) {
            if (const auto self = weak.lock()) self->reply(std::move(answer));
        });
    }

    void reply(Answer answer) {
        // Who looks on leaves with the connection, also before the headers are sent.
        spectator_ = std::move(answer.stream);
        if (!socket().is_open()) return;
        limit(write_time_max);
        answer_ = cache_ ? for_cache(std::move(answer), *cache_) : std::move(answer);
        const bool is_own = answer_.body && answer_.body.use_count() == 1;
        unsent_bytes_ = is_own ? answer_.body->size() : 0;
        if (!context_.request_rate.send(network_, unsent_bytes_)) {
            unsent_bytes_ = 0;
            keep_alive_ = false;
            answer_ = error_answer(503, "too_much_unread",
                                   "expected answers to be read: too much that was asked for from "
                                   "this address waits for that");
        }
        const bool streams = spectator_ != nullptr;
        if (streams) keep_alive_ = false;
        if (streams && only_head_) std::exchange(spectator_, nullptr)->leave();
        head_ = "HTTP/1.1 " + std::to_string(answer_.status) + ' ';
        const auto reason =
            boost::beast::http::obsolete_reason(boost::beast::http::int_to_status(answer_.status));
        head_.append(reason.data(), reason.size()).append("\r\n");
        head_.append("Content-Type: ").append(answer_.type).append("\r\n");
        // A 304 has none: it would be that of the body that stays with the browser.
        if (!streams && answer_.status != http_not_modified)
            head_ += "Content-Length: " + std::to_string(answer_.body ? answer_.body->size() : 0) +
                     "\r\n";
        bool kept = false;
        for (const auto& [name, value] : answer_.headers) {
            head_.append(name).append(": ").append(value).append("\r\n");
            kept = kept || name == "Cache-Control";
        }
        if (!kept) head_.append("Cache-Control: no-store\r\n");
        head_.append(safety_headers);
        head_.append(keep_alive_ ? "\r\n" : "Connection: close\r\n\r\n");
        std::vector<boost::asio::const_buffer> buffers{boost::asio::buffer(head_)};
        if (answer_.body && !only_head_) buffers.push_back(boost::asio::buffer(*answer_.body));
        boost::asio::async_write(
            stream_, buffers,
            [self = this->shared_from_this()](const auto& error, std::size_t /*bytes*/) {
                if (error) return self->close();
                self->on_replied();
            });
    }

    void on_replied() {
        if (spectator_) return begin_stream();
        answer_ = {};
        context_.request_rate.sent(network_, std::exchange(unsent_bytes_, 0));
        if (!keep_alive_) return end_politely();
        limit(idle_time_max);
        read();
    }

    // What the peer still sends is read away for a moment: a socket that is closed with bytes
    // unread may take the answer with it.
    void end_politely() {
        boost::system::error_code ignored;
        socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
        limit(drain_time_max);
        read_away();
    }
    void read_away() {
        socket().async_read_some(
            boost::asio::buffer(away_),
            [self = this->shared_from_this()](const auto& error, std::size_t /*bytes*/) {
                if (error) return self->close();
                self->read_away();
            });
    }

    // The connection stays as long as the peer reads, and says nothing.
    void begin_stream() {
        timer_.cancel();
        spectator_->on_ready([weak = this->weak_from_this()] {
            if (const auto self = weak.lock()) self->send_pieces();
        });
        stream_.async_read_some(
            boost::asio::buffer(away_),
            [self = this->shared_from_this()](const auto& /*error*/, std::size_t /*bytes*/) {
                self->close();
            });
        send_pieces();
    }

    void send_pieces() {
        if (sending_ || !socket().is_open()) return;
        pieces_.clear();
        std::vector<boost::asio::const_buffer> buffers;
        while (pieces_.size() < pieces_at_once && !spectator_->empty()) {
            pieces_.push_back(spectator_->take());
            buffers.push_back(boost::asio::buffer(*pieces_.back()));
        }
        if (buffers.empty()) {
            if (spectator_->ended()) close();
            return;
        }
        sending_ = true;
        limit(write_time_max);
        boost::asio::async_write(
            stream_, buffers,
            [self = this->shared_from_this()](const auto& error, std::size_t /*bytes*/) {
                self->sending_ = false;
                if (error) return self->close();
                self->timer_.cancel();
                self->send_pieces();
            });
    }

    Stream stream_;
    boost::asio::steady_timer timer_;
    ServerContext context_;
    std::string address_;
    std::string network_;
    bool speaks_tls_ = false;  // before that it hears plain text
    boost::beast::flat_buffer buffer_{header_bytes_max + body_bytes_max};
    std::optional<Parser> parser_;
    bool keep_alive_ = false;
    bool only_head_ = false;
    std::optional<BrowserCache> cache_;  // where the browser may keep the answer
    Answer answer_;                      // that is being written
    std::size_t unsent_bytes_ = 0;       // of it, as the network's are counted
    std::string head_;
    std::shared_ptr<Spectator> spectator_;
    std::vector<Piece> pieces_;  // that are being written
    bool sending_ = false;
    std::array<char, 512> away_{};  // what nobody asked for
};

}  // namespace referee::web
