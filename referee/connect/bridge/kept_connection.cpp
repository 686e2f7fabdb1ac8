#include "referee/connect/bridge/kept_connection.h"

#include <openssl/x509_vfy.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "protocol/base/text.h"
#include "protocol/framer.h"
#include "protocol/limits.h"
#include "referee/net/tls/client.h"
#include "referee/net/transport/tcp_socket.h"

namespace referee::bridge {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using TlsStream = asio::ssl::stream<asio::ip::tcp::socket>;
using DialledConnection = base::Result<std::shared_ptr<Channel>, NoConnection>;

// A pipe holds as much, and it is some turns of any game.
constexpr std::size_t chunk_bytes = 64 * 1024;

// A connection, with TLS or without.
template <typename Stream>
class ConnectionEnds {
 public:
    explicit ConnectionEnds(Stream stream) : stream_(std::move(stream)) {}
    auto& source() { return stream_; }
    auto& sink() { return stream_; }
    // The end of TCP is enough: each line tells by itself whether it is whole.
    void end_output() {
        error_code ignored;
        stream_.lowest_layer().shutdown(asio::socket_base::shutdown_send, ignored);
    }
    void close() {
        error_code ignored;
        stream_.lowest_layer().close(ignored);
    }

 private:
    Stream stream_;
};

class PipeEnds {
 public:
    PipeEnds(const asio::any_io_executor& executor, files::Descriptor input,
             files::Descriptor output)
        : input_(executor, input.release()), output_(executor, output.release()) {}
    auto& source() { return output_; }
    auto& sink() { return input_; }
    void end_output() {
        error_code ignored;
        input_.close(ignored);
    }
    void close() {
        error_code ignored;
        input_.close(ignored);
        output_.close(ignored);
    }

 private:
    asio::posix::stream_descriptor input_;
    asio::posix::stream_descriptor output_;
};

// Shared, because operations of asio use its buffers: they keep it until they have ended.
template <typename Ends>
class ChannelOver final : public Channel, public std::enable_shared_from_this<ChannelOver<Ends>> {
 public:
    ChannelOver(Ends ends, std::size_t line_bytes_max)
        : ends_(std::move(ends)),
          framer_(line_bytes_max, protocol::Beyond::is_passed_over, chunk_bytes) {}

    void start(ChannelNews news) override {
        news_ = std::make_shared<const ChannelNews>(std::move(news));
        read();
    }
    void set_reading(bool reading) override {
        reading_ = reading;
        if (reading && !read_is_under_way_) read();
    }
    void send(std::string_view text) override {
        if (closed_ || output_ended_) return;
        waiting_ += text;
        if (under_way_.empty()) write();
    }
    std::size_t unsent() const override { return waiting_.size() + under_way_.size(); }
    void end_output() override {
        if (closed_ || output_ended_) return;
        output_ended_ = true;
        if (unsent() == 0) ends_.end_output();
    }
    void close() override {
        if (std::exchange(closed_, true)) return;
        news_.reset();
        ends_.close();
    }

 private:
    void read() {
        if (closed_ || input_ended_) return;
        read_is_under_way_ = true;
        const auto room = framer_.prepare();
        ends_.source().async_read_some(
            asio::buffer(room.data(), room.size()),
            [self = this->shared_from_this()](error_code error, auto bytes) {
                if (self->closed_) return;
                if (error) return self->end_input(error);
                self->take(bytes);
                // Only now: a call may switch reading on, and the lines lie in the framer's room.
                self->read_is_under_way_ = false;
                if (self->reading_) self->read();
            });
    }
    // A call may close the channel, and must not end with it.
    void take(std::size_t bytes) {
        const auto news = news_;
        std::vector<std::string_view> lines;
        std::size_t too_long = 0;
        framer_.commit(bytes);
        for (auto found = framer_.next(); found.what != protocol::Framing::more;
             found = framer_.next()) {
            if (found.what == protocol::Framing::too_long)
                ++too_long;
            else
                lines.push_back(found.line);
        }
        if (!lines.empty()) news->on_lines(lines);
        for (; too_long > 0 && !closed_; --too_long) news->on_too_long();
    }
    void end_input(error_code error) {
        input_ended_ = true;
        const auto news = news_;
        news->on_end(error.message(), framer_.begun());
    }
    void write() {
        under_way_.swap(waiting_);
        asio::async_write(
            ends_.sink(), asio::buffer(under_way_),
            [self = this->shared_from_this()](error_code error, std::size_t) {
                self->under_way_.clear();
                if (self->closed_) return;
                if (error) self->waiting_.clear();  // reading tells that the other side is gone
                if (!self->waiting_.empty()) return self->write();
                if (self->output_ended_) self->ends_.end_output();
                const auto news = self->news_;
                if (news) news->on_sent();
            });
    }

