#include "referee/net/transport/stamped_read.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cstring>

namespace referee::transport {
namespace {

constexpr std::size_t control_bytes = 128;

std::optional<timespec> stamp_in(msghdr& message) {
    for (auto* header = CMSG_FIRSTHDR(&message); header != nullptr;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_TIMESTAMPNS) continue;
        timespec stamp{};
        std::memcpy(&stamp, CMSG_DATA(header), sizeof stamp);
        if (stamp.tv_sec != 0) return stamp;
    }
    return std::nullopt;
}

}  // namespace

bool stamp_arrivals(int socket) {
    int on = 0;
    socklen_t size = sizeof on;
    if (getsockopt(socket, SOL_SOCKET, SO_TIMESTAMPNS, &on, &size) == 0 && on != 0) return true;
    int domain = 0;
    if (getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0) return false;
    if (domain != AF_INET && domain != AF_INET6) return false;
    on = 1;
    return setsockopt(socket, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) == 0;
}

StampedRead read_stamped(int socket, std::span<char> buffer, int flags) {
    iovec piece{buffer.data(), buffer.size()};
    alignas(cmsghdr) std::array<char, control_bytes> control;
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const auto bytes = recvmsg(socket, &message, MSG_DONTWAIT | flags);
    if (bytes <= 0) return {bytes, std::nullopt};
    return {bytes, stamp_in(message)};
}

}  // namespace referee::transport
