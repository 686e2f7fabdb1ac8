#include "referee/daemon/systemd_notice.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace referee::daemon {

SystemdNotice::SystemdNotice() {
    const char* path = std::getenv("NOTIFY_SOCKET");
    if (path == nullptr || (path[0] != '/' && path[0] != '@')) return;
    const std::string_view name(path);
    sockaddr_un address{};
    if (name.size() >= sizeof(address.sun_path)) return;
    address.sun_family = AF_UNIX;
    std::copy(name.begin(), name.end(), address.sun_path);
    if (name.front() == '@') address.sun_path[0] = '\0';  // an abstract name
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    socket_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket_ >= 0 &&
        connect(socket_, reinterpret_cast<const sockaddr*>(&address), length) != 0) {
        close(socket_);
        socket_ = -1;
    }
    const char* usec = std::getenv("WATCHDOG_USEC");
    if (socket_ < 0 || usec == nullptr) return;
    std::int64_t us = 0;
    const auto read = std::from_chars(usec, usec + std::strlen(usec), us);
    // Signs of life are sent twice as often as systemd asks.
    if (read.ec == std::errc() && us > 0) watchdog_ = from_us(us) / 2;
}

SystemdNotice::~SystemdNotice() {
    if (socket_ >= 0) close(socket_);
}

void SystemdNotice::tell(const std::string& state) const {
    // Where nobody reads what was told so far, the loop doesn't wait for that.
    if (socket_ < 0) return;
    static_cast<void>(send(socket_, state.data(), state.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
}

}  // namespace referee::daemon
