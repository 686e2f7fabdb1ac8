// Whom a bot reaches by sockets.

#include <arpa/inet.h>
#include <linux/vm_sockets.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "tests/hostile/attempt.h"

namespace hostile {

namespace {

constexpr int protocol_mptcp = 262;
constexpr int family_vsock = 40;

sockaddr_in loopback(const std::string& port) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(number(port)));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

// A socket that ends with this; -1 where there is none, with errno set.
class Socket {
 public:
    Socket(int family, int type, int protocol) : number_(::socket(family, type, protocol)) {}
    ~Socket() {
        if (number_ >= 0) ::close(number_);
    }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    int number() const { return number_; }

 private:
    int number_;
};

int make(int family, int type, int protocol) {
    return Socket(family, type, protocol).number() < 0 ? errno : 0;
}

int connect_tcp(const std::string& port, int protocol) {
    const Socket socket(AF_INET, SOCK_STREAM, protocol);
    if (socket.number() < 0) return errno;
    const sockaddr_in address = loopback(port);
    return errno_of(
        ::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address));
}

int connect_by_sending(const std::string& port) {
    const Socket socket(AF_INET, SOCK_STREAM, 0);
    if (socket.number() < 0) return errno;
    const sockaddr_in address = loopback(port);
    return errno_of(::sendto(socket.number(), "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL,
                             reinterpret_cast<const sockaddr*>(&address), sizeof address));
}

int send_udp(const std::string& port) {
    const Socket socket(AF_INET, SOCK_DGRAM, 0);
    if (socket.number() < 0) return errno;
    const sockaddr_in address = loopback(port);
    return errno_of(::sendto(socket.number(), "x", 1, MSG_NOSIGNAL,
                             reinterpret_cast<const sockaddr*>(&address), sizeof address));
}

int connect_unix(const std::string& name, bool abstract) {
    const Socket socket(AF_UNIX, SOCK_STREAM, 0);
    if (socket.number() < 0) return errno;
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    if (name.size() + 1 >= sizeof address.sun_path) return ENAMETOOLONG;
    std::memcpy(address.sun_path + (abstract ? 1 : 0), name.data(), name.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    return errno_of(::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), size));
}

int listen_tcp() {
    const Socket socket(AF_INET, SOCK_STREAM, 0);
    if (socket.number() < 0) return errno;
    return errno_of(::listen(socket.number(), 1));
}

}  // namespace

void dial(const Arguments& arguments) {
    for (const std::string& argument : arguments) {
        const auto [kind, value] = labelled(argument);
        if (kind == "unix") tell("unix", connect_unix(value, false));
        if (kind == "abstract") tell("abstract", connect_unix(value, true));
        if (kind == "tcp") {
            tell("tcp", connect_tcp(value, 0));
            tell("mptcp", connect_tcp(value, protocol_mptcp));
            tell("fast_open", connect_by_sending(value));
        }
        if (kind == "udp") tell("udp", send_udp(value));
    }
    tell("listen", listen_tcp());
    tell("tcp6", make(AF_INET6, SOCK_STREAM, 0));
    tell("vsock", make(family_vsock, SOCK_STREAM, 0));
    tell("netlink", make(AF_NETLINK, SOCK_RAW, 0));
    tell("raw", make(AF_INET, SOCK_RAW, IPPROTO_ICMP));
    tell("packet", make(AF_PACKET, SOCK_RAW, 0));
}

// The bot inherits a connection in the referee's network. It ends it, and makes another of it.
void redial(const Arguments& arguments) {
    tell_on_standard_error();
    sockaddr nowhere = {};
    nowhere.sa_family = AF_UNSPEC;
    const int ended = errno_of(::connect(STDOUT_FILENO, &nowhere, sizeof nowhere));
    tell("end_connection", ended);
    const sockaddr_in address = loopback(arguments[0]);
    tell("redial", errno_of(::connect(STDOUT_FILENO, reinterpret_cast<const sockaddr*>(&address),
                                      sizeof address)));
    ::connect(STDOUT_FILENO, &nowhere, sizeof nowhere);
    sockaddr_in any = {};
    any.sin_family = AF_INET;
    ::bind(STDOUT_FILENO, reinterpret_cast<const sockaddr*>(&any), sizeof any);
    tell("listen_on_output", errno_of(::listen(STDOUT_FILENO, 1)));
}

}  // namespace hostile
