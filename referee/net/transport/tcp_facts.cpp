// A file of its own: only <linux/tcp.h> has tcpi_min_rtt, and it can't be included beside
// <netinet/tcp.h>, which Asio includes.

#include "referee/net/transport/tcp_facts.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace referee::transport {

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

}  // namespace referee::transport
