#include "referee/connections/net/tcp_transport.h"

#include <sys/socket.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/deferred.hpp>
#include <cerrno>
#include <sstream>

#include "referee/connections/net/path.h"
#include "referee/connections/net/peer_watch.h"
#include "referee/connections/net/stamped_read.h"
#include "referee/connections/net/would_block.h"
#include "referee/connections/runtime/system_timers.h"

namespace referee::net {
namespace {

namespace asio = boost::asio;

// How often the kernel is asked again for the path's smallest round trip: it only ever gets
// smaller, and asking costs a system call.
constexpr Duration round_trip_age_max = std::chrono::seconds(1);

}  // namespace

TcpTransport::TcpTransport(asio::ip::tcp::socket socket) : socket_(std::move(socket)) {
    boost::system::error_code ignored;
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
    socket_.native_non_blocking(true, ignored);
    watch_peer(socket_.native_handle());
    bound_unsent(socket_.native_handle());
    stamped_ = stamp_arrivals(socket_.native_handle());
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
    const auto [bytes, stamp] = read_stamped(socket_.native_handle(), buffer);
    if (bytes < 0) return {is_would_block(errno) ? Status::would_block : Status::failed, 0, {}};
    if (bytes == 0) return {Status::closed, 0, runtime::monotonic_now()};
    return {Status::good, static_cast<std::size_t>(bytes),
            stamp ? stamps_.convert(*stamp) : runtime::monotonic_now()};
}

runtime::Transport::Write TcpTransport::write(std::string_view bytes) {
    if (!socket_.is_open()) return {Status::closed, 0, {}};
    const auto sent =
        send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
        if (is_would_block(errno)) return {Status::would_block, 0, runtime::monotonic_now()};
        return {errno == EPIPE || errno == ECONNRESET ? Status::closed : Status::failed, 0, {}};
    }
    return {Status::good, static_cast<std::size_t>(sent), runtime::monotonic_now()};
}

void TcpTransport::close() {
    if (!socket_.is_open()) return;
    boost::system::error_code ignored;
    socket_.shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
}

Duration TcpTransport::round_trip(Instant now) const {
    if (round_trip_at_ != Instant{} && now - round_trip_at_ < round_trip_age_max)
        return round_trip_;
    round_trip_ = path_round_trip(socket_.native_handle());
    round_trip_at_ = now;
    return round_trip_;
}

}  // namespace referee::net