    Ends ends_;
    protocol::Framer framer_;
    std::shared_ptr<const ChannelNews> news_;  // none before start() and after close()
    std::string waiting_;
    std::string under_way_;
    bool reading_ = true;
    bool read_is_under_way_ = false;
    bool input_ended_ = false;
    bool output_ended_ = false;
    bool closed_ = false;
};

template <typename Stream>
std::shared_ptr<Channel> channel_to_referee(Stream connection) {
    return std::make_shared<ChannelOver<ConnectionEnds<Stream>>>(
        ConnectionEnds<Stream>(std::move(connection)), protocol::limits::referee_line_bytes_max);
}

// For the name, the connection and TLS together: a machine that answers does so at once, and one
// that is gone is tried again.
constexpr std::chrono::seconds dialling_max{10};

// Ends what hangs: `give_up` closes it where the time has passed.
class Limit {
 public:
    Limit(const asio::any_io_executor& executor, std::function<void()> give_up)
        : timer_(executor, dialling_max) {
        timer_.async_wait(
            life_.while_it_lasts([this, give_up = std::move(give_up)](error_code error) {
                if (error) return;
                passed_ = true;
                give_up();
            }));
    }
    bool passed() const { return passed_; }

 private:
    asio::steady_timer timer_;
    bool passed_ = false;
    loop::Life life_;
};

NoConnection no_connection(const protocol::ServerAddress& address, const error_code& error) {
    std::string advice;
    if (error == asio::error::host_not_found)
        advice = "; look whether the host's name is spelt as the instructor gave it";
    if (error == asio::error::connection_refused)
        advice = "; look whether the referee runs, and whether the port is right";
    return {"no connection to " + host_and_port(address) + ": " + error.message() + advice};
}

NoConnection too_slow(const protocol::ServerAddress& address) {
    return {
        fmt::format("no connection to {} within {} s; look whether this network lets connections "
                    "to that port through",
                    host_and_port(address), dialling_max.count())};
}

asio::awaitable<DialledConnection> begin_tls(asio::ip::tcp::socket& socket,
                                             const protocol::ServerAddress& address,
                                             error_code& error) {
    asio::ssl::context context(asio::ssl::context::tls_client);
    tls::set_up_client(context);
    TlsStream stream(std::move(socket), context);
    const Limit limit(stream.get_executor(), [&stream] {
        error_code ignored;
        stream.lowest_layer().close(ignored);
    });
    tls::expect(stream, address);
    co_await stream.async_handshake(asio::ssl::stream_base::client,
                                    asio::redirect_error(asio::use_awaitable, error));
    if (limit.passed()) co_return base::failure(too_slow(address));
    if (error) {
        const bool by_fingerprint = !address.fingerprint.empty();
        const bool trusted = SSL_get_verify_result(stream.native_handle()) == X509_V_OK;
        const auto* const advice =
            by_fingerprint || trusted
                ? "; look whether this is the referee's port for TLS"
                : "; a certificate that the referee made itself needs its fingerprint: ask the "
                  "instructor for the whole address, tls://HOST:PORT#sha256=...";
        co_return base::failure(NoConnection{
            host_and_port(address) + ": TLS could not begin (" + error.message() + ")" + advice,
            !by_fingerprint && !trusted});
    }
    if (auto known = tls::look_who_answers(stream.native_handle(), address); !known)
        co_return base::failure(NoConnection{
            known.error() +
                "; no token was sent. Ask the instructor whether the referee has a new one",
            true});
    co_return channel_to_referee(std::move(stream));
}

// Within some seconds.
asio::awaitable<DialledConnection> connection_to(protocol::ServerAddress address) {
    const auto executor = co_await asio::this_coro::executor;
    asio::ip::tcp::resolver resolver(executor);
    asio::ip::tcp::socket socket(executor);
    const Limit limit(executor, [&resolver, &socket] {
        resolver.cancel();
        error_code ignored;
        socket.close(ignored);
    });
    error_code error;
    const auto found = co_await resolver.async_resolve(
        address.host, address.port, asio::redirect_error(asio::use_awaitable, error));
    if (!error && !limit.passed())
        co_await asio::async_connect(socket, found,
                                     asio::redirect_error(asio::use_awaitable, error));
    if (limit.passed()) co_return base::failure(too_slow(address));
    if (error) co_return base::failure(no_connection(address, error));
    socket.set_option(asio::ip::tcp::no_delay(true), error);
    transport::watch_peer(socket.native_handle());
    if (!address.tls) co_return channel_to_referee(std::move(socket));
    co_return co_await begin_tls(socket, address, error);
}

}  // namespace

