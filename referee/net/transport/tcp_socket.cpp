// Nothing of Asio's stands here: only <linux/tcp.h> has tcpi_min_rtt, and it can't be included
// beside <netinet/tcp.h>, which Asio includes; nor do the kernel's headers of stamps and errors go
// with Asio's.

#include "referee/net/transport/tcp_socket.h"

#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cstring>
#include <optional>

namespace referee::transport {
namespace {

// On a connection where nothing comes, the kernel asks after so many seconds whether the peer is
// there, and then again and again. That is seldom enough to cost nothing with a thousand quiet
// bots.
constexpr int quiet_s = 10;
constexpr int ask_again_s = 5;
// A connection is dead when nothing was answered for so long. It is longer than a laptop takes from
// one Wi-Fi to another, and short enough that no match begins with a bot that left minutes ago. It
// holds for both ways of noticing: probes of a quiet line, and sent bytes that are not
// acknowledged.
constexpr int unanswered_s = 20;
constexpr int probes = (unanswered_s - quiet_s) / ask_again_s;
constexpr unsigned unanswered_ms = unanswered_s * 1000;

// Room for some dozens of usual states. If it were larger, it would hide a bot that doesn't read;
// if it were smaller, even a bot that reads well would get its lines in more pieces.
constexpr int unsent_bytes_max = 64 * 1024;

template <typename Value>
void set(int socket, int level, int option, Value value) {
    // A kernel may not know the option; then there is nothing better to do.
    static_cast<void>(setsockopt(socket, level, option, &value, sizeof value));
}

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

void watch_peer(int socket) {
    set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
    set(socket, IPPROTO_TCP, TCP_KEEPIDLE, quiet_s);
    set(socket, IPPROTO_TCP, TCP_KEEPINTVL, ask_again_s);
    set(socket, IPPROTO_TCP, TCP_KEEPCNT, probes);
    set(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, unanswered_ms);
}

void set_up_for_bots(int socket) {
    set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
    watch_peer(socket);
    set(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, unsent_bytes_max);
}

TcpFacts tcp_facts(int socket) {
    constexpr auto unknown = ~0U;
    tcp_info info{};
    socklen_t size = sizeof info;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return {};
    TcpFacts facts;
    if (info.tcpi_min_rtt != unknown) {
        facts.least_round_trip = from_us(info.tcpi_min_rtt);
        facts.deviation = from_us(info.tcpi_rttvar);
    }
    facts.data_segments = info.tcpi_data_segs_in;
    facts.bytes = info.tcpi_bytes_received;
    return facts;
}

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
