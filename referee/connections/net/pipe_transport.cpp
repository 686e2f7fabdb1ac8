#include "referee/connections/net/pipe_transport.h"

#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>

#include "referee/connections/net/would_block.h"
#include "referee/connections/runtime/system_timers.h"

namespace referee::net {
namespace {

namespace asio = boost::asio;

// A pipe isn't, and a local socket takes the request but is never stamped.
bool is_stamped(int descriptor) {
    int domain = 0;
    socklen_t size = sizeof domain;
    return getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 &&
           (domain == AF_INET || domain == AF_INET6);
}

}  // namespace

PipeTransport::PipeTransport(const asio::any_io_executor& executor, int from_bot, int to_bot,
                             std::string peer)
    : from_bot_(executor, from_bot), to_bot_(executor, to_bot), peer_(std::move(peer)) {
    boost::system::error_code ignored;
    from_bot_.native_non_blocking(true, ignored);
    to_bot_.native_non_blocking(true, ignored);
    if (is_stamped(from_bot)) reader_.emplace(from_bot);
}

PipeTransport::~PipeTransport() {
    close();
}

asio::awaitable<void> PipeTransport::readable() {
    co_await from_bot_.async_wait(asio::posix::descriptor_base::wait_read,
                                  asio::as_tuple(asio::use_awaitable));
}

asio::awaitable<void> PipeTransport::writable() {
    co_await to_bot_.async_wait(asio::posix::descriptor_base::wait_write,
                                asio::as_tuple(asio::use_awaitable));
}

runtime::Transport::Read PipeTransport::read(std::span<char> buffer) {
    if (!from_bot_.is_open()) return {Status::closed, 0, {}};
    if (reader_) return reader_->read(from_bot_.native_handle(), buffer);
    const auto bytes = ::read(from_bot_.native_handle(), buffer.data(), buffer.size());
    if (bytes < 0) return {is_would_block(errno) ? Status::would_block : Status::failed, 0, {}};
    if (bytes == 0) return {Status::closed, 0, Stamp::exact(runtime::monotonic_now())};
    return {Status::good, static_cast<std::size_t>(bytes), Stamp::exact(runtime::monotonic_now())};
}

runtime::Transport::Write PipeTransport::write(std::string_view bytes) {
    if (!to_bot_.is_open()) return {Status::closed, 0, {}};
    const auto sent = ::write(to_bot_.native_handle(), bytes.data(), bytes.size());
    if (sent < 0) {
        if (is_would_block(errno))
            return {Status::would_block, 0, Stamp::exact(runtime::monotonic_now())};
        return {errno == EPIPE ? Status::closed : Status::failed, 0, {}};
    }
    return {Status::good, static_cast<std::size_t>(sent), Stamp::exact(runtime::monotonic_now())};
}

void PipeTransport::close() {
    boost::system::error_code ignored;
    if (from_bot_.is_open()) from_bot_.close(ignored);
    if (to_bot_.is_open()) to_bot_.close(ignored);
}

}  // namespace referee::net
