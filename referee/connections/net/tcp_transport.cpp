#include "referee/connections/net/tcp_transport.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/deferred.hpp>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "referee/connections/net/path.h"
#include "referee/connections/net/peer_watch.h"
#include "referee/connections/net/would_block.h"
#include "referee/connections/runtime/system_timers.h"

namespace referee::net {
namespace {

namespace asio = boost::asio;

// How often the kernel is asked again for the path's smallest round trip: it only ever gets
// smaller, and asking costs a system call.
constexpr Duration round_trip_age_max = std::chrono::seconds(1);
constexpr std::size_t control_bytes = 128;

timespec receive_stamp(msghdr& message) {
    for (auto* header = CMSG_FIRSTHDR(&message); header != nullptr;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_TIMESTAMPNS) continue;
        timespec stamp{};
        std::memcpy(&stamp, CMSG_DATA(header), sizeof stamp);
        return stamp;
    }
    return {};
}

}  // namespace

TcpTransport::TcpTransport(asio::ip::tcp::socket socket) : socket_(std::move(socket)) {
    boost::system::error_code ignored;
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
    socket_.native_non_blocking(true, ignored);
    watch_peer(socket_.native_handle());
    bound_unsent(socket_.native_handle());
    const int on = 1;
    stamped_ = setsockopt(socket_.native_handle(), SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) == 0;
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
    iovec piece{buffer.data(), buffer.size()};
    alignas(cmsghdr) std::array<char, control_bytes> control;
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const auto bytes = recvmsg(socket_.native_handle(), &message, MSG_DONTWAIT);
    if (bytes < 0) return {is_would_block(errno) ? Status::would_block : Status::failed, 0, {}};
    if (bytes == 0) return {Status::closed, 0, Stamp::exact(runtime::monotonic_now())};
    const auto stamp = receive_stamp(message);
    const bool has_stamp = stamp.tv_sec != 0;
    return {Status::good, static_cast<std::size_t>(bytes),
            Stamp::exact(has_stamp ? stamps_.convert(stamp) : runtime::monotonic_now())};
}

runtime::Transport::Write TcpTransport::write(std::string_view bytes) {
    if (!socket_.is_open()) return {Status::closed, 0, {}};
    const auto sent =
        send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
        if (is_would_block(errno))
            return {Status::would_block, 0, Stamp::exact(runtime::monotonic_now())};
        return {errno == EPIPE || errno == ECONNRESET ? Status::closed : Status::failed, 0, {}};
    }
    return {Status::good, static_cast<std::size_t>(sent), Stamp::exact(runtime::monotonic_now())};
}

void TcpTransport::close() {
    if (!socket_.is_open()) return;
    boost::system::error_code ignored;
    socket_.shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
}

Path TcpTransport::path(Instant now) const {
    if (round_trip_at_ != Instant{} && now - round_trip_at_ < round_trip_age_max)
        return Path::exact(round_trip_);
    round_trip_ = path_round_trip(socket_.native_handle());
    round_trip_at_ = now;
    return Path::exact(round_trip_);
}

}  // namespace referee::net
