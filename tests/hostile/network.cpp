// Whom a bot reaches by sockets.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "tests/hostile/attempt.h"

namespace hostile {

namespace {

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
    Socket(int family, int type) : number_(::socket(family, type, 0)) {}
    ~Socket() {
        if (number_ >= 0) ::close(number_);
    }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    int number() const { return number_; }

 private:
    int number_;
};

int connect_tcp(const std::string& port) {
    const Socket socket(AF_INET, SOCK_STREAM);
    if (socket.number() < 0) return errno;
    const sockaddr_in address = loopback(port);
    return errno_of(
        ::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address));
}

int send_udp(const std::string& port) {
    const Socket socket(AF_INET, SOCK_DGRAM);
    if (socket.number() < 0) return errno;
    const sockaddr_in address = loopback(port);
    return errno_of(::sendto(socket.number(), "x", 1, MSG_NOSIGNAL,
                             reinterpret_cast<const sockaddr*>(&address), sizeof address));
}

int connect_unix(const std::string& name, bool abstract) {
    const Socket socket(AF_UNIX, SOCK_STREAM);
    if (socket.number() < 0) return errno;
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    if (name.size() + 1 >= sizeof address.sun_path) return ENAMETOOLONG;
    std::memcpy(address.sun_path + (abstract ? 1 : 0), name.data(), name.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    return errno_of(::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), size));
}

int listen_tcp() {
    const Socket socket(AF_INET, SOCK_STREAM);
    if (socket.number() < 0) return errno;
    return errno_of(::listen(socket.number(), 1));
}

void dial(const Arguments& arguments) {
    for (const std::string& argument : arguments) {
        const auto [kind, value] = labelled(argument);
        if (kind == "unix") tell("unix", connect_unix(value, false));
        if (kind == "abstract") tell("abstract", connect_unix(value, true));
        if (kind == "tcp") tell("tcp", connect_tcp(value));
        if (kind == "other") tell("other_port", connect_tcp(value));
        if (kind == "udp") tell("udp", send_udp(value));
    }
    tell("listen", listen_tcp());
    tell("netlink", errno_of(Socket(AF_NETLINK, SOCK_RAW).number()));
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

}  // namespace

std::span<const Action> actions_on_network() {
    static constexpr auto actions = std::to_array<Action>({
        {"dial", dial, 1},      // unix=PATH abstract=NAME tcp=PORT other=PORT udp=PORT
        {"redial", redial, 1},  // PORT: with the connection that is standard output
    });
    return actions;
}

}  // namespace hostile
