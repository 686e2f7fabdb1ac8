#include "referee/net/transport/listener.h"

#include <linux/filter.h>
#include <linux/if_ether.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <random>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include "protocol/base/text.h"
#include "referee/net/transport/kernel_stamps.h"
#include "referee/net/transport/tcp_socket.h"

namespace referee::transport {
namespace {

// Connections that were accepted and not let in yet: so many are kept, to see who goes first.
constexpr std::size_t newcomers_max = 64;

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
    return byte == '{' || byte == tls_handshake_record || byte == ' ' || byte == '\t' ||
           byte == '\r' || byte == '\n';
}

namespace asio = boost::asio;
using asio::ip::tcp;

// Who comes from another network than a crowd seldom shares its queue.
constexpr unsigned queues_bits = 5;
// So many wait in a queue. Whom the kernel drops from a full one may wait for a hello that nobody
// sends: it was answered by a SYN cookie, and believes that it is connected.
constexpr int queued_max = tcp::acceptor::max_listen_connections;

using ShareThePort = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

// Tells the kernel which of the sockets that share a port gets who comes from a network (of IPv6:
// the /64). By chance, so that nobody can choose to be queued with a rival. Where the kernel can't,
// it chooses by address and port.
void spread_networks(int listening) {
    constexpr unsigned word_bits = 32;
    std::random_device chance;
    const auto odd = [&] { return chance() | 1U; };
    const auto step = [](unsigned code, std::uint32_t operand, std::uint8_t otherwise = 0) {
        return sock_filter{static_cast<std::uint16_t>(code), 0, otherwise, operand};
    };
    const auto header = [&](unsigned offset) {
        return step(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(SKF_NET_OFF) + offset);
    };
    constexpr auto protocol = static_cast<std::uint32_t>(SKF_AD_OFF + SKF_AD_PROTOCOL);
    std::array steps{
        step(BPF_LD | BPF_H | BPF_ABS, protocol), step(BPF_JMP | BPF_JEQ | BPF_K, ETH_P_IP, 2),
        header(12),  // where IPv4 has the sender's address
        step(BPF_JMP | BPF_JA, 5),
        header(8),  // and IPv6 the network of it
        step(BPF_ALU | BPF_MUL | BPF_K, odd()), step(BPF_MISC | BPF_TAX, 0), header(12),
        step(BPF_ALU | BPF_XOR | BPF_X, 0), step(BPF_ALU | BPF_MUL | BPF_K, odd()),
        // A small factor leaves neighbours together: hence the second.
        step(BPF_MISC | BPF_TAX, 0), step(BPF_ALU | BPF_RSH | BPF_K, word_bits / 2),
        step(BPF_ALU | BPF_XOR | BPF_X, 0), step(BPF_ALU | BPF_MUL | BPF_K, odd()),
        step(BPF_ALU | BPF_RSH | BPF_K, word_bits - queues_bits), step(BPF_RET | BPF_A, 0)};
    const sock_fprog program{steps.size(), steps.data()};
    ::setsockopt(listening, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &program, sizeof program);
}

// What is asked for here is that of all who are accepted, too. And stamping is one switch of the
// whole machine, which takes effect some time after somebody asked: the first bot would come too
// early.
void set_up(int listening) {
    set_up_for_bots(listening);
    stamp_arrivals(listening);
}

tcp::acceptor bound(const asio::any_io_executor& executor, const tcp::endpoint& endpoint,
                    bool shares_port, boost::system::error_code& error) {
    tcp::acceptor acceptor(executor);
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.set_option(ShareThePort(shares_port), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.set_option(ShareThePort(true), error);
    return acceptor;
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
        const auto first = std::ranges::min_element(
            all_, {}, [](const Newcomer& one) { return std::pair(one.sent_no_login, one.let_in); });
        const bool was_known = first->sent_no_login;
        pollfd look{first->socket.get(), POLLIN, 0};
        ::poll(&look, 1, 0);
        if (!is_there(*first, look.revents)) {
            all_.erase(first);
        } else if (first->sent_no_login == was_known) {
            if (let_in_.size() >= loop::networks_remembered_max) let_in_.clear();
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

Listener::Queue::Queue(tcp::acceptor listening)
    : acceptor(std::move(listening)), pause(acceptor.get_executor()) {}

Listener::Opened Listener::open(const asio::any_io_executor& executor, const std::string& address,
                                std::uint16_t port, std::string_view section,
                                const Listener* present) {
    boost::system::error_code error;
    const auto host = asio::ip::make_address(address, error);
    if (error)
        return base::failure("can't listen on \"" + address +
                             "\": expected an IP address such as 127.0.0.1 or 0.0.0.0");
    tcp::endpoint endpoint(host, port);
    const bool shares_port = present != nullptr &&
                             port == present->queues_.front().acceptor.local_endpoint(error).port();
    std::unique_ptr<Listener> listener(new Listener);
    // The first alone finds out whether somebody else has the port.
    for (auto i = 0U; i < 1U << queues_bits && !error; ++i) {
        auto acceptor = bound(executor, endpoint, shares_port || i > 0, error);
        if (!error) endpoint = acceptor.local_endpoint(error);
        if (!error) listener->queues_.emplace_back(std::move(acceptor));
    }
    for (auto& queue : listener->queues_) {
        if (!error) queue.acceptor.listen(queued_max, error);
        set_up(queue.acceptor.native_handle());
        if (!error) queue.acceptor.native_non_blocking(true, error);
    }
    if (error) {
        std::ostringstream why;
        why << "can't listen on " << endpoint << ": " << error.message();
        if (error.value() == EMFILE || error.value() == ENFILE) {
            why << "; raise the limit (`ulimit -n`)";
        } else {
            why << "; choose another \"port\" under \"" << section
                << "\" in the config (0 takes any free one)";
        }
        return base::failure(why.str());
    }
    spread_networks(listener->queues_.front().acceptor.native_handle());
    return listener;
}

Listener::Opened Listener::adopt(const asio::any_io_executor& executor, int socket) {
    tcp::acceptor acceptor(executor);
    boost::system::error_code error;
    acceptor.assign(tcp::v4(), socket, error);
    if (error) {
        ::close(socket);
        return base::failure("can't listen on a socket of a bot: " + error.message());
    }
    set_up(socket);
    acceptor.native_non_blocking(true, error);
    std::unique_ptr<Listener> listener(new Listener);
    listener->queues_.emplace_back(std::move(acceptor));
    return listener;
}

void Listener::start(OnAccepted on_accepted, OnPaused on_paused, loop::TimeShare* strangers_time,
                     StreamOf stream, TcpTransport::OnTls on_tls) {
    const auto as_transport = [on_accepted = std::move(on_accepted), stream,
                               on_tls = std::move(on_tls)](const auto& executor, auto socket) {
        on_accepted(std::make_unique<TcpTransport>(executor, std::move(socket), stream, on_tls));
    };
    start_with_sockets(as_transport, std::move(on_paused), strangers_time, "newcomers");
}

void Listener::start_with_sockets(OnSocket on_socket, OnPaused on_paused,
                                  loop::TimeShare* strangers_time, std::string account) {
    strangers_time_ = strangers_time;
    on_socket_ = std::move(on_socket);
    on_paused_ = std::move(on_paused);
    for (auto& queue : queues_) {
        queue.account = fmt::format("{} {}", account, queue.acceptor.native_handle());
        asio::co_spawn(queue.acceptor.get_executor(), accept_loop(queue, life_.watch()),
                       asio::detached);
    }
}

void Listener::close() {
    boost::system::error_code ignored;
    for (auto& queue : queues_) {
        queue.acceptor.close(ignored);
        queue.newcomers = {};
        queue.pause.cancel();
    }
}

std::string Listener::endpoint() const {
    boost::system::error_code ignored;
    std::ostringstream text;
    text << queues_.front().acceptor.local_endpoint(ignored);
    return text.str();
}

asio::awaitable<void> Listener::accept_loop(Queue& queue, std::function<bool()> lasts) {
    // After each wait somebody may have closed it, since the kernel has the connection.
    while (lasts() && queue.acceptor.is_open()) {
        co_await queue.acceptor.async_wait(tcp::acceptor::wait_read,
                                           asio::as_tuple(asio::use_awaitable));
        boost::system::error_code error;
        do {
            if (!lasts() || !queue.acceptor.is_open()) co_return;
            std::optional<loop::TimeShare::Piece> piece;
            if (strangers_time_ != nullptr) {
                const bool lacks_time = strangers_time_->wait() > Duration::zero();
                piece.emplace(co_await strangers_time_->turn(queue.account));
                if (!lasts() || !queue.acceptor.is_open()) co_return;
                if (lacks_time) queue.newcomers.hang_up_on_who_sent_no_login();
            }
            error = queue.newcomers.take(queue.acceptor.native_handle(), newcomers_max);
            if (auto socket = queue.newcomers.next())
                on_socket_(queue.acceptor.get_executor(), std::move(socket));
            piece.reset();
            if (!lasts()) co_return;
            co_await asio::post(queue.acceptor.get_executor(), asio::use_awaitable);
        } while (lasts() && !queue.newcomers.empty());
        if (!error || !lasts() || !queue.acceptor.is_open()) continue;
        on_paused_(error.message());
        queue.pause.expires_after(accept_pause);
        co_await queue.pause.async_wait(asio::as_tuple(asio::use_awaitable));
    }
}

}  // namespace referee::transport