std::shared_ptr<Channel> channel_of(const asio::any_io_executor& executor, files::Descriptor input,
                                    files::Descriptor output, std::size_t line_bytes_max) {
    return std::make_shared<ChannelOver<PipeEnds>>(
        PipeEnds(executor, std::move(input), std::move(output)), line_bytes_max);
}

using Clock = std::chrono::steady_clock;

KeptConnection::KeptConnection(boost::asio::io_context& loop, protocol::ServerAddress address,
                               Patience patience, KeptConnectionNews news)
    : loop_(loop),
      address_(std::move(address)),
      patience_(patience),
      news_(std::move(news)),
      chance_(std::random_device()()),
      pause_(loop),
      patience_timer_(loop) {}

void KeptConnection::dial_now() {
    if (channel_ || tries_) return;
    watch_patience();
    if (!news_.is_wanted()) return;
    tries_ = true;
    asio::co_spawn(
        loop_, connection_to(address_),
        life_.while_it_lasts([this](const std::exception_ptr& failure, DialledConnection made) {
            if (failure) std::rethrow_exception(failure);
            dialled(std::move(made));
        }));
}

void KeptConnection::dial_later() {
    if (channel_ || tries_) return;
    watch_patience();
    tries_ = true;
    std::uniform_real_distribution<double> any(0, 1);
    pause_.expires_after(back_off_.next(any(chance_)));
    pause_.async_wait(life_.while_it_lasts([this](error_code error) {
        tries_ = false;
        if (!error) dial_now();
    }));
}

void KeptConnection::dialled(DialledConnection made) {
    tries_ = false;
    if (!news_.is_wanted()) return;
    if (!made) {
        if (!made.error().for_good) dial_later();
        return news_.on_failed(made.error());
    }
    channel_ = *std::move(made);
    news_.on_open();
    channel_->start({news_.on_lines, [this] { lose("a line came that is too long"); },
                     news_.on_sent,
                     [this](const std::string& why, std::string_view) { lose(why); }});
}

void KeptConnection::lose(const std::string& why) {
    drop();
    news_.on_lost(why);
}

void KeptConnection::is_good() {
    back_off_.reset();
    patience_timer_.expires_at(Clock::time_point::min());
}

void KeptConnection::watch_patience() {
    const auto now = Clock::now();
    if (!patience_ || patience_timer_.expiry() > now) return;
    patience_timer_.expires_at(now + std::chrono::duration_cast<Clock::duration>(*patience_));
    patience_timer_.async_wait(life_.while_it_lasts([this](error_code error) {
        if (!error) news_.on_given_up();
    }));
}

}  // namespace referee::bridge
