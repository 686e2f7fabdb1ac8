#include "referee/net/transport/tcp_transport.h"

#include <sys/socket.h>

#include <sstream>
#include <utility>

#include "referee/net/transport/peer_watch.h"

namespace referee::transport {
namespace {

namespace asio = boost::asio;

// What TLS begins with: the head of a record that carries a handshake. No line of JSON does.
constexpr char handshake_record = 0x16;

// Also another one than that of the listener, such as 127.0.0.2.
bool is_loopback(const asio::ip::address& address) {
    if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address.is_loopback();
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).is_loopback();
}

// The descriptor, set up for us; it leaves the hands of Asio, which would be told of its news too.
files::Descriptor own(asio::ip::tcp::socket& socket) {
    boost::system::error_code ignored;
    socket.set_option(asio::ip::tcp::no_delay(true), ignored);
    socket.native_non_blocking(true, ignored);
    return files::Descriptor(socket.release(ignored));
}

}  // namespace

TcpTransport::TcpTransport(asio::ip::tcp::socket socket, StreamOf stream, OnTls on_tls)
    : ends_(ends_of(socket)),
      socket_(own(socket)),
      watched_(socket.get_executor(), socket_.get()),
      on_tls_(std::move(on_tls)),
      reader_(socket_.get(), stream),
      writer_(socket_.get(), asio::use_service<AskingBudget>(socket.get_executor().context())) {
    watch_peer(socket_.get());
    bound_unsent(socket_.get());
}

TcpTransport::Ends TcpTransport::ends_of(const asio::ip::tcp::socket& socket) {
    boost::system::error_code ignored;
    const auto endpoint = socket.remote_endpoint(ignored);
    std::ostringstream text;
    text << endpoint;
    const auto address = endpoint.address();
    return {text.str(), address.to_string(),
            is_loopback(address) || address == socket.local_endpoint(ignored).address()};
}

TcpTransport::~TcpTransport() {
    close();
}

asio::awaitable<void> TcpTransport::readable() {
    return watched_.readable();
}

asio::awaitable<void> TcpTransport::writable() {
    return watched_.writable();
}

loop::Transport::Read TcpTransport::read(std::span<char> buffer) {
    if (!socket_) return {Status::closed, 0, {}};
    const auto read = reader_.read(socket_.get(), buffer);
    if (read.status == Status::good) {
        if (reader_.took_all()) watched_.took_all();
        writer_.heard(read.stamp.latest);
        if (const auto on_tls = std::exchange(on_tls_, nullptr);
            on_tls != nullptr && buffer.front() == handshake_record) {
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

loop::Transport::Write TcpTransport::write(std::string_view bytes) {
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

}  // namespace referee::transport
