#include "referee/net/transport/pipe_transport.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "referee/net/loop/system_timers.h"
#include "referee/net/transport/stamped_read.h"

namespace referee::transport {
namespace {

namespace asio = boost::asio;

// A pipe isn't, and a local socket takes the request but is never stamped.
bool is_stamped(int descriptor) {
    int domain = 0;
    socklen_t size = sizeof domain;
    return getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 &&
           (domain == AF_INET || domain == AF_INET6);
}

void never_wait(int descriptor) {
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

}  // namespace

PipeTransport::PipeTransport(const asio::any_io_executor& executor, int from_bot, int to_bot,
                             std::string peer)
    : from_bot_(from_bot),
      to_bot_(to_bot),
      executor_(executor),
      reading_(executor, from_bot),
      peer_(std::move(peer)) {
    never_wait(from_bot);
    never_wait(to_bot);
    if (is_stamped(from_bot)) reader_.emplace(from_bot);
}

PipeTransport::~PipeTransport() {
    close();
}

asio::awaitable<void> PipeTransport::readable() {
    return reading_.readable();
}

asio::awaitable<void> PipeTransport::writable() {
    if (!writing_) writing_.emplace(executor_, to_bot_.get());
    return writing_->writable();
}

loop::Transport::Read PipeTransport::read(std::span<char> buffer) {
    if (!from_bot_) return {Status::closed, 0, {}};
    const auto read = reader_ ? reader_->read(from_bot_.get(), buffer) : read_pipe(buffer);
    if (read.status == Status::would_block) {
        reading_.emptied();
    } else if (reader_ ? reader_->took_all() : read.bytes < buffer.size()) {
        reading_.took_all();
    }
    return read;
}

loop::Transport::Read PipeTransport::read_pipe(std::span<char> buffer) {
    const auto bytes = ::read(from_bot_.get(), buffer.data(), buffer.size());
    if (bytes < 0) return {is_would_block(errno) ? Status::would_block : Status::failed, 0, {}};
    if (bytes == 0) return {Status::closed, 0, Stamp::exact(loop::monotonic_now())};
    return {Status::good, static_cast<std::size_t>(bytes), Stamp::exact(loop::monotonic_now())};
}

loop::Transport::Write PipeTransport::write(std::string_view bytes) {
    if (!to_bot_) return {Status::closed, 0, {}};
    const auto sent = ::write(to_bot_.get(), bytes.data(), bytes.size());
    if (sent < 0) {
        if (is_would_block(errno))
            return {Status::would_block, 0, Stamp::exact(loop::monotonic_now())};
        return {errno == EPIPE ? Status::closed : Status::failed, 0, {}};
    }
    return {Status::good, static_cast<std::size_t>(sent), Stamp::exact(loop::monotonic_now())};
}

void PipeTransport::close() {
    reading_.close();
    if (writing_) writing_->close();
    from_bot_.reset();
    to_bot_.reset();
}

}  // namespace referee::transport
