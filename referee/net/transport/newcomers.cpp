#include "referee/net/transport/newcomers.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <tuple>
#include <utility>
#include <vector>

#include "referee/limits.h"

namespace referee::transport {
namespace {

template <typename Address>
std::string bytes_of(const Address& address, std::size_t count) {
    return {reinterpret_cast<const char*>(&address), count};
}

std::string network_of(const sockaddr_storage& from) {
    constexpr std::size_t network_bytes = 8;  // of an IPv6 address
    if (from.ss_family == AF_INET)
        return bytes_of(reinterpret_cast<const sockaddr_in&>(from).sin_addr, sizeof(in_addr));
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(from).sin6_addr;
    if (IN6_IS_ADDR_V4MAPPED(&v6)) return bytes_of(v6.s6_addr32[3], sizeof(in_addr));
    return bytes_of(v6, network_bytes);
}

// A login is an object of JSON, or comes in a handshake of TLS.
bool may_begin_login(char byte) {
    constexpr char handshake_record = 0x16;
    return byte == '{' || byte == handshake_record || byte == ' ' || byte == '\t' || byte == '\r' ||
           byte == '\n';
}

}  // namespace

boost::system::error_code Newcomers::take(int listening, std::size_t most) {
    while (all_.size() < most) {
        sockaddr_storage from{};
        socklen_t size = sizeof from;
        const int socket = ::accept4(listening, reinterpret_cast<sockaddr*>(&from), &size,
                                     SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (socket >= 0) {
            auto network = network_of(from);
            const auto let_in = let_in_.find(network);
            all_.push_back({files::Descriptor(socket), std::move(network),
                            let_in == let_in_.end() ? 0 : let_in->second, false});
        } else if (errno == EAGAIN) {
            return {};
        } else if (errno != EINTR && errno != ECONNABORTED) {
            return {errno, boost::system::system_category()};
        }
    }
    return {};
}

bool Newcomers::is_there(Newcomer& one, short news) {
    char first = 0;
    const auto sent =
        (news & POLLIN) == 0 ? -1 : ::recv(one.socket.get(), &first, 1, MSG_PEEK | MSG_DONTWAIT);
    if (sent == 1) one.sent_no_login = !may_begin_login(first);
    // Who hung up a Unix socket may have said something before.
    return sent != 0 && (news & POLLERR) == 0 && (sent == 1 || (news & POLLHUP) == 0);
}

// Who goes first by what is known so far is looked at. What is found then can only put it back or
// out: so who stays first is the one that a look at all of them would have found.
files::Descriptor Newcomers::next() {
    while (!all_.empty()) {
        const auto first =
            std::min_element(all_.begin(), all_.end(), [](const Newcomer& a, const Newcomer& b) {
                return std::tie(a.sent_no_login, a.let_in) < std::tie(b.sent_no_login, b.let_in);
            });
        const bool was_known = first->sent_no_login;
        pollfd look{first->socket.get(), POLLIN, 0};
        ::poll(&look, 1, 0);
        if (!is_there(*first, look.revents)) {
            all_.erase(first);
        } else if (first->sent_no_login == was_known) {
            if (let_in_.size() >= limits::networks_remembered_max) let_in_.clear();
            let_in_[first->network] = ++let_in_total_;
            for (auto& one : all_)
                if (one.network == first->network) one.let_in = let_in_total_;
            auto socket = std::move(first->socket);
            all_.erase(first);
            return socket;
        }
    }
    return {};
}

void Newcomers::hang_up_on_who_sent_no_login() {
    std::vector<pollfd> looks;
    for (const auto& one : all_) looks.push_back({one.socket.get(), POLLIN, 0});
    ::poll(looks.data(), looks.size(), 0);
    auto look = looks.begin();
    std::erase_if(all_, [&look](Newcomer& one) {
        return !is_there(one, (look++)->revents) || one.sent_no_login;
    });
}

}  // namespace referee::transport
