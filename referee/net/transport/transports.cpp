#include "referee/net/transport/transports.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/ip/tcp.hpp>
#include <cerrno>
#include <utility>

#include "protocol/address.h"
#include "protocol/base/text.h"
#include "referee/net/loop/timers.h"
#include "referee/net/transport/kernel_stamps.h"
#include "referee/net/transport/tcp_socket.h"

namespace referee::transport {
namespace {

namespace asio = boost::asio;

// One end of a connection, as getpeername(2) or getsockname(2) tells it.
asio::ip::tcp::endpoint end_of(int socket, decltype(::getpeername)* ask) {
    asio::ip::tcp::endpoint end;
    auto size = static_cast<socklen_t>(end.capacity());
    if (ask(socket, end.data(), &size) == 0) end.resize(size);
    return end;
}

void never_wait(int descriptor) {
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

}  // namespace

TcpTransport::TcpTransport(const asio::any_io_executor& executor, files::Descriptor socket,
                           StreamOf stream, OnTls on_tls)
    : ends_(ends_of(socket.get())),
      socket_(std::move(socket)),
      watched_(executor, socket_.get()),
      on_tls_(std::move(on_tls)),
      reader_(socket_.get(), stream),
      writer_(socket_.get(), asio::use_service<AskingBudget>(executor.context())) {}

TcpTransport::Ends TcpTransport::ends_of(int socket) {
    const auto peer = end_of(socket, ::getpeername);
    const auto address = peer.address();
    auto text = address.to_string();
    return {fmt::format("{}:{}", address.is_v6() ? '[' + text + ']' : text, peer.port()), text,
            protocol::is_loopback(text) || address == end_of(socket, ::getsockname).address()};
}

TcpTransport::~TcpTransport() {
    close();
}

Transport::Read TcpTransport::read(std::span<char> buffer) {
    if (!socket_) return {Status::closed, 0, {}};
    const auto read = reader_.read(socket_.get(), buffer);
    if (read.status == Status::good) {
        if (reader_.took_all()) watched_.took_all();
        writer_.heard(socket_.get(), read.stamp.latest);
        if (const auto on_tls = std::exchange(on_tls_, nullptr);
            on_tls != nullptr && buffer.front() == tls_handshake_record) {
            on_tls(*this);
            return {Status::failed, 0, {}};
        }
    }
    if (read.status == Status::would_block) {
        watched_.emptied();
        collect_stamps();
    }
    return read;
}

Transport::Write TcpTransport::write(std::string_view bytes) {
    if (!socket_) return {Status::closed, 0, {}};
    const auto write = writer_.write(socket_.get(), bytes);
    if (write.status == Status::would_block) collect_stamps();
    return write;
}

void TcpTransport::collect_stamps() {
    writer_.collect(socket_.get());
    watched_.took_stamps();
}

void TcpTransport::close() {
    if (!socket_) return;
    watched_.close();
    ::shutdown(socket_.get(), SHUT_RDWR);
    socket_.reset();
}

Path TcpTransport::path(Instant now) const {
    const auto path = writer_.path(socket_.get(), now);
    // Between two programs of one machine there is no line that could hold something up: what
    // acknowledgements show there is how late a program reads, which is its own time.
    return ends_.from_this_machine ? Path::exact(path.least) : path;
}

PipeTransport::PipeTransport(const asio::any_io_executor& executor, int from_bot, int to_bot,
                             std::string peer)
    : from_bot_(from_bot),
      to_bot_(to_bot),
      executor_(executor),
      reading_(executor, from_bot),
      peer_(std::move(peer)) {
    never_wait(from_bot);
    never_wait(to_bot);
    if (stamp_arrivals(from_bot)) reader_.emplace(from_bot);
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

Transport::Read PipeTransport::read(std::span<char> buffer) {
    if (!from_bot_) return {Status::closed, 0, {}};
    const auto read = reader_ ? reader_->read(from_bot_.get(), buffer) : read_pipe(buffer);
    if (read.status == Status::would_block) {
        reading_.emptied();
    } else if (reader_ ? reader_->took_all() : read.bytes < buffer.size()) {
        reading_.took_all();
    }
    return read;
}

Transport::Read PipeTransport::read_pipe(std::span<char> buffer) {
    const auto bytes = ::read(from_bot_.get(), buffer.data(), buffer.size());
    if (bytes < 0) return {is_would_block(errno) ? Status::would_block : Status::failed, 0, {}};
    if (bytes == 0) return {Status::closed, 0, Stamp::exact(loop::monotonic_now())};
    return {Status::good, static_cast<std::size_t>(bytes), Stamp::exact(loop::monotonic_now())};
}

Transport::Write PipeTransport::write(std::string_view bytes) {
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
