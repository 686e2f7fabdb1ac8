#include "referee/net/transport/kernel_stamps.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "referee/net/loop/machine.h"
#include "referee/net/loop/timers.h"

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

// More than a wall clock gains or loses between two reads of one connection, which are a turn
// apart, while something sets it right: 500 us a second as a rule, 5 ms a second on some virtual
// machines. A larger change is a step.
constexpr Duration step_min = std::chrono::milliseconds(10);
// Looks that are closer together tell little about how fast it runs.
constexpr Duration slew_measured_over_min = std::chrono::milliseconds(5);

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

bool StampConverter::look(const loop::WallClock& wall) {
    if (!seen_) {
        seen_ = wall;
        return false;
    }
    const auto change = wall.ahead - seen_->ahead;
    const auto passed = wall.at - seen_->at;
    if (change > step_min || change < -step_min) {
        seen_ = wall;
        slew_ = 0;
        ++steps_;
        return true;
    }
    if (passed < slew_measured_over_min) return false;
    slew_ = static_cast<double>(change.count()) / static_cast<double>(passed.count());
    seen_ = wall;
    return false;
}

std::optional<Instant> StampConverter::convert(const timespec& wall_stamp) {
    const auto wall = loop::read_wall_clock();
    if (wall && look(*wall)) return std::nullopt;
    if (!wall && !seen_) return std::nullopt;
    const auto& known = wall ? *wall : *seen_;
    const auto now = wall ? wall->at : loop::monotonic_now();
    const auto stamp = Instant(loop::duration_of(wall_stamp) - known.ahead);
    const auto age = static_cast<double>((known.at - stamp).count());
    const auto gained = Duration(static_cast<Duration::rep>(age * slew_));
    return std::min(stamp + gained, now);
}

}  // namespace referee::transport
