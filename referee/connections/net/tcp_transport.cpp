#include "referee/connections/net/tcp_transport.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/deferred.hpp>
#include <sstream>
#include <utility>

#include "referee/connections/net/peer_watch.h"

namespace referee::net {
namespace {

namespace asio = boost::asio;

// What TLS begins with: the head of a record that carries a handshake. No line of JSON does.
constexpr char handshake_record = 0x16;

}  // namespace

TcpTransport::TcpTransport(asio::ip::tcp::socket socket, StreamOf stream, OnTls on_tls)
    : socket_(std::move(socket)),
      on_tls_(std::move(on_tls)),
      reader_(socket_.native_handle(), stream),
      writer_(socket_.native_handle()) {
    boost::system::error_code ignored;
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
    socket_.native_non_blocking(true, ignored);
    watch_peer(socket_.native_handle());
    bound_unsent(socket_.native_handle());
    const auto endpoint = socket_.remote_endpoint(ignored);
    std::ostringstream text;
    text << endpoint;
    peer_ = text.str();
    peer_address_ = endpoint.address().to_string();
    from_this_machine_ = endpoint.address() == socket_.local_endpoint(ignored).address();
}

TcpTransport::~TcpTransport() {
    close();
}

asio::awaitable<void> TcpTransport::readable() {
    co_await socket_.async_wait(asio::socket_base::wait_read, asio::as_tuple(asio::deferred));
}

asio::awaitable<void> TcpTransport::writable() {
    co_await socket_.async_wait(asio::socket_base::wait_write, asio::as_tuple(asio::deferred));
}

runtime::Transport::Read TcpTransport::read(std::span<char> buffer) {
    if (!socket_.is_open()) return {Status::closed, 0, {}};
    const auto read = reader_.read(socket_.native_handle(), buffer);
    if (read.status == Status::good) {
        writer_.heard(read.stamp.latest);
        if (const auto on_tls = std::exchange(on_tls_, nullptr);
            on_tls != nullptr && buffer.front() == handshake_record) {
            on_tls(*this);
            return {Status::failed, 0, {}};
        }
    }
    // Stamps wake us like bytes do, again and again until they are taken.
    if (read.status == Status::would_block) writer_.collect(socket_.native_handle());
    return read;
}

runtime::Transport::Write TcpTransport::write(std::string_view bytes) {
    if (!socket_.is_open()) return {Status::closed, 0, {}};
    const auto write = writer_.write(socket_.native_handle(), bytes);
    if (write.status == Status::would_block) writer_.collect(socket_.native_handle());
    return write;
}

void TcpTransport::close() {
    if (!socket_.is_open()) return;
    boost::system::error_code ignored;
    socket_.shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
}

Path TcpTransport::path(Instant now) const {
    const auto path = writer_.path(socket_.native_handle(), now);
    // Between two programs of one machine there is no line that could hold something up: what
    // acknowledgements show there is how late a program reads, which is its own time.
    return from_this_machine_ ? Path::exact(path.least) : path;
}

}  // namespace referee::net
