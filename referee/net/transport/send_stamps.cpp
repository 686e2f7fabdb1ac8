// A file of its own: the kernel's headers of stamps and errors don't go with Asio's.

#include "referee/net/transport/send_stamps.h"

#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cstring>

namespace referee::transport {
namespace {

// Which stamps to make is said with each message that is to have them; this says how they are
// told: by the byte's number, and without the bytes.
constexpr int how_told =
    SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_ID | SOF_TIMESTAMPING_OPT_TSONLY;
constexpr std::uint32_t asked_for = SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_TX_ACK;
constexpr std::size_t stamp_control_bytes = 256;

bool is_error(const cmsghdr& header) {
    return (header.cmsg_level == SOL_IP && header.cmsg_type == IP_RECVERR) ||
           (header.cmsg_level == SOL_IPV6 && header.cmsg_type == IPV6_RECVERR);
}

std::optional<SendStamps::Seen> seen_in(msghdr& message) {
    scm_timestamping stamps{};
    sock_extended_err error{};
    for (auto* header = CMSG_FIRSTHDR(&message); header != nullptr;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_TIMESTAMPING)
            std::memcpy(&stamps, CMSG_DATA(header), sizeof stamps);
        if (is_error(*header)) std::memcpy(&error, CMSG_DATA(header), sizeof error);
    }
    if (error.ee_origin != SO_EE_ORIGIN_TIMESTAMPING || stamps.ts[0].tv_sec == 0) return {};
    using What = SendStamps::Seen::What;
    if (error.ee_info != SCM_TSTAMP_SND && error.ee_info != SCM_TSTAMP_ACK) return {};
    const auto what = error.ee_info == SCM_TSTAMP_SND ? What::left : What::acknowledged;
    return SendStamps::Seen{what, error.ee_data, {stamps.ts[0].tv_sec, stamps.ts[0].tv_nsec}};
}

}  // namespace

SendStamps::SendStamps(int socket)
    : available_(setsockopt(socket, SOL_SOCKET, SO_TIMESTAMPING, &how_told, sizeof how_told) == 0) {
}

ssize_t SendStamps::send_and_ask(int socket, std::string_view bytes) {
    // sendmsg only reads them.
    iovec piece{const_cast<char*>(bytes.data()), bytes.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof asked_for)> control{};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    auto* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SO_TIMESTAMPING;
    header->cmsg_len = CMSG_LEN(sizeof asked_for);
    std::memcpy(CMSG_DATA(header), &asked_for, sizeof asked_for);
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void SendStamps::take(int socket, const std::function<void(const Seen&)>& each) {
    alignas(cmsghdr) std::array<char, stamp_control_bytes> control;
    for (;;) {
        msghdr message{};
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        if (recvmsg(socket, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return;
        if (const auto seen = seen_in(message)) each(*seen);
    }
}

}  // namespace referee::transport
