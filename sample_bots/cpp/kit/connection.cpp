#include "sample_bots/cpp/kit/connection.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "protocol/limits.h"

namespace kit {
namespace {

// A socket that is connected to one of the addresses, or -1 with errno as the last one left it.
int connect_to_one_of(const addrinfo* addresses) {
    for (const auto* one = addresses; one != nullptr; one = one->ai_next) {
        const int fd = ::socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol);
        if (fd < 0) continue;
        if (::connect(fd, one->ai_addr, one->ai_addrlen) == 0) return fd;
        const int reason = errno;
        ::close(fd);
        errno = reason;
    }
    return -1;
}

}  // namespace

base::Result<std::unique_ptr<Connection>, NoConnection> Connection::to(const std::string& address) {
    const auto parts = protocol::read_address(address);
    if (!parts) return base::failure(NoConnection{parts.error(), true});
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* addresses = nullptr;
    const int failure =
        ::getaddrinfo(parts->host.c_str(), parts->port.c_str(), &wanted, &addresses);
    if (failure != 0) return base::failure(NoConnection{address + ": " + ::gai_strerror(failure)});
    const int fd = connect_to_one_of(addresses);
    const int reason = errno;
    ::freeaddrinfo(addresses);
    if (fd < 0) return base::failure(NoConnection{address + ": " + std::strerror(reason)});
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    auto connection = std::make_unique<Connection>(fd, fd);
    if (!parts->tls) return connection;
    auto link = TlsLink::over(fd, *parts);
    if (!link) return base::failure(std::move(link.error()));
    connection->tls_ = *std::move(link);
    return connection;
}

std::unique_ptr<Connection> Connection::over_standard_streams() {
    const int in = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    return std::make_unique<Connection>(in, out);
}

Connection::Connection(int in, int out)
    : in_(in),
      out_(out),
      framer_(protocol::limits::referee_line_bytes_max, protocol::limits::referee_line_bytes_max) {}

Connection::~Connection() {
    tls_.reset();  // says goodbye
    ::close(in_);
    if (out_ != in_) ::close(out_);
}

std::optional<std::string_view> Connection::read_line() {
    while (true) {
        const auto found = framer_.next();
        if (found.what == protocol::Framing::line) return found.line;
        if (found.what == protocol::Framing::too_long) return std::nullopt;
        const auto room = framer_.prepare();
        const auto bytes = tls_ != nullptr ? static_cast<ssize_t>(tls_->read(room))
                                           : ::read(in_, room.data(), room.size());
        if (bytes < 0 && errno == EINTR) continue;
        if (bytes <= 0) return std::nullopt;
        framer_.commit(static_cast<std::size_t>(bytes));
    }
}

bool Connection::write(std::string_view text) {
    if (tls_ != nullptr) return tls_->write(text);
    while (!text.empty()) {
        const auto bytes = ::write(out_, text.data(), text.size());
        if (bytes < 0 && errno == EINTR) continue;
        if (bytes <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(bytes));
    }
    return true;
}

}  // namespace kit
